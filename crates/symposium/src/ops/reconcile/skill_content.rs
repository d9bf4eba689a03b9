//! Skills for agents: where they look for them, which they have themselves, and the files of their sources.

use std::path::Path;

use symposium_agents::{refuses_ignored_skills, spec};
use symposium_io::fs;
use symposium_io::source::{MAX_SKILL, skill_files};
use symposium_model::agent::AgentId;
use symposium_model::catalog::{Catalog, LoadedSkill, LoadedSource, SkillId};
use symposium_model::select::Selection;
use symposium_model::sync::desired::{SkillContent, SkillOptions, SkillRecipient};
use symposium_model::sync::{Ledger, is_ignore_mark};

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
        recipients: context.root().map(|root| recipients(root, context.home.as_deref(), agents)).unwrap_or_default(),
        is_owned: Box::new(move |agent, id| has_skill(context, agent, ledger, catalog, id)),
        load: Box::new(move |id| load(catalog, id)),
    }
}

/// Returns where agents look for skills.
fn recipients(root: &Path, home: Option<&Path>, agents: &[AgentId]) -> Vec<SkillRecipient> {
    let of_agent = |agent: &AgentId| {
        let skills = &spec(*agent).skills;
        let user = home.iter().flat_map(|home| skills.global.iter().map(|directory| home.join(directory)));
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

/// Tells whether an agent finds a skill of the workspace where it lies.
pub(crate) fn reads_in_place(agent: AgentId, source: &LoadedSource, skill: &LoadedSkill) -> bool {
    if !source.spec.kind.is_workspace() {
        return false;
    }
    let parent = Path::new(&skill.path).parent().and_then(Path::parent);
    let facts = &spec(agent).skills;
    std::iter::once(&facts.project).chain(facts.also_in_project).any(|directory| parent == Some(Path::new(directory)))
}

/// Tells whether an agent has a skill of the workspace: where it lies, or because the user put one of its name, or a link,
/// into another directory of the agent.
fn has_own_skill(root: &Path, agent: AgentId, ledger: &Ledger, source: &LoadedSource, skill: &LoadedSkill) -> bool {
    let directory = Path::new(&skill.path).parent().and_then(Path::file_name).and_then(|name| name.to_str());
    let names = [Some(skill.document.name.as_str()), directory];
    let facts = &spec(agent).skills;
    let mut parents = std::iter::once(&facts.project).chain(facts.also_in_project);
    let is_theirs = |place: &Path| {
        let mark = fs::read_text(&place.join(".gitignore"), MAX_SKILL).unwrap_or_default();
        fs::exists(&place.join("SKILL.md")) && ledger.record(place).is_none() && !is_ignore_mark(&mark)
    };
    reads_in_place(agent, source, skill)
        || parents.any(|parent| names.iter().flatten().any(|name| is_theirs(&root.join(parent).join(name))))
}

/// Whether an agent has what a skill was imported from, or a skill of the workspace.
fn has_skill(context: &Context, agent: AgentId, ledger: &Ledger, catalog: &Catalog, id: SkillId) -> bool {
    if let (Some(root), Some((source, skill))) = (context.root(), catalog.skill(id))
        && source.spec.kind.is_workspace()
    {
        return has_own_skill(root, agent, ledger, source, skill);
    }
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
