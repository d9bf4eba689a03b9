//! Compares what should be on disk with what is there.

use std::path::Path;

use symposium_agents::is_as_new;
use symposium_edit::{insert, remove, value};
use symposium_io::clock;
use symposium_model::config::{ATTRIBUTES_FILE, Scope};
use symposium_model::edit::SettingsEditor;
use symposium_model::sync::diff::{DiffOptions, PruneOptions, RemovedRulePolicy, diff, removable};
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

/// Says what comes back although the user changed or deleted it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RestoreOptions<'o> {
    /// Skills that the user edited.
    pub(crate) skills: &'o [String],
    pub(crate) rules: RemovedRulePolicy,
}

/// Compares the desired state with the disk.
pub(crate) fn compare(
    context: &Context,
    desired: &DesiredState,
    ledger: &Ledger,
    scope: SyncScope,
    guard: &PruneGuard<'_>,
    restore: RestoreOptions<'_>,
) -> ChangeSet {
    let prune = prune_options(context, scope, guard);
    let options = DiffOptions { removed_rules: restore.rules, ..diff_options(context.root(), restore.skills) };
    let observed = observe(desired, ledger, removable(desired, ledger, context.root(), &prune));
    diff(desired, ledger, &observed, options, &prune)
}

/// Returns which records may go.
pub(super) fn prune_options<'g>(context: &Context, scope: SyncScope, guard: &'g PruneGuard<'g>) -> PruneOptions<'g> {
    let project = context.config_file(Scope::Project);
    let attributes = project.as_ref().map(|path| path.with_file_name(ATTRIBUTES_FILE));
    PruneOptions {
        scope,
        guard,
        configurations: [context.config_file(Scope::User), attributes, project].into_iter().flatten().collect(),
        knows_user_agents: context.knows_agents(Scope::User),
        knows_project_agents: context.knows_agents(Scope::Project),
    }
}

/// Returns the values that comparisons in a workspace need.
pub(crate) fn diff_options<'o>(workspace: Option<&'o Path>, restore: &'o [String]) -> DiffOptions<'o> {
    DiffOptions { workspace, restore, removed_rules: RemovedRulePolicy::StayRemoved, editor: EDITOR, now: clock::now() }
}
