//! Precedence between the user and the project. All such decisions are here, except which file a setting comes from:
//! [`crate::config::EffectiveSettings::resolve`].
//!
//! | subject | decided by |
//! |---|---|
//! | a policy hook of the user's own plugins | the user: it runs unless the user's toggle for the workspace is off |
//! | other hooks, servers, texts and skills of the user's own plugins | the user's toggle for the workspace, else the project |
//! | every other toggle | the project |
//! | the content of a source | the project's lockfile, except for the user's own sources |
//! | one of two plugins of one name | the higher rank; a plugin of the user that has hooks is never replaced |
//! | the content of files in the project | the project and its dependencies, never anything that only the user has |
//! | an edit that guidance refuses once | the user's `at-edit`, else the project's |
//! | registrations for every project | the user |
//! | repositories on this machine | the user: a project cannot name one, see [`SourceRank::may_name_repository`] |
//! | the project directory | its owner, see [`project`] |

pub mod project;
mod workspace_toggles;

pub use workspace_toggles::{DefaultToggle, OffReason, ToggleState, WorkspaceToggles, is_off_at_first};

use crate::config::SourceRank;
use crate::hook::HookOrder;

/// Tells whether only the user has the extensions of a source of this rank: the user's plugins, sources and imports,
/// and their dependencies. They are never written to a file of the project.
pub fn is_personal(rank: SourceRank) -> bool {
    match rank {
        SourceRank::User | SourceRank::Brought => true,
        SourceRank::Builtin | SourceRank::Recommendations | SourceRank::Crate | SourceRank::Project => false,
    }
}

/// Tells whether a hook is a policy of the user, which no project can disable.
pub fn is_user_policy(rank: SourceRank, order: HookOrder) -> bool {
    rank == SourceRank::User && order == HookOrder::Policy
}

pub fn follows_lock(rank: SourceRank) -> bool {
    !is_personal(rank)
}

/// A plugin that competes with others of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameCandidate {
    pub rank: SourceRank,
    pub has_hooks: bool,
}

impl NameCandidate {
    /// Tells whether it replaces the current holder of the name: the higher rank does, but nothing replaces a plugin of
    /// the user that has hooks. Of two equal ones the first stays.
    pub fn takes_name_from(self, holder: Self) -> bool {
        self.rank != holder.rank && self.precedence() > holder.precedence()
    }

    /// Returns the sort key among plugins of its name; the greatest comes first.
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
        let holder = |rank, has_hooks| NameCandidate { rank, has_hooks };
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
