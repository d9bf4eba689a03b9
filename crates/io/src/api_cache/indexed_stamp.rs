//! Remembers for which Cargo.lock the dependencies of a workspace were indexed.

use std::path::{Path, PathBuf};

use symposium_model::hook::hook_plan::hash;

use super::record::SourceStamp;
use crate::{fs, state_file};

const MOST_STAMP: u64 = 64 * 1024;

/// The state of a workspace's Cargo.lock.
pub struct IndexedStamp {
    name: PathBuf,
    content: String,
}

impl IndexedStamp {
    /// Takes the state as it is now.
    pub fn take(workspace: &Path) -> Self {
        let name = format!("indexed-{:016x}", hash(workspace.display().to_string().as_bytes()));
        let stamp = SourceStamp::take(workspace.join("Cargo.lock"));
        Self { name: name.into(), content: format!("{} {stamp:?}\n", env!("CARGO_PKG_VERSION")) }
    }

    /// Says whether this state was kept.
    pub fn is_kept(&self, directory: &Path) -> bool {
        fs::read_text(&directory.join(&self.name), MOST_STAMP).is_ok_and(|kept| kept == self.content)
    }

    /// Keeps it; without it the work is done again.
    pub fn keep(&self, directory: &Path) {
        let _ = state_file::write(&directory.join(&self.name), self.content.as_bytes());
    }
}
