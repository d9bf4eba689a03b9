//! The check whether a settings file makes an agent call Symposium about an event, for every tool.

use serde_json::{Map, Value};
use symposium_model::agent::AgentId;
use symposium_model::ownership::{Marker, OwnedPart};

use crate::command::{CommandBuilder, ShellKind};
use crate::dialect::AgentEvent;
use crate::register::entry_value;
use crate::registration_input::{Scope, SymposiumProgram};
use crate::spec::{HookFile, HookLayout, RegisteredCalls};

const COMMANDS: [&str; 3] = ["command", "bash", "powershell"];

/// Returns whether `settings`, the parsed content of `file`, makes the agent call Symposium about an event. An entry
/// that differs from a written one in anything but the program does not count: a matcher, a condition or a shorter
/// timeout may keep it from being called. In a project's file the command must be identical, since other programs write
/// there too.
pub fn is_called(
    agent: AgentId,
    file: &HookFile,
    scope: Scope,
    event: AgentEvent,
    settings: &Value,
    mark: &Marker,
) -> bool {
    let form = match &file.layout {
        HookLayout::Shared { handler, .. } | HookLayout::Own { handler, .. } => handler,
        HookLayout::Written(_) => return false,
    };
    let Some(name) = file.name_of(event) else { return false };
    let written = |shell| {
        let caller = CommandBuilder { agent, scope, program: &SymposiumProgram::Bare };
        entry_value(form, &RegisteredCalls { caller, shell, events: Vec::new(), shim: None }, event)
    };
    let is_ours = |entry: &Value| match scope {
        Scope::Project => [ShellKind::Posix, file.windows_shell].into_iter().any(|shell| *entry == written(shell)),
        Scope::User => {
            mark.share(entry) == OwnedPart::All
                && without_commands(entry) == without_commands(&written(ShellKind::Posix))
                && commands(entry).all(|command| is_about(command, agent, event))
        }
    };
    let entries = file.under.iter().chain([&name]).try_fold(settings, |value, key| value.get(key));
    let entries = entries.and_then(Value::as_array);
    entries.into_iter().flatten().any(is_ours)
}

/// Returns the handlers of a group, or the one handler that is not in a group.
fn handlers(entry: &Value) -> impl Iterator<Item = &Map<String, Value>> {
    let group = entry.get("hooks").and_then(Value::as_array);
    let alone = if group.is_none() { Some(entry) } else { None };
    group.into_iter().flatten().chain(alone).filter_map(Value::as_object)
}

fn commands(entry: &Value) -> impl Iterator<Item = &str> {
    handlers(entry).flat_map(|handler| COMMANDS.iter().filter_map(|key| handler.get(*key)?.as_str()))
}

fn without_commands(entry: &Value) -> Value {
    let mut bare = entry.clone();
    let strip = |handler: &mut Value| {
        if let Some(fields) = handler.as_object_mut() {
            fields.retain(|key, _| !COMMANDS.contains(&key.as_str()));
        }
    };
    match bare.get_mut("hooks").and_then(Value::as_array_mut) {
        Some(group) => group.iter_mut().for_each(strip),
        None => strip(&mut bare),
    }
    bare
}

fn is_about(command: &str, agent: AgentId, event: AgentEvent) -> bool {
    let call = format!(" hook {agent} {}", event.word());
    command.split_once(&call).is_some_and(|(_, rest)| rest.is_empty() || rest.starts_with(' '))
}
