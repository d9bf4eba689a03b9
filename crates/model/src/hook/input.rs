//! The canonical form of one event: the input of handlers, the same for every agent.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::event::Event;
use crate::agent::AgentId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookInput {
    /// The agent that sent the event; `None` when the user runs a handler by hand.
    pub agent: Option<AgentId>,
    /// The agent's name for the session.
    pub session_id: Option<String>,
    /// The directory the agent works in.
    pub cwd: Option<String>,
    /// The agent's name for the sub-agent that the event comes from.
    pub sub_agent: Option<String>,
    pub detail: EventDetail,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventDetail {
    PreToolUse(ToolUse),
    PostToolUse(ToolUse, ToolResult),
    UserPromptSubmit {
        prompt: String,
    },
    /// Sent when a session begins, and when an earlier one is resumed.
    SessionStart {
        /// The cause, in the agent's words.
        source: Option<String>,
    },
    /// Sent when the agent is about to end its turn.
    Stop {
        /// Set when the agent is in this turn only because a hook made it continue.
        stop_hook_active: bool,
        last_assistant_message: Option<String>,
    },
}

/// A tool call: the tool and its input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolUse {
    pub name: String,
    /// The input under canonical names.
    pub input: Map<String, Value>,
    /// The same in the agent's own words.
    pub native: Option<NativeUse>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NativeUse {
    #[serde(rename = "tool_name")]
    pub name: String,
    #[serde(rename = "tool_input")]
    pub input: Value,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolResult {
    /// The agent's own value; its shape differs by agent and tool.
    pub response: Option<Value>,
    /// Whether the agent says that it failed.
    pub failed: bool,
    /// The text of the response, if it can be extracted.
    pub output: Option<String>,
}

impl HookInput {
    pub fn event(&self) -> Event {
        match self.detail {
            EventDetail::PreToolUse(_) => Event::PreToolUse,
            EventDetail::PostToolUse(..) => Event::PostToolUse,
            EventDetail::UserPromptSubmit { .. } => Event::UserPromptSubmit,
            EventDetail::SessionStart { .. } => Event::SessionStart,
            EventDetail::Stop { .. } => Event::Stop,
        }
    }

    pub fn tool(&self) -> Option<&ToolUse> {
        match &self.detail {
            EventDetail::PreToolUse(tool) | EventDetail::PostToolUse(tool, _) => Some(tool),
            EventDetail::UserPromptSubmit { .. } | EventDetail::SessionStart { .. } | EventDetail::Stop { .. } => None,
        }
    }

    pub fn tool_mut(&mut self) -> Option<&mut ToolUse> {
        match &mut self.detail {
            EventDetail::PreToolUse(tool) | EventDetail::PostToolUse(tool, _) => Some(tool),
            EventDetail::UserPromptSubmit { .. } | EventDetail::SessionStart { .. } | EventDetail::Stop { .. } => None,
        }
    }

    /// Returns the input as handlers read it: the fields under the name of the event, without absent ones.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Serializes the same JSON as [`to_json`](Self::to_json). Events can be large, so no part of them is copied first.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    fn fields(&self) -> InputFields<'_> {
        let mut fields = InputFields {
            session_id: self.session_id.as_deref(),
            cwd: self.cwd.as_deref(),
            agent: self.agent.map(AgentId::name),
            ..InputFields::default()
        };
        if let Some(tool) = self.tool() {
            fields.tool_name = Some(&tool.name);
            fields.tool_input = Some(&tool.input);
            fields.native = tool.native.as_ref();
        }
        match &self.detail {
            EventDetail::PreToolUse(_) => {}
            EventDetail::PostToolUse(_, result) => {
                fields.tool_response = result.response.as_ref();
                fields.tool_failed = Some(result.failed);
                fields.output = result.output.as_deref();
            }
            EventDetail::UserPromptSubmit { prompt } => fields.prompt = Some(prompt),
            EventDetail::SessionStart { source } => fields.source = source.as_deref(),
            EventDetail::Stop { stop_hook_active, last_assistant_message } => {
                fields.stop_hook_active = Some(*stop_hook_active);
                fields.last_assistant_message = last_assistant_message.as_deref();
            }
        }
        fields
    }

    /// Parses the output of [`to_json`](Self::to_json). A user may have written it by hand, so nulls count as absent.
    pub fn from_json(event: Event, mut whole: Map<String, Value>) -> Result<Self, String> {
        let Some(Value::Object(mut fields)) = whole.remove(event.name()) else {
            return Err(format!("the event must be under the key `{event}`"));
        };
        let detail = match event {
            Event::PreToolUse => EventDetail::PreToolUse(ToolUse::read(&mut fields)?),
            Event::PostToolUse => {
                let tool = ToolUse::read(&mut fields)?;
                let result = ToolResult {
                    response: fields.remove("tool_response").filter(|response| !response.is_null()),
                    failed: truth(&fields, "tool_failed"),
                    output: text(&mut fields, "output"),
                };
                EventDetail::PostToolUse(tool, result)
            }
            Event::UserPromptSubmit => {
                EventDetail::UserPromptSubmit { prompt: text(&mut fields, "prompt").ok_or("`prompt` is missing")? }
            }
            Event::SessionStart => EventDetail::SessionStart { source: text(&mut fields, "source") },
            Event::Stop => EventDetail::Stop {
                stop_hook_active: truth(&fields, "stop_hook_active"),
                last_assistant_message: text(&mut fields, "last_assistant_message"),
            },
        };
        Ok(Self {
            agent: text(&mut fields, "agent").and_then(|name| AgentId::parse(&name)),
            session_id: text(&mut fields, "session_id"),
            cwd: text(&mut fields, "cwd"),
            sub_agent: None,
            detail,
        })
    }
}

impl Serialize for HookInput {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.event().name(), self.fields())])
    }
}

