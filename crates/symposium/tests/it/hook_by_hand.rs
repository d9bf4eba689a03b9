//! `symposium hook symposium EVENT`: what an author tries by hand.

use crate::hook::executable;
use crate::with_fixture;

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
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write_config("plugins/demo/symposium.toml", PLUGIN);
    executable(&context, "plugins/demo/check.sh", SCRIPT);
    for (event, payload, answer) in [
        (
            "pre-tool-use",
            r#"{"PreToolUse":{"tool_name":"Bash","tool_input":{"command":"cargo test","timeout":5},"session_id":null,"cwd":"/"}}"#,
            r#"{"PreToolUse":{"additionalContext":"Mind --release","updatedInput":{"command":"cargo test --release","timeout":5}}}"#,
        ),
        (
            "pre-tool-use",
            r#"{"PreToolUse":{"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"session_id":null,"cwd":"/"}}"#,
            r#"{"PreToolUse":{"decision":"deny","reason":"Too much"}}"#,
        ),
        (
            "pre-tool-use",
            r#"{"PreToolUse":{"tool_name":"Read","tool_input":{"file_path":"x"},"cwd":"/"}}"#,
            r#"{"PreToolUse":{}}"#,
        ),
        (
            "PostToolUse",
            r#"{"PostToolUse":{"tool_name":"Bash","tool_input":{"command":"cargo test"},"tool_response":{"stdout":"ok"},"session_id":"abc-123","cwd":"/"}}"#,
            r#"{"PostToolUse":{"additionalContext":"3 tests were skipped"}}"#,
        ),
        (
            "user-prompt-submit",
            r#"{"UserPromptSubmit":{"prompt":"Fix it","session_id":"abc-123","cwd":"/"}}"#,
            r#"{"UserPromptSubmit":{"additionalContext":"tokio 1.x is used"}}"#,
        ),
        (
            "session-start",
            r#"{"SessionStart":{"session_id":"abc-123","cwd":"/"}}"#,
            r#"{"SessionStart":{"additionalContext":"Welcome"}}"#,
        ),
        ("stop", r#"{"Stop":{"cwd":"/"}}"#, r#"{"Stop":{}}"#),
        ("stop", "{", r#"{"Stop":{}}"#),
    ] {
        let output = context.invoke_hook("symposium", event, payload);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{payload}");
        assert_eq!(output.stdout, format!("{answer}\n"), "{payload}");
    }
    let log = context.invoke(&["hook", "log"]).expect(0);
    assert!(log.contains("demo/shell: exit 2, deny") && log.contains("1 denied, 1 rewritten (0 with rtk)"), "{log}");
}
