//! The search for the project directory: the nearest directory that only the caller could have set up.
//!
//! A directory counts only if it belongs to the caller or to the superuser and not every user can write to it, as git's
//! `safe.directory` demands, unless the user's own configuration allows a directory of another user; and never above
//! the repository that contains the start. The hook and every other command share this search.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::config::PROJECT_FILE;

const SUPERUSER: u32 = 0;
const WRITABLE_BY_ALL: u32 = 0o002;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathOwnership {
    pub owner: u32,
    pub mode: u32,
}

/// The access to the disk that the search needs.
pub trait DiskProbe {
    fn is_file(&self, path: &Path) -> bool;
    fn exists(&self, path: &Path) -> bool;
    /// Returns the owner and mode; `None` where the system has none.
    fn ownership(&self, path: &Path) -> Option<PathOwnership>;
    fn caller(&self) -> u32;
    /// Tells whether the user's own configuration allows the directory, or one above it, to belong to another user. It
    /// is asked only about directories that do.
    fn is_allowed(&self, directory: &Path) -> bool;
}

/// The reason why a directory is not trusted, with the uid of another owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DistrustReason {
    OtherOwner(u32),
    OpenToAll,
    InsideOtherOwner(u32),
    InsideOpenToAll,
}

/// A directory that would be the project, but is not trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoredProject {
    /// The directory, or the configuration directory in it.
    pub path: PathBuf,
    pub why: DistrustReason,
}

impl fmt::Display for IgnoredProject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match self.why {
            DistrustReason::OtherOwner(owner) => {
                write!(f, "{path} is ignored: it belongs to another user (uid {owner})")
            }
            DistrustReason::OpenToAll => write!(f, "{path} is ignored: every user of this machine can write to it"),
            DistrustReason::InsideOtherOwner(owner) => {
                write!(f, "{path} is ignored: its directory belongs to another user (uid {owner})")
            }
            DistrustReason::InsideOpenToAll => {
                write!(f, "{path} is ignored: every user of this machine can write to its directory")
            }
        }
    }
}

impl IgnoredProject {
    pub fn help(&self) -> String {
        let is_configuration = PROJECT_FILE.split('/').next().is_some_and(|name| self.path.ends_with(name));
        let directory = self.path.parent().filter(|_| is_configuration).unwrap_or(&self.path).display();
        match self.why {
            DistrustReason::OtherOwner(_) | DistrustReason::InsideOtherOwner(_) => format!(
                "to use this project anyway, write `directories = [\"{directory}\"]` under `[trust]` in your user \
                 config (`symposium config path`)"
            ),
            DistrustReason::OpenToAll | DistrustReason::InsideOpenToAll => {
                "work in your own directory, or protect this one with `chmod o-w`".to_owned()
            }
        }
    }
}

/// Tells whether one of the allowed directories is this directory, or one above it.
pub fn is_within<P: AsRef<Path>>(directory: &Path, allowed: &[P]) -> bool {
    allowed.iter().any(|allowed| directory.starts_with(allowed))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectIndicator {
    Configuration,
    LockFile,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectSearch {
    pub found: Option<(PathBuf, ProjectIndicator)>,
    pub ignored: Vec<IgnoredProject>,
}

/// Searches these directories, the nearest first: the nearest one with a configuration, else the nearest one with a
/// `Cargo.lock`.
pub fn search<'d>(directories: impl Iterator<Item = &'d Path>, ground: &impl DiskProbe) -> ProjectSearch {
    let mut found = None;
    let mut ignored = Vec::new();
    for directory in within_repository(directories, ground) {
        if ground.is_file(&directory.join(PROJECT_FILE)) {
            match distrusted_configuration(directory, ground) {
                None => {
                    return ProjectSearch {
                        found: Some((directory.to_owned(), ProjectIndicator::Configuration)),
                        ignored,
                    };
                }
                Some(passed_by) => ignored.push(passed_by),
            }
        }
        if found.is_none() && ground.is_file(&directory.join("Cargo.lock")) {
            match distrusted(directory, ground) {
                None => found = Some((directory.to_owned(), ProjectIndicator::LockFile)),
                Some(why) => ignored.push(IgnoredProject { path: directory.to_owned(), why }),
            }
        }
    }
    ProjectSearch { found, ignored }
}

/// Returns the directories up to the top of the repository that contains the first one.
pub fn within_repository<'d>(
    directories: impl Iterator<Item = &'d Path>,
    ground: &impl DiskProbe,
) -> impl Iterator<Item = &'d Path> {
    let mut is_above = false;
    directories.take_while(move |directory| {
        let is_within = !is_above;
        is_above = is_above || ground.exists(&directory.join(".git"));
        is_within
    })
}

/// Checks the configuration directory in a directory; `None` when it is trusted or missing.
pub fn ignored_configuration(directory: &Path, ground: &impl DiskProbe) -> Option<IgnoredProject> {
    let is_there = ground.exists(directory.join(PROJECT_FILE).parent()?);
    is_there.then(|| distrusted_configuration(directory, ground)).flatten()
}

fn distrusted_configuration(directory: &Path, ground: &impl DiskProbe) -> Option<IgnoredProject> {
    let path = directory.join(PROJECT_FILE).parent()?.to_owned();
    let outer = distrusted(directory, ground).map(|why| match why {
        DistrustReason::OtherOwner(owner) | DistrustReason::InsideOtherOwner(owner) => {
            DistrustReason::InsideOtherOwner(owner)
        }
        DistrustReason::OpenToAll | DistrustReason::InsideOpenToAll => DistrustReason::InsideOpenToAll,
    });
    let why = distrusted(&path, ground).or(outer)?;
    Some(IgnoredProject { path, why })
}

/// Checks that a directory is the caller's; `None` when it is trusted.
pub fn distrusted(directory: &Path, ground: &impl DiskProbe) -> Option<DistrustReason> {
    let found = ground.ownership(directory)?;
    if found.owner != SUPERUSER && found.owner != ground.caller() && !ground.is_allowed(directory) {
        return Some(DistrustReason::OtherOwner(found.owner));
    }
    (found.mode & WRITABLE_BY_ALL != 0).then_some(DistrustReason::OpenToAll)
}

#[cfg(test)]
#[path = "project_tests.rs"]
mod tests;
