//! Finds the agents that call Symposium here, and other facts of their settings that a plan needs.

use std::path::{Path, PathBuf};

use serde_json::Value;
use symposium_agents::spec::{DoubleRegistration, HookFile, HookLayout};
use symposium_agents::{AgentEvent, Scope, is_called, spec};
use symposium_io::fs;
use symposium_model::agent::AgentId;
use symposium_model::edit::EditFormat;
use symposium_model::hook::Event;
use symposium_model::hook::hook_plan::PlanSlot;
use symposium_model::json_extensions::oddities;
use symposium_model::ownership::Marker;
use symposium_model::sync::{Ledger, WrittenContent, WrittenEntry};

use crate::ops::agent_paths::AgentRoots;
use crate::ops::rtk;

/// Larger settings are not worth looking into for a name.
const MAX_SETTINGS: u64 = 1024 * 1024;

/// More files than this beside our own are not looked into.
const MAX_BESIDE: usize = 32;

/// The agents that call us about an event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RegisteredAgents {
    /// From the user's settings, beside any call from the project's.
    pub(super) globally: Vec<AgentId>,
    pub(super) anywhere: Vec<AgentId>,
}

/// The settings files that make agents call us.
#[derive(Debug)]
pub(super) struct RegistrationFiles {
    files: Vec<RegisteredFile>,
}

/// A settings file in which we are recorded to stand.
#[derive(Debug)]
struct RegisteredFile {
    agent: AgentId,
    scope: Scope,
    file: &'static HookFile,
    content: RegisteredContent,
}

#[derive(Debug)]
enum RegisteredContent {
    /// Settings, with the mark of what is ours in them.
    Settings { value: Value, mark: Marker },
    /// A program of ours, as we wrote it, with the agent's own events it calls us about.
    Program { events: Vec<String> },
}

/// Reads what the ledger says we wrote, as it is now. A file that is in no ledger came with a clone, and a registration
/// taken for one that is not there would keep the other from doing its work: being asked twice is better than not at all.
pub(super) fn registrations(roots: AgentRoots<'_>, ledger: &Ledger) -> RegistrationFiles {
    let mut files = Vec::new();
    for agent in AgentId::ALL {
        for scope in [Scope::User, Scope::Project] {
            for (file, path) in hook_files(roots, agent, scope) {
                let content = content(roots, ledger, agent, scope, file, &path);
                files.extend(content.map(|content| RegisteredFile { agent, scope, file, content }));
            }
        }
    }
    RegistrationFiles { files }
}

fn content(
    roots: AgentRoots<'_>,
    ledger: &Ledger,
    agent: AgentId,
    scope: Scope,
    file: &HookFile,
    path: &Path,
) -> Option<RegisteredContent> {
    let record = ledger.record(path).filter(|record| record.agents.contains(&agent))?;
    let text = fs::read_text(path, MAX_SETTINGS).ok()?;
    if matches!(file.layout, HookLayout::Written(_)) {
        let workspace = roots.project.filter(|_| scope == Scope::Project);
        let events = ledger.events_of(agent, workspace).map(str::to_owned).collect();
        return record.written.is_file(&text).then_some(RegisteredContent::Program { events });
    }
    let mark = match &record.written {
        WrittenContent::Entries { entries, .. } => {
            entries.iter().map(WrittenEntry::mark).find(|mark| mark.is_hook_of(agent))?.clone()
        }
        WrittenContent::File { .. } => Marker::HookOf(agent),
        WrittenContent::Skill { .. } | WrittenContent::Amended { .. } => return None,
    };
    if file.strictness.voids(&oddities(&text)) {
        return None;
    }
    let value = symposium_edit::value(&text, EditFormat::Json).ok()??;
    Some(RegisteredContent::Settings { value, mark })
}

impl RegisteredFile {
    fn calls_about(&self, event: AgentEvent) -> bool {
        match (&self.content, event) {
            (RegisteredContent::Settings { value, mark }, _) => {
                is_called(self.agent, self.file, self.scope, event, value, mark)
            }
            (RegisteredContent::Program { .. }, AgentEvent::Canonical(_) | AgentEvent::ToolFailed) => {
                self.file.name_of(event).is_some()
            }
            (RegisteredContent::Program { events }, AgentEvent::Native(name)) => {
                events.iter().any(|known| known == name)
            }
        }
    }
}

