//! The files that register Symposium with an agent, derived from its spec in the same way for all agents.

use std::borrow::Cow;

use serde_json::{Map, Value};
use symposium_model::edit::{EditFormat, EntrySlot, FileContent, SettingsEntry};
use symposium_model::hook::Event;
use symposium_model::ownership::Marker;
use symposium_model::transport::ServerTransport;

use crate::command::{CommandBuilder, NAME, ShellKind};
use crate::dialect::AgentEvent;
use crate::registration_input::{AgentPath, OsFamily, RegisteredServer, RegistrationInput, Scope};
use crate::servers::{ReferenceSyntax, expanded, left_over, spelled, without_shell_line};
use crate::spec::{
    AgentSpec, AllowRules, CommandKey, FileSharing, HandlerForm, HandlerGrouping, HookFile, HookLayout,
    RegisteredCalls, RootRequirement, ShellPathChannel, SpecEvidence, SseSupport, TimeUnit,
};

/// The timeout an agent grants Symposium. Symposium's own deadline is shorter.
pub(crate) const TIMEOUT_SECONDS: u64 = 60;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// Each path occurs once.
    pub files: Vec<RegistrationFile>,
    pub notes: Vec<Cow<'static, str>>,
    /// Servers that are skipped, a sentence each.
    pub left_out: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistrationFile {
    pub place: AgentPath,
    pub content: FileContent,
    /// The text of a new file, before the entries are inserted. A file that Symposium created and that holds only this
    /// after its entries are removed is removed too.
    pub starts_as: &'static str,
}

pub(crate) fn registration(spec: &AgentSpec, scope: Scope, situation: &RegistrationInput) -> Registration {
    let caller = CommandBuilder { agent: spec.id, scope, program: &situation.program };
    let mut registration = Registration { files: Vec::new(), notes: Vec::new(), left_out: Vec::new() };
    let files: Vec<&HookFile> = spec.hooks.iter().filter(|file| (file.wanted)(situation)).collect();
    for file in &files {
        let shell = match situation.os {
            OsFamily::Posix => ShellKind::Posix,
            OsFamily::Windows => file.windows_shell,
        };
        let shim = situation.shim.as_ref().map(|shim| shim.directory.as_str());
        let calls = RegisteredCalls { caller, shell, events: events(spec, file, situation), shim };
        registration.add(hook_file(file, &calls));
    }
    registration.add_servers(spec, &caller, situation, Some(&own_server(&caller)));
    if situation.switches.allow_symposium
        && let Some(allow) = spec.allow
    {
        registration.add(allow_file(allow));
    }
    registration.add_shim(spec, scope, situation);
    registration.add_notes(spec, &files, scope, situation);
    registration
}

/// Returns the servers of plugins for a project's file of an agent that is registered elsewhere.
pub(crate) fn project_servers(spec: &AgentSpec, situation: &RegistrationInput) -> Registration {
    let caller = CommandBuilder { agent: spec.id, scope: Scope::Project, program: &situation.program };
    let mut registration = Registration { files: Vec::new(), notes: Vec::new(), left_out: Vec::new() };
    match spec.mcp.ownership {
        FileSharing::Shared => {}
        // The file is part of a registration as a whole, and would hide the user's own.
        FileSharing::Own => {
            registration.notes.extend(situation.servers.iter().map(|server| {
                Cow::Owned(format!(
                    "{} needs a registration in the project for the MCP server `{}`, which is for this workspace: run \
                     `symposium init --project --agent {}`",
                    spec.title, server.name, spec.id
                ))
            }));
            return registration;
        }
    }
    registration.add_servers(spec, &caller, situation, None);
    let of_projects = spec.notes.iter().filter(|note| note.scope == Some(Scope::Project) && (note.when)(situation));
    registration.notes.extend(of_projects.map(|note| Cow::Borrowed(note.text)));
    registration
}

