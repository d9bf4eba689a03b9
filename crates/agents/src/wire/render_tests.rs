use serde_json::json;
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, NativeUse, ToolResult};

use super::*;
use crate::dialect;

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("an object") };
    object
}

fn input(name: &str, fields: Value) -> HookInput {
    let native = Some(NativeUse { name: "native".to_owned(), input: json!({}) });
    let tool = ToolUse { name: name.to_owned(), input: object(fields), native };
    let agent = Some(AgentId::Codex);
    HookInput { agent, session_id: None, cwd: None, sub_agent: None, detail: EventDetail::PreToolUse(tool) }
}

fn shown(agent: AgentId, event: AgentEvent, input: &HookInput) -> Value {
    render(dialect(agent), event, input)
}

#[test]
fn a_failure_is_told_as_the_agent_tells_it() {
    let mut failure = input("Bash", json!({"command": "x"}));
    let EventDetail::PreToolUse(tool) = failure.detail else { panic!() };
    let result = ToolResult { response: None, failed: true, output: Some("boom".to_owned()) };
    failure.detail = EventDetail::PostToolUse(tool, result);
    for (agent, key, absent) in [
        (AgentId::Claude, "error", "tool_response"),
        (AgentId::Copilot, "error", "toolResult"),
        (AgentId::Cursor, "error_message", "tool_output"),
    ] {
        let shown = shown(agent, AgentEvent::ToolFailed, &failure);
        assert_eq!((shown.get(key), shown.get(absent)), (Some(&json!("boom")), None), "{agent}");
    }
    let after = shown(AgentId::Gemini, AgentEvent::Canonical(Event::PostToolUse), &failure);
    assert_eq!(after["tool_response"], json!("boom"));
}

#[test]
fn one_tool_for_several_is_told_apart() {
    let pre = AgentEvent::Canonical(Event::PreToolUse);
    let write = shown(AgentId::Kiro, pre, &input("Write", json!({"file_path": "a", "content": "t"})));
    assert_eq!(write["tool_name"], json!("fs_write"));
    assert_eq!(write["tool_input"], json!({"command": "create", "path": "a", "file_text": "t"}));
    let edit = input("Edit", json!({"file_path": "a", "old_string": "o", "new_string": "n"}));
    let edit = shown(AgentId::Kiro, pre, &edit);
    let expected = json!({"command": "str_replace", "path": "a", "old_str": "o", "new_str": "n"});
    assert_eq!(edit["tool_input"], expected);
    // Cursor has one tool for both.
    let edit = shown(AgentId::Cursor, pre, &input("Edit", json!({"file_path": "a"})));
    assert_eq!(edit["tool_name"], json!("Write"));
}

#[test]
fn a_patch_that_cannot_be_read_is_still_asked_about() {
    let patch = "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch\n";
    let each = per_file(dialect(AgentId::Claude), &input("Patch", json!({"patch": patch})));
    let names: Vec<&str> = each.iter().map(|one| one.tool().unwrap().name.as_str()).collect();
    assert_eq!(names, ["Write", "Edit"]);
    for odd in [json!({"patch": "nonsense"}), json!({"patch": 1}), json!({})] {
        assert_eq!(per_file(dialect(AgentId::Claude), &input("Patch", odd.clone())), [input("Patch", odd)]);
    }
    let own = input("Patch", json!({"patch": patch}));
    assert_eq!(per_file(dialect(AgentId::Codex), &own), [own]);
}
