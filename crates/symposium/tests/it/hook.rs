//! `symposium hook AGENT EVENT`: one plugin, the language of every agent, and never in an agent's way.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use expect_test::expect_file;
use serde_json::{Value, json};
use symposium_model::agent::AgentId;
use symposium_testkit::TestContext;

use crate::with_fixture;

/// A plugin of the user that denies, rewrites, asks and tells.
const GUARD: &str = r#"
name = "guard"

[[hooks]]
name = "shell"
event = "PreToolUse"
matcher = "Bash"
command = "./guard.sh"

[[hooks]]
name = "after"
event = "PostToolUse"
matcher = "Bash"
command = '''sh -c "echo '{\"additionalContext\": \"after the tool\"}'"'''

[[hooks]]
name = "prompt"
event = "UserPromptSubmit"
command = "./prompt.sh"
"#;

const GUARD_SCRIPT: &str = r#"#!/bin/sh
input=$(cat)
case "$input" in
  *'"command":"deny by exit"'*) echo "not this one" >&2; exit 2 ;;
  *'"command":"deny by json"'*) echo '{"PreToolUse": {"decision": "deny", "reason": "nor this one", "additionalContext": "try ls"}}' ;;
  *'"command":"ask"'*) echo '{"PreToolUse": {"decision": "ask", "reason": "really?"}}' ;;
  *'"command":"rewrite"'*) echo '{"PreToolUse": {"updatedInput": {"command": "rewritten"}}}' ;;
  *'"command":"allow and rewrite"'*) echo '{"PreToolUse": {"decision": "allow", "updatedInput": {"command": "rewritten"}}}' ;;
  *'"command":"context"'*) echo '{"PreToolUse": {"additionalContext": "before the tool"}}' ;;
esac
"#;

const PROMPT_SCRIPT: &str = r#"#!/bin/sh
case "$(cat)" in
  *refuse*) echo '{"decision": "deny", "reason": "not such a prompt"}' ;;
  *) echo '{"additionalContext": "with the prompt"}' ;;
esac
"#;

pub(crate) fn executable(context: &TestContext, path: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    context.write_config(path, text);
    let path = context.config_dir().join(path);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

pub(crate) fn with_guard() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/guard/SYMPOSIUM.toml", GUARD);
    executable(&context, "plugins/guard/guard.sh", GUARD_SCRIPT);
    executable(&context, "plugins/guard/prompt.sh", PROMPT_SCRIPT);
    context
}

/// A call of the shell, as an agent sends it.
pub(crate) fn shell(agent: &str, context: &TestContext, command: &str) -> Value {
    let cwd = context.workspace().display().to_string();
    match agent {
        "copilot" => {
            json!({"sessionId": "s", "timestamp": 1, "cwd": cwd, "toolName": "bash", "toolArgs": {"command": command, "description": "d"}})
        }
        "gemini" => {
            json!({"session_id": "s", "transcript_path": "/t", "cwd": cwd, "hook_event_name": "BeforeTool", "timestamp": "t",
                "tool_name": "run_shell_command", "tool_input": {"command": command, "description": "d"}})
        }
        "crush" => {
            json!({"event": "PreToolUse", "session_id": "s", "cwd": cwd, "tool_name": "bash", "tool_input": {"command": command, "description": "d"}})
        }
        "droid" => {
            json!({"session_id": "s", "transcript_path": "/t", "cwd": cwd, "hook_event_name": "PreToolUse",
                "permission_mode": "off", "tool_name": "Execute", "tool_input": {"command": command, "description": "d"}})
        }
        "cline" => {
            json!({"event": "pre-tool-use", "session_id": "s", "cwd": cwd, "tool": "run_commands",
                "args": {"command": command, "description": "d"}})
        }
        "opencode" | "kilo" | "pi" => {
            json!({"event": "pre-tool-use", "session_id": "s", "cwd": cwd, "tool": "bash", "args": {"command": command, "description": "d"}})
        }
        "goose" => {
            json!({"event": "PreToolUse", "session_id": "s", "matcher_context": "shell", "tool_call_id": "1", "tool_name": "shell",
                "tool_input": {"command": command, "description": "d"}, "working_dir": cwd})
        }
        "qwen" => {
            json!({"session_id": "s", "transcript_path": "/t", "cwd": cwd, "hook_event_name": "PreToolUse", "timestamp": "t",
                "permission_mode": "default", "tool_name": "run_shell_command", "tool_input": {"command": command, "description": "d"}})
        }
        "kiro" => {
            json!({"hook_event_name": "preToolUse", "cwd": cwd, "tool_name": "execute_bash", "tool_input": {"command": command, "description": "d"}})
        }
        "cursor" => {
            json!({"conversation_id": "s", "session_id": "s", "hook_event_name": "preToolUse", "cursor_version": "1", "cwd": cwd,
                "tool_name": "Shell", "tool_input": {"command": command, "description": "d"}})
        }
        _ => {
            json!({"session_id": "s", "transcript_path": "/t", "cwd": cwd, "hook_event_name": "PreToolUse",
                "permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": command, "description": "d"}})
        }
    }
}