#[derive(Default, Serialize)]
struct InputFields<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_input: Option<&'a Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_response: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_failed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_hook_active: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_assistant_message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cwd: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    native: Option<&'a NativeUse>,
}

impl ToolUse {
    fn read(fields: &mut Map<String, Value>) -> Result<Self, String> {
        let name = text(fields, "tool_name").ok_or("`tool_name` is missing")?;
        let input = match fields.remove("tool_input") {
            Some(Value::Object(input)) => input,
            None | Some(Value::Null) => Map::new(),
            Some(_) => return Err("`tool_input` must be an object".to_owned()),
        };
        let native = match fields.remove("native") {
            Some(Value::Object(mut native)) => text(&mut native, "tool_name")
                .map(|name| NativeUse { name, input: native.remove("tool_input").unwrap_or_default() }),
            _ => None,
        };
        Ok(Self { name, input, native })
    }
}

fn text(fields: &mut Map<String, Value>, key: &str) -> Option<String> {
    match fields.remove(key) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

fn truth(fields: &Map<String, Value>, key: &str) -> bool {
    fields.get(key).and_then(Value::as_bool).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(event: Event, value: Value) -> Result<HookInput, String> {
        let Value::Object(whole) = value else { panic!("an object") };
        HookInput::from_json(event, whole)
    }

    #[test]
    fn what_is_written_is_read_again() {
        for (event, value) in [
            (
                Event::PreToolUse,
                json!({"PreToolUse": {"tool_name": "Bash", "tool_input": {"command": "ls"}, "cwd": "/w", "agent": "goose",
                    "native": {"tool_name": "shell", "tool_input": {"command": "ls"}}}}),
            ),
            (
                Event::PostToolUse,
                json!({"PostToolUse": {"tool_name": "Bash", "tool_input": {}, "tool_response": [1], "tool_failed": true,
                    "output": "x", "session_id": "s"}}),
            ),
            (Event::UserPromptSubmit, json!({"UserPromptSubmit": {"prompt": "hi"}})),
            (Event::SessionStart, json!({"SessionStart": {"source": "resume"}})),
            (Event::Stop, json!({"Stop": {"stop_hook_active": true, "last_assistant_message": "done"}})),
        ] {
            assert_eq!(read(event, value.clone()).unwrap().to_json(), value);
        }
    }

    #[test]
    fn nulls_are_absent_and_nonsense_is_named() {
        let tried = json!({"PreToolUse": {"tool_name": "Bash", "tool_input": null, "session_id": null, "cwd": null}});
        let read_back = read(Event::PreToolUse, tried).unwrap().to_json();
        assert_eq!(read_back, json!({"PreToolUse": {"tool_name": "Bash", "tool_input": {}}}));
        for (event, value) in [
            (Event::PreToolUse, json!({})),
            (Event::PreToolUse, json!({"PreToolUse": []})),
            (Event::PreToolUse, json!({"PreToolUse": {}})),
            (Event::PreToolUse, json!({"PreToolUse": {"tool_name": "Bash", "tool_input": "ls"}})),
            (Event::PostToolUse, json!({"PreToolUse": {"tool_name": "Bash"}})),
            (Event::UserPromptSubmit, json!({"UserPromptSubmit": {"prompt": 1}})),
        ] {
            assert!(read(event, value.clone()).is_err(), "{value}");
        }
    }
}
