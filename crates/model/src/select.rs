//! Selection of the active plugins and the applicable skills in a workspace, with the reason for each.

use std::collections::BTreeMap;

use crate::agent::AgentId;
use crate::authority::{NameCandidate, WorkspaceToggles, is_user_policy};
use crate::candidate::{CandidatePolicy, EnabledExtent};
use crate::catalog::{Catalog, LoadedPlugin, PluginId, PluginKind, SkillId};
use crate::conditions::ConditionSet;
use crate::config::{SourceExtent, SourceRank};
use crate::evaluate::{ConditionFacts, ConditionOwner, FoundCrate, Verdict, evaluate};
use crate::hook::HookOrder;
use crate::scan;

/// The verdict on each plugin and skill of the catalog, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    pub plugins: Vec<PluginVerdict>,
    pub skills: Vec<SkillVerdict>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginVerdict {
    pub id: PluginId,
    pub verdict: Verdict,
    /// The plugin of the same name and a higher rank.
    pub shadowed_by: Option<PluginId>,
    /// The agents on which it is active all the same, because the other plugin of its name may not run there.
    pub stands_in_on: Vec<AgentId>,
    pub enabled: EnabledExtent,
}

impl PluginVerdict {
    /// Tells whether its hooks, servers and session context are used.
    pub fn is_active(&self) -> bool {
        self.has_its_name() || !self.stands_in_on.is_empty()
    }

    /// Tells whether it is active if every plugin may run on every agent.
    pub fn has_its_name(&self) -> bool {
        self.verdict.holds && self.shadowed_by.is_none() && !self.is_candidate()
    }

    /// Returns the plugin that replaces it on every agent.
    pub fn gives_way_to(&self) -> Option<PluginId> {
        self.shadowed_by.filter(|_| self.stands_in_on.is_empty())
    }