impl Registration {
    /// Adds a file, or its entries to the file with the same path.
    fn add(&mut self, file: RegistrationFile) {
        let same = self.files.iter_mut().find(|known| known.place == file.place);
        match (same.map(|known| &mut known.content), file.content) {
            (Some(FileContent::Entries { entries: known, .. }), FileContent::Entries { entries, .. }) => {
                known.extend(entries);
            }
            (_, content) => self.files.push(RegistrationFile { content, ..file }),
        }
    }

    fn add_servers(
        &mut self,
        spec: &AgentSpec,
        caller: &CommandBuilder<'_>,
        situation: &RegistrationInput,
        own: Option<&RegisteredServer>,
    ) {
        let Some(choice) = spec.mcp.choice(caller.scope) else {
            let title = spec.title;
            let (whose, flag) = match caller.scope {
                Scope::Project => ("a project", ""),
                Scope::User => ("a user", " --project"),
            };
            self.notes.extend(own.map(|_| {
                Cow::Owned(format!(
                    "{title} has no file for the MCP servers of {whose}: run `symposium init{flag} --agent {}` to use \
                     Symposium's server",
                    spec.id
                ))
            }));
            self.left_out.extend(situation.servers.iter().map(|server| {
                let name = &server.name;
                format!("{title} cannot use the MCP server `{name}`: it has no file for the MCP servers of {whose}")
            }));
            return;
        };
        let mut values = Vec::new();
        let of_plugins = situation.servers.iter().filter(|server| server.name != NAME);
        for server in own.into_iter().chain(of_plugins) {
            match (&server.transport, spec.mcp.sse) {
                (ServerTransport::Sse { .. }, SseSupport::NotSpoken) => self.notes.push(Cow::Owned(format!(
                    "{} cannot use the MCP server `{}`: it does not support that server's protocol",
                    spec.title, server.name
                ))),
                (ServerTransport::Stdio { .. } | ServerTransport::Http { .. } | ServerTransport::Sse { .. }, _) => {
                    match misread(spec, server) {
                        Some(sentence) => self.left_out.push(sentence),
                        None => {
                            let value = (spec.mcp.server)(&spelled(server, spec.mcp.references));
                            values.push((server.name.clone(), value));
                        }
                    }
                }
            }
        }
        let content = match spec.mcp.ownership {
            FileSharing::Own => {
                let mut file = Map::new();
                file.insert(spec.mcp.key.to_owned(), Value::Object(values.into_iter().collect()));
                FileContent::Whole(json_text(&Value::Object(file)))
            }
            FileSharing::Shared => {
                let entry = |(name, value): (String, Value)| SettingsEntry {
                    mark: if name == NAME {
                        Marker::server(caller.executable())
                    } else {
                        Marker::Exactly(value.clone())
                    },
                    path: vec![spec.mcp.key.to_owned(), name],
                    slot: EntrySlot::Key,
                    value,
                };
                FileContent::Entries { format: spec.mcp.format, entries: values.into_iter().map(entry).collect() }
            }
        };
        let starts_as = spec.mcp.starts_as;
        let place = choice.pick(&situation.existing);
        self.add(RegistrationFile { place, content, starts_as });
    }

    /// Puts the shim on the PATH of the agent's shell, where an entry of a settings file does that.
    fn add_shim(&mut self, spec: &AgentSpec, scope: Scope, situation: &RegistrationInput) {
        let (Some(shim), ShellPathChannel::Settings(table)) = (&situation.shim, spec.shell_path) else { return };
        let value = Value::String(shim.path.clone());
        let entry = SettingsEntry {
            mark: Marker::Exactly(value.clone()),
            path: table.iter().chain(&["PATH"]).map(|key| (*key).to_owned()).collect(),
            slot: EntrySlot::Key,
            value,
        };
        let content = FileContent::Entries { format: spec.mcp.format, entries: vec![entry] };
        if let Some(choice) = spec.mcp.choice(scope) {
            self.add(RegistrationFile { place: choice.pick(&situation.existing), content, starts_as: "" });
        }
    }

