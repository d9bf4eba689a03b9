//! The translation of an agent's JSON into a canonical event.

use serde_json::{Map, Value};
use symposium_model::hook::{Event, EventDetail, HookInput, NativeUse, ToolResult, ToolUse};

use super::repair;
use super::vocabulary::to_canonical;
use crate::caller::EventPeek;
use crate::dialect::{AgentDialect, AgentEvent};
use crate::wire_format::FieldNames;

/// Returns the dialect of the agent that sent an event through the settings of `host`.
pub fn speaker(host: &'static AgentDialect, peek: &EventPeek<'_>) -> &'static AgentDialect {
    host.guests.iter().find(|guest| (guest.raised)(peek)).map_or(host, |guest| guest.dialect)
}

/// Decodes an agent's JSON into a canonical event. `servers` are the names of the known MCP servers.
pub fn decode(
    dialect: &AgentDialect,
    event: AgentEvent,
    mut payload: Map<String, Value>,
    servers: &[String],
) -> Result<HookInput, String> {
    let Some(canonical) = event.canonical() else { return Err("it has no canonical form".to_owned()) };
    let fields = &dialect.wire.fields;
    let sub_agent = fields.sub_agent.iter().find_map(|key| match payload.get(*key)? {
        Value::Null => None,
        Value::String(id) => Some(id.clone()),
        other => Some(other.to_string()),
    });
    let session_id = take_text(&mut payload, fields.session_id);
    let cwd = take_text(&mut payload, fields.cwd).or_else(|| first_root(&payload));
    let detail = match canonical {
        Event::PreToolUse => EventDetail::PreToolUse(tool(dialect, &mut payload, servers)?),
        Event::PostToolUse => {
            let tool = tool(dialect, &mut payload, servers)?;
            EventDetail::PostToolUse(tool, result(fields, event, &mut payload))
        }
        Event::UserPromptSubmit => {
            let prompt = take_text(&mut payload, fields.prompt).ok_or("it has no prompt")?;
            EventDetail::UserPromptSubmit { prompt: without_our_text(fields, prompt) }
        }
        Event::SessionStart => EventDetail::SessionStart {
            source: take_text(&mut payload, fields.source).map(|word| source(fields, word)),
        },
        Event::Stop => EventDetail::Stop {
            stop_hook_active: take(&mut payload, fields.stop_hook_active).is_some_and(|value| match value {
                Value::Bool(active) => active,
                Value::Number(rounds) => rounds.as_f64().is_some_and(|rounds| rounds > 0.0),
                Value::Null | Value::String(_) | Value::Array(_) | Value::Object(_) => false,
            }),
            last_assistant_message: take_text(&mut payload, fields.last_message),
        },
    };
    Ok(HookInput { agent: dialect.owner.agent(), session_id, cwd, sub_agent, detail })
}

/// Returns false for an event about a request to the model that the user did not write.
pub fn is_of_user(dialect: &AgentDialect, event: AgentEvent, payload: &Map<String, Value>) -> bool {
    event != AgentEvent::Canonical(Event::UserPromptSubmit)
        || dialect.wire.fields.users_prompt.is_none_or(|key| payload.contains_key(key))
}

fn tool(dialect: &AgentDialect, payload: &mut Map<String, Value>, servers: &[String]) -> Result<ToolUse, String> {
    let fields = &dialect.wire.fields;
    let name = take_text(payload, fields.tool_name).ok_or("it names no tool")?;
    let input = match take(payload, fields.tool_input) {
        // Older versions of Copilot sent JSON inside a string.
        Some(Value::String(text)) => {
            repair::object(text.as_bytes()).map_or(Value::String(text), |(object, _)| Value::Object(object))
        }
        Some(input) => input,
        None => Value::Object(Map::new()),
    };
    let (canonical, canonical_input) = to_canonical(&dialect.wire, &name, &input, payload, servers);
    Ok(ToolUse { name: canonical, input: canonical_input, native: Some(NativeUse { name, input }) })
}

fn result(fields: &FieldNames, event: AgentEvent, payload: &mut Map<String, Value>) -> ToolResult {
    let response = take(payload, fields.tool_response).or_else(|| take(payload, fields.error));
    let failed = event == AgentEvent::ToolFailed || response.as_ref().is_some_and(fields.failed);
    let output = response.as_ref().and_then(|response| plain(fields, response));
    ToolResult { response, failed, output }
}

/// Returns the text of a response: the response itself, or the value under one of the agent's keys.
fn plain(fields: &FieldNames, response: &Value) -> Option<String> {
    match response {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let text = |part: &'_ Value| part.as_str().or_else(|| part.get("text")?.as_str()).map(str::to_owned);
            let texts: Vec<String> = parts.iter().filter_map(text).collect();
            (!texts.is_empty()).then(|| texts.join("\n"))
        }
        Value::Object(object) if fields.without_output.is_some_and(|mark| object.contains_key(mark)) => None,
        Value::Object(object) => {
            fields.output.iter().find_map(|key| object.get(*key)).and_then(|inner| plain(fields, inner))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// Removes Symposium's context from in front of the user's prompt.
fn without_our_text(fields: &FieldNames, prompt: String) -> String {
    let Some((open, close)) = fields.before_prompt else { return prompt };
    let rest = prompt.strip_prefix(open).and_then(|rest| rest.split_once(close)).map(|(_, rest)| rest);
    rest.map(|rest| rest.strip_prefix("\n\n").unwrap_or(rest).to_owned()).unwrap_or(prompt)
}

fn source(fields: &FieldNames, word: String) -> String {
    fields.source_words.iter().find(|(own, _)| *own == word).map(|(_, claude)| (*claude).to_owned()).unwrap_or(word)
}

fn first_root(payload: &Map<String, Value>) -> Option<String> {
    payload.get("workspace_roots")?.as_array()?.first()?.as_str().map(str::to_owned)
}

fn take(payload: &mut Map<String, Value>, keys: &[&str]) -> Option<Value> {
    keys.iter().find_map(|key| payload.remove(*key).filter(|value| !value.is_null()))
}

fn take_text(payload: &mut Map<String, Value>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| match payload.get_mut(*key) {
        Some(Value::String(text)) => Some(std::mem::take(text)),
        _ => None,
    })
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
