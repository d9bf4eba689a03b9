//! Compares what should be on disk with what is there.

use std::path::Path;

use symposium_agents::is_as_new;
use symposium_edit::{insert, remove, value};
use symposium_io::clock;
use symposium_model::config::{ATTRIBUTES_FILE, Scope};
use symposium_model::edit::SettingsEditor;
use symposium_model::sync::diff::{DiffOptions, PruneOptions, diff, removable};
use symposium_model::sync::{ChangeSet, DesiredState, Ledger, PruneGuard, SyncScope};

use super::observe::observe;
use crate::ops::context::Context;

/// The functions that edit settings files.
pub(crate) const EDITOR: SettingsEditor = SettingsEditor {
    insert: |path, text, format, entries| {
        insert(text, format, entries).map_err(|error| Box::new(error.diagnostic(path.display().to_string())))
    },
    remove: |path, text, format, removals, created| {
        remove(text, format, removals, created).map_err(|error| Box::new(error.diagnostic(path.display().to_string())))
    },
    value: |text, format| value(text, format).ok().flatten(),
    is_as_new,
};

/// Compares the desired state with the disk. Skills in `restore` are put back even if the user edited them.
pub(crate) fn compare(
    context: &Context,
    desired: &DesiredState,
    ledger: &Ledger,
    scope: SyncScope,
    guard: &PruneGuard<'_>,
    restore: &[String],
) -> ChangeSet {
    let project = context.config_file(Scope::Project);
    let attributes = project.as_ref().map(|path| path.with_file_name(ATTRIBUTES_FILE));
    let prune = PruneOptions {
        scope,
        guard,
        configurations: [context.config_file(Scope::User), attributes, project].into_iter().flatten().collect(),
        knows_user_agents: context.knows_agents(Scope::User),
        knows_project_agents: context.knows_agents(Scope::Project),
    };
    let options = diff_options(context.root(), restore);
    let observed = observe(desired, ledger, removable(desired, ledger, context.root(), &prune));
    diff(desired, ledger, &observed, options, &prune)
}

/// Returns the values that comparisons in a workspace need.
pub(crate) fn diff_options<'o>(workspace: Option<&'o Path>, restore: &'o [String]) -> DiffOptions<'o> {
    DiffOptions { workspace, restore, editor: EDITOR, now: clock::now() }
}
