//! A call of our tool `crate` counts as loading the skills of that crate, whatever an agent calls the tool.

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::with_fixture;

fn remembered(context: &TestContext) -> String {
    let Ok(files) = std::fs::read_dir(context.config_dir().join("sessions")) else { return String::new() };
    files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

#[test]
fn each_agent_has_its_own_name_for_our_tool() {
    let arguments = json!({"name": "serde"});
    let usual =
        |name: &str| json!({"session_id": "s", "tool_name": name, "tool_input": arguments, "tool_response": {}});
    let goose = |name: &str| json!({"event": "PostToolUse", "session_id": "s", "tool_call_id": "c", "tool_name": name, "tool_input": arguments});
    let mut copilot = json!({"sessionId": "s", "timestamp": 1, "toolArgs": arguments});
    copilot["toolName"] = json!("symposium-crate");
    copilot["toolResult"] = json!({"resultType": "success", "textResultForLlm": "x"});
    let mut gemini = usual("mcp_symposium_crate");
    gemini["mcp_context"] = json!({"server_name": "symposium", "tool_name": "crate"});
    let mut claude = usual("mcp__symposium__crate");
    claude["transcript_path"] = json!("/t");
    claude["permission_mode"] = json!("default");
    let mut cursor = usual("MCP:crate");
    cursor["mcp_server"] = json!({"name": "symposium"});
    cursor["conversation_id"] = json!("s");
    let opencode = json!({"event": "post-tool-use", "session_id": "s", "tool": "symposium_crate", "args": arguments, "output": {}});
    let table: [(&str, Value, bool); 11] = [
        ("claude", claude, true),
        ("codex", usual("mcp__symposium__crate"), true),
        ("gemini", gemini, true),
        ("gemini", usual("mcp_symposium_crate"), true),
        ("copilot", copilot, true),
        ("opencode", opencode, true),
        ("goose", goose("symposium_symposium__crate"), true),
        ("goose", goose("symposium__crate"), true),
        ("kiro", usual("@symposium/crate"), true),
        ("cursor", cursor, true),
        ("codex", usual("mcp__other__crate"), false),
    ];
    for (agent, mut event, counts) in table {
        let context = with_fixture(&["workspace0"]);
        let directory = if agent == "goose" { "working_dir" } else { "cwd" };
        event[directory] = json!(context.workspace());
        context.invoke_hook(agent, "post-tool-use", &event.to_string()).expect(0);
        let facts = remembered(&context);
        assert_eq!(facts.lines().any(|line| line == "c serde"), counts, "{agent} {event}: {facts:?}");
    }
}
