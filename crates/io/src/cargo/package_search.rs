//! Search for one package in a source tree, such as a git checkout or a directory of vendored crates.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use symposium_model::crates::LockedCrate;
use symposium_model::crates::cargo_manifest::PackageVersion;

use super::manifest_file::{ManifestLookup, read_manifest};
use crate::fs::{self, FileKind};

const DIRECTORIES: usize = 5_000;

/// Finds the shallowest directory whose manifest has the name of the package and no other version.
pub(super) fn search(tree: &Path, krate: &LockedCrate) -> Option<PathBuf> {
    let mut queue = VecDeque::from([tree.to_owned()]);
    let mut looked_at = 0;
    while let Some(directory) = queue.pop_front() {
        if is_package(&directory, krate) {
            return Some(directory);
        }
        looked_at += 1;
        if looked_at > DIRECTORIES {
            return None;
        }
        let entries = fs::list(&directory).unwrap_or_default();
        let directories = entries.into_iter().filter(|entry| entry.kind == FileKind::Directory);
        let worth_looking = directories.filter(|entry| entry.name != ".git" && entry.name != "target");
        queue.extend(worth_looking.map(|entry| directory.join(entry.name)));
    }
    None
}

pub(super) fn is_package(directory: &Path, krate: &LockedCrate) -> bool {
    // Errors are reported for files of the workspace only; the user cannot fix those of a dependency.
    let ManifestLookup::Read(file) = read_manifest(directory, &mut Vec::new()) else { return false };
    file.manifest.package.is_some_and(|package| {
        package.name == krate.name
            && match package.version {
                PackageVersion::Given(version) => version == krate.version,
                PackageVersion::Inherited | PackageVersion::Missing => true,
            }
    })
}
