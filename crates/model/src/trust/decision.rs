//! Whether what a plugin runs may run: by where it comes from, what the user says, and what was granted.

use super::content::{Change, Content};
use super::grants::Grant;
use crate::config::{SourceRank, TrustProjects};

/// How far a grant reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// One workspace: every clone and worktree asks again.
    Workspace,
    /// Every workspace: a recommendation is agreed to once.
    Everywhere,
}

/// How far a grant for a plugin of such a source reaches.
pub fn reach(rank: SourceRank) -> Reach {
    match rank {
        SourceRank::Crate | SourceRank::Project => Reach::Workspace,
        SourceRank::Builtin | SourceRank::Recommendations | SourceRank::Brought | SourceRank::User => Reach::Everywhere,
    }
}

/// Whether what a plugin runs may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Permission {
    /// It needs no grant.
    Free,
    /// It was granted, and is what was granted.
    Granted,
    /// Nobody granted it.
    NeedsGrant,
    /// Something else was granted; this is what is not as it was.
    Changed(Vec<Change>),
    /// The user never lets projects run anything.
    Never,
    /// What it would run cannot be told, so it cannot be granted; the reason.
    Unknown(String),
}

impl Permission {
    /// Whether it may run.
    pub fn is_given(&self) -> bool {
        match self {
            Self::Free | Self::Granted => true,
            Self::NeedsGrant | Self::Changed(_) | Self::Never | Self::Unknown(_) => false,
        }
    }

    /// The word for it.
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

/// Decides. `content` is what the plugin would run now, or why that cannot be told; `grant` is what was agreed to for
/// this plugin here.
pub fn decide(
    rank: SourceRank,
    projects: TrustProjects,
    content: Result<&Content, &str>,
    grant: Option<&Grant>,
) -> Permission {
    if !rank.needs_grant() {
        return Permission::Free;
    }
    match (reach(rank), projects) {
        (Reach::Workspace, TrustProjects::Never) => return Permission::Never,
        (Reach::Workspace, TrustProjects::Ask) | (Reach::Everywhere, TrustProjects::Ask | TrustProjects::Never) => {}
    }
    match (content, grant) {
        (Err(reason), _) => Permission::Unknown(reason.to_owned()),
        (Ok(_), None) => Permission::NeedsGrant,
        (Ok(content), Some(grant)) => match content.changes_since(&grant.content) {
            changes if changes.is_empty() => Permission::Granted,
            changes => Permission::Changed(changes),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::content::Covered;
    use super::super::grants::Subject;
    use super::*;
    use crate::sync::fingerprint;

    #[test]
    fn rank_setting_content_and_grant_decide_together() {
        use SourceRank::{Builtin, Crate, Project, Recommendations, User};
        use TrustProjects::{Ask, Never};
        let content = |text: &str| -> Content {
            vec![Covered { path: "m".to_owned(), hash: fingerprint(text.as_bytes()) }].into()
        };
        let (now, other) = (content("now"), content("other"));
        let granted = |content: &Content| Grant {
            subject: Subject { workspace: None, source: String::new(), plugin: String::new() },
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
