//! Whose files a run keeps in step.

use std::path::Path;

/// Whose files are kept in step. What is recorded of them and no longer wanted is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SyncScope {
    /// The user's, and those of this workspace.
    UserAndWorkspace,
    /// The user's only: there is no workspace, or it is left alone.
    User,
    /// Those of this workspace only.
    Workspace,
}

impl SyncScope {
    /// Whether it is about what is written for a workspace, or, without one, once for the user.
    pub(crate) fn covers(self, workspace: Option<&Path>) -> bool {
        match self {
            Self::UserAndWorkspace => true,
            Self::User => workspace.is_none(),
            Self::Workspace => workspace.is_some(),
        }
    }
}
