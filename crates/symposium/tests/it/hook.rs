//! `symposium hook`: what a person tries by hand, and that it never stands in an agent's way.

use crate::with_fixture;

#[test]
fn every_call_is_answered_with_nothing_to_say_and_exit_0() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    for (agent, event, payload) in [
        ("claude", "pre-tool-use", "{\"tool_name\": \"Bash\"}"),
        ("copilot", "preToolUse", ""),
        ("nobody", "never", "not json"),
    ] {
        let output = context.invoke_hook(agent, event, payload);
        assert_eq!((output.code, output.stdout.as_str(), output.stderr.as_str()), (0, "", ""), "{agent} {event}");
    }
    let output = context.invoke_hook("symposium", "pre-tool-use", "{\"PreToolUse\": {}}");
    assert_eq!((output.code, output.stdout.as_str()), (0, "{\"PreToolUse\":{}}\n"));
}

/// A plugin that denies, rewrites and adds context, and one hook for each other event.
const PLUGIN: &str = r#"name = "demo"
[[hooks]]
name = "shell"
event = "PreToolUse"
matcher = "Bash"
command = "./check.sh"
[[hooks]]
name = "after"
event = "PostToolUse"
matcher = "Bash"
command = """echo '{"PostToolUse": {"additionalContext": "3 tests were skipped"}}'"""
[[hooks]]
name = "prompt"
event = "UserPromptSubmit"
command = """echo '{"UserPromptSubmit": {"additionalContext": "tokio 1.x is used"}}'"""
[[hooks]]
name = "start"
event = "SessionStart"
command = """echo '{"SessionStart": {"additionalContext": "Welcome"}}'"""
"#;

const SCRIPT: &str = r#"#!/bin/sh
case "$(cat)" in
  *"rm -rf"*) echo "Too much" >&2; exit 2 ;;
  *) echo '{"PreToolUse": {"additionalContext": "Mind --release", "updatedInput": {"command": "cargo test --release"}}}' ;;
esac
"#;

#[test]
fn the_canonical_format_can_be_tried_by_hand() {
    use std::os::unix::fs::PermissionsExt;
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write_config("plugins/demo/symposium.toml", PLUGIN);
    context.write_config("plugins/demo/check.sh", SCRIPT);
    let script = context.config_dir().join("plugins/demo/check.sh");
    std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755)).unwrap();
    for (event, payload, answer) in [
        (
            "pre-tool-use",
            r#"{"PreToolUse":{"tool_name":"Bash","tool_input":{"command":"cargo test","timeout":5},"session_id":null,"cwd":"/tmp"}}"#,
            r#"{"PreToolUse":{"additionalContext":"Mind --release","updatedInput":{"command":"cargo test --release","timeout":5}}}"#,
        ),
        (
            "pre-tool-use",
            r#"{"PreToolUse":{"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"session_id":null,"cwd":"/tmp"}}"#,
            r#"{"PreToolUse":{"decision":"deny","reason":"Too much"}}"#,
        ),
        (
            "pre-tool-use",
            r#"{"PreToolUse":{"tool_name":"Read","tool_input":{"file_path":"x"},"cwd":"/tmp"}}"#,
            r#"{"PreToolUse":{}}"#,
        ),
        (
            "PostToolUse",
            r#"{"PostToolUse":{"tool_name":"Bash","tool_input":{"command":"cargo test"},"tool_response":{"stdout":"ok"},"session_id":"abc-123","cwd":"/tmp"}}"#,
            r#"{"PostToolUse":{"additionalContext":"3 tests were skipped"}}"#,
        ),
        (
            "user-prompt-submit",
            r#"{"UserPromptSubmit":{"prompt":"Fix it","session_id":"abc-123","cwd":"/tmp"}}"#,
            r#"{"UserPromptSubmit":{"additionalContext":"tokio 1.x is used"}}"#,
        ),
        (
            "session-start",
            r#"{"SessionStart":{"session_id":"abc-123","cwd":"/tmp"}}"#,
            r#"{"SessionStart":{"additionalContext":"Welcome"}}"#,
        ),
        ("stop", r#"{"Stop":{"cwd":"/tmp"}}"#, r#"{"Stop":{}}"#),
        ("stop", "{", r#"{"Stop":{}}"#),
    ] {
        let output = context.invoke_hook("symposium", event, payload);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{payload}");
        assert_eq!(output.stdout, format!("{answer}\n"), "{payload}");
    }
    // A sample of an older page, in nobody's format.
    let output = context.invoke_hook("claude", "pre-tool-use", r#"{"tool": "Bash", "input": "cargo test"}"#);
    assert_eq!((output.code, output.stdout.as_str(), output.stderr.as_str()), (0, "", ""));
    let log = context.invoke(&["hook", "log"]).expect(0);
    assert!(log.contains("demo/shell: exit 2, deny") && log.contains("1 denied, 1 rewritten (0 with rtk)"), "{log}");
}
