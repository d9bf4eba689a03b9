//! Remembers for which Cargo.lock the dependencies of a workspace were indexed, and that indexing was started.

use std::path::{Path, PathBuf};

use symposium_model::hook::hook_plan::hash;

use super::record::SourceStamp;
use crate::{fs, state_file};

const MOST_STAMP: u64 = 64 * 1024;
const START_MARK: &str = "started";

/// The state of a workspace's Cargo.lock.
pub struct IndexedStamp {
    name: PathBuf,
    content: String,
}

impl IndexedStamp {
    /// Takes the state as it is now. The Cargo.lock is in cargo's root, which may lie above the workspace.
    pub fn take(workspace: &Path, cargo_root: &Path) -> Self {
        let name = format!("indexed-{:016x}", hash(workspace.display().to_string().as_bytes()));
        let stamp = SourceStamp::take(cargo_root.join("Cargo.lock"));
        Self { name: name.into(), content: format!("{} {stamp:?}\n", env!("CARGO_PKG_VERSION")) }
    }

    /// Says whether this state was kept.
    pub fn is_kept(&self, directory: &Path) -> bool {
        fs::read_text(&directory.join(&self.name), MOST_STAMP).is_ok_and(|kept| kept == self.content)
    }

    /// Keeps it; without it the work is done again.
    pub fn keep(&self, directory: &Path) {
        let _ = state_file::write_existing(&directory.join(&self.name), self.content.as_bytes());
    }
}

/// Records that indexing is about to start. Only this makes the directory for it.
pub fn mark_start(directory: &Path) {
    let _ = state_file::write(&directory.join(START_MARK), b"");
}

/// Ends the indexing that is going on, at the next crate.
pub fn revoke_start(directory: &Path) {
    let _ = fs::remove_file(&directory.join(START_MARK));
}

/// Returns false if the directory was removed since the start, even if it was made again for a question.
pub fn is_started(directory: &Path) -> bool {
    fs::is_file(&directory.join(START_MARK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_the_lockfile_in_cargos_root_is_seen() {
        let home = tempfile::tempdir().unwrap();
        let (root, cache) = (home.path().join("above"), home.path().join("cache"));
        let workspace = root.join("member");
        std::fs::create_dir_all(&workspace).unwrap();
        std::fs::write(root.join("Cargo.lock"), "version = 4\n").unwrap();
        let stamp = || IndexedStamp::take(&workspace, &root);
        stamp().keep(&cache);
        assert!(!cache.exists(), "a directory that was removed stays away");
        assert!(!is_started(&cache));
        mark_start(&cache);
        assert!(is_started(&cache));
        stamp().keep(&cache);
        assert!(stamp().is_kept(&cache));
        assert!(!IndexedStamp::take(&root, &root).is_kept(&cache), "another workspace");
        std::fs::write(root.join("Cargo.lock"), "version = 4\n# changed\n").unwrap();
        assert!(!stamp().is_kept(&cache));
    }
}
