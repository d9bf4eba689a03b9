//! `.symposium/config.toml`: created, and its toggles kept in step with what there is.

use symposium_edit::{ToggleAction as EditChange, ToggleEdit, ToggleTable, toggles};
use symposium_model::authority::{is_off_at_first, is_personal};
use symposium_model::catalog::{Catalog, LoadedSource};
use symposium_model::config::{Scope, SourceRank};
use symposium_model::select::{PluginVerdict, Selection, SkillState};
use symposium_model::sync::{PruneGuard, ToggleChange, reconcile};

use crate::ops::context::Context;
use crate::ui::error::CliError;

/// What a new project configuration starts as.
const NEW_CONFIG: &str = "\
# Which extensions of Symposium are on in this project. Commit this file; `symposium sync` keeps it up to date with
# your dependencies and leaves your choices alone.
";

/// What the project's configuration should say; `None` outside any project, and while a configuration cannot be
/// understood: what the user chose for new extensions is unknown then, not the default.
pub(crate) fn configuration(
    context: &Context,
    catalog: &Catalog,
    selection: &Selection,
    absence: &PruneGuard<'_>,
) -> Result<Option<String>, CliError> {
    if context.is_broken(Scope::Project) || context.is_broken(Scope::User) {
        return Ok(None);
    }
    let Some(path) = context.config_file(Scope::Project) else { return Ok(None) };
    let start = context.project_text().unwrap_or_else(|| NEW_CONFIG.to_owned());
    let settings = &context.settings;
    let default = settings.sync_default.value;
    let tables = [
        (ToggleTable::Skills, &settings.skills, skill_keys(catalog, selection)),
        (ToggleTable::Workflows, &settings.workflows, workflow_keys(catalog, selection)),
    ];
    let off_at_first = off_at_first(catalog, selection);
    let mut edits = Vec::new();
    for (table, present, names) in tables {
        let is_gone = |name: &str| match table {
            ToggleTable::Skills => absence.crate_is_gone(name),
            ToggleTable::Workflows => absence.plugin_is_gone(name),
        };
        for change in reconcile(present, &names.all(), default, is_gone) {
            let (key, change) = match change {
                // Whether a dependency's own plugin is on is for a person to say, and what only the user has is for
                // no file of the project.
                ToggleChange::Add { key, .. } if !names.usual.contains(&key) => continue,
                ToggleChange::Add { key, on } => {
                    let on = on && !off_at_first.contains(&key);
                    (key, EditChange::Add(on))
                }
                ToggleChange::Remove { key } => (key, EditChange::Remove),
            };
            edits.push(ToggleEdit { table, key, change });
        }
    }
    let text = toggles(&start, &edits).map_err(|error| {
        CliError::failed(format!("{}: {error}", path.display())).hint("fix the file, and run the command again")
    })?;
    Ok(Some(text))
}

/// Names that toggles may have.
#[derive(Default)]
struct ToggleNames {
    /// Those that get a toggle.
    usual: Vec<String>,
    /// Those that keep one that is written: of plugins that dependencies bring, and of what only the user has.
    kept: Vec<String>,
}

impl ToggleNames {
    fn all(&self) -> Vec<String> {
        self.usual.iter().chain(&self.kept).cloned().collect()
    }

    fn names_for(&mut self, rank: SourceRank) -> &mut Vec<String> {
        match rank {
            SourceRank::Crate => &mut self.kept,
            personal if is_personal(personal) => &mut self.kept,
            _ => &mut self.usual,
        }
    }
}

/// The crates through which skills matched, whether they are on or not.
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

/// The active plugins that do more than bring skills, and those that wait for somebody to switch them on.
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

/// Those of them that wait for somebody to switch them on.
fn off_at_first(catalog: &Catalog, selection: &Selection) -> Vec<String> {
    let active = selection.plugins.iter().filter(|verdict| verdict.has_its_name());
    let plugins = active.filter_map(|verdict| catalog.plugin(verdict.id));
    let off = plugins.filter(|(source, loaded)| is_off_at_first(source.spec.rank, &loaded.plugin.name));
    off.map(|(_, loaded)| loaded.plugin.name.clone()).collect()
}