impl RegistrationFiles {
    pub(super) fn about(&self, slot: PlanSlot) -> RegisteredAgents {
        let calls = |of: &RegisteredFile| match slot {
            PlanSlot::Canonical(event) => of.calls_about(AgentEvent::Canonical(event)),
            PlanSlot::Native(agent, name) => of.agent == agent && of.calls_about(AgentEvent::Native(name)),
        };
        let mut registered = RegisteredAgents::default();
        for agent in AgentId::ALL {
            let mut callers = self.files.iter().filter(|file| file.agent == agent && calls(file)).peekable();
            if callers.peek().is_some() {
                registered.anywhere.push(agent);
            }
            if callers.any(|file| file.scope == Scope::User) && spec(agent).both_scopes == DoubleRegistration::BothCall
            {
                registered.globally.push(agent);
            }
        }
        registered
    }

    pub(super) fn agents(&self) -> Vec<AgentId> {
        let calls =
            |file: &RegisteredFile| Event::ALL.into_iter().any(|event| file.calls_about(AgentEvent::Canonical(event)));
        let has = |agent: &AgentId| self.files.iter().any(|file| file.agent == *agent && calls(file));
        AgentId::ALL.into_iter().filter(has).collect()
    }
}

/// The files that make an agent call us, where they are on this machine.
fn hook_files(
    roots: AgentRoots<'_>,
    agent: AgentId,
    scope: Scope,
) -> impl Iterator<Item = (&'static HookFile, PathBuf)> {
    spec(agent).hooks.iter().filter_map(move |file| Some((file, roots.resolve(file.place(scope))?)))
}

pub(super) fn settings_files(roots: AgentRoots<'_>, agents: &[AgentId]) -> Vec<PathBuf> {
    let each = agents
        .iter()
        .flat_map(|agent| [Scope::User, Scope::Project].into_iter().flat_map(|scope| hook_files(roots, *agent, scope)));
    each.map(|(_, path)| path).collect()
}

/// Those of the agents that call `rtk` by themselves.
pub(super) fn with_rtk_of_their_own(roots: AgentRoots<'_>, agents: &[AgentId]) -> Vec<AgentId> {
    let calls_rtk = |agent: &AgentId| {
        [Scope::User, Scope::Project]
            .into_iter()
            .flat_map(|scope| hook_files(roots, *agent, scope))
            .flat_map(|(file, path)| files_to_look_into(file, path))
            .any(|path| fs::read_text(&path, MAX_SETTINGS).is_ok_and(|text| rtk::is_called_in(&text)))
    };
    agents.iter().copied().filter(calls_rtk).collect()
}

/// A file everybody shares; or, where each program has its own, those beside ours.
fn files_to_look_into(file: &HookFile, path: PathBuf) -> Vec<PathBuf> {
    match file.layout {
        HookLayout::Shared { .. } => vec![path],
        HookLayout::Own { .. } | HookLayout::Written(_) => {
            let Some(directory) = path.parent() else { return Vec::new() };
            let entries = fs::list(directory).unwrap_or_default();
            let files = entries.into_iter().filter(|entry| entry.kind == fs::FileKind::File);
            let beside = files.map(|entry| directory.join(entry.name)).filter(|other| *other != path);
            beside.take(MAX_BESIDE).collect()
        }
    }
}

/// The names of MCP servers in the settings of these agents. A file that cannot be understood names none.
pub(super) fn server_names(roots: AgentRoots<'_>, agents: &[AgentId]) -> Vec<String> {
    let mut names = Vec::new();
    for agent in agents {
        let mcp = &spec(*agent).mcp;
        for scope in [Scope::User, Scope::Project] {
            let Some(choice) = mcp.choice(scope) else { continue };
            let places = choice.existing.iter().copied().chain([choice.otherwise]);
            for path in places.filter_map(|place| roots.resolve(place)) {
                let Ok(text) = fs::read_text(&path, MAX_SETTINGS) else { continue };
                let Ok(Some(value)) = symposium_edit::value(&text, mcp.format) else { continue };
                let servers = value.get(mcp.key).and_then(serde_json::Value::as_object);
                names.extend(servers.into_iter().flat_map(serde_json::Map::keys).cloned());
            }
        }
    }
    names
}
