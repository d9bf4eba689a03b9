//! The kinds of sources: the places that plugins come from.

use std::path::PathBuf;

use semver::Version;

use super::git_address::GitAddress;
use super::index_address::IndexAddress;
use crate::crates::{CrateName, VersionCertainty};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceKind {
    Embedded,
    /// The user's plugin directory, which need not exist.
    UserPlugins(PathBuf),
    Path(PathBuf),
    Git {
        address: GitAddress,
        auto_update: bool,
    },
    Index {
        address: IndexAddress,
        auto_update: bool,
    },
    Crate(CratePlace),
    /// The workspace's own skills, for its contributors.
    Workspace(SkillPlaces),
}

/// The directories of a workspace that may have skills of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillPlaces {
    pub root: PathBuf,
    /// Relative to the root; they need not exist.
    pub directories: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CratePlace {
    pub name: CrateName,
    pub version: Version,
    pub certainty: VersionCertainty,
    pub directory: PathBuf,
    /// The plugin that depends on it, so that it needs no toggle of its own.
    pub brought_by: Option<String>,
}

impl SourceKind {
    pub fn git_address(&self) -> Option<&GitAddress> {
        if let Self::Git { address, .. } = self { Some(address) } else { None }
    }

    pub fn index_address(&self) -> Option<&IndexAddress> {
        if let Self::Index { address, .. } = self { Some(address) } else { None }
    }

    pub fn crate_place(&self) -> Option<&CratePlace> {
        if let Self::Crate(place) = self { Some(place) } else { None }
    }

    pub fn is_workspace(&self) -> bool {
        matches!(self, Self::Workspace(_))
    }

    pub fn is_fetched(&self) -> bool {
        self.auto_update().is_some()
    }

    /// Whether its files are there to be edited: they are neither fetched nor part of a program or a crate.
    pub fn is_editable(&self) -> bool {
        match self {
            Self::UserPlugins(_) | Self::Path(_) | Self::Workspace(_) => true,
            Self::Embedded | Self::Git { .. } | Self::Index { .. } | Self::Crate(_) => false,
        }
    }

    /// Returns the address of a source that is fetched, without credentials.
    pub fn shown_address(&self) -> Option<&str> {
        let index = || self.index_address().map(IndexAddress::shown);
        self.git_address().map(GitAddress::shown).or_else(index)
    }

    /// Whether a fetched source follows its address; `None` for one that is not fetched.
    pub fn auto_update(&self) -> Option<bool> {
        match self {
            Self::Git { auto_update, .. } | Self::Index { auto_update, .. } => Some(*auto_update),
            Self::Embedded | Self::UserPlugins(_) | Self::Path(_) | Self::Crate(_) | Self::Workspace(_) => None,
        }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Embedded => "builtin",
            Self::UserPlugins(_) => "user-plugins",
            Self::Path(_) => "path",
            Self::Git { .. } => "git",
            Self::Index { .. } => "index",
            Self::Crate(_) => "crate",
            Self::Workspace(_) => "workspace",
        }
    }
}