    pub fn is_candidate(&self) -> bool {
        self.enabled == EnabledExtent::OnlyNamed
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillVerdict {
    pub id: SkillId,
    /// The results of each level's conditions, plugin first.
    pub levels: Vec<(ConditionLevel, Verdict)>,
    /// The crates that its innermost condition matched.
    pub crates: Vec<FoundCrate>,
    pub state: SkillState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionLevel {
    Plugin,
    Group,
    Skill,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkillState {
    Applies,
    DoesNotMatch,
    NoWorkspace,
    /// A plugin of the same name and a higher rank replaces its plugin.
    PluginShadowed(PluginId),
    Shadowed(SkillId),
    Off,
    /// A dependency contains it, and no toggle enables it.
    Candidate,
    Blocked(scan::FindingKind),
}

pub fn select(
    catalog: &Catalog,
    facts: &ConditionFacts<'_>,
    choices: &WorkspaceToggles<'_>,
    candidates: &CandidatePolicy<'_>,
) -> Selection {
    let plugins = select_plugins(catalog, facts, candidates);
    let mut skills = Vec::new();
    for plugin in &plugins {
        skills.extend(skills_of(catalog, plugin, facts, choices, candidates));
    }
    unite_skills(catalog, &mut skills);
    shadow_skills(catalog, &mut skills);
    Selection { plugins, skills }
}

fn select_plugins(
    catalog: &Catalog,
    facts: &ConditionFacts<'_>,
    candidates: &CandidatePolicy<'_>,
) -> Vec<PluginVerdict> {
    let mut verdicts = Vec::new();
    let mut by_name = BTreeMap::new();
    for (source, read) in catalog.sources.iter().enumerate() {
        for (plugin, loaded) in read.plugins.iter().enumerate() {
            let id = PluginId { source, plugin };
            let rank = read.spec.rank;
            let verdict = evaluate_for(&loaded.plugin.conditions, facts, rank, strictest(loaded));
            let enabled = candidates.enabled(catalog, id);
            // A plugin that does not apply, or is a candidate, leaves its name to others.
            if verdict.holds && enabled == EnabledExtent::Whole {
                let holder = NameCandidate { rank, has_hooks: has_hooks(read.spec.extent, loaded) };
                keep_winner(&mut by_name, &loaded.plugin.name, holder, id);
            }
            verdicts.push(PluginVerdict { id, verdict, shadowed_by: None, stands_in_on: Vec::new(), enabled });
        }
    }
    for verdict in verdicts.iter_mut().filter(|verdict| verdict.verdict.holds && !verdict.is_candidate()) {
        let name = catalog.plugin(verdict.id).map(|(_, loaded)| loaded.plugin.name.as_str()).unwrap_or_default();
        verdict.shadowed_by = by_name.get(name).map(|(_, id)| *id).filter(|id| *id != verdict.id);
    }
    verdicts
}

impl Selection {
    /// Activates shadowed plugins on the agents on which the other plugins of their name may not run.
    pub fn hand_down(&mut self, catalog: &Catalog, agents: &[AgentId], works_on: &dyn Fn(PluginId) -> Vec<AgentId>) {
        let mut losers: Vec<usize> = (0..self.plugins.len()).filter(|at| self.is_outranked(catalog, *at)).collect();
        // The highest precedence comes first, then the order of the catalog.
        losers.sort_by_key(|at| std::cmp::Reverse(self.plugins.get(*at).and_then(|one| precedence(catalog, one.id))));
        let mut taken: BTreeMap<PluginId, Vec<AgentId>> = BTreeMap::new();
        for at in losers {
            let Some(verdict) = self.plugins.get_mut(at) else { continue };
            let Some(winner) = verdict.shadowed_by else { continue };
            let taken = taken.entry(winner).or_insert_with(|| works_on(winner));
            let free: Vec<AgentId> = agents.iter().copied().filter(|agent| !taken.contains(agent)).collect();
            if free.is_empty() {
                continue;
            }
            let works = works_on(verdict.id);
            verdict.stands_in_on = free.into_iter().filter(|agent| works.contains(agent)).collect();
            taken.extend(&verdict.stands_in_on);
        }
    }

    fn is_outranked(&self, catalog: &Catalog, at: usize) -> bool {
        let Some(verdict) = self.plugins.get(at).filter(|verdict| verdict.shadowed_by.is_some()) else { return false };
        catalog.plugin(verdict.id).is_some_and(|(_, loaded)| loaded.plugin.has_workflow())
    }
}

fn precedence(catalog: &Catalog, id: PluginId) -> Option<(bool, SourceRank)> {
    let (source, loaded) = catalog.plugin(id)?;
    let holder = NameCandidate { rank: source.spec.rank, has_hooks: has_hooks(source.spec.extent, loaded) };
    Some(holder.precedence())
}

/// Records the holder of a name; of two equal ones the first stays.
fn keep_winner<'n, Id>(
    winners: &mut BTreeMap<&'n str, (NameCandidate, Id)>,
    name: &'n str,
    holder: NameCandidate,
    id: Id,
) {
    match winners.get(name) {
        Some((winning, _)) if !holder.takes_name_from(*winning) => {}
        _ => {
            winners.insert(name, (holder, id));
        }
    }
}

fn has_hooks(extent: SourceExtent, loaded: &LoadedPlugin) -> bool {
    match extent {
        SourceExtent::Whole => !loaded.plugin.hooks.is_empty(),
        SourceExtent::PolicyHooks => strictest(loaded) == HookOrder::Policy,
    }
}

fn strictest(loaded: &LoadedPlugin) -> HookOrder {
    loaded.plugin.hooks.iter().map(|hook| hook.order).min().unwrap_or(HookOrder::Normal)
}

/// Evaluates the conditions of a plugin or hook; `order` is that of its first hook. A policy of the user also runs if
/// its conditions hold by the user's own settings, whatever the project's settings are.
pub fn evaluate_for(
    conditions: &ConditionSet,
    facts: &ConditionFacts<'_>,
    rank: SourceRank,
    order: HookOrder,
) -> Verdict {
    let verdict = evaluate(conditions, facts, owner(rank));
    if verdict.holds || !is_user_policy(rank, order) || facts.user_scope == facts.scope {
        return verdict;
    }
    evaluate(conditions, &ConditionFacts { scope: facts.user_scope, ..*facts }, owner(rank))
}

/// Returns the owner of conditions; only a plugin of the repository itself belongs to a workspace member.
pub fn owner(rank: SourceRank) -> ConditionOwner {
    match rank {
        SourceRank::Project => ConditionOwner::WorkspaceMember,
        SourceRank::Builtin
        | SourceRank::Recommendations
        | SourceRank::Brought
        | SourceRank::Crate
        | SourceRank::User => ConditionOwner::Elsewhere,
    }
}

fn skills_of(
    catalog: &Catalog,
    plugin: &PluginVerdict,
    facts: &ConditionFacts<'_>,
    choices: &WorkspaceToggles<'_>,
    candidates: &CandidatePolicy<'_>,
) -> Vec<SkillVerdict> {
    let Some((source, loaded)) = catalog.plugin(plugin.id) else { return Vec::new() };
    let owner = owner(source.spec.rank);
    // Many skills share a group: its conditions are evaluated once.
    let groups: Vec<Verdict> =
        loaded.plugin.skills.iter().map(|group| evaluate(&group.conditions, facts, owner)).collect();
    // The skills of a dependency are about that version of it.
    let own_crate = source.krate().filter(|_| source.spec.rank == SourceRank::Crate);
    let own_crate = own_crate.map(|place| FoundCrate {
        name: place.name.clone(),
        version: place.version.clone(),
        certainty: place.certainty,
    });
    let mut verdicts = Vec::new();
    for (position, skill) in loaded.skills.iter().enumerate() {
        let id = SkillId { plugin: plugin.id, skill: position };
        let mut levels = match loaded.kind {
            PluginKind::Manifest => vec![(ConditionLevel::Plugin, plugin.verdict.clone())],
            // A stand-alone skill lends its conditions to its plugin; once is enough.
            PluginKind::StandAlone => Vec::new(),
        };
        let group = skill.group.and_then(|group| groups.get(group));
        levels.extend(group.map(|verdict| (ConditionLevel::Group, verdict.clone())));
        levels.push((ConditionLevel::Skill, evaluate(&skill.conditions, facts, owner)));

        let name = skill.document.name.as_str();
        let crates = own_crate.clone().map_or_else(|| matched_crates(&levels), |own| vec![own]);
        let waits = plugin.is_candidate() && !crates.iter().any(|found| candidates.names(&found.name, name));
        let state = if !levels.iter().all(|(_, verdict)| verdict.holds) {
            SkillState::DoesNotMatch
        } else if facts.crates.is_none() {
            SkillState::NoWorkspace
        } else if let Some(winner) = plugin.shadowed_by {
            SkillState::PluginShadowed(winner)
        } else if waits && !choices.skill_is_named_off(name, &crates) {
            SkillState::Candidate
        } else if !choices.skill(source.spec.bringer(), name, &crates).is_on() {
            SkillState::Off
        } else {
            SkillState::Applies
        };
        verdicts.push(SkillVerdict { id, levels, crates, state });
    }
    verdicts
}

/// Returns the crates that the innermost `crates` list matched, because there an author says what a skill is about;
/// without any list, those that the innermost predicates matched.
fn matched_crates(levels: &[(ConditionLevel, Verdict)]) -> Vec<FoundCrate> {
    let innermost = |matched: fn(&Verdict) -> &Vec<FoundCrate>| {
        levels.iter().rev().map(|(_, verdict)| matched(verdict)).find(|matched| !matched.is_empty())
    };
    innermost(|verdict| &verdict.listed).or_else(|| innermost(|verdict| &verdict.matched)).cloned().unwrap_or_default()
}

/// Makes one of the verdicts about a matching skill to which several groups of its plugin lead.
fn unite_skills(catalog: &Catalog, skills: &mut Vec<SkillVerdict>) {
    let mut united: Vec<SkillVerdict> = Vec::with_capacity(skills.len());
    let mut first_of: BTreeMap<(PluginId, &str, bool), usize> = BTreeMap::new();
    for verdict in std::mem::take(skills) {
        let file = catalog.skill(verdict.id);
        let file = file.filter(|_| matches!(verdict.state, SkillState::Applies | SkillState::Off));
        let is_on = verdict.state == SkillState::Applies;
        let key = file.map(|(_, skill)| (verdict.id.plugin, skill.shown.as_str(), is_on));
        let first = key.and_then(|key| first_of.get(&key)).and_then(|at| united.get_mut(*at));
        let Some(first) = first else {
            first_of.extend(key.map(|key| (key, united.len())));
            united.push(verdict);
            continue;
        };
        for level in verdict.levels {
            if !first.levels.contains(&level) {
                first.levels.push(level);
            }
        }
        for found in verdict.crates {
            if !first.crates.contains(&found) {
                first.crates.push(found);
            }
        }
    }
    *skills = united;
}

/// Keeps one of several applicable skills of one name: that of the highest rank. Skills that do not apply occupy no
/// name.
fn shadow_skills(catalog: &Catalog, skills: &mut [SkillVerdict]) {
    let mut winners = BTreeMap::new();
    for verdict in skills.iter().filter(|verdict| verdict.state == SkillState::Applies) {
        if let Some((source, skill)) = catalog.skill(verdict.id) {
            let holder = NameCandidate { rank: source.spec.rank, has_hooks: false };
            keep_winner(&mut winners, skill.document.name.as_str(), holder, verdict.id);
        }
    }
    for verdict in skills.iter_mut().filter(|verdict| verdict.state == SkillState::Applies) {
        let name = catalog.skill(verdict.id).map(|(_, skill)| skill.document.name.as_str()).unwrap_or_default();
        if let Some((_, winner)) = winners.get(name)
            && *winner != verdict.id
        {
            verdict.state = SkillState::Shadowed(*winner);
        }
    }
}

#[cfg(test)]
#[path = "select_tests.rs"]
mod tests;
