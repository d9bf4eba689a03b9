use serde_json::json;
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, EventDetail, NativeUse, ToolUse};

use super::*;
use crate::dialect;

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("an object") };
    object
}

fn tool(agent: AgentId, name: &str, input: Value) -> HookInput {
    let native = Some(NativeUse { name: name.to_owned(), input: input.clone() });
    let detail = EventDetail::PreToolUse(ToolUse { name: name.to_owned(), input: object(input), native });
    HookInput { agent: Some(agent), session_id: None, cwd: None, sub_agent: None, detail }
}

fn prompt(agent: AgentId) -> HookInput {
    HookInput { detail: EventDetail::UserPromptSubmit { prompt: "p".to_owned() }, ..tool(agent, "Bash", json!({})) }
}

fn said(format: AgentId, input: &HookInput, answer: &Value) -> HookOutput {
    read_answer(dialect(format), input, &answer.to_string()).unwrap()
}

#[test]
fn a_word_of_no_objection_is_not_a_permission_elsewhere() {
    for (format, answer, grants) in [
        (AgentId::Gemini, json!({"decision": "allow"}), false),
        (AgentId::Goose, json!({"decision": "allow"}), false),
        (AgentId::Kiro, json!({"decision": "allow"}), false),
        // Codex requires `allow` wherever an input is changed.
        (
            AgentId::Codex,
            json!({"hookSpecificOutput": {"permissionDecision": "allow", "updatedInput": {"command": "b"}}}),
            false,
        ),
        (AgentId::Claude, json!({"hookSpecificOutput": {"permissionDecision": "allow"}}), true),
        (AgentId::Copilot, json!({"permissionDecision": "allow"}), true),
        (AgentId::Cursor, json!({"permission": "allow"}), true),
        // A value that an agent ignores does not become a permission.
        (AgentId::Claude, json!({"decision": "approve"}), false),
        (AgentId::Copilot, json!({"decision": "approve"}), false),
    ] {
        let elsewhere = if format == AgentId::Claude { AgentId::Copilot } else { AgentId::Claude };
        let output = said(format, &tool(elsewhere, "Bash", json!({"command": "a"})), &answer);
        assert_eq!(output.decision, grants.then_some(HookDecision::Allow), "{format} {answer}");
    }
    let rewrite = json!({"hookSpecificOutput": {"permissionDecision": "allow", "updatedInput": {"command": "b"}}});
    let at_home = said(AgentId::Codex, &tool(AgentId::Codex, "Bash", json!({"command": "a"})), &rewrite);
    assert_eq!(at_home.decision, Some(HookDecision::Allow));
}

#[test]
fn a_deny_is_read_in_every_form() {
    let bash = tool(AgentId::OpenCode, "Bash", json!({"command": "a"}));
    for (format, answer) in [
        (AgentId::Claude, json!({"hookSpecificOutput": {"permissionDecision": "deny", "updatedInput": null}})),
        (AgentId::Claude, json!({"decision": "block", "hookSpecificOutput": {"permissionDecision": "allow"}})),
        (AgentId::Codex, json!({"decision": "block", "reason": "r"})),
        (AgentId::Copilot, json!({"permissionDecision": "deny"})),
        (AgentId::Copilot, json!({"permissionDecision": "allow", "decision": "block"})),
        (
            AgentId::Copilot,
            json!({"hookSpecificOutput": {"permissionDecision": "deny"}, "permissionDecision": "allow"}),
        ),
        (AgentId::Gemini, json!({"decision": "deny"})),
        (AgentId::Gemini, json!({"continue": false})),
        (AgentId::Goose, json!({"decision": "block"})),
        (AgentId::Cursor, json!({"permission": "deny"})),
        (AgentId::Cursor, json!({"permission": "allow", "decision": "block"})),
        (AgentId::OpenCode, json!({"deny": "r"})),
    ] {
        assert_eq!(said(format, &bash, &answer).decision, Some(HookDecision::Deny), "{format} {answer}");
    }
    for format in [AgentId::Claude, AgentId::Codex, AgentId::Gemini, AgentId::Cursor] {
        let stop = json!({"continue": false, "stopReason": "not now"});
        let output = said(format, &prompt(AgentId::Copilot), &stop);
        assert_eq!(output.decision, Some(HookDecision::Deny), "{format} refuses a prompt with `continue`");
    }
    // Claude runs the tool all the same and stops afterwards.
    assert_eq!(said(AgentId::Claude, &bash, &json!({"continue": false})).decision, None);
    assert_eq!(said(AgentId::Cursor, &bash, &json!({"followup_message": ""})).decision, None);
}

#[test]
fn only_what_differs_is_a_change() {
    let edit = json!({"file_path": "a", "content": "x", "extra": 1});
    for (format, updated, expected) in [
        (
            AgentId::Claude,
            json!({"hookSpecificOutput": {"updatedInput": {"file_path": "a", "content": "y", "extra": 1}}}),
            Some(json!({"content": "y"})),
        ),
        (AgentId::Claude, json!({"hookSpecificOutput": {"updatedInput": {"file_path": "a", "content": "x"}}}), None),
        (AgentId::Copilot, json!({"modifiedArgs": {"path": "b", "file_text": "x"}}), Some(json!({"file_path": "b"}))),
        (
            AgentId::Gemini,
            json!({"hookSpecificOutput": {"tool_input": {"file_path": "a", "content": "y"}}}),
            Some(json!({"content": "y"})),
        ),
        (AgentId::OpenCode, json!({"args": {"filePath": "b", "content": "x"}}), Some(json!({"file_path": "b"}))),
        (
            AgentId::Cursor,
            json!({"updated_input": {"file_path": "b", "content": "x"}}),
            Some(json!({"file_path": "b"})),
        ),
    ] {
        let output = said(format, &tool(AgentId::Claude, "Write", edit.clone()), &updated);
        assert_eq!(output.updated_input.map(Value::Object), expected, "{format} {updated}");
    }
}

#[test]
fn what_else_was_said_is_kept() {
    let answer = json!({"systemMessage": "hello", "decision": "block", "reason": "r"});
    let output = said(AgentId::Claude, &prompt(AgentId::Claude), &answer);
    assert_eq!(Value::Object(output.other), json!({"systemMessage": "hello"}));
}

#[test]
fn plain_text_counts_where_the_agent_counts_it() {
    for (format, event, counts) in [
        (AgentId::Claude, Event::UserPromptSubmit, true),
        (AgentId::Codex, Event::UserPromptSubmit, true),
        (AgentId::Kiro, Event::UserPromptSubmit, true),
        (AgentId::Copilot, Event::UserPromptSubmit, false),
        (AgentId::Gemini, Event::UserPromptSubmit, false),
        (AgentId::Claude, Event::PreToolUse, false),
        (AgentId::Kiro, Event::PreToolUse, false),
    ] {
        let input = match event {
            Event::UserPromptSubmit => prompt(AgentId::Claude),
            _ => tool(AgentId::Claude, "Bash", json!({})),
        };
        let output = read_answer(dialect(format), &input, " some text\n");
        assert_eq!(output.and_then(|output| output.additional_context).is_some(), counts, "{format} {event}");
    }
    // Kiro treats an object like any other text.
    let output = said(AgentId::Kiro, &prompt(AgentId::Claude), &json!({"crates": ["a"]}));
    assert_eq!(output.additional_context.as_deref(), Some(r#"{"crates":["a"]}"#));
}
