//! Search for the workspace of an event.

use std::path::{Path, PathBuf};

use symposium_model::authority::project::{DiskProbe, PathOwnership, ProjectSearch, is_within, search};

use crate::edge::disk;

/// The way to recognise Symposium's own directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OurName {
    /// By its given path, which costs nothing.
    AsGiven,
    /// By its canonical path, regardless of links.
    Resolved,
}

struct HookDisk<'d> {
    /// Directories that may belong to other users.
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

/// Searches upwards for the project. The search ends at the home directory, and Symposium's own directory is never a
/// project. `start` is a path with links resolved; directories in `allowed` may belong to other users.
pub(crate) fn find(start: &Path, home: Option<&Path>, ours: &Path, name: OurName, allowed: &[String]) -> ProjectSearch {
    // A home behind a link must end the search too.
    let home = home.map(|home| if start.starts_with(home) { home.into() } else { resolved(home) });
    let below_home = start.ancestors().take_while(|directory| Some(*directory) != home.as_deref());
    let may_be_project = |directory: &&Path| {
        let is_named_ours = *directory == ours || directory.join(".symposium") == ours;
        !is_named_ours && (name == OurName::AsGiven || !is_ours(directory, ours))
    };
    search(below_home.filter(may_be_project), &HookDisk { allowed })
}

/// Returns true if a directory, given with links resolved, is Symposium's own or contains it as `.symposium`.
pub(crate) fn is_ours(directory: &Path, ours: &Path) -> bool {
    let Some(ours) = disk::canonical(ours) else { return false };
    directory == ours || disk::canonical(&directory.join(".symposium")).is_some_and(|config| config == ours)
}

/// Returns true if a directory, which need not exist yet, is in the project after following links, or is named through
/// `/proc`, whose meaning depends on the process.
pub(crate) fn leads_into(directory: &Path, project: Option<&Path>) -> bool {
    let found = || directory.ancestors().find_map(disk::canonical);
    directory.starts_with("/proc")
        || project.is_some_and(|project| found().is_some_and(|found| found.starts_with(project)))
}

fn resolved(home: &Path) -> PathBuf {
    disk::canonical(home).unwrap_or_else(|| home.to_owned())
}
