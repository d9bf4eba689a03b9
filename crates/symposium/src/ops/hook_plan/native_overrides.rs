//! Finds the agents on which an imported hook does not run, because the agent still runs the original.

use std::path::PathBuf;

use symposium_agents::Scope;
use symposium_agents::import::{ImportedHook, OwnHook, cover};
use symposium_model::agent::AgentId;
use symposium_model::catalog::{Catalog, LoadedPlugin};
use symposium_model::config::SourceRank;
use symposium_model::manifest::Hook;
use symposium_model::sync::Ledger;

use crate::ops::agent_paths::AgentRoots;
use crate::ops::import::read;

#[derive(Debug, Default)]
pub(super) struct NativeOverrides {
    hooks: Vec<(AgentId, OwnHook)>,
    /// Files that hold what an imported hook was made of: once that is gone, the hook runs.
    pub(super) decisive: Vec<PathBuf>,
    /// Other files that were looked into.
    pub(super) others: Vec<PathBuf>,
}

/// Looks into the settings of every agent, if anything was imported at all.
pub(super) fn find(roots: AgentRoots<'_>, catalog: &Catalog, ledger: &Ledger) -> NativeOverrides {
    let mut found = NativeOverrides::default();
    let imported: Vec<&LoadedPlugin> = catalog
        .plugins()
        .map(|(_, loaded)| loaded)
        .filter(|loaded| loaded.plugin.imported_from.is_some() && !loaded.plugin.hooks.is_empty())
        .collect();
    if imported.is_empty() {
        return found;
    }
    for agent in AgentId::ALL {
        let holding = read::read(roots, agent);
        for own in holding.own_hooks(ledger) {
            let is_meant = |hook: &Hook| is_of(agent, &own, hook);
            if imported.iter().any(|loaded| loaded.plugin.hooks.iter().any(is_meant)) {
                found.decisive.push(PathBuf::from(&own.file));
                found.hooks.push((agent, own));
            }
        }
        found.others.extend(holding.paths().map(PathBuf::from));
    }
    found.decisive.sort();
    found.decisive.dedup();
    let NativeOverrides { decisive, others, .. } = &mut found;
    others.retain(|path| !decisive.contains(path));
    others.sort();
    others.dedup();
    found
}

fn is_of(agent: AgentId, own: &OwnHook, hook: &Hook) -> bool {
    let Hook { event, timeout, on_failure, .. } = hook;
    hook.command_there()
        .is_some_and(|line| own.is(agent, &ImportedHook { event, line, timeout: *timeout, on_failure: *on_failure }))
}

impl NativeOverrides {
    /// Whether nothing was imported, so that nothing was looked at.
    pub(super) fn is_empty(&self) -> bool {
        self.decisive.is_empty() && self.others.is_empty()
    }

    /// Returns the agents that still run the original of an imported hook. An original in a project's file counts only
    /// for the project's own hooks.
    pub(super) fn agents(&self, rank: SourceRank, plugin: &LoadedPlugin, hook: &Hook) -> Vec<AgentId> {
        if plugin.plugin.imported_from.is_none() {
            return Vec::new();
        }
        let counts = |own: &OwnHook| own.scope == Scope::User || rank == SourceRank::Project;
        let has_it = |agent: &AgentId| {
            let those = self.hooks.iter().filter(|(of, own)| of == agent && counts(own) && is_of(*agent, own, hook));
            // What it is not asked about there is asked here.
            cover(&those.map(|(_, own)| &own.matcher).collect::<Vec<_>>(), &hook.matcher)
        };
        AgentId::ALL.into_iter().filter(has_it).collect()
    }
}
