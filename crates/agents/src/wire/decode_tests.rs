use std::borrow::Cow;

use serde_json::json;
use symposium_model::agent::AgentId;

use super::*;
use crate::dialect;

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("an object") };
    object
}

fn read(agent: AgentId, event: AgentEvent, payload: Value) -> HookInput {
    decode(dialect(agent), event, object(payload), &[]).unwrap()
}

fn result_of(agent: AgentId, event: AgentEvent, payload: Value) -> ToolResult {
    let EventDetail::PostToolUse(_, result) = read(agent, event, payload).detail else { panic!("a result") };
    result
}

const PRE: AgentEvent = AgentEvent::Canonical(Event::PreToolUse);
const POST: AgentEvent = AgentEvent::Canonical(Event::PostToolUse);

#[test]
fn guests_in_claudes_file_are_told_by_their_payload() {
    for (payload, name) in [
        (json!({"session_id": "s", "transcript_path": "/t", "hook_event_name": "SessionStart"}), "claude"),
        (json!({"transcript_path": "/t", "permission_mode": "default"}), "claude"),
        (json!({"transcript_path": "/t", "permission_mode": "default", "tool_use_id": "1"}), "claude"),
        (json!({"timestamp": "2026-11-15T19:06:42.780Z", "cwd": "/w", "tool_name": "Bash"}), "copilot"),
        // At the end of a turn Copilot names its transcript too.
        (json!({"timestamp": "t", "transcript_path": "/t", "stop_reason": "end_turn"}), "copilot"),
        (json!({"timestamp": 1_794_769_562_315_u64, "transcriptPath": "/t"}), "copilot"),
        (json!({"cursor_version": "1.7", "transcript_path": null, "permission_mode": "x"}), "cursor"),
        // `gemini hooks migrate` copies Claude's hooks, including their commands.
        (json!({"timestamp": "t", "transcript_path": "/t", "hook_event_name": "BeforeTool"}), "gemini"),
        (
            json!({"timestamp": "t", "transcript_path": "/t", "hook_event_name": "SessionStart", "source": "startup"}),
            "gemini",
        ),
        // VS Code, as documented and as it is today, with and without a transcript.
        (json!({"timestamp": "t", "sessionId": "s", "hookEventName": "PreToolUse"}), "vscode"),
        (json!({"timestamp": "t", "hook_event_name": "PreToolUse", "tool_use_id": "1"}), "vscode"),
        (
            json!({"timestamp": "t", "transcript_path": "/t", "hook_event_name": "PostToolUse", "tool_use_id": "1"}),
            "vscode",
        ),
        (json!({"timestamp": "t", "transcript_path": "/t", "hook_event_name": "UserPromptSubmit"}), "vscode"),
        (json!({"timestamp": "t", "transcript_path": "/t", "hook_event_name": "Stop"}), "vscode"),
        (
            json!({"timestamp": "t", "transcript_path": "/t", "hook_event_name": "SessionStart", "source": "new"}),
            "vscode",
        ),
        // No known reader of Claude's settings sends this.
        (json!({"timestamp": "t", "transcript_path": "/t", "hook_event_name": "PreToolUse"}), "claude"),
        (json!({"timestamp": "t", "transcript_path": "/t"}), "claude"),
    ] {
        let text = payload.to_string();
        let peek: EventPeek<'_> = serde_json::from_str(&text).unwrap();
        assert_eq!(speaker(dialect(AgentId::Claude), &peek).owner.name(), name, "{text}");
        assert_eq!(speaker(dialect(AgentId::Codex), &peek).owner.name(), "codex", "{text}");
        let through_copilot = if name == "vscode" { "vscode" } else { "copilot" };
        assert_eq!(speaker(dialect(AgentId::Copilot), &peek).owner.name(), through_copilot, "{text}");
    }
}

