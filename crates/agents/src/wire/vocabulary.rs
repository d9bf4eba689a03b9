//! The mapping of an agent's tools and their inputs to canonical names and back, without losing a field.

use std::borrow::Cow;

use serde_json::{Map, Value};
use symposium_model::hook::{NativeUse, ToolUse};

use super::patch::{PatchedFile, touched_files};
use crate::dialect::AgentDialect;
use crate::wire_format::{ToolInput, ToolMapping, WireFormat};

const PATCH: &str = "Patch";
const PATCH_TEXT: &str = "patch";
/// The canonical tools that a patch stands for.
pub(crate) const PATCH_ALSO: &[&str] = &["Edit", "Write"];

pub(super) fn to_canonical(
    wire: &WireFormat,
    name: &str,
    input: &Value,
    payload: &Map<String, Value>,
    servers: &[String],
) -> (String, Map<String, Value>) {
    let fields = input.as_object().cloned().unwrap_or_default();
    let Some(tool) = wire.tools.iter().find(|tool| tool.is(name, input)) else {
        let canonical = (wire.mcp.split)(name, payload, servers).map(|(server, tool)| format!("mcp__{server}__{tool}"));
        return (canonical.unwrap_or_else(|| name.to_owned()), fields);
    };
    let (composed, text) = match tool.input {
        ToolInput::Keys => (None, None),
        ToolInput::Text(key) => (Some(key), input.as_str().map(str::to_owned)),
        ToolInput::Composed(key, compose) => (Some(key), compose(&fields)),
    };
    let mut canonical = renamed(fields, tool.keys.iter().map(|(canonical, native)| (*native, *canonical)));
    if let (Some(key), Some(text)) = (composed, text) {
        canonical.insert(key.to_owned(), text.into());
    }
    if tool.canonical == PATCH {
        let patch = canonical.get(PATCH_TEXT).and_then(Value::as_str).unwrap_or_default();
        let files: Value = touched_files(patch).into_iter().map(|PatchedFile { path, .. }| path).collect();
        canonical.insert("files".to_owned(), files);
    }
    (tool.canonical.to_owned(), canonical)
}

/// Returns the agent's own input with the changes of a handler: only the changed keys are touched, and one that is now
/// null is removed. `None` when the input cannot hold the change: it is neither an object nor a string, or the change
/// concerns a single file of a patch or a composed value.
pub(super) fn to_native(wire: &WireFormat, name: &str, native: &Value, changed: &Map<String, Value>) -> Option<Value> {
    let tool = wire.tools.iter().find(|tool| tool.is(name, native));
    match tool.map(|tool| tool.input) {
        Some(ToolInput::Text(key)) => return changed.get(key).filter(|text| text.is_string()).cloned(),
        Some(ToolInput::Composed(key, _)) if changed.contains_key(key) => return None,
        Some(ToolInput::Keys | ToolInput::Composed(..)) | None => {}
    }
    let mut fields = match native {
        Value::Object(fields) => fields.clone(),
        Value::Null => Map::new(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => return None,
    };
    let is_patch = tool.is_some_and(|tool| tool.canonical == PATCH);
    if is_patch && !changed.contains_key(PATCH_TEXT) {
        return None;
    }
    // The list of files is Symposium's addition; the patch contains it too.
    for (key, value) in changed.iter().filter(|(key, _)| !is_patch || *key == PATCH_TEXT) {
        let key = native_key(tool, key);
        if value.is_null() {
            fields.remove(key);
        } else {
            fields.insert(key.to_owned(), value.clone());
        }
    }
    Some(Value::Object(fields))
}

pub fn native_input(dialect: &AgentDialect, native: &NativeUse, now: &Map<String, Value>) -> Value {
    let (_, before) = to_canonical(&dialect.wire, &native.name, &native.input, &Map::new(), &[]);
    let changed = now.iter().filter(|(key, value)| before.get(*key) != Some(*value));
    let changed = changed.map(|(key, value)| (key.clone(), value.clone())).collect();
    to_native(&dialect.wire, &native.name, &native.input, &changed).unwrap_or_else(|| native.input.clone())
}

/// Returns the changes that a handler in this agent's format made to a canonical input, under canonical names: a
/// repeated value is no change.
pub(super) fn changes_to_canonical(
    wire: &WireFormat,
    name: &str,
    input: &Map<String, Value>,
    mut changed: Map<String, Value>,
) -> Option<Map<String, Value>> {
    let given = from_canonical(wire, name, input).map(|(_, given)| given);
    let given = given.as_ref().and_then(Value::as_object).unwrap_or(input);
    changed.retain(|key, value| given.get(key) != Some(value));
    let keys = tool_for(wire, name).map(|tool| tool.keys).unwrap_or_default();
    let changed = renamed(changed, keys.iter().map(|(canonical, native)| (*native, *canonical)));
    (!changed.is_empty()).then_some(changed)
}

fn tool_for<'a>(wire: &'a WireFormat, name: &str) -> Option<&'a ToolMapping> {
    let named = wire.tools.iter().find(|tool| tool.canonical == name);
    named.or_else(|| wire.tools.iter().find(|tool| tool.canonical != PATCH && tool.also.contains(&name)))
}

