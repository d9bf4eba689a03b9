use serde_json::{Value, json};
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, EventDetail};

use super::*;
use crate::dialect::AgentEvent;
use crate::wire::decode;

/// Decodes an event after a shell command, and shows its result: the exit code, the extent and the text in its frame.
fn shown(agent: AgentId, event: AgentEvent, response: &Value) -> String {
    let dialect = crate::dialect(agent);
    let fields = &dialect.wire.fields;
    let (Some(name), Some(input)) = (fields.tool_name.first(), fields.tool_input.first()) else { return String::new() };
    let tool = dialect.wire.tools.iter().find(|tool| tool.canonical == "Bash").unwrap();
    let key = match (event, fields.error.first()) {
        (AgentEvent::ToolFailed, Some(key)) => key,
        _ => fields.tool_response.first().unwrap(),
    };
    let payload = json!({*name: tool.native[0], *input: {"command": "cargo test"}, *key: response});
    let input = decode(dialect, event, payload.as_object().unwrap().clone(), &[]).unwrap();
    assert!(matches!(input.detail, EventDetail::PostToolUse(..)));
    let Some(shell) = shell_output(Some(dialect), &input) else { return "none".to_owned() };
    let code = shell.exit_code.map_or("?".to_owned(), |code| code.to_string());
    format!("{code} {:?} {}", shell.extent, shell.frame(&format!("[{}]", shell.text)))
}

#[test]
fn results_of_shell_commands() {
    const AFTER: AgentEvent = AgentEvent::Canonical(Event::PostToolUse);
    let claude = |more: Value| {
        let mut response = json!({"stdout": "a\nb", "stderr": "", "interrupted": false, "isImage": false});
        response.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        response
    };
    for (agent, event, response, expected) in [
        (AgentId::Claude, AFTER, claude(json!({})), "0 Whole [a\nb]"),
        (AgentId::Claude, AFTER, claude(json!({"stderr": "c"})), "0 Whole [a\nb\nc]"),
        (AgentId::Claude, AFTER, claude(json!({"interrupted": true})), "none"),
        (AgentId::Claude, AFTER, claude(json!({"isImage": true})), "none"),
        (
            AgentId::Claude,
            AFTER,
            claude(json!({"persistedOutputPath": "/t/x", "persistedOutputSize": 9})),
            "0 CutBeside(\"/t/x\") [a\nb]",
        ),
        (AgentId::Claude, AgentEvent::ToolFailed, json!("Exit code 101\nout"), "101 Whole [out]"),
        (AgentId::Claude, AgentEvent::ToolFailed, json!("Exit code 1"), "1 Whole []"),
        (
            AgentId::Claude,
            AgentEvent::ToolFailed,
            json!("Exit code 1\na\n\n... [31 characters truncated] ...\n\nb"),
            "1 Cut [a\n\n... [31 characters truncated] ...\n\nb]",
        ),
        (AgentId::Claude, AgentEvent::ToolFailed, json!("Interrupted by the user"), "none"),
        (AgentId::Codex, AFTER, json!("a\n"), "? Whole [a\n]"),
        (AgentId::Codex, AFTER, json!("a…31 tokens truncated…b"), "? Cut [a…31 tokens truncated…b]"),
        (AgentId::Codex, AFTER, json!({"content": []}), "none"),
        (
            AgentId::Gemini,
            AFTER,
            json!({"llmContent": "<untrusted_context>\nOutput: a\nb\nExit Code: 3\nProcess Group PGID: 4242\n</untrusted_context>"}),
            "3 Whole <untrusted_context>\nOutput: [a\nb]\nExit Code: 3\nProcess Group PGID: 4242\n</untrusted_context>",
        ),
        (
            AgentId::Gemini,
            AFTER,
            json!({"llmContent": "Output: Exit Code: 1\nx\nProcess Group PGID: 4242"}),
            "0 Whole Output: [Exit Code: 1\nx]\nProcess Group PGID: 4242",
        ),
        (AgentId::Gemini, AFTER, json!({"llmContent": "Command: x\nOutput: y\nExit Code: 1"}), "none"),
        (AgentId::Gemini, AFTER, json!({"llmContent": "Output: y"}), "none"),
        (
            AgentId::Copilot,
            AFTER,
            json!({"resultType": "success", "textResultForLlm": "a\n<shellId: 1 completed with exit code 3>"}),
            "3 Whole [a\n]\n<shellId: 1 completed with exit code 3>",
        ),
        (
            AgentId::Copilot,
            AFTER,
            json!({"resultType": "success", "textResultForLlm": "a\n<shellId: 1 running>"}),
            "none",
        ),
        (AgentId::OpenCode, AFTER, json!({"output": "a", "metadata": {"exit": 0, "truncated": false}}), "0 Whole [a]"),
        (AgentId::OpenCode, AFTER, json!({"output": "a", "metadata": {"exit": 2, "truncated": true}}), "2 Cut [a]"),
        (
            AgentId::OpenCode,
            AFTER,
            json!({"output": "a", "metadata": {"exit": 2, "truncated": true, "outputPath": "/t/y"}}),
            "2 CutBeside(\"/t/y\") [a]",
        ),
        (
            AgentId::Qwen,
            AFTER,
            json!({"llmContent": "Command: x\nDirectory: (root)\nOutput: a\nb\nError: (none)\nExit Code: 0\nSignal: (none)"}),
            "0 Whole Command: x\nDirectory: (root)\nOutput: [a\nb]\nError: (none)\nExit Code: 0\nSignal: (none)",
        ),
        (
            AgentId::Qwen,
            AgentEvent::ToolFailed,
            json!("Command: x\nDirectory: (root)\nOutput: a\nError: (none)\nExit Code: 3\nSignal: (none)"),
            "3 Whole Command: x\nDirectory: (root)\nOutput: [a]\nError: (none)\nExit Code: 3\nSignal: (none)",
        ),
        (AgentId::Qwen, AgentEvent::ToolFailed, json!("File not found"), "none"),
        (AgentId::Goose, AFTER, Value::Null, "0 Whole []"),
        (AgentId::Goose, AgentEvent::ToolFailed, Value::Null, "1 Whole []"),
        (AgentId::Cursor, AFTER, json!("{\"exitCode\":101,\"stdout\":\"a\"}"), "101 Whole [a]"),
        (AgentId::Cursor, AFTER, json!("a"), "none"),
    ] {
        assert_eq!(shown(agent, event, &response), expected, "{agent} {response}");
    }
}