#[test]
fn a_first_look_minds_nothing_it_does_not_need() {
    for (text, cwd) in [
        (r#"{"cwd": "/w", "tool_input": {"cwd": "/other"}}"#, Some("/w")),
        (r#"{"working_dir": "/w"}"#, Some("/w")),
        (r#"{"cwd": "/w", "working_dir": "/v"}"#, Some("/w")),
        (r#"{"working_dir": "/v", "cwd": "/w"}"#, Some("/w")),
        (r#"{"cwd": "/v", "cwd": "/w", "timestamp": 1, "timestamp": 2}"#, Some("/w")),
        (r#"{"cwd": "\u002fw\t"}"#, Some("/w\t")),
        (r#"{"cwd": null}"#, None),
        (r#"{"cwd": 7}"#, None),
        (r#"{"cwd": ["/w"], "cursor_version": {}}"#, None),
        ("{}", None),
    ] {
        let peek: EventPeek<'_> = serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(peek.cwd.as_deref(), cwd, "{text}");
    }
    let plain: EventPeek<'_> = serde_json::from_str(r#"{"cwd": "/w"}"#).unwrap();
    assert!(matches!(plain.cwd, Some(Cow::Borrowed("/w"))), "nothing is copied");
    for nonsense in ["", "[]", "null", "7", "{\"cwd\": "] {
        assert!(serde_json::from_str::<EventPeek<'_>>(nonsense).is_err(), "{nonsense}");
    }
}

#[test]
fn what_is_null_is_not_there() {
    let bash = |more: Value| {
        let mut payload = object(json!({"tool_name": "Bash", "tool_input": {"command": "ls"}}));
        payload.extend(object(more));
        Value::Object(payload)
    };
    assert_eq!(read(AgentId::Claude, PRE, bash(json!({"agent_id": null}))).sub_agent, None);
    assert_eq!(read(AgentId::Claude, PRE, bash(json!({"agent_id": "a"}))).sub_agent.as_deref(), Some("a"));
    let failure = bash(json!({"tool_response": null, "error": "Exit code 3"}));
    let failure = result_of(AgentId::Claude, AgentEvent::ToolFailed, failure);
    assert_eq!((failure.response, failure.output.as_deref()), (Some(json!("Exit code 3")), Some("Exit code 3")));
    assert_eq!(result_of(AgentId::Claude, POST, bash(json!({"tool_response": null}))).response, None);
    let nothing = json!({"tool_name": "Bash", "tool_input": null, "session_id": null, "cwd": null});
    let nothing = read(AgentId::Codex, PRE, nothing);
    assert_eq!((nothing.session_id.as_deref(), nothing.cwd.as_deref()), (None, None));
    assert!(nothing.tool().unwrap().input.is_empty());
}

#[test]
fn json_inside_a_text_is_unwrapped_only_when_it_is_an_input() {
    for (given, native) in [
        (json!("{\"command\": \"ls\"}"), json!({"command": "ls"})),
        (json!("ls"), json!("ls")),
        (json!("true"), json!("true")),
        (json!("[1]"), json!("[1]")),
        (json!(3), json!(3)),
        (json!(["a"]), json!(["a"])),
    ] {
        let input = read(AgentId::Copilot, PRE, json!({"toolName": "bash", "toolArgs": given}));
        let tool = input.tool().unwrap();
        assert_eq!(tool.native.as_ref().unwrap().input, native);
        assert_eq!(Value::Object(tool.input.clone()), if native.is_object() { native } else { json!({}) });
    }
}

#[test]
fn text_and_failure_of_a_result() {
    for (agent, key, response, output, failed) in [
        // As the documentation of its predecessor shows it.
        (AgentId::Kiro, "tool_response", json!({"success": true, "result": ["# a\n", "b"]}), Some("# a\n\nb"), false),
        (AgentId::Kiro, "tool_response", json!({"success": false, "result": []}), None, true),
        (AgentId::Codex, "tool_response", json!("hi\n"), Some("hi\n"), false),
        (
            AgentId::Codex,
            "tool_response",
            json!({"content": [{"type": "text", "text": "x"}], "isError": true}),
            Some("x"),
            true,
        ),
        (AgentId::Gemini, "tool_response", json!({"llmContent": "x", "error": {"message": "m"}}), Some("x"), true),
        (AgentId::Gemini, "tool_response", json!({"llmContent": [{"text": "x"}], "error": null}), Some("x"), false),
        (AgentId::Copilot, "toolResult", json!({"resultType": "failure", "textResultForLlm": "x"}), Some("x"), true),
        (AgentId::Claude, "tool_response", json!({"success": true}), None, false),
        (AgentId::Claude, "tool_response", json!({"content": "the file", "structuredPatch": []}), None, false),
        (AgentId::Claude, "tool_response", json!({"mode": "content", "content": "a.rs:1:x"}), Some("a.rs:1:x"), false),
    ] {
        let payload = json!({"tool_name": "t", "toolName": "t", key: response});
        let result = result_of(agent, POST, payload);
        assert_eq!((result.output.as_deref(), result.failed), (output, failed), "{agent} {response}");
    }
}

#[test]
fn a_prompt_is_what_the_person_wrote() {
    for (prompt, written) in [
        ("<hook_context>a &lt;/hook_context&gt; b</hook_context>\n\n  do it", "  do it"),
        ("<hook_context>never closed", "<hook_context>never closed"),
        ("what is <hook_context>x</hook_context>?", "what is <hook_context>x</hook_context>?"),
    ] {
        let input = read(AgentId::Gemini, AgentEvent::Canonical(Event::UserPromptSubmit), json!({"prompt": prompt}));
        assert_eq!(input.detail, EventDetail::UserPromptSubmit { prompt: written.to_owned() });
    }
}

#[test]
fn only_a_prompt_of_the_user_is_one() {
    let event = AgentEvent::Canonical(Event::UserPromptSubmit);
    for (agent, payload, of_user) in [
        (AgentId::Qwen, json!({"prompt": "hi", "submitted_prompt": "hi"}), true),
        (AgentId::Qwen, json!({"prompt": ""}), false),
        (AgentId::Claude, json!({"prompt": ""}), true),
    ] {
        let Value::Object(payload) = payload else { panic!("an object") };
        assert_eq!(is_of_user(dialect(agent), event, &payload), of_user, "{agent}: {payload:?}");
        assert!(is_of_user(dialect(agent), AgentEvent::Canonical(Event::Stop), &payload));
    }
}