pub(super) fn from_canonical(wire: &WireFormat, name: &str, input: &Map<String, Value>) -> Option<(String, Value)> {
    if let Some(tool) = tool_for(wire, name) {
        let native = tool.native.first().copied().unwrap_or(name).to_owned();
        if let ToolInput::Text(key) = tool.input {
            return Some((native, input.get(key).cloned().unwrap_or_default()));
        }
        let mut fields = renamed(input.clone(), tool.keys.iter().copied());
        if let Some((key, values)) = tool.only_with {
            fields.entry(key).or_insert_with(|| values.first().copied().into());
        }
        if tool.canonical == PATCH {
            fields.remove("files");
        }
        return Some((native, Value::Object(fields)));
    }
    let (server, tool) = name.strip_prefix("mcp__")?.split_once("__")?;
    Some(((wire.mcp.join)(server, tool), Value::Object(input.clone())))
}

fn native_key<'a>(tool: Option<&'a ToolMapping>, key: &'a str) -> &'a str {
    let keys = tool.map(|tool| tool.keys).unwrap_or_default();
    keys.iter().find(|(canonical, _)| *canonical == key).map_or(key, |(_, native)| native)
}

/// Renames some keys. A field that already has the new name is dropped: it is still in the agent's own input.
fn renamed(fields: Map<String, Value>, keys: impl Iterator<Item = (&'static str, &'static str)>) -> Map<String, Value> {
    let keys: Vec<_> = keys.filter(|(from, _)| fields.contains_key(*from)).collect();
    if keys.is_empty() {
        return fields;
    }
    let taken: Vec<&str> = keys.iter().map(|(_, to)| *to).collect();
    let mut result = Map::new();
    for (key, value) in fields {
        match keys.iter().find(|(from, _)| *from == key) {
            Some((_, to)) => {
                result.insert((*to).to_owned(), value);
            }
            None if taken.contains(&key.as_str()) => {}
            None => {
                result.insert(key, value);
            }
        }
    }
    result
}

/// Returns every name a matcher is tried on: the canonical one, the agent's own, those it may be meant by where the
/// agent has one tool for several, and, where its server is ambiguous, that of each of the `servers` it may belong to.
pub fn names_to_match<'a>(dialect: Option<&AgentDialect>, tool: &'a ToolUse, servers: &[String]) -> Vec<Cow<'a, str>> {
    let mut names = vec![Cow::Borrowed(tool.name.as_str())];
    let native = tool.native.as_ref();
    names.extend(native.filter(|native| native.name != tool.name).map(|native| Cow::Borrowed(native.name.as_str())));
    let known = dialect.and_then(|dialect| {
        let used = native.and_then(|native| dialect.wire.tools.iter().find(|row| row.is(&native.name, &native.input)));
        used.or_else(|| tool_for(&dialect.wire, &tool.name))
    });
    match (known, dialect, native) {
        (Some(known), ..) => names.extend(known.also.iter().copied().map(Cow::Borrowed)),
        // An event written by hand.
        (None, ..) if tool.name == PATCH => names.extend(PATCH_ALSO.iter().copied().map(Cow::Borrowed)),
        (None, Some(dialect), Some(native)) if native.name == tool.name => {
            let split = |server| (dialect.wire.mcp.split)(&native.name, &Map::new(), std::slice::from_ref(server));
            let owners = servers.iter().filter_map(split);
            names.extend(owners.map(|(server, tool)| Cow::Owned(canonical_mcp_name(&server, &tool))));
        }
        (None, ..) => {}
    }
    names
}

/// Returns the key of an unknown tool's input that names a command or a file: `None` for a tool in the agent's table,
/// for one that is known to be harmless, and for one of an MCP server.
pub fn unknown_reach(dialect: &AgentDialect, tool: &ToolUse) -> Option<&'static str> {
    const REACHING: &[&str] = &[
        "command",
        "commands",
        "cmd",
        "script",
        "code",
        "path",
        "paths",
        "file",
        "files",
        "file_path",
        "filePath",
        "filename",
        "patch",
        "patchText",
    ];
    let native = tool.native.as_ref()?;
    let wire = &dialect.wire;
    let is_known = wire.tools.iter().any(|row| row.native.contains(&native.name.as_str()))
        || wire.harmless.contains(&native.name.as_str())
        || tool.name.starts_with("mcp__");
    if is_known {
        return None;
    }
    let fields = native.input.as_object()?;
    REACHING.iter().copied().find(|key| fields.contains_key(*key))
}

/// Splits `SERVER<separator>TOOL` at a known server; `None` when no server or several fit.
pub(crate) fn mcp_by_known_server(name: &str, separator: &str, servers: &[String]) -> Option<(String, String)> {
    let mut fitting = servers
        .iter()
        .filter_map(|server| Some((server, name.strip_prefix(server.as_str())?.strip_prefix(separator)?)))
        .filter(|(_, tool)| !tool.is_empty());
    match (fitting.next(), fitting.next()) {
        (Some((server, tool)), None) => Some((server.clone(), tool.to_owned())),
        _ => None,
    }
}

/// Splits `mcp__SERVER__TOOL`, the canonical form.
pub(crate) fn canonical_mcp(name: &str, _: &Map<String, Value>, _: &[String]) -> Option<(String, String)> {
    let (server, tool) = name.strip_prefix("mcp__")?.split_once("__")?;
    Some((server.to_owned(), tool.to_owned()))
}

pub(crate) fn canonical_mcp_name(server: &str, tool: &str) -> String {
    format!("mcp__{server}__{tool}")
}

#[cfg(test)]
#[path = "vocabulary_tests.rs"]
mod tests;
