//! A rewrite never gets a command past a rule of the user: agents judge the rewritten command.

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::crate_plugins::put;
use crate::hook_workflows::with_rtk;
use crate::with_fixture;

/// An `rtk` that puts itself before everything, as the real one does with what it knows.
const EVERYTHING: &str = "#!/bin/sh\n[ \"$1\" = rewrite ] || exit 2\nprintf 'rtk %s' \"$2\"; exit 3\n";

fn event(context: &TestContext, agent: &str, command: &str) -> String {
    let event = match agent {
        "copilot" => json!({"sessionId": "s", "cwd": context.workspace(), "toolName": "bash",
            "toolArgs": json!({"command": command}).to_string(), "timestamp": 1}),
        "gemini" => json!({"session_id": "s", "cwd": context.workspace(), "timestamp": "t", "transcript_path": "/t",
            "tool_name": "run_shell_command", "tool_input": {"command": command}}),
        "opencode" => json!({"event": "pre-tool-use", "session_id": "s", "cwd": context.workspace(),
            "tool": "bash", "args": {"command": command}}),
        _ => json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default",
            "cwd": context.workspace(), "tool_name": "Bash", "tool_input": {"command": command}}),
    };
    let name = match agent {
        "gemini" => "before-tool",
        _ => "pre-tool-use",
    };
    context.invoke_hook(agent, name, &event.to_string()).expect(0)
}

fn is_rewritten(context: &TestContext, agent: &str, command: &str) -> bool {
    event(context, agent, command).contains("rtk ")
}

fn home(context: &TestContext, path: &str, text: &str) {
    put(&context.root().join("home").join(path), text);
    context.settle();
}

#[test]
fn rtk_leaves_alone_what_a_rule_of_claude_is_about() {
    let deny = |rules: &[&str]| json!({"permissions": {"deny": rules}}).to_string();
    for (rule, left_alone, rewritten) in [
        ("Bash(git push:*)", &["git push", "git push --force", "cd x && git push", "sh -c 'git push'"][..], "git log"),
        ("Bash(git push)", &["git push"], "git log"),
        ("Bash(npm run test *)", &["npm run test", "npm run test unit"], "npm run build"),
        ("Bash(git pu*)", &["git push", "git pull"], "git log"),
        ("Bash(rtk:*)", &["git push", "ls"], ""),
        ("Read(.env)", &[], "git push"),
        ("Bash", &[], "git push"),
        ("Bash(*)", &[], "git push"),
    ] {
        let context = with_rtk(EVERYTHING);
        home(&context, ".claude/settings.json", &deny(&[rule]));
        for command in left_alone {
            assert!(!is_rewritten(&context, "claude", command), "`{rule}`: `{command}`");
        }
        assert!(rewritten.is_empty() || is_rewritten(&context, "claude", rewritten), "`{rule}`: `{rewritten}`");
    }
}

#[test]
fn rules_count_in_every_list_and_file_and_from_the_next_event_on() {
    for kind in ["allow", "deny", "ask"] {
        for file in ["home", "project", "local"] {
            let context = with_rtk(EVERYTHING);
            context.write_config("config.toml", "[agent]\nname = [\"claude\"]\n");
            assert!(is_rewritten(&context, "claude", "git status"), "{kind} {file}: no rule yet");
            let text = json!({"permissions": {kind: ["Bash(git status:*)"]}}).to_string();
            match file {
                "home" => home(&context, ".claude/settings.json", &text),
                "project" => context.write(".claude/settings.json", text),
                _ => context.write(".claude/settings.local.json", text),
            }
            assert!(!is_rewritten(&context, "claude", "git status"), "{kind} {file}");
            assert!(is_rewritten(&context, "claude", "git log"), "{kind} {file}");
        }
    }
}

