//! An agent with a shell cannot answer for the person: what decides what may run is refused there.

use serde_json::json;
use symposium_agents::spec;
use symposium_model::agent::AgentId;
use symposium_testkit::TestContext;

use crate::crate_plugins::put;
use crate::installations::{CARGO, installed_by, leaving_tool, stand_in, with_plugin};
use crate::{set_mode, with_fixture};

const DECISIONS: [&[&str]; 9] = [
    &["trust", "--yes"],
    &["trust", "--revoke", "--yes"],
    &["init", "--yes", "--agent", "claude"],
    &["on", "serde", "--yes"],
    &["off", "--all", "--yes"],
    &["import", "--from", "claude", "--yes"],
    &["self-update", "--yes"],
    &["uninstall", "--yes"],
    &["uninstall", "--yes", "--json"],
];

/// A project whose plugin waits for a grant.
fn project() -> TestContext {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let config = "[[plugin-source]]\nname = \"own\"\npath = \"plugins\"\n";
    put(&context.workspace().join(".symposium/config.toml"), config);
    let manifest = "name = \"p\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"touch $HOME/ran\"\n";
    put(&context.workspace().join("plugins/p/SYMPOSIUM.toml"), manifest);
    context
}

fn refused(context: &TestContext, args: &[&str], title: &str) {
    let before = context.tree(context.root());
    let output = context.invoke(args);
    assert_eq!(output.code, 2, "{args:?} in the shell of {title}: {output:?}");
    let command = args[0];
    let sentence = format!(
        "error: `symposium {command}` does not run in a shell that {title} started, because only the user may decide this\n\
         help: tell the user to run `symposium {command}` in their own terminal, outside {title}; never run it for them\n"
    );
    assert_eq!(output.stderr, sentence, "{args:?}");
    assert!(output.stdout.is_empty() || args.contains(&"--json"), "{args:?}: {}", output.stdout);
    assert_eq!(context.tree(context.root()), before, "{args:?}");
}

#[test]
fn in_an_agents_shell_nothing_of_the_persons_is_decided() {
    for agent in AgentId::ALL {
        let variables = spec(agent).own_shell.variables;
        for (number, variable) in variables.iter().enumerate() {
            let mut context = project();
            context.set(variable, "1");
            let all = if number == 0 { DECISIONS.len() } else { 1 };
            for args in DECISIONS.iter().take(all) {
                refused(&context, args, spec(agent).title);
            }
        }
    }
}

/// Stands for an agent: a program of its name that starts another one and waits for it.
fn through_agent(context: &TestContext, name: &str) -> Vec<String> {
    let path = context.root().join("agents").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::copy("/bin/sh", &path).unwrap();
    set_mode(&path, 0o755);
    let script = "env -i HOME=\"$HOME\" SYMPOSIUM_HOME=\"$SYMPOSIUM_HOME\" PATH=\"$PATH\" \"$@\"; exit $?";
    vec![path.display().to_string(), "-c".to_owned(), script.to_owned(), "sh".to_owned()]
}

#[cfg(target_os = "linux")]
#[test]
fn without_any_variable_the_process_above_tells() {
    for name in ["claude", "codex", "copilot", "gemini", "opencode", "goose", "cursor-agent", "kiro-cli-chat"] {
        let mut context = project();
        context.set("SYMPOSIUM_TEST_WITHOUT_ANCESTORS", "0");
        let agent = through_agent(&context, name);
        let through: Vec<&str> = agent.iter().map(String::as_str).collect();
        for args in [&["trust", "--yes"][..], &["init", "--yes"], &["on", "serde", "--yes"]] {
            let output = context.invoke_through(&through, args);
            assert_eq!(output.code, 2, "{name} {args:?}: {output:?}");
            assert!(output.stderr.contains("in their own terminal"), "{name} {args:?}: {}", output.stderr);
        }
        context.invoke_through(&through, &["trust", "--show"]).expect(0);
    }
}

#[test]
fn looking_and_following_are_not_refused() {
    let mut context = project();
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.set("CLAUDECODE", "1");
    for args in [
        &["trust", "--show"][..],
        &["trust", "--dry-run"],
        &["init", "--dry-run", "--agent", "claude"],
        &["on", "serde", "--dry-run"],
        &["off", "--all", "--dry-run"],
        &["import", "--from", "claude", "--dry-run"],
        &["uninstall", "--dry-run"],
        &["sync"],
        &["sync", "--yes"],
        &["status"],
        &["why", "serde"],
        &["hook", "list"],
        &["plugin", "list"],
        &["start"],
    ] {
        context.invoke(args).expect(0);
    }
    let event =
        json!({"session_id": "s", "cwd": context.workspace(), "hook_event_name": "SessionStart", "source": "startup"});
    let said = context.invoke_hook("claude", "session-start", &event.to_string()).expect(0);
    assert!(said.contains("symposium start"), "hooks run in an agent's environment: {said}");
}

#[test]
fn a_person_and_a_machine_that_builds_are_not_taken_for_an_agent() {
    for (variable, value) in
        [("CI", "true"), ("CLAUDE_CODE_SSE_PORT", "1234"), ("CLAUDECODE", "0"), ("TERM_PROGRAM", "vscode")]
    {
        let mut context = project();
        context.set(variable, value);
        context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
        context.invoke(&["trust", "--yes"]).expect(0);
        context.invoke(&["on", "serde", "--yes"]).expect(0);
    }
}

#[test]
fn an_agents_yes_installs_nothing() {
    let mut context = with_plugin(CARGO);
    stand_in(&context, "cargo", &leaving_tool());
    context.set("CODEX_THREAD_ID", "1");
    let output = context.invoke(&["sync", "--yes"]);
    assert_eq!((output.code, installed_by(&context)), (0, 0), "{output:?}");
    let place = "`symposium sync --yes` in a terminal outside Codex CLI";
    assert!(output.stderr.contains(place), "{}", output.stderr);
    context.set("CODEX_THREAD_ID", "");
    context.invoke(&["sync", "--yes"]).expect(0);
    assert_eq!(installed_by(&context), 1, "a person's yes counts");
}
