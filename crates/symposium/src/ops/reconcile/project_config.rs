//! Creates `.symposium/config.toml`, and updates its toggles to the extensions that apply.

use symposium_edit::{ToggleAction, ToggleEdit, ToggleTable, toggles};
use symposium_model::catalog::Catalog;
use symposium_model::config::Scope;
use symposium_model::select::Selection;
use symposium_model::sync::{PruneGuard, ToggleChange, update_toggles};

use crate::error::CliError;
use crate::ops::context::Context;

/// The first lines of a new project configuration.
const NEW_CONFIG: &str = "\
# Which extensions of Symposium are on in this project. Commit this file; `symposium sync` keeps it up to date with
# your dependencies and leaves your choices alone.
";

/// Returns the new text of the project's configuration; `None` outside any project, and while a configuration is
/// broken: the user's choice for new extensions is unknown then, not the default.
pub(crate) fn configuration(
    context: &Context,
    catalog: &Catalog,
    selection: &Selection,
    guard: &PruneGuard<'_>,
) -> Result<Option<String>, CliError> {
    if context.is_broken(Scope::Project) || context.is_broken(Scope::User) {
        return Ok(None);
    }
    let Some(path) = context.config_file(Scope::Project) else { return Ok(None) };
    let start = context.project_text.clone().unwrap_or_else(|| NEW_CONFIG.to_owned());
    let update = update_toggles(&context.settings, catalog, selection, guard);
    let tables = [(ToggleTable::Skills, update.skills), (ToggleTable::Workflows, update.workflows)];
    let edit = |table, change| match change {
        ToggleChange::Add { key, on } => ToggleEdit { table, key, change: ToggleAction::Add(on) },
        ToggleChange::Remove { key } => ToggleEdit { table, key, change: ToggleAction::Remove },
    };
    let edits =
        tables.into_iter().flat_map(|(table, changes)| changes.into_iter().map(move |change| edit(table, change)));
    let edits: Vec<ToggleEdit> = edits.collect();
    let text = toggles(&start, &edits).map_err(|error| {
        CliError::failed(format!("{}: {error}", path.display())).hint("fix the file, and run the command again")
    })?;
    Ok(Some(text))
}
