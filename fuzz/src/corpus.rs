//! The seeds of a target: its own corpus, and files of other tests.

use std::fs;
use std::path::{Path, PathBuf};

use crate::targets::Target;

/// Larger files are not read, in bytes.
const LARGEST: u64 = 64 * 1024;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn directories(target: &Target) -> Vec<PathBuf> {
    let own = format!("fuzz/corpus/{}", target.name);
    let all = std::iter::once(own.as_str()).chain(target.seeds.iter().copied());
    all.map(|directory| repository().join(directory)).collect()
}

/// Returns every seed of a target with its path, in the order of the paths.
pub fn seeds(target: &Target) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for directory in directories(target) {
        collect(&directory, &mut found);
    }
    found
}

fn collect(directory: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, found);
        } else if fs::metadata(&path).is_ok_and(|metadata| metadata.len() <= LARGEST) {
            found.extend(fs::read(&path).map(|bytes| (path.display().to_string(), bytes)));
        }
    }
}
