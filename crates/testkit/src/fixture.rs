//! Copies fixtures into a temporary directory and finds the home and the workspace among them.

use std::fs;
use std::path::{Path, PathBuf};

/// Copies a directory with everything in it; later fixtures may add to the directories of earlier ones.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("fixture {}: {error}", from.display())) {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            assert!(!target.exists(), "two fixtures bring {}", target.display());
            fs::copy(entry.path(), &target).unwrap();
        }
    }
}

/// Returns the directory of the one file with this name; `None` when no fixture has it. Panics when several do.
pub(crate) fn home_of(name: &str, root: &Path) -> Option<PathBuf> {
    let mut found = Vec::new();
    search(name, root, &mut found);
    // The manifest of a workspace is the one nearest to the top; its members lie below.
    found.sort_by_key(|path| path.components().count());
    let top = found.first()?.clone();
    let rivals: Vec<_> = found.iter().skip(1).filter(|path| !path.starts_with(&top)).collect();
    assert!(rivals.is_empty(), "several directories have a {name}: {} and {rivals:?}", top.display());
    Some(top)
}

fn search(name: &str, directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            // A project's own configuration is not the user's.
            if entry.file_name() != ".symposium" {
                search(name, &entry.path(), found);
            }
        } else if entry.file_name() == name {
            found.push(directory.to_owned());
        }
    }
}
