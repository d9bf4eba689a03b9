//! Files of a workspace that its team commits: only a person who asks for it changes them.

use symposium_io::git_tracking::TrackedFiles;
use symposium_model::sync::ChangeSet;

use crate::ops::context::Context;

/// Says how a run treats files that a project commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommittedFiles {
    /// They are written like all others.
    Written,
    /// They stay as they are.
    LeftAlone,
}

/// Drops changes to files of workspaces that git tracks.
pub(crate) fn spare_tracked(comparison: &mut ChangeSet) {
    let mut files = TrackedFiles::default();
    comparison.spare_tracked(|path| files.tracking(path));
}

/// Drops besides changes to the project's own files: its configuration, its lock and its vendored sources are meant to be
/// committed.
pub(crate) fn spare_committed(context: &Context, comparison: &mut ChangeSet) {
    if let Some(own) = context.root().map(|root| root.join(".symposium")) {
        comparison.actions.retain(|action| !action.path.starts_with(&own));
    }
    spare_tracked(comparison);
}
