//! Files of a workspace that its team commits: only a person who asks for it changes them.

use symposium_io::git_tracking::{TrackedFiles, Tracking};

use super::{ChangeSet, SyncNotice};
use crate::ops::context::Context;

/// How a run treats files that a project commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommittedFiles {
    /// They are written like all others.
    Written,
    /// They stay as they are.
    LeftAlone,
}

/// Drops what would be done to files of workspaces that git tracks, and notes each.
pub(crate) fn spare_tracked(comparison: &mut ChangeSet) {
    let ChangeSet { actions, notices, .. } = comparison;
    let mut files = TrackedFiles::default();
    actions.retain(|action| {
        if action.workspace.is_none() {
            return true;
        }
        match files.tracking(&action.path) {
            Tracking::Untracked => true,
            tracking @ (Tracking::Tracked | Tracking::Unknown) => {
                notices.push(SyncNotice::Committed { path: action.path.clone(), tracking });
                false
            }
        }
    });
}

/// Drops besides what would be done to the project's own files: its configuration, its lock and its vendored sources are
/// meant to be committed.
pub(crate) fn spare_committed(context: &Context, comparison: &mut ChangeSet) {
    if let Some(own) = context.root().map(|root| root.join(".symposium")) {
        comparison.actions.retain(|action| !action.path.starts_with(&own));
    }
    spare_tracked(comparison);
}
