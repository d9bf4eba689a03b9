//! The schema of the canonical hook format: the input and output of handlers.

use serde_json::{Map, Value, json};

use crate::agent::AgentId;
use crate::hook::{Decision, Event};

pub(super) fn input() -> Value {
    wrapped(|event| {
        let mut fields = Map::new();
        let mut required: Vec<&str> = Vec::new();
        let mut add = |key: &str, schema: Value| fields.insert(key.to_owned(), schema);
        let text = |about: &str| json!({"type": ["string", "null"], "description": about});
        match event {
            Event::PreToolUse | Event::PostToolUse => {
                add("tool_name", json!({"type": "string", "description": "The tool's canonical name."}));
                let about = "The input of the tool, with canonical field names.";
                add("tool_input", json!({"type": ["object", "null"], "description": about}));
                add("native", native());
                required.push("tool_name");
                if event == Event::PostToolUse {
                    let about = "The result as the agent reports it; its shape depends on the agent and the tool.";
                    add("tool_response", json!({"description": about}));
                    let about = "Whether the agent reports a failure.";
                    add("tool_failed", json!({"type": ["boolean", "null"], "description": about}));
                    add("output", text("The text of the response, if it is known."));
                }
            }
            Event::UserPromptSubmit => {
                add("prompt", json!({"type": "string", "description": "The text of the user's prompt."}));
                required.push("prompt");
            }
            Event::SessionStart => {
                add("source", text("The cause: `startup`, `resume`, `clear`, `compact`, or the agent's own word."));
            }
            Event::Stop => {
                let about = "Whether a hook already started this turn.";
                add("stop_hook_active", json!({"type": ["boolean", "null"], "description": about}));
                add("last_assistant_message", text("The agent's last message."));
            }
        }
        add("session_id", text("The agent's name for the session."));
        add("cwd", text("The agent's working directory."));
        let mut agents: Vec<Value> = AgentId::names().map(Value::from).into();
        agents.push(Value::Null);
        add("agent", json!({"enum": agents, "description": "The agent that sent the event."}));
        json!({"type": "object", "properties": fields, "required": required, "additionalProperties": false})
    })
}

fn native() -> Value {
    json!({
        "type": ["object", "null"],
        "description": "The original event in the agent's own format.",
        "properties": {"tool_name": {"type": "string"}, "tool_input": {}},
        "additionalProperties": false,
    })
}

pub(super) fn output() -> Value {
    wrapped(|event| {
        let mut fields = Map::new();
        let mut decisions: Vec<Value> =
            [Decision::Allow, Decision::Ask, Decision::Deny].map(|word| Value::from(word.name())).into();
        decisions.push(Value::Null);
        let about = "The decision. If absent: no opinion.";
        fields.insert("decision".to_owned(), json!({"enum": decisions, "description": about}));
        let text = |about: &str| json!({"type": ["string", "null"], "description": about});
        fields.insert("reason".to_owned(), text("The reason. A deny without a reason names the hook."));
        fields.insert("additionalContext".to_owned(), text("Text for the model."));
        if event == Event::PreToolUse {
            let about = "Fields of `tool_input` to change, with canonical names.";
            fields.insert("updatedInput".to_owned(), json!({"type": ["object", "null"], "description": about}));
        }
        json!({"type": ["object", "null"], "properties": fields})
    })
}

/// Wraps the fields of each event in a key with the event's name.
fn wrapped(fields: impl Fn(Event) -> Value) -> Value {
    let forms: Map<String, Value> =
        Event::ALL.map(|event| (event.name().to_owned(), fields(event))).into_iter().collect();
    json!({"type": "object", "properties": forms, "maxProperties": 1, "additionalProperties": false})
}
