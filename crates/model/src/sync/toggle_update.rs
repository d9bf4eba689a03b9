//! The project's toggles after a look at what there is: choices stay, new names come, gone ones go.

use super::prune_guard::PruneGuard;
use crate::authority::{is_off_at_first, is_personal};
use crate::catalog::{Catalog, LoadedSource};
use crate::config::{EffectiveSettings, SourceRank, Toggle};
use crate::crates::CrateName;
use crate::select::{PluginVerdict, Selection, SkillState};
use crate::suggest::nearest;

/// One change to a table of toggles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToggleChange {
    /// A name that was not there, with its first choice.
    Add { key: String, on: bool },
    /// A name that means nothing any more.
    Remove { key: String },
}

/// The changes to both tables.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ToggleUpdate {
    pub skills: Vec<ToggleChange>,
    pub workflows: Vec<ToggleChange>,
}

/// Compares the project's toggles with what applies.
pub fn update_toggles(
    settings: &EffectiveSettings,
    catalog: &Catalog,
    selection: &Selection,
    guard: &PruneGuard<'_>,
) -> ToggleUpdate {
    let off_at_first = off_at_first(catalog, selection);
    let is_on = |key: &String| settings.sync_default.value && !off_at_first.contains(key);
    let skills = skill_keys(catalog, selection);
    let workflows = workflow_keys(catalog, selection);
    ToggleUpdate {
        skills: compare_toggles(&settings.skills, &skills, is_on, |name| guard.crate_is_gone(name)),
        workflows: compare_toggles(&settings.workflows, &workflows, is_on, |name| guard.plugin_is_gone(name)),
    }
}

/// Names the toggles that were off and are removed, a sentence each. One may be a misspelt name, and what was meant is on.
pub fn removed_choices(before: &EffectiveSettings, after: &EffectiveSettings) -> Vec<String> {
    let mut sentences = Vec::new();
    for (old, new) in [(&before.skills, &after.skills), (&before.workflows, &after.workflows)] {
        let names: Vec<&str> = new.iter().map(|toggle| toggle.key.as_str()).collect();
        for Toggle { key, .. } in old.iter().filter(|toggle| !toggle.on && !names.contains(&toggle.key.as_str())) {
            let removed = format!("removed `{key} = false` from `.symposium/config.toml`: nothing here has that name");
            sentences.push(match nearest(key, &names) {
                Some(near) => format!("{removed}; did you mean `{near}`?"),
                None if after.sync_default.value && !is_off_at_first(SourceRank::Builtin, key) => {
                    format!("{removed} now; if it comes back, it is on until you switch it off again")
                }
                None => removed,
            });
        }
    }
    sentences
}

/// Compares the toggles of one table with the names that exist now. `is_on` is the first choice for a name; `is_gone` says
/// of one that was not found whether that means anything: what an unread source holds is not known.
///
/// A toggle `name/part` lives as long as its name.
fn compare_toggles(
    toggles: &[Toggle],
    names: &ToggleNames,
    is_on: impl Fn(&String) -> bool,
    is_gone: impl Fn(&str) -> bool,
) -> Vec<ToggleChange> {
    let mut changes = Vec::new();
    let mut wanted: Vec<&String> = names.usual.iter().collect();
    wanted.sort();
    wanted.dedup();
    for name in wanted {
        if !toggles.iter().any(|toggle| same(&toggle.key, name)) {
            changes.push(ToggleChange::Add { key: name.clone(), on: is_on(name) });
        }
    }
    for toggle in toggles {
        let name = toggle.key.split_once('/').map_or(toggle.key.as_str(), |(name, _)| name);
        if name != "*" && !names.usual.iter().chain(&names.kept).any(|known| same(known, name)) && is_gone(name) {
            changes.push(ToggleChange::Remove { key: toggle.key.clone() });
        }
    }
    changes
}

/// Crate names do not tell `-` from `_`, and plugins are rarely named to differ by that alone.
fn same(a: &str, b: &str) -> bool {
    a == b || CrateName::parse(a).is_some_and(|a| Some(a) == CrateName::parse(b))
}

/// Names that toggles may have.
#[derive(Default)]
struct ToggleNames {
    /// Those that get a toggle.
    usual: Vec<String>,
    /// Those that keep one that is written: whether a dependency's own plugin is on is for a person to say, and what
    /// only the user has is for no file of the project.
    kept: Vec<String>,
}

impl ToggleNames {
    fn names_for(&mut self, rank: SourceRank) -> &mut Vec<String> {
        match rank {
            SourceRank::Crate => &mut self.kept,
            personal if is_personal(personal) => &mut self.kept,
            _ => &mut self.usual,
        }
    }
}

/// Returns the crates through which skills matched, whether they are on or not.
fn skill_keys(catalog: &Catalog, selection: &Selection) -> ToggleNames {
    let counts = |state: SkillState| match state {
        SkillState::Applies
        | SkillState::Off
        | SkillState::Blocked(_)
        | SkillState::Shadowed(_)
        | SkillState::Candidate => true,
        SkillState::DoesNotMatch | SkillState::NoWorkspace | SkillState::PluginShadowed(_) => false,
    };
    let mut names = ToggleNames::default();
    for verdict in selection.skills.iter().filter(|verdict| counts(verdict.state)) {
        let Some((source, _)) = catalog.skill(verdict.id) else { continue };
        names.names_for(source.spec.rank).extend(verdict.crates.iter().map(|found| found.name.to_string()));
    }
    // A crate may bring no skills, and be switched on all the same.
    let own = catalog.sources.iter().filter_map(LoadedSource::krate);
    names.kept.extend(own.map(|place| place.name.to_string()));
    names
}

/// Returns the active plugins that do more than bring skills, and those that wait to be switched on.
fn workflow_keys(catalog: &Catalog, selection: &Selection) -> ToggleNames {
    let mut names = ToggleNames::default();
    let counts = |verdict: &&PluginVerdict| verdict.has_its_name() || (verdict.verdict.holds && verdict.is_candidate());
    for verdict in selection.plugins.iter().filter(counts) {
        let Some((source, loaded)) = catalog.plugin(verdict.id) else { continue };
        if loaded.plugin.has_workflow() {
            names.names_for(source.spec.rank).push(loaded.plugin.name.clone());
        }
    }
    names
}

/// Returns those of them that are switched off until the user switches them on.
fn off_at_first(catalog: &Catalog, selection: &Selection) -> Vec<String> {
    let active = selection.plugins.iter().filter(|verdict| verdict.has_its_name());
    let plugins = active.filter_map(|verdict| catalog.plugin(verdict.id));
    let off = plugins.filter(|(source, loaded)| is_off_at_first(source.spec.rank, &loaded.plugin.name));
    off.map(|(_, loaded)| loaded.plugin.name.clone()).collect()
}

#[cfg(test)]
#[path = "toggle_update_tests.rs"]
mod tests;