    fn add_notes(&mut self, spec: &AgentSpec, files: &[&HookFile], scope: Scope, situation: &RegistrationInput) {
        let in_scope = spec.notes.iter().filter(|note| note.scope.is_none_or(|of| of == scope));
        self.notes.extend(in_scope.filter(|note| (note.when)(situation)).map(|note| Cow::Borrowed(note.text)));
        match spec.evidence {
            SpecEvidence::Ran(_) => {}
            // It is no certain program.
            SpecEvidence::Documents if spec.programs.is_empty() => {}
            SpecEvidence::Documents => self.notes.push(Cow::Owned(format!(
                "The support for {} follows its documentation and was not tested; check that it works for you",
                spec.title
            ))),
        }
        match scope {
            Scope::Project => self.notes.extend(spec.root_only.note(spec.title).map(Cow::Owned)),
            Scope::User => {}
        }
        for name in &situation.native_events {
            if let Some(AgentEvent::Native(name)) = spec.dialect.event_from(name)
                && !files.iter().any(|file| file.native.contains(&name))
            {
                self.notes.push(Cow::Owned(format!(
                    "{} does not call Symposium at its event `{name}`: none of its settings files supports that event",
                    spec.title
                )));
            }
        }
    }
}

/// Returns the reason why an agent cannot use a server because it would take a reference in it literally.
fn misread(spec: &AgentSpec, server: &RegisteredServer) -> Option<String> {
    let title = spec.title;
    let name = &server.name;
    let written = (spec.mcp.server)(&spelled(&without_shell_line(server), spec.mcp.references));
    match spec.mcp.references {
        ReferenceSyntax::Expanded => {
            let text = expanded(&(spec.mcp.server)(server))?.to_owned();
            return Some(format!(
                "{title} cannot use the MCP server `{name}`: it would run or replace a part of `{text}`"
            ));
        }
        // In Symposium's own server such a text can only be part of a path.
        ReferenceSyntax::Unknown | ReferenceSyntax::ByName if server.name != NAME => {}
        _ => return None,
    }
    let variable = left_over(&written)?;
    if spec.mcp.references == ReferenceSyntax::Unknown {
        return Some(format!(
            "{title} cannot use the MCP server `{name}`: its documentation does not say that it replaces `${{{variable}}}`"
        ));
    }
    let instead = match server.transport {
        ServerTransport::Stdio { .. } => {
            format!("; it passes on a variable only under its own name: `{variable} = \"${{{variable}}}\"`")
        }
        ServerTransport::Http { .. } | ServerTransport::Sse { .. } => String::new(),
    };
    Some(format!("{title} cannot use the MCP server `{name}`: it does not replace `${{{variable}}}`{instead}"))
}

impl RootRequirement {
    pub fn note(self, title: &str) -> Option<String> {
        match self {
            Self::Nothing => None,
            Self::Registration => Some(format!(
                "Start {title} in the workspace root: it does not find the project's hooks from a subdirectory"
            )),
            Self::RegistrationAndSkills => Some(format!(
                "Start {title} in the workspace root: it does not find the project's hooks and skills from a subdirectory"
            )),
        }
    }
}

/// Returns the events registered in a file. Their order is fixed, so that a text once written does not change.
fn events(spec: &AgentSpec, file: &HookFile, situation: &RegistrationInput) -> Vec<(&'static str, AgentEvent)> {
    let asked: Vec<AgentEvent> =
        situation.native_events.iter().filter_map(|name| spec.dialect.event_from(name)).collect();
    let stop = AgentEvent::Canonical(Event::Stop);
    let mut events = Vec::new();
    for event in Event::IN_SESSION.into_iter().filter(|event| *event != Event::Stop) {
        events.extend(file.events.native_name(event).map(|name| (name, AgentEvent::Canonical(event))));
    }
    events.extend(file.events.tool_failed.map(|name| (name, AgentEvent::ToolFailed)));
    if situation.stop || asked.contains(&stop) {
        events.extend(file.events.stop.map(|name| (name, stop)));
    }
    let native = file.native.iter().map(|name| (*name, AgentEvent::Native(name)));
    let is_wanted =
        |name: &str, event: &AgentEvent| spec.dialect.sub_agent_start == Some(name) || asked.contains(event);
    events.extend(native.filter(|(name, event)| is_wanted(name, event)));
    events
}

