//! Finds the workspace of an event.

use std::path::{Path, PathBuf};

use symposium_model::authority::project::{DiskProbe, PathOwnership, ProjectSearch, is_within, search};

use crate::edge::disk;

/// How our own directory is known among others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OurName {
    /// By the name it was given, which costs nothing.
    AsGiven,
    /// By what it really is, whatever links lead to it.
    Resolved,
}

/// The disk, as the search for a project asks about it.
struct HookDisk<'d> {
    /// Directories that may belong to others.
    allowed: &'d [String],
}

impl DiskProbe for HookDisk<'_> {
    fn is_file(&self, path: &Path) -> bool {
        disk::is_file(path)
    }

    fn exists(&self, path: &Path) -> bool {
        disk::exists(path)
    }

    fn ownership(&self, path: &Path) -> Option<PathOwnership> {
        disk::ownership(path)
    }

    fn caller(&self) -> u32 {
        disk::caller()
    }

    fn is_allowed(&self, directory: &Path) -> bool {
        is_within(directory, self.allowed)
    }
}

/// Looks upwards for the project. The walk ends at the home directory, and our own directory is never a project. `start`
/// is a path with links resolved; directories in `allowed` may belong to others.
pub(crate) fn find(start: &Path, home: Option<&Path>, ours: &Path, name: OurName, allowed: &[String]) -> ProjectSearch {
    // A home behind a link must end the walk too.
    let home = home.map(|home| if start.starts_with(home) { home.into() } else { resolved(home) });
    let below_home = start.ancestors().take_while(|directory| Some(*directory) != home.as_deref());
    let may_be_project = |directory: &&Path| {
        let is_named_ours = *directory == ours || directory.join(".symposium") == ours;
        !is_named_ours && (name == OurName::AsGiven || !is_ours(directory, ours))
    };
    search(below_home.filter(may_be_project), &HookDisk { allowed })
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
