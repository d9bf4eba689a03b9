//! What an agent has of its own, so that what was imported from it is not there twice.

use std::path::Path;

use symposium_agents::spec;
use symposium_io::fs;
use symposium_model::agent::AgentId;
use symposium_model::catalog::{Catalog, LoadedSkill, SkillId};
use symposium_model::sync::Ledger;

use super::servers::PluginServer;
use crate::ops::context::Context;
use crate::ops::import::read;

/// Those of the servers that an agent does not have itself.
pub(super) fn not_owned<'s>(
    context: &Context,
    agent: AgentId,
    ledger: &Ledger,
    servers: impl Iterator<Item = &'s PluginServer>,
) -> Vec<symposium_agents::RegisteredServer> {
    let servers: Vec<&PluginServer> = servers.collect();
    let own = if servers.iter().any(|server| server.imported) {
        read::read(context.roots(), agent).own_servers(ledger)
    } else {
        Vec::new()
    };
    let stays = |server: &&&PluginServer| !(server.imported && own.contains(&server.server.name));
    servers.iter().filter(stays).map(|server| server.server.clone()).collect()
}

/// Whether a skill was imported, and an agent still has what it was made of.
pub(super) fn has_skill(
    context: &Context,
    agent: AgentId,
    ledger: &Ledger,
    catalog: &Catalog,
    (id, skill): (SkillId, &LoadedSkill),
) -> bool {
    let imported = catalog.plugin(id.plugin).is_some_and(|(_, loaded)| loaded.plugin.imported_from.is_some());
    let directory = skill.path.strip_suffix("/SKILL.md").and_then(|path| path.rsplit('/').next());
    let Some(name) = directory.filter(|_| imported) else { return false };
    let facts = &spec(agent).skills;
    let is_theirs = |base: Option<&Path>, parent: &&str| {
        let place = base.map(|base| base.join(parent).join(name));
        place.is_some_and(|place| fs::exists(&place.join("SKILL.md")) && ledger.record(&place).is_none())
    };
    let of_plugins =
        spec(agent).holdings.plugin_skills.iter().flat_map(|(_, at)| read::find(context.roots(), agent, *at));
    let mut in_plugins = of_plugins.map(|parent| parent.join(name)).filter(|place| fs::exists(&place.join("SKILL.md")));
    in_plugins.any(|place| read::read(context.roots(), agent).plugin_is_off(ledger, &place).is_none())
        || facts.global.iter().any(|parent| is_theirs(context.home.as_deref(), parent))
        || std::iter::once(&facts.project).chain(facts.also_in_project).any(|parent| is_theirs(context.root(), parent))
}
