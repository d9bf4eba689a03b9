//! The files that a run keeps up to date.

use std::path::Path;

/// Says whose files are kept up to date. Records of them that are no longer wanted are reverted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncScope {
    /// The user's, and those of this workspace.
    UserAndWorkspace,
    /// The user's only: there is no workspace, or it is left alone.
    User,
    /// Those of this workspace only.
    Workspace,
}

impl SyncScope {
    /// Whether it is about what is written for a workspace, or, without one, once for the user.
    pub fn covers(self, workspace: Option<&Path>) -> bool {
        match self {
            Self::UserAndWorkspace => true,
            Self::User => workspace.is_none(),
            Self::Workspace => workspace.is_some(),
        }
    }
}