pub(crate) fn prompt(agent: &str, context: &TestContext, text: &str) -> Value {
    let cwd = context.workspace().display().to_string();
    match agent {
        "goose" => json!({"event": "UserPromptSubmit", "session_id": "s", "message": text, "matcher_context": text}),
        "copilot" => json!({"sessionId": "s", "timestamp": 1, "cwd": cwd, "prompt": text}),
        "qwen" => json!({"session_id": "s", "cwd": cwd, "prompt": text, "submitted_prompt": text}),
        _ => {
            json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default", "cwd": cwd, "prompt": text})
        }
    }
}

#[test]
fn one_plugin_has_the_documented_effect_through_every_dialect() {
    let context = with_guard();
    for agent in AgentId::names() {
        let mut seen = String::new();
        let mut show = |title: &str, event: &str, payload: &Value| {
            let output = context.invoke_hook(agent, event, &payload.to_string());
            seen.push_str(&format!("## {title}\n{}\n", output.transcript().trim_end()));
        };
        for command in ["nothing", "context", "deny by exit", "deny by json", "ask", "rewrite", "allow and rewrite"] {
            show(command, "pre-tool-use", &shell(agent, &context, command));
        }
        let mut after = shell(agent, &context, "ls");
        after["tool_response"] = json!({"stdout": "x"});
        show("after a tool", "post-tool-use", &after);
        show("a prompt", "user-prompt-submit", &prompt(agent, &context, "hello"));
        show("a refused prompt", "user-prompt-submit", &prompt(agent, &context, "refuse"));
        expect_file![format!("../golden/hook/{agent}.txt")].assert_eq(&seen);
    }
}

#[test]
fn the_canonical_form_goes_in_and_out() {
    let context = with_guard();
    let cwd = context.workspace().display().to_string();
    let ask = |command: &str| {
        let event = json!({"PreToolUse": {"tool_name": "Bash", "tool_input": {"command": command, "timeout": 1}, "session_id": null, "cwd": cwd}});
        let output = context.invoke_hook("symposium", "pre-tool-use", &event.to_string());
        serde_json::from_str::<Value>(&output.expect(0)).unwrap()
    };
    assert_eq!(ask("cargo test"), json!({"PreToolUse": {}}));
    assert_eq!(ask("deny by exit"), json!({"PreToolUse": {"decision": "deny", "reason": "not this one"}}));
    assert_eq!(ask("rewrite"), json!({"PreToolUse": {"updatedInput": {"command": "rewritten", "timeout": 1}}}));
}

/// The neutral answer of every agent.
fn is_neutral(agent: &str, output: &symposium_testkit::Output) -> bool {
    let silence = ["", "{}"].contains(&output.stdout.as_str())
        && (output.stdout == "{}") == ["gemini", "opencode", "kilo", "cline", "pi"].contains(&agent);
    output.code == 0 && output.stderr.is_empty() && silence
}

