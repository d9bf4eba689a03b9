//! The size of the cache: the oldest files go first.

use std::path::Path;
use std::time::SystemTime;

use crate::{fs, state_file};

/// The most bytes that all files have together.
pub const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// Removes the oldest files until the rest is well below the bound.
pub(super) fn prune(directory: &Path, most_bytes: u64) {
    state_file::sweep(directory);
    let mut files: Vec<(SystemTime, u64, String)> = Vec::new();
    for entry in fs::list(directory).unwrap_or_default() {
        let Ok(metadata) = directory.join(&entry.name).symlink_metadata() else { continue };
        if metadata.is_file() {
            files.push((metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH), metadata.len(), entry.name));
        }
    }
    let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
    if total <= most_bytes {
        return;
    }
    files.sort();
    for (_, size, name) in files {
        if total <= most_bytes / 4 * 3 {
            break;
        }
        let _ = fs::remove_file(&directory.join(name));
        total -= size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_oldest_go_first() {
        let home = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        for (name, age) in [("a", 3), ("b", 1), ("c", 2), ("d", 4)] {
            std::fs::write(home.path().join(name), [0; 10]).unwrap();
            let file = std::fs::File::options().append(true).open(home.path().join(name)).unwrap();
            file.set_modified(now - Duration::from_hours(age)).unwrap();
        }
        let left = || fs::list(home.path()).unwrap().into_iter().map(|entry| entry.name).collect::<Vec<_>>();
        prune(home.path(), 40);
        assert_eq!(left(), ["a", "b", "c", "d"]);
        prune(home.path(), 30);
        assert_eq!(left(), ["b", "c"]);
    }
}