#[test]
fn rules_of_other_agents_are_read_as_they_write_them() {
    for (agent, path, text) in [
        ("gemini", ".gemini/settings.json", r#"{"tools": {"exclude": ["run_shell_command(git push)"]}}"#),
        (
            "gemini",
            ".gemini/policies/mine.toml",
            "[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = \"git push\"\ndecision = \"deny\"\npriority = 100\n",
        ),
        (
            "opencode",
            ".config/opencode/opencode.json",
            r#"{"permission": {"bash": {"*": "allow", "git push*": "deny"}}}"#,
        ),
        (
            "copilot",
            ".copilot/permissions-config.json",
            r#"{"locations": {"/w": {"tool_approvals": [{"kind": "commands", "commandIdentifiers": ["git push"]}]}}}"#,
        ),
    ] {
        let context = with_rtk(EVERYTHING);
        home(&context, path, text);
        assert!(!is_rewritten(&context, agent, "git push"), "{agent}, {path}");
        assert!(is_rewritten(&context, agent, "git log"), "{agent}, {path}");
        assert!(is_rewritten(&context, "claude", "git push"), "{path} is not about Claude Code");
    }
}

#[test]
fn rules_that_cannot_be_read_leave_everything_alone() {
    let context = with_rtk(EVERYTHING);
    home(&context, ".claude/settings.json", "{\"permissions\": {\"deny\": [");
    assert!(!is_rewritten(&context, "claude", "ls"));
    let context = with_rtk(EVERYTHING);
    context.write_config("config.toml", "[agent]\nname = [\"gemini\"]\n");
    assert!(is_rewritten(&context, "gemini", "ls"));
    home(
        &context,
        ".gemini/policies/mine.toml",
        "[[rule]]\ntoolName = \"run_shell_command\"\ncommandRegex = \"push\"\n",
    );
    assert!(!is_rewritten(&context, "gemini", "ls"), "a regular expression may be about anything");
}

const WRAPPER: &str = "name = \"wrap\"\n[[hooks]]\nname = \"w\"\nevent = \"PreToolUse\"\nmatcher = \"Bash\"\n\
    command = \"sh $SYMPOSIUM_PLUGIN_DIR/w.sh\"\n";

#[test]
fn the_trail_names_the_rule_that_a_plugins_rewrite_gets_past() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/wrap/SYMPOSIUM.toml", WRAPPER);
    let script = |command: &str| {
        let answer = json!({"PreToolUse": {"updatedInput": {"command": command}}}).to_string();
        context.write_config("plugins/wrap/w.sh", format!("cat > /dev/null\nprintf '%s' '{answer}'\n"));
        context.settle();
    };
    let notes = || {
        let trail = std::fs::read_to_string(context.config_dir().join("logs/hooks.jsonl")).unwrap_or_default();
        let last: Value = serde_json::from_str(trail.lines().last().unwrap_or_default()).unwrap_or_default();
        last["notes"].to_string()
    };
    home(&context, ".claude/settings.json", r#"{"permissions": {"deny": ["Bash(git push:*)"]}}"#);
    script("nice git push");
    assert!(event(&context, "claude", "git push").contains("nice git push"), "the plugin's word counts");
    let expected = "wrap/w: it changes a command that matches the rule `Bash(git push:*)`, but the agent checks only the new command";
    assert!(notes().contains(expected), "{}", notes());
    let shown = context.invoke(&["hook", "log", "-v"]).expect(0);
    assert!(shown.contains("`Bash(git push:*)`"), "{shown}");
    script("git push --dry-run");
    assert!(event(&context, "claude", "git push").contains("--dry-run"));
    assert_eq!(notes(), "null", "what is appended gets past nothing");
    script("nice git log");
    event(&context, "claude", "git log");
    assert_eq!(notes(), "null", "no rule is about it");
}

#[test]
fn authors_are_told_that_a_changed_command_is_judged_anew() {
    let context = with_fixture(&[]);
    let sentence = "agents check the changed command";
    let case = |changed: &str| {
        format!(
            "[[hooks.tests]]\nname = \"t\"\ninput = {{ tool_name = \"Bash\", tool_input = {{ command = \"ls\" }} }}\nrewrite = {{ command = \"{changed}\" }}\n"
        )
    };
    for (more, told) in [
        (String::new(), false),
        ("order = \"rewrite\"\n".to_owned(), true),
        (case("nice ls"), true),
        (case("ls -l"), false),
    ] {
        context.write("p/SYMPOSIUM.toml", format!("{WRAPPER}{more}"));
        context.write("p/w.sh", "cat > /dev/null\n");
        let validated = context.invoke(&["plugin", "validate", "p"]);
        assert_eq!(validated.stdout.contains(sentence), told, "{more}: {validated:?}");
        let tested = context.invoke(&["hook", "test", "p"]);
        let tested = tested.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(tested.contains(sentence), told, "{more}: {tested}");
    }
}

#[test]
fn rules_in_the_root_of_the_repository_count_and_doctor_names_them() {
    let context = with_rtk(EVERYTHING);
    context.write_config("config.toml", "[agent]\nname = [\"claude\", \"opencode\"]\n");
    let root = context.workspace().parent().unwrap().to_owned();
    crate::git(&root, &["init", "-q"]);
    std::fs::create_dir_all(root.join(".claude")).unwrap();
    std::fs::write(root.join(".claude/settings.json"), r#"{"permissions": {"ask": ["Bash(git push:*)"]}}"#).unwrap();
    std::fs::write(root.join("opencode.json"), r#"{"permission": {"bash": {"git push*": "ask"}}}"#).unwrap();
    for agent in ["claude", "opencode"] {
        assert!(!is_rewritten(&context, agent, "git push"), "{agent}");
        assert!(is_rewritten(&context, agent, "git log"), "{agent}");
    }
    let said = context.invoke(&["doctor", "--offline", "claude", "opencode"]).stdout;
    assert!(
        said.contains("rtk does not shorten commands that your rule is about, such as `Bash(git push:*)`:"),
        "{said}"
    );
    assert!(said.contains("such as `git push*`:"), "{said}");
}