fn trail(context: &TestContext) -> Vec<Value> {
    let text = std::fs::read_to_string(context.config_dir().join("logs/hooks.jsonl")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn bad_input_is_answered_with_nothing_to_say() {
    let context = with_guard();
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep = format!(r#"{{"tool_name":"Bash","tool_input":{{"command":{nested}}}}}"#);
    let huge = format!(r#"{{"tool_name":"Bash","tool_input":{{"command":"{}"}}}}"#, "x".repeat(17 << 20));
    let inputs: Vec<(&str, &str)> = vec![
        ("empty", ""),
        ("blank", "  \n"),
        ("truncated", r#"{"tool_name":"Bash","tool_input":{"comm"#),
        ("array", "[]"),
        ("string", r#""x""#),
        ("null", "null"),
        ("wrong types", r#"{"tool_name":1,"tool_input":[],"cwd":{},"session_id":[]}"#),
        ("no tool", "{}"),
        ("two values", "{} {}"),
        ("the sample of the book", r#"{"tool": "Bash", "input": "cargo test"}"#),
        ("deep", &deep),
        ("huge", &huge),
    ];
    for (name, input) in inputs {
        for agent in AgentId::names() {
            // The bridge's events have that form.
            if ["opencode", "kilo", "cline", "pi"].contains(&agent) && name == "the sample of the book" {
                continue;
            }
            let before = trail(&context).len();
            let output = context.invoke_hook(agent, "pre-tool-use", input);
            assert!(is_neutral(agent, &output), "{agent}, {name}: {output:?}");
            assert_eq!(trail(&context).len(), before + 1, "{agent}, {name}");
        }
    }
    for (agent, event) in [("claude", "an-event-of-the-future"), ("gemini", "x"), ("nobody", "pre-tool-use"), ("", "")]
    {
        let output = context.invoke_hook(agent, event, "{}");
        assert_eq!((output.code, output.stdout.as_str(), output.stderr.as_str()), (0, "", ""), "{agent} {event}");
    }
}

#[test]
fn hostile_directories_and_sessions_do_no_harm() {
    let context = with_guard();
    for cwd in [json!("/nonexistent/x"), json!("relative"), json!(""), json!(null), json!("/proc/self/cwd/../..\u{0}")]
    {
        for session in [json!("../../../x"), json!("/etc/passwd"), json!(""), json!("x".repeat(100_000)), json!(7)] {
            let mut payload = shell("claude", &context, "deny by exit");
            payload["cwd"] = cwd.clone();
            payload["session_id"] = session;
            // The test runs in the workspace, so the user's own plugin counts wherever the event says it is.
            let output = context.invoke_hook("claude", "pre-tool-use", &payload.to_string());
            assert!(output.code == 0 && output.stdout.contains("not this one"), "{cwd}: {output:?}");
        }
    }
    let outside = context.tree(context.root());
    assert!(!outside.contains("passwd") && !outside.contains("/x "), "{outside}");
}

/// A call whose standard input stays open.
fn open_call(context: &TestContext, agent: &str, event: &str, variables: &[(&str, &str)]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_symposium"))
        .args(["hook", agent, event])
        .current_dir(context.workspace())
        .env_clear()
        .env("SYMPOSIUM_TEST_WITHOUT_ANCESTORS", "1")
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", context.root().join("home"))
        .env("SYMPOSIUM_HOME", context.config_dir())
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn input_that_never_ends_is_answered_in_time() {
    let context = with_guard();
    let whole = shell("claude", &context, "deny by exit").to_string();
    let half: String = whole.chars().take(40).collect();
    for (text, denied) in [(whole.as_str(), true), (half.as_str(), false), ("", false)] {
        let start = Instant::now();
        let mut call = open_call(&context, "claude", "pre-tool-use", &[]);
        let mut stdin = call.stdin.take().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
        stdin.flush().unwrap();
        let mut said = String::new();
        call.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(call.wait().unwrap().success());
        assert_eq!(said.contains("not this one"), denied, "{said}");
        assert!(start.elapsed() < Duration::from_secs(40), "{:?}", start.elapsed());
        drop(stdin);
    }
}

#[test]
fn a_hanging_handler_costs_no_guard_its_say() {
    let context = with_fixture(&["workspace0"]);
    let manifest = r#"
name = "slow"
[[hooks]]
name = "hang"
event = "PreToolUse"
order = "policy"
command = "sleep 100"
[[hooks]]
name = "guard"
event = "PreToolUse"
command = "sh -c 'echo no >&2; exit 2'"
"#;
    context.write_config("plugins/slow/SYMPOSIUM.toml", manifest);
    let start = Instant::now();
    let output = context.invoke_hook("claude", "pre-tool-use", &shell("claude", &context, "ls").to_string());
    assert!(output.stdout.contains("\"no\""), "{output:?}");
    assert!(start.elapsed() < Duration::from_secs(40), "{:?}", start.elapsed());
    let last = trail(&context).pop().unwrap();
    assert_eq!(last["handlers"][0]["end"], "killed");
    assert_eq!(last["handlers"][1]["end"], "2");
}

#[test]
fn a_deny_holds_from_the_very_first_event_and_after_every_change() {
    let context = with_guard();
    let denied = |context: &TestContext| {
        let output =
            context.invoke_hook("claude", "pre-tool-use", &shell("claude", context, "deny by exit").to_string());
        assert_eq!((output.code, output.stderr.as_str()), (0, ""));
        output.stdout.contains("deny")
    };
    assert!(denied(&context), "without a plan");
    assert!(denied(&context), "with a plan");

    let plans: Vec<_> = std::fs::read_dir(context.config_dir().join("cache/plans"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join("pre-tool-use.json"))
        .collect();
    assert_eq!(plans.len(), 1);
    let plan = std::fs::read_to_string(&plans[0]).unwrap();
    for broken in ["", "{", "[]", &plan.replace("\"version\":", "\"version\":9"), &plan.replace("guard", "other")] {
        std::fs::write(&plans[0], broken).unwrap();
        assert!(denied(&context), "{broken}");
        // A plan is ours: what cannot be read is made anew, and what reads well is believed.
        std::fs::remove_file(&plans[0]).unwrap();
    }
    context.write_config("plugins/guard/SYMPOSIUM.toml", GUARD.replace("\"Bash\"", "\"Edit\""));
    assert!(!denied(&context), "another matcher");
    context.write_config("plugins/guard/SYMPOSIUM.toml", GUARD);
    assert!(denied(&context), "the old matcher");
    context.write_config(
        "plugins/second/SYMPOSIUM.toml",
        "name = \"second\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"false\"\n",
    );
    assert!(denied(&context), "one more plugin");
    std::fs::remove_dir_all(context.config_dir().join("plugins/guard")).unwrap();
    assert!(!denied(&context), "the plugin is gone");
}

#[test]
fn a_project_runs_nothing_nobody_granted() {
    let context = with_fixture(&["workspace0"]);
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"own\"\npath = \"plugins\"\n");
    context.write("plugins/evil/SYMPOSIUM.toml", "name = \"evil\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"touch ran\"\n[[hooks]]\nname = \"s\"\nevent = \"SessionStart\"\ncommand = \"touch ran\"\n");
    for event in ["session-start", "pre-tool-use"] {
        let output = context.invoke_hook("claude", event, &shell("claude", &context, "ls").to_string());
        assert_eq!(output.code, 0);
        if event == "session-start" {
            assert!(output.stdout.contains("evil"), "it is said: {output:?}");
        }
    }
    assert!(!context.workspace().join("ran").exists());
}

#[test]
fn switches_and_depth_make_it_neutral() {
    for (name, value) in [("SYMPOSIUM_HOOKS", "off"), ("SYMPOSIUM_DEPTH", "8")] {
        let mut context = with_guard();
        context.set(name, value);
        let output =
            context.invoke_hook("claude", "pre-tool-use", &shell("claude", &context, "deny by exit").to_string());
        assert!(is_neutral("claude", &output), "{name}: {output:?}");
    }
    let context = with_guard();
    context.write_config(
        "plugins/guard/guard.sh",
        "#!/bin/sh\nexec \"$SYMPOSIUM_TEST_PROGRAM\" hook claude pre-tool-use\n",
    );
    let mut context = context;
    context.set("SYMPOSIUM_TEST_PROGRAM", env!("CARGO_BIN_EXE_symposium"));
    let output = context.invoke_hook("claude", "pre-tool-use", &shell("claude", &context, "ls").to_string());
    assert!(is_neutral("claude", &output), "it ends: {output:?}");
}

#[test]
fn a_guest_in_the_settings_of_claude_is_answered_in_its_own_words() {
    let context = with_guard();
    let cwd = context.workspace().display().to_string();
    let copilot = json!({"hook_event_name": "PreToolUse", "session_id": "s", "timestamp": "2026-01-01T00:00:00Z", "cwd": cwd,
        "tool_name": "Bash", "tool_input": {"command": "deny by exit"}});
    let output = context.invoke_hook("claude", "pre-tool-use", &copilot.to_string()).expect(0);
    let answer: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(
        (&answer["permissionDecision"], &answer["permissionDecisionReason"]),
        (&json!("deny"), &json!("not this one"))
    );
    context.write_config("config.toml", "[agent]\nname = [\"claude\", \"copilot\"]\n");
    context.invoke(&["sync"]).expect(0);
    let output = context.invoke_hook("claude", "pre-tool-use", &copilot.to_string());
    assert!(is_neutral("claude", &output), "Copilot calls us itself: {output:?}");
}

#[test]
fn a_large_event_loses_no_deny() {
    let context = with_guard();
    let mut event = shell("claude", &context, "deny by exit");
    event["tool_input"]["numbers"] = json!(vec![1; 1 << 18]);
    let output = context.invoke_hook("claude", "pre-tool-use", &event.to_string());
    assert!(output.stdout.contains("deny"), "{:?}", trail(&context).pop());
}

#[test]
fn the_workspace_is_found_where_the_agent_can_be() {
    let mut context = with_fixture(&["workspace0"]);
    let manifest = "name = \"s\"\ncrates = [\"serde\"]\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"sh -c 'echo found >&2; exit 2'\"\n";
    context.write_config("plugins/s/SYMPOSIUM.toml", manifest);
    let denied = |context: &TestContext, event: &Value, agent: &str| {
        context.invoke_hook(agent, "pre-tool-use", &event.to_string()).stdout.contains("found")
    };
    let mut gone = shell("claude", &context, "ls");
    gone["cwd"] = json!(context.workspace().join("gone"));
    assert!(denied(&context, &gone, "claude"), "a directory that is gone");
    let mut rooted = shell("cursor", &context, "ls");
    let root = rooted.as_object_mut().unwrap().remove("cwd").unwrap();
    rooted["workspace_roots"] = json!([root]);
    assert!(denied(&context, &rooted, "cursor"), "the roots of Cursor");
    for value in ["", "/nowhere"] {
        context.set("CLAUDE_PROJECT_DIR", value);
        assert!(denied(&context, &shell("claude", &context, "ls"), "claude"), "a variable that leads nowhere");
    }
}

/// Our own directory is no project's, by whichever of its names somebody calls it.
#[test]
fn our_directory_behind_a_link_is_no_project() {
    let base = with_fixture(&["workspace0"]);
    for (home, project) in [("link/.symposium", "real/project"), ("linked-home", "real/project/deep")] {
        let mut context = with_fixture(&["workspace0"]);
        let root = context.root().to_owned();
        let project = root.join(project);
        for directory in [root.join("real/.symposium"), project.join("src")] {
            std::fs::create_dir_all(directory).unwrap();
        }
        for file in ["Cargo.toml", "Cargo.lock", "src/main.rs"] {
            let _ = std::fs::copy(base.workspace().join(file), project.join(file));
        }
        std::os::unix::fs::symlink(root.join("real"), root.join("link")).unwrap();
        std::os::unix::fs::symlink(root.join("real/.symposium"), root.join("linked-home")).unwrap();
        std::fs::write(root.join("real/.symposium/config.toml"), "[agent]\nname = \"claude\"\n").unwrap();
        context.set("SYMPOSIUM_HOME", root.join(home).to_str().unwrap());
        let mut event = shell("claude", &context, "ls");
        event["cwd"] = json!(project);
        for name in ["pre-tool-use", "pre-tool-use", "session-start", "pre-compact"] {
            let output = context.invoke_in_with(&project, &["hook", "claude", name], event.to_string().as_bytes());
            assert_eq!(output.code, 0, "{output:?}");
        }
        let plans = std::fs::read_dir(root.join("real/.symposium/cache/plans")).unwrap();
        let workspaces: Vec<Value> = plans
            .map(|plans| std::fs::read_to_string(plans.unwrap().path().join("pre-tool-use.json")).unwrap())
            .map(|text| serde_json::from_str::<Value>(&text).unwrap()["workspace"].clone())
            .collect();
        assert_eq!(workspaces, [json!(project)], "{home}");
    }
}

#[test]
fn a_plan_that_cannot_be_kept_holds_all_the_same() {
    let context = with_guard();
    context.write_config("cache", "in the way");
    let output = context.invoke_hook("claude", "pre-tool-use", &shell("claude", &context, "deny by exit").to_string());
    assert!(output.stdout.contains("not this one"), "{output:?}");
    assert!(trail(&context).pop().unwrap()["notes"][0].as_str().unwrap().contains("ailed to write the hook plan"));
}

#[test]
fn a_registration_that_is_gone_silences_no_other() {
    let context = with_guard();
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.write(".symposium/config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync"]).expect(0);
    let denied = |context: &TestContext| {
        let event = shell("claude", context, "deny by exit").to_string();
        let mut call = Command::new(env!("CARGO_BIN_EXE_symposium"));
        call.args(["hook", "claude", "pre-tool-use", "--project"]).current_dir(context.workspace()).env_clear();
        call.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", context.root().join("home"));
        call.env("SYMPOSIUM_HOME", context.config_dir()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut call = call.spawn().unwrap();
        call.stdin.take().unwrap().write_all(event.as_bytes()).unwrap();
        String::from_utf8(call.wait_with_output().unwrap().stdout).unwrap().contains("not this one")
    };
    assert!(!denied(&context), "the user's own settings call us as well");
    std::fs::write(context.root().join("home/.claude/settings.json"), "{}").unwrap();
    assert!(denied(&context), "they do not any more");
}

#[test]
fn the_trail_says_what_happened() {
    let context = with_guard();
    for (agent, command, decision, rewritten) in [
        ("claude", "ask", json!("ask"), false),
        ("codex", "ask", json!("deny"), false),
        ("goose", "rewrite", Value::Null, false),
        ("claude", "rewrite", Value::Null, true),
    ] {
        let output = context.invoke_hook(agent, "pre-tool-use", &shell(agent, &context, command).to_string());
        assert_eq!(output.stdout.is_empty(), agent == "goose");
        let last = trail(&context).pop().unwrap();
        assert_eq!(last["decision"], decision, "{agent} {command}: {last}");
        assert_eq!(last["rewritten"] == json!(true), rewritten, "{agent} {command}: {last}");
    }
}

#[test]
fn many_hanging_handlers_leave_a_guard_its_say() {
    let context = with_fixture(&["workspace0"]);
    let hang =
        |number: usize| format!("[[hooks]]\nname = \"h{number}\"\nevent = \"PreToolUse\"\ncommand = \"sleep 100\"\n");
    let hanging: String = (0..12).map(hang).collect::<Vec<_>>().concat();
    let manifest = format!(
        "name = \"slow\"\n{hanging}[[hooks]]\nname = \"last\"\nevent = \"PreToolUse\"\ncommand = \"sh -c 'echo no >&2; exit 2'\"\n"
    );
    context.write_config("plugins/slow/SYMPOSIUM.toml", manifest);
    let start = Instant::now();
    let output = context.invoke_hook("claude", "pre-tool-use", &shell("claude", &context, "ls").to_string());
    assert!(output.stdout.contains("\"no\""), "{output:?}");
    assert!(start.elapsed() < Duration::from_secs(40), "{:?}", start.elapsed());
}
