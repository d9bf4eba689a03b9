//! Search for the workspace of a directory: the nearest project config, else Cargo.lock, else the cargo workspace root.

use std::path::{Path, PathBuf};

use symposium_model::authority::project::{IgnoredProject, ProjectIndicator, ProjectSearch, search};
use symposium_model::config::PROJECT_FILE;

use super::manifest_file::{ManifestLookup, read_manifest};
use super::search_boundary::{SearchBoundary, ignored_project};
use super::workspace_root;
use crate::fs;
use crate::stale_temp::restore;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundBy {
    ProjectConfig,
    Lock,
    /// The manifest of a workspace root without a `Cargo.lock`.
    Manifest,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedWorkspace {
    pub root: PathBuf,
    pub found_by: FoundBy,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkspaceSearch {
    /// `None` outside any workspace.
    pub workspace: Option<LocatedWorkspace>,
    pub ignored: Vec<IgnoredProject>,
}

/// Returns the workspace whose root the hook has already found.
pub fn located_at(root: &Path, boundary: &SearchBoundary) -> WorkspaceSearch {
    let root = fs::canonical(root).unwrap_or_else(|_| root.to_owned());
    let ignored: Vec<IgnoredProject> = ignored_project(&root, boundary).into_iter().collect();
    if ignored.is_empty() {
        restore_config(&root);
    }
    let configured = ignored.is_empty() && fs::is_file(&root.join(PROJECT_FILE));
    let found_by = if configured { FoundBy::ProjectConfig } else { FoundBy::Lock };
    WorkspaceSearch { workspace: Some(LocatedWorkspace { root, found_by }), ignored }
}

pub fn locate(start: &Path, boundary: &SearchBoundary) -> WorkspaceSearch {
    let upwards = boundary.upwards(start);
    // Nothing is restored in directories of other users.
    boundary.own_upwards(start).iter().for_each(|directory| restore_config(directory));
    let ProjectSearch { found, ignored } = search(upwards.iter().map(PathBuf::as_path), &boundary.disk());
    let workspace = match found {
        Some((root, ProjectIndicator::Configuration)) => {
            Some(LocatedWorkspace { root, found_by: FoundBy::ProjectConfig })
        }
        Some((root, ProjectIndicator::LockFile)) => Some(LocatedWorkspace { root, found_by: FoundBy::Lock }),
        None => by_manifest(start, boundary),
    };
    WorkspaceSearch { workspace, ignored }
}

fn by_manifest(start: &Path, boundary: &SearchBoundary) -> Option<LocatedWorkspace> {
    let upwards = boundary.own_upwards(start);
    let package = upwards.iter().find(|directory| fs::is_file(&directory.join("Cargo.toml")))?;
    // Errors in a manifest are reported when the workspace is read.
    let root = match read_manifest(package, &mut Vec::new()) {
        ManifestLookup::Read(file) => workspace_root::find(*file, boundary).root.directory,
        ManifestLookup::Absent | ManifestLookup::Unusable => package.clone(),
    };
    Some(LocatedWorkspace { root, found_by: FoundBy::Manifest })
}

/// Restores a configuration that is missing because a run of Symposium was killed: it determines the workspace.
fn restore_config(root: &Path) {
    let config = root.join(PROJECT_FILE);
    if let Some(directory) = config.parent().filter(|directory| fs::is_dir(directory) && !fs::exists(&config)) {
        restore(directory);
    }
}