fn hook_file(file: &HookFile, calls: &RegisteredCalls<'_>) -> RegistrationFile {
    let place = file.place(calls.caller.scope);
    match &file.layout {
        HookLayout::Shared { handler, starts_as } => {
            let entry = |(name, event): &(&str, AgentEvent)| SettingsEntry {
                path: file.under.iter().chain([name]).map(|key| (*key).to_owned()).collect(),
                slot: EntrySlot::Element,
                value: entry_value(handler, calls, *event),
                mark: Marker::hook(calls.caller.agent, calls.caller.executable()),
            };
            let entries = calls.events.iter().map(entry).collect();
            RegistrationFile { place, content: FileContent::Entries { format: EditFormat::Json, entries }, starts_as }
        }
        HookLayout::Own { handler, frame } => {
            let hooks = calls
                .events
                .iter()
                .map(|(name, event)| ((*name).to_owned(), Value::Array(vec![entry_value(handler, calls, *event)])));
            let text = json_text(&frame(&Value::Object(hooks.collect())));
            RegistrationFile { place, content: FileContent::Whole(text), starts_as: "" }
        }
        HookLayout::Written(write) => {
            RegistrationFile { place, content: FileContent::Whole(write(calls)), starts_as: "" }
        }
    }
}

/// Returns the value that stands in the array of an event.
pub(crate) fn entry_value(form: &HandlerForm, calls: &RegisteredCalls<'_>, event: AgentEvent) -> Value {
    let command = |shell| Value::String(calls.caller.command(event.word(), shell));
    let mut handler = Map::new();
    for (key, value) in form.fixed {
        handler.insert((*key).to_owned(), Value::String((*value).to_owned()));
    }
    match form.command {
        CommandKey::Command => {
            handler.insert("command".to_owned(), command(calls.shell));
        }
        CommandKey::ByShell => {
            handler.insert("bash".to_owned(), command(ShellKind::Posix));
            handler.insert("powershell".to_owned(), command(ShellKind::PowerShell));
        }
    }
    let timeout = match form.timeout_unit {
        TimeUnit::Seconds | TimeUnit::SecondsBelowThousand => TIMEOUT_SECONDS,
        TimeUnit::Milliseconds => TIMEOUT_SECONDS * 1000,
    };
    handler.insert(form.timeout_key.to_owned(), Value::from(timeout));
    match form.grouping {
        HandlerGrouping::Flat => Value::Object(handler),
        HandlerGrouping::Groups => {
            let mut group = Map::new();
            group.insert("hooks".to_owned(), Value::Array(vec![Value::Object(handler)]));
            Value::Object(group)
        }
    }
}

fn allow_file(allow: &AllowRules) -> RegistrationFile {
    let entry = |rule: &&str| SettingsEntry {
        path: allow.list.iter().map(|key| (*key).to_owned()).collect(),
        slot: EntrySlot::Element,
        value: Value::from(*rule),
        mark: Marker::Exactly(Value::from(*rule)),
    };
    let entries = allow.rules.iter().map(entry).collect();
    let content = FileContent::Entries { format: EditFormat::Json, entries };
    RegistrationFile { place: allow.file, content, starts_as: "" }
}

fn own_server(caller: &CommandBuilder<'_>) -> RegisteredServer {
    let transport = ServerTransport::Stdio {
        command: caller.executable().to_owned(),
        args: caller.server_arguments().into_iter().map(str::to_owned).collect(),
        env: Vec::new(),
    };
    RegisteredServer { name: NAME.to_owned(), transport }
}

pub(crate) fn json_text(value: &Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
#[path = "register_tests.rs"]
mod tests;
