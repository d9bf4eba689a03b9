//! The selection as it works on this machine: a plugin that may not run leaves its work to another of its name.

use symposium_agents::dialect;
use symposium_io::source::MAX_SKILL;
use symposium_model::agent::AgentId;
use symposium_model::catalog::{Catalog, LoadedPlugin, LoadedSource};
use symposium_model::config::{EffectiveSettings, SourceKind};
use symposium_model::crates::CrateSet;
use symposium_model::manifest::Hook;
use symposium_model::select::{self, Selection, SkillState};
use symposium_model::{explain, scan};

use crate::ops::catalog::{plugin_deps, root_of, tree_of_skill, with_facts};
use crate::ops::context::Context;
use crate::ops::{installations, trust};

/// Selects from the whole catalog, as it works on this machine.
pub(super) fn select(context: &Context, catalog: &Catalog, crates: Option<&CrateSet>) -> Selection {
    let (choices, candidates) = (context.choices(), plugin_deps::candidates(&context.settings));
    let mut selection =
        with_facts(context, catalog, crates, |facts| select::select(catalog, facts, &choices, &candidates));
    block_hidden_text(&context.settings, catalog, &mut selection);
    log(catalog, &selection);
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
    let manifest = root_of(source).map(|root| root.join(&loaded.path));
    let directory = manifest.as_deref().and_then(std::path::Path::parent);
    let is_made = |hook: &&Hook| {
        let made = |one| installations::made(&context.directories, directory, one).is_some();
        plugin.needed_by(hook).is_ok_and(|needed| needed.into_iter().all(made))
    };
    let serves = !plugin.mcp_servers.is_empty();
    let hooks: Vec<Option<AgentId>> = plugin.hooks.iter().filter(is_made).map(Hook::only_agent).collect();
    AgentId::ALL
        .into_iter()
        .filter(|agent| {
            let runs = dialect(*agent).has_events();
            serves || runs && hooks.iter().any(|only| only.is_none_or(|only| only == *agent))
        })
        .collect()
}

/// Logs what became of every plugin and skill that was read.
fn log(catalog: &Catalog, selection: &Selection) {
    for verdict in &selection.plugins {
        let Some((source, loaded)) = catalog.plugin(verdict.id) else { continue };
        let (active, holds) = (verdict.is_active(), verdict.verdict.holds);
        tracing::debug!(plugin = loaded.plugin.name, source = source.spec.name, active, holds, "judged plugin");
    }
    for verdict in &selection.skills {
        let Some((source, skill)) = catalog.skill(verdict.id) else { continue };
        let crates = explain::list(&verdict.crates);
        let name = skill.document.name.as_str();
        tracing::debug!(skill = name, source = source.spec.name, state = ?verdict.state, crates, "judged skill");
    }
}

/// A skill whose text hides something is not for agents, unless the user allows it by name. Only what would apply is
/// read for that.
fn block_hidden_text(settings: &EffectiveSettings, catalog: &Catalog, selection: &mut Selection) {
    for verdict in selection.skills.iter_mut().filter(|verdict| verdict.state == SkillState::Applies) {
        let Some((source, skill)) = catalog.skill(verdict.id) else { continue };
        // What ships with the program was looked at before it was shipped.
        if source.spec.kind == SourceKind::Embedded {
            continue;
        }
        let name = skill.document.name.as_str();
        if settings.trust_allow_text.value.iter().any(|allowed| allowed == name) {
            continue;
        }
        let text = tree_of_skill(source, skill).and_then(|tree| tree.read_text(&skill.path, MAX_SKILL).ok());
        let findings = text.map(|text| skill.document.scan(&text)).unwrap_or_default();
        if let Some(found) = findings.iter().find(|found| found.severity == scan::ScanSeverity::Blocking) {
            verdict.state = SkillState::Blocked(found.kind);
        }
    }
}
