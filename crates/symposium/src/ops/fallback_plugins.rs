//! The selection as it works on this machine: a plugin that may not run leaves its work to another of its name.

use symposium_model::agent::AgentId;
use symposium_model::catalog::{Catalog, LoadedPlugin, LoadedSource};
use symposium_model::crates::CrateSet;
use symposium_model::hook::HookEvent;
use symposium_model::manifest::Hook;
use symposium_model::select::Selection;

use super::context::Context;
use super::{catalog, installations, trust};

/// Answers for the whole catalog, as it works on this machine.
pub(crate) fn select(context: &Context, catalog: &Catalog, crates: Option<&CrateSet>) -> Selection {
    let mut selection = catalog::select_for(context, catalog, crates);
    let agents = context.agents();
    let here = if agents.is_empty() { AgentId::ALL.to_vec() } else { agents };
    selection.hand_down(catalog, &here, &|id| {
        catalog.plugin(id).map(|(source, loaded)| works_on(context, source, loaded)).unwrap_or_default()
    });
    selection
}

/// The agents on which a plugin does what it is for.
fn works_on(context: &Context, source: &LoadedSource, loaded: &LoadedPlugin) -> Vec<AgentId> {
    let plugin = &loaded.plugin;
    if plugin.hooks.is_empty() && plugin.mcp_servers.is_empty() {
        return AgentId::ALL.to_vec();
    }
    if !trust::may_run(context, source, loaded) {
        return Vec::new();
    }
    let manifest = catalog::root_of(source).map(|root| root.join(&loaded.path));
    let directory = manifest.as_deref().and_then(std::path::Path::parent);
    let is_made = |hook: &&Hook| {
        let made = |one| installations::made(&context.directories, directory, one).is_some();
        plugin.needed_by(hook).is_ok_and(|needed| needed.into_iter().all(made))
    };
    let serves = !plugin.mcp_servers.is_empty();
    let hooks: Vec<Option<AgentId>> = plugin.hooks.iter().filter(is_made).map(meant_for).collect();
    AgentId::ALL
        .into_iter()
        .filter(|agent| serves || hooks.iter().any(|only| only.is_none_or(|only| only == *agent)))
        .collect()
}

/// The one agent a hook is for.
fn meant_for(hook: &Hook) -> Option<AgentId> {
    match &hook.event {
        HookEvent::Canonical(_) => hook.agent,
        HookEvent::Native { agent, .. } => Some(*agent),
    }
}
