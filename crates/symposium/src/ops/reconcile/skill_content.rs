//! Skills for agents: where they look for them, which they have themselves, and the files of their sources.

use std::path::Path;

use symposium_agents::{refuses_ignored_skills, spec};
use symposium_io::fs;
use symposium_io::source::{MAX_SKILL, skill_files};
use symposium_model::agent::AgentId;
use symposium_model::catalog::{Catalog, SkillId};
use symposium_model::select::Selection;
use symposium_model::sync::Ledger;
use symposium_model::sync::desired::{SkillContent, SkillOptions, SkillRecipient};

use crate::ops::catalog::tree_of_skill;
use crate::ops::context::Context;
use crate::ops::import::read;

/// Returns everything that says which of the agents get which skills.
pub(crate) fn skill_options<'s>(
    context: &'s Context,
    agents: &[AgentId],
    catalog: &'s Catalog,
    selection: &'s Selection,
    held: &'s [SkillId],
    ledger: &'s Ledger,
) -> SkillOptions<'s> {
    SkillOptions {
        catalog,
        selection,
        held,
        commits: context.settings.install_commit.value,
        recipients: recipients(context, agents),
        is_owned: Box::new(move |agent, id| has_skill(context, agent, ledger, catalog, id)),
        load: Box::new(move |id| load(catalog, id)),
    }
}

/// Returns where agents look for skills; nothing outside a workspace.
fn recipients(context: &Context, agents: &[AgentId]) -> Vec<SkillRecipient> {
    let Some(root) = context.root() else { return Vec::new() };
    let of_agent = |agent: &AgentId| {
        let skills = &spec(*agent).skills;
        let user = context.home.iter().flat_map(|home| skills.global.iter().map(|directory| home.join(directory)));
        SkillRecipient {
            agent: *agent,
            project: root.join(skills.project),
            user: user.collect(),
            refuses_ignored: refuses_ignored_skills(Path::new(skills.project)),
        }
    };
    agents.iter().map(of_agent).collect()
}

fn load(catalog: &Catalog, id: SkillId) -> Result<SkillContent, String> {
    let (source, skill) = catalog.skill(id).ok_or("its source no longer exists")?;
    let tree = tree_of_skill(source, skill).ok_or("its source no longer exists")?;
    let directory = skill.path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let files = skill_files(&*tree, directory)?;
    let text = tree.read_text(&skill.path, MAX_SKILL).map_err(|error| error.to_string())?;
    Ok(SkillContent { files, text })
}

/// Whether an agent has what a skill was imported from.
fn has_skill(context: &Context, agent: AgentId, ledger: &Ledger, catalog: &Catalog, id: SkillId) -> bool {
    let imported = catalog.plugin(id.plugin).is_some_and(|(_, loaded)| loaded.plugin.imported_from.is_some());
    let Some((_, skill)) = catalog.skill(id).filter(|_| imported) else { return false };
    let directory = skill.path.strip_suffix("/SKILL.md").and_then(|path| path.rsplit('/').next());
    let Some(name) = directory else { return false };
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
