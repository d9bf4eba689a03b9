//! The workspace of a directory: the nearest project config, else Cargo.lock, else the cargo workspace root.

use std::path::{Path, PathBuf};

use symposium_model::config::PROJECT_FILE;

use super::boundary::Boundary;
use super::manifest_file::{Manifest, read_manifest};
use super::workspace_root;
use crate::fs;
use crate::leftovers::restore;

/// What made a directory the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundBy {
    /// It has a `.symposium/config.toml`.
    ProjectConfig,
    /// It has a `Cargo.lock`.
    Lock,
    /// It has the manifest of a workspace root, and no `Cargo.lock`.
    Manifest,
}

/// A workspace on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// Its directory, links resolved.
    pub root: PathBuf,
    /// What made it the workspace.
    pub found_by: FoundBy,
}

/// The workspace whose root somebody else found.
pub fn located_at(root: &Path) -> Located {
    let root = fs::canonical(root).unwrap_or_else(|_| root.to_owned());
    restore_config(&root);
    let configured = fs::is_file(&root.join(PROJECT_FILE));
    Located { root, found_by: if configured { FoundBy::ProjectConfig } else { FoundBy::Lock } }
}

/// Finds the workspace that `start` is in; `None` outside of any.
pub fn locate(start: &Path, boundary: &Boundary) -> Option<Located> {
    let upwards = boundary.upwards(start);
    upwards.iter().for_each(|directory| restore_config(directory));
    let nearest_with = |file: &str| upwards.iter().find(|directory| fs::is_file(&directory.join(file)));
    if let Some(root) = nearest_with(PROJECT_FILE) {
        return Some(Located { root: root.clone(), found_by: FoundBy::ProjectConfig });
    }
    if let Some(root) = nearest_with("Cargo.lock") {
        return Some(Located { root: root.clone(), found_by: FoundBy::Lock });
    }
    let package = nearest_with("Cargo.toml")?;
    // What is wrong with a manifest is said when the workspace is read.
    let root = match read_manifest(package, &mut Vec::new()) {
        Manifest::Read(file) => workspace_root::find(*file, boundary).root.directory,
        Manifest::Absent | Manifest::Unusable => package.clone(),
    };
    Some(Located { root, found_by: FoundBy::Manifest })
}

/// Puts a configuration back that is missing because a run of ours was killed: it decides what the workspace is.
fn restore_config(root: &Path) {
    let config = root.join(PROJECT_FILE);
    if let Some(directory) = config.parent().filter(|directory| fs::is_dir(directory) && !fs::exists(&config)) {
        restore(directory);
    }
}
