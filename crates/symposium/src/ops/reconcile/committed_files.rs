//! Files of a workspace that its team commits: only a person who asks for it changes them.

use std::path::{Path, PathBuf};

use symposium_io::git_tracking::TrackedFiles;
use symposium_model::sync::ChangeSet;

/// Says how a run treats files that a project commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommittedFiles {
    /// They are written like all others.
    Written,
    /// They stay as they are.
    LeftAlone,
}

/// The file of a workspace with instructions for agents of any kind.
pub(crate) fn agents_file(root: &Path) -> PathBuf {
    root.join("AGENTS.md")
}

/// Drops changes to files of workspaces that git tracks.
pub(crate) fn spare_tracked(comparison: &mut ChangeSet) {
    let mut files = TrackedFiles::default();
    comparison.spare_tracked(|path| files.tracking(path));
}

/// Drops besides changes to the project's own files: its configuration, its lock, its vendored sources and AGENTS.md are
/// meant to be committed.
pub(crate) fn spare_committed(root: Option<&Path>, comparison: &mut ChangeSet) {
    if let Some(root) = root {
        let own = root.join(".symposium");
        let agents_md = agents_file(root);
        comparison.actions.retain(|action| !action.path.starts_with(&own) && action.path != agents_md);
    }
    spare_tracked(comparison);
}
