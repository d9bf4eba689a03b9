//! Decides if the commands of a plugin may run: by the rank of its source, the user's settings, and the grants.

use super::content::{ContentChange, GrantContent};
use super::grants::Grant;
use crate::config::{SourceRank, TrustProjects};

impl SourceRank {
    /// Tells whether the programs of its plugins need a grant. Those that ship with Symposium or that the user named do
    /// not.
    pub fn needs_grant(self) -> bool {
        match self {
            Self::Builtin | Self::User => false,
            Self::Recommendations | Self::Brought | Self::Crate | Self::Project => true,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantScope {
    /// One workspace: the user is asked again in every clone and worktree.
    Workspace,
    /// Every workspace: a recommendation is granted once, unless it runs files of a workspace.
    Everywhere,
}

pub fn grant_scope(rank: SourceRank) -> GrantScope {
    match rank {
        SourceRank::Crate | SourceRank::Project => GrantScope::Workspace,
        SourceRank::Builtin | SourceRank::Recommendations | SourceRank::Brought | SourceRank::User => {
            GrantScope::Everywhere
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrustStatus {
    Free,
    /// Granted, and unchanged since.
    Granted,
    NeedsGrant,
    /// Granted, but these files changed since.
    Changed(Vec<ContentChange>),
    /// The user's settings forbid projects to run anything.
    Never,
    /// The files it would run cannot be determined, so it cannot be granted; with the reason.
    Unknown(String),
}

impl TrustStatus {
    pub fn is_given(&self) -> bool {
        match self {
            Self::Free | Self::Granted => true,
            Self::NeedsGrant | Self::Changed(_) | Self::Never | Self::Unknown(_) => false,
        }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Granted => "granted",
            Self::NeedsGrant => "untrusted",
            Self::Changed(_) => "changed",
            Self::Never => "never",
            Self::Unknown(_) => "unusable",
        }
    }
}

/// Returns the status. `content` is what the plugin would run now, or the reason why that cannot be determined; `grant`
/// is the user's grant for this plugin here.
pub fn decide(
    rank: SourceRank,
    projects: TrustProjects,
    content: Result<&GrantContent, &str>,
    grant: Option<&Grant>,
) -> TrustStatus {
    if !rank.needs_grant() {
        return TrustStatus::Free;
    }
    match (grant_scope(rank), projects) {
        (GrantScope::Workspace, TrustProjects::Never) => return TrustStatus::Never,
        (GrantScope::Workspace, TrustProjects::Ask)
        | (GrantScope::Everywhere, TrustProjects::Ask | TrustProjects::Never) => {}
    }
    match (content, grant) {
        (Err(reason), _) => TrustStatus::Unknown(reason.to_owned()),
        (Ok(_), None) => TrustStatus::NeedsGrant,
        (Ok(content), Some(grant)) => match content.changes_since(&grant.content) {
            changes if changes.is_empty() => TrustStatus::Granted,
            changes => TrustStatus::Changed(changes),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::content::CoveredFile;
    use super::super::grants::GrantSubject;
    use super::*;
    use crate::sync::fingerprint;

    #[test]
    fn rank_setting_content_and_grant_decide_together() {
        use SourceRank::{Builtin, Crate, Project, Recommendations, User};
        use TrustProjects::{Ask, Never};
        let content = |text: &str| -> GrantContent {
            vec![CoveredFile { path: "m".to_owned(), hash: fingerprint(text.as_bytes()) }].into()
        };
        let (now, other) = (content("now"), content("other"));
        let granted = |content: &GrantContent| Grant {
            subject: GrantSubject { workspace: None, source: String::new(), plugin: String::new() },
            name: String::new(),
            granted: 0,
            content: content.clone(),
        };
        let (fits, differs) = (granted(&now), granted(&other));
        for (rank, projects, content, grant, expected) in [
            (Builtin, Never, Err("x"), None, "free"),
            (User, Ask, Ok(&now), None, "free"),
            (Project, Ask, Ok(&now), None, "untrusted"),
            (Project, Ask, Ok(&now), Some(&fits), "granted"),
            (Project, Ask, Ok(&now), Some(&differs), "changed"),
            (Project, Ask, Err("x"), Some(&fits), "unusable"),
            (Project, Never, Ok(&now), Some(&fits), "never"),
            (Crate, Ask, Ok(&now), None, "untrusted"),
            (Crate, Never, Ok(&now), Some(&fits), "never"),
            (Recommendations, Ask, Ok(&now), None, "untrusted"),
            (Recommendations, Never, Ok(&now), Some(&fits), "granted"),
            (Recommendations, Never, Ok(&now), Some(&differs), "changed"),
        ] {
            let found = decide(rank, projects, content, grant);
            assert_eq!(found.name(), expected, "{rank:?} {projects:?}");
            assert_eq!(found.is_given(), matches!(expected, "free" | "granted"));
        }
    }
}
