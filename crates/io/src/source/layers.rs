//! Test source with nested directories, each reachable through many links.

use std::cell::Cell;

use symposium_model::skill::SKILL_FILE;

use super::tree::{DirectoryListing, SourceTree, TreeEntry, TreeEntryKind, TreeError, TreeState};

/// A source with a skill at its root and `depth` layers of directories, each with `width` links to the next.
pub(crate) struct LayeredTree {
    pub(crate) depth: usize,
    pub(crate) width: usize,
    pub(crate) listed: Cell<usize>,
}

impl LayeredTree {
    pub(crate) fn new(depth: usize, width: usize) -> Self {
        Self { depth, width, listed: Cell::new(0) }
    }
}

impl SourceTree for LayeredTree {
    fn list(&self, directory: &str) -> Result<DirectoryListing, TreeError> {
        self.listed.set(self.listed.get() + 1);
        let depth = directory.split('/').filter(|part| !part.is_empty()).count();
        let links = if depth < self.depth { self.width } else { 0 };
        let link = |number| TreeEntry { name: format!("l{number}"), kind: TreeEntryKind::LinkedDirectory };
        let mut entries: Vec<TreeEntry> = (0..links).map(link).collect();
        if depth == 0 {
            entries.push(TreeEntry { name: SKILL_FILE.to_owned(), kind: TreeEntryKind::File });
        }
        Ok(DirectoryListing { entries, left_out: Vec::new() })
    }

    fn read_text(&self, _: &str, _: u64) -> Result<String, TreeError> {
        Ok(String::new())
    }

    fn read_file(&self, _: &str, _: u64) -> Result<(Vec<u8>, bool), TreeError> {
        Ok((Vec::new(), false))
    }

    fn exists(&self, _: &str) -> bool {
        true
    }

    fn leads_out(&self, _: &str) -> bool {
        false
    }

    fn state(&self, _: &str) -> TreeState {
        TreeState::Absent
    }

    fn shown(&self, path: &str) -> String {
        path.to_owned()
    }
}
