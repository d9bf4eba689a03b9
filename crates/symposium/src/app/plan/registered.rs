//! Which agents call us here, and what else their settings say that a plan has to know.

use std::path::{Path, PathBuf};

use symposium_agents::spec::{BothScopes, HookFile, HookLayout};
use symposium_agents::{GENERATED_MARK, Scope, spec};
use symposium_io::fs;
use symposium_model::agent::AgentId;
use symposium_model::sync::{Ledger, Record, Written};

use crate::app::context::Context;
use crate::app::place::resolve;
use crate::app::rtk;

/// Larger settings are not worth looking into for a name.
const MAX_SETTINGS: u64 = 1024 * 1024;

/// More files than this beside our own are not looked into.
const MAX_BESIDE: usize = 32;

/// The agents that call us.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Registered {
    /// From the user's settings, beside any call from the project's.
    pub(super) globally: Vec<AgentId>,
    /// From anywhere.
    pub(super) anywhere: Vec<AgentId>,
}

/// Which agents call us in the workspace of the call. What the ledger says counts as long as the file says so too: a
/// registration taken for one that is gone would keep the other from doing its work.
pub(super) fn registered(context: &Context, ledger: &Ledger) -> Registered {
    let mut registered = Registered::default();
    let chosen = context.project_agents();
    for agent in AgentId::ALL {
        let globally = hook_files(context, agent, Scope::Global)
            .any(|(_, path)| is_recorded(ledger, &path, agent) && calls_us(&path, agent));
        // A clone brings the project's registration along, and nothing in the ledger.
        let in_project = hook_files(context, agent, Scope::Project)
            .any(|(_, path)| (chosen.contains(&agent) || is_recorded(ledger, &path, agent)) && calls_us(&path, agent));
        if globally && spec(agent).both_scopes == BothScopes::BothCall {
            registered.globally.push(agent);
        }
        if globally || in_project {
            registered.anywhere.push(agent);
        }
    }
    registered
}

/// Whether a file still makes an agent call us: as a command, or as a program of ours.
fn calls_us(path: &Path, agent: AgentId) -> bool {
    let text = fs::read_text(path, MAX_SETTINGS).unwrap_or_default();
    text.contains(&format!("hook {agent} ")) || text.contains(GENERATED_MARK)
}

fn is_recorded(ledger: &Ledger, path: &Path, agent: AgentId) -> bool {
    let has_hook = |record: &Record| match &record.written {
        Written::Entries { entries, .. } => entries.iter().any(|entry| entry.mark().is_hook_of(agent)),
        Written::File { .. } => true,
        Written::Skill { .. } | Written::Amended { .. } => false,
    };
    ledger.record(path).is_some_and(|record| record.agents.contains(&agent) && has_hook(record))
}

/// The files that make an agent call us, where they are on this machine.
fn hook_files(context: &Context, agent: AgentId, scope: Scope) -> impl Iterator<Item = (&'static HookFile, PathBuf)> {
    spec(agent).hooks.iter().filter_map(move |file| Some((file, resolve(context, file.place(scope))?)))
}

/// The hook files of these agents.
pub(super) fn settings_files(context: &Context, agents: &[AgentId]) -> Vec<PathBuf> {
    let each = agents.iter().flat_map(|agent| {
        [Scope::Global, Scope::Project].into_iter().flat_map(|scope| hook_files(context, *agent, scope))
    });
    each.map(|(_, path)| path).collect()
}

/// Those of the agents that call `rtk` by themselves.
pub(super) fn with_rtk_of_their_own(context: &Context, agents: &[AgentId]) -> Vec<AgentId> {
    let calls_rtk = |agent: &AgentId| {
        [Scope::Global, Scope::Project]
            .into_iter()
            .flat_map(|scope| hook_files(context, *agent, scope))
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
            let files = entries.into_iter().filter(|entry| entry.kind == fs::EntryKind::File);
            let beside = files.map(|entry| directory.join(entry.name)).filter(|other| *other != path);
            beside.take(MAX_BESIDE).collect()
        }
    }
}

/// The names of MCP servers in the settings of these agents. A file that cannot be understood names none.
pub(super) fn server_names(context: &Context, agents: &[AgentId]) -> Vec<String> {
    let mut names = Vec::new();
    for agent in agents {
        let mcp = &spec(*agent).mcp;
        for scope in [Scope::Global, Scope::Project] {
            let choice = mcp.choice(scope);
            let places = choice.existing.iter().copied().chain([choice.otherwise]);
            for path in places.filter_map(|place| resolve(context, place)) {
                let Ok(text) = fs::read_text(&path, MAX_SETTINGS) else { continue };
                let Ok(Some(value)) = symposium_edit::value(&text, mcp.format) else { continue };
                let servers = value.get(mcp.key).and_then(serde_json::Value::as_object);
                names.extend(servers.into_iter().flat_map(serde_json::Map::keys).cloned());
            }
        }
    }
    names
}
