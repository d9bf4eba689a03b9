//! Finds the workspace of an event.

use std::path::{Path, PathBuf};

use crate::edge::disk;

/// How our own directory is known among others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OurName {
    /// By the name it was given, which costs nothing.
    AsGiven,
    /// By what it really is, whatever links lead to it.
    Resolved,
}

/// The nearest directory upwards with a project configuration, else the nearest with a lock file. The walk ends at the
/// home directory, and our own directory is never a project. `start` is a path with links resolved.
pub(crate) fn find(start: &Path, home: Option<&Path>, ours: &Path, name: OurName) -> Option<PathBuf> {
    // A home behind a link must end the walk too.
    let home = home.map(|home| if start.starts_with(home) { home.into() } else { resolved(home) });
    let mut locked = None;
    for directory in start.ancestors().take_while(|directory| Some(*directory) != home.as_deref()) {
        let config = directory.join(".symposium");
        if directory == ours || config == ours || (name == OurName::Resolved && is_ours(directory, ours)) {
            continue;
        }
        if disk::is_file(&config.join("config.toml")) {
            return Some(directory.to_owned());
        }
        if locked.is_none() && disk::is_file(&directory.join("Cargo.lock")) {
            locked = Some(directory.to_owned());
        }
    }
    locked
}

/// Whether a directory, a path with links resolved, is our own or holds it where projects have theirs.
pub(crate) fn is_ours(directory: &Path, ours: &Path) -> bool {
    let Some(ours) = disk::canonical(ours) else { return false };
    directory == ours || disk::canonical(&directory.join(".symposium")).is_some_and(|config| config == ours)
}

/// Whether a directory, which need not be there yet, is in a project when links are followed, or is named by way of a
/// process, which means something else to each.
pub(crate) fn leads_into(directory: &Path, project: Option<&Path>) -> bool {
    let found = || directory.ancestors().find_map(disk::canonical);
    directory.starts_with("/proc")
        || project.is_some_and(|project| found().is_some_and(|found| found.starts_with(project)))
}

fn resolved(home: &Path) -> PathBuf {
    disk::canonical(home).unwrap_or_else(|| home.to_owned())
}
