//! Where imported hooks stand down: on every agent that still has the command they were made of.

use std::path::PathBuf;

use symposium_model::agent::AgentId;
use symposium_model::catalog::{Catalog, LoadedPlugin};
use symposium_model::manifest::Hook;
use symposium_model::sync::Ledger;

use crate::app::context::Context;
use crate::app::import::read::{self, OwnCommand};

/// The commands agents have of their own.
#[derive(Debug, Default)]
pub(super) struct StandDown {
    commands: Vec<(AgentId, OwnCommand)>,
    /// Files that hold what an imported hook was made of: once that is gone, the hook runs.
    pub(super) decisive: Vec<PathBuf>,
    /// Other files that were looked into.
    pub(super) others: Vec<PathBuf>,
}

/// Looks into the settings of every agent, if anything was imported at all.
pub(super) fn find(context: &Context, catalog: &Catalog, ledger: &Ledger) -> StandDown {
    let mut found = StandDown::default();
    let imported: Vec<&LoadedPlugin> = catalog
        .plugins()
        .map(|(_, loaded)| loaded)
        .filter(|loaded| loaded.plugin.imported_from.is_some() && !loaded.plugin.hooks.is_empty())
        .collect();
    if imported.is_empty() {
        return found;
    }
    for agent in AgentId::ALL {
        let holding = read::read(context, agent);
        for command in holding.own_commands(ledger) {
            let is_meant = |hook: &Hook| is_of(agent, &command, hook);
            if imported.iter().any(|loaded| loaded.plugin.hooks.iter().any(is_meant)) {
                found.decisive.push(command.file.clone());
                found.commands.push((agent, command));
            }
        }
        found.others.extend(holding.paths().map(PathBuf::from));
    }
    found.decisive.sort();
    found.decisive.dedup();
    let StandDown { decisive, others, .. } = &mut found;
    others.retain(|path| !decisive.contains(path));
    others.sort();
    others.dedup();
    found
}

fn is_of(agent: AgentId, command: &OwnCommand, hook: &Hook) -> bool {
    hook.command_there().is_some_and(|line| command.is(agent, &hook.event, line))
}

impl StandDown {
    /// The agents on which a hook stands down.
    pub(super) fn agents(&self, plugin: &LoadedPlugin, hook: &Hook) -> Vec<AgentId> {
        let mut agents = Vec::new();
        if plugin.plugin.imported_from.is_some() {
            let those = self.commands.iter().filter(|(agent, command)| is_of(*agent, command, hook));
            agents.extend(those.map(|(agent, _)| *agent));
            agents.dedup();
        }
        agents
    }
}
