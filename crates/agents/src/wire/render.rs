//! The translation of a canonical event into an agent's JSON, for handlers in its format on another agent.

use serde_json::{Map, Value};
use symposium_model::hook::{EventDetail, HookInput, ToolUse};

use super::patch::{PatchChange, touched_files};
use super::vocabulary::from_canonical;
use crate::dialect::{AgentDialect, AgentEvent};
use crate::wire_format::ToolMapping;

/// Renders the event in an agent's JSON. Fields that only that agent knows are omitted; a tool it does not have keeps
/// its canonical name.
pub fn render(dialect: &AgentDialect, event: AgentEvent, input: &HookInput) -> Value {
    let fields = &dialect.wire.fields;
    let mut payload = Map::new();
    let name = dialect.name_of(event).unwrap_or_else(|| input.event().name());
    payload.insert(fields.event.to_owned(), name.into());
    put(&mut payload, fields.session_id, input.session_id.as_deref());
    put(&mut payload, fields.cwd, input.cwd.as_deref());
    match &input.detail {
        EventDetail::PreToolUse(tool) => put_tool(dialect, &mut payload, tool),
        EventDetail::PostToolUse(tool, result) => {
            put_tool(dialect, &mut payload, tool);
            let text = result.output.clone().map(Value::String);
            // A failure has its text under a key of its own.
            let (key, response) = match fields.error.first() {
                Some(key) if event == AgentEvent::ToolFailed => (Some(key), text.or_else(|| result.response.clone())),
                Some(_) | None => (fields.tool_response.first(), result.response.clone().or(text)),
            };
            if let (Some(response), Some(key)) = (response, key) {
                payload.insert((*key).to_owned(), response);
            }
        }
        EventDetail::UserPromptSubmit { prompt } => {
            put(&mut payload, fields.prompt, Some(prompt));
            put(&mut payload, fields.users_prompt.as_slice(), Some(prompt));
        }
        EventDetail::SessionStart { source } => {
            let own = |word: &str| {
                let words = fields.source_words.iter();
                words
                    .into_iter()
                    .find(|(_, claude)| *claude == word)
                    .map_or(word.to_owned(), |(own, _)| (*own).to_owned())
            };
            put(&mut payload, fields.source, source.as_deref().map(own).as_deref());
        }
        EventDetail::Stop { stop_hook_active, last_assistant_message } => {
            if let Some(key) = fields.stop_hook_active.first() {
                payload.insert((*key).to_owned(), (fields.stop_hook_active_is)(*stop_hook_active));
            }
            put(&mut payload, fields.last_message, last_assistant_message.as_deref());
        }
    }
    Value::Object(payload)
}

fn put_tool(dialect: &AgentDialect, payload: &mut Map<String, Value>, tool: &ToolUse) {
    let fields = &dialect.wire.fields;
    let (name, input) = from_canonical(&dialect.wire, &tool.name, &tool.input)
        .unwrap_or_else(|| (tool.name.clone(), Value::Object(tool.input.clone())));
    put(payload, fields.tool_name, Some(&name));
    if let Some(key) = fields.tool_input.first() {
        payload.insert((*key).to_owned(), input);
    }
}

/// Returns the events a handler of that agent gets for one event: a patch, unless the agent has no other tool for
/// files, becomes one write or edit for each file it touches. A patch that cannot be parsed stays one event, so that no
/// handler is skipped.
pub fn per_file(dialect: &AgentDialect, input: &HookInput) -> Vec<HookInput> {
    let Some(tool) = input.tool() else { return vec![input.clone()] };
    let edits = |known: &ToolMapping| matches!(known.canonical, "Edit" | "Write");
    if tool.name != "Patch" || !dialect.wire.tools.iter().any(edits) {
        return vec![input.clone()];
    }
    let patch = tool.input.get("patch").and_then(Value::as_str).unwrap_or_default();
    let mut each = Vec::new();
    for file in touched_files(patch) {
        let mut fields = Map::from_iter([("file_path".to_owned(), Value::from(file.path))]);
        let name = match file.change {
            PatchChange::Added { content } => {
                fields.insert("content".to_owned(), content.into());
                "Write"
            }
            PatchChange::Updated { old, new } => {
                fields.insert("old_string".to_owned(), old.into());
                fields.insert("new_string".to_owned(), new.into());
                "Edit"
            }
            PatchChange::Deleted => "Edit",
        };
        let mut one = input.clone();
        if let Some(tool) = one.tool_mut() {
            *tool = ToolUse { name: name.to_owned(), input: fields, native: tool.native.clone() };
        }
        each.push(one);
    }
    if each.is_empty() { vec![input.clone()] } else { each }
}

fn put(payload: &mut Map<String, Value>, keys: &[&str], value: Option<&str>) {
    if let (Some(key), Some(value)) = (keys.first(), value) {
        payload.insert((*key).to_owned(), value.into());
    }
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
