//! Whose word counts: the user's or the project's. Every such question is answered here, but for which file a setting
//! comes from, which [`crate::config::Settings::resolve`] says.
//!
//! | about | decides |
//! |---|---|
//! | a policy hook of the user's own plugins | the user: it is asked unless their choice for the workspace says otherwise |
//! | other hooks, servers, texts and skills of the user's own plugins | the user's choice for the workspace, else the project |
//! | everything else that can be switched | the project |
//! | which content of a source counts | the project's lock, but for the user's own sources |
//! | which of two plugins of one name is used | the more specific one; one of the user's that has hooks gives way to none |
//! | what stands in files of the project | what the project and its dependencies bring, and nothing that only the user has |
//! | how agents are registered for every project | the user |
//! | repositories on this machine | the user: a project names none, see [`SourceRank::may_name_repository`] |
//! | which directory is a project | who owns it, see [`project`] |

pub mod project;
mod workspace_toggles;

pub use workspace_toggles::{DefaultToggle, OffReason, ToggleState, WorkspaceToggles, is_off_at_first};

use crate::config::SourceRank;
use crate::hook::HookOrder;

/// Whether only the user has what a source of this rank brings: their plugins, their sources, their imports, and what
/// those bring along. Nothing of it belongs into a file of the project.
pub fn is_personal(rank: SourceRank) -> bool {
    match rank {
        SourceRank::User | SourceRank::Brought => true,
        SourceRank::Builtin | SourceRank::Recommendations | SourceRank::Crate | SourceRank::Project => false,
    }
}

/// Whether a hook is a policy of the user, which no project can silence.
pub fn is_user_policy(rank: SourceRank, order: HookOrder) -> bool {
    rank == SourceRank::User && order == HookOrder::Policy
}

/// Whether the lock of a project says which content of a source counts.
pub fn follows_lock(rank: SourceRank) -> bool {
    !is_personal(rank)
}

/// A plugin among others of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameHolder {
    /// How specific its source is.
    pub rank: SourceRank,
    pub has_hooks: bool,
}

impl NameHolder {
    /// Whether it takes the name from one that has it so far: the more specific one does, but nothing takes it from a
    /// plugin of the user that has hooks. Of two equal ones the first keeps it.
    pub fn takes_name_from(self, holder: Self) -> bool {
        self.rank != holder.rank && self.precedence() > holder.precedence()
    }

    /// How far in front it is among those of its name.
    pub fn precedence(self) -> (bool, SourceRank) {
        (self.rank == SourceRank::User && self.has_hooks, self.rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::GitProtocol;

    #[test]
    fn a_name_goes_to_the_more_specific_but_never_from_a_user_plugin_with_hooks() {
        use SourceRank::{Builtin, Crate, Project, Recommendations, User};
        let holder = |rank, has_hooks| NameHolder { rank, has_hooks };
        for (newcomer, known, takes) in [
            (holder(Project, true), holder(User, true), false),
            (holder(Project, false), holder(User, true), false),
            (holder(Project, false), holder(User, false), true),
            (holder(User, true), holder(Project, true), true),
            (holder(User, false), holder(Project, false), false),
            (holder(User, true), holder(User, true), false),
            (holder(User, true), holder(User, false), false),
            (holder(Crate, true), holder(Recommendations, true), true),
            (holder(Builtin, true), holder(Recommendations, false), false),
            (holder(Project, false), holder(Builtin, true), true),
        ] {
            assert_eq!(newcomer.takes_name_from(known), takes, "{newcomer:?} {known:?}");
        }
    }

    #[test]
    fn what_is_the_users_is_theirs_alone() {
        use SourceRank::{Brought, Builtin, Crate, Project, Recommendations, User};
        for (rank, personal, written) in [
            (Builtin, false, false),
            (Recommendations, false, false),
            (Brought, true, false),
            (Crate, false, false),
            (User, true, true),
            (Project, false, false),
        ] {
            assert_eq!(is_personal(rank), personal, "{rank:?}");
            assert_eq!(follows_lock(rank), !personal, "{rank:?}");
            assert_eq!(is_user_policy(rank, HookOrder::Policy), written, "{rank:?}");
            assert!(!is_user_policy(rank, HookOrder::Normal) && !is_user_policy(rank, HookOrder::Rewrite));
            assert_eq!(rank.may_name_repository(GitProtocol::File), written, "{rank:?}");
            assert!(rank.may_name_repository(GitProtocol::Https) && rank.may_name_repository(GitProtocol::Ssh));
        }
    }
}
