//! A tree wrapper that records the listed directories, so that a later run can tell if a search would find the same.

use std::cell::{Cell, RefCell};

use super::metadata_hash::MetadataHash;
use super::tree::{DirectoryListing, SourceTree, TreeEntryKind, TreeError, TreeState};

/// A tree that records the state of each directory before it is listed.
pub(super) struct ListingRecorder<'t> {
    tree: &'t dyn SourceTree,
    seen: RefCell<Vec<String>>,
    sign: Cell<MetadataHash>,
    /// The latest time at which one of them changed, in nanoseconds since 1970.
    newest: Cell<i64>,
    /// False if a link was among them: its target can change without a visible effect here.
    is_certain: Cell<bool>,
}

pub(super) struct RecordedListing {
    pub(super) seen: Vec<String>,
    pub(super) sign: MetadataHash,
}

impl<'t> ListingRecorder<'t> {
    pub(super) fn new(tree: &'t dyn SourceTree) -> Self {
        let (seen, sign) = (RefCell::default(), Cell::default());
        Self { tree, seen, sign, newest: Cell::new(i64::MIN), is_certain: Cell::new(true) }
    }

    /// Returns the recorded listing; `None` when it does not show all changes, or when a directory changed after
    /// `horizon`: then a further change could go unnoticed.
    pub(super) fn finish(self, horizon: i64) -> Option<RecordedListing> {
        let certain = self.is_certain.get() && self.newest.get() < horizon;
        certain.then(|| RecordedListing { seen: self.seen.into_inner(), sign: self.sign.get() })
    }

    fn note(&self, directory: &str) {
        let state = self.tree.state(directory);
        match state {
            TreeState::Absent => {}
            TreeState::Link => self.is_certain.set(false),
            TreeState::Known { modified, changed, .. } => {
                self.newest.set(self.newest.get().max(modified).max(changed));
            }
        }
        self.sign.set(self.sign.get().with(state));
        self.seen.borrow_mut().push(directory.to_owned());
    }

    /// Remembers if a listing has links or unreadable entries.
    fn doubt_links(&self, listing: Result<DirectoryListing, TreeError>) -> Result<DirectoryListing, TreeError> {
        let plain = |listing: &DirectoryListing| {
            let linked = |kind: TreeEntryKind| match kind {
                TreeEntryKind::LinkedDirectory => true,
                TreeEntryKind::File | TreeEntryKind::Directory => false,
            };
            listing.left_out.is_empty() && !listing.entries.iter().any(|entry| linked(entry.kind))
        };
        if !listing.as_ref().is_ok_and(plain) {
            self.is_certain.set(false);
        }
        listing
    }
}

impl SourceTree for ListingRecorder<'_> {
    fn list(&self, directory: &str) -> Result<DirectoryListing, TreeError> {
        self.note(directory);
        self.doubt_links(self.tree.list(directory))
    }

    fn list_plugins(&self, directory: &str) -> Result<DirectoryListing, TreeError> {
        self.note(directory);
        self.doubt_links(self.tree.list_plugins(directory))
    }

    fn read_text(&self, path: &str, limit: u64) -> Result<String, TreeError> {
        self.tree.read_text(path, limit)
    }

    fn read_text_with_state(&self, path: &str, limit: u64) -> Result<(String, TreeState), TreeError> {
        self.tree.read_text_with_state(path, limit)
    }

    fn read_file(&self, path: &str, limit: u64) -> Result<(Vec<u8>, bool), TreeError> {
        self.tree.read_file(path, limit)
    }

    fn exists(&self, path: &str) -> bool {
        self.tree.exists(path)
    }

    fn leads_out(&self, path: &str) -> bool {
        self.tree.leads_out(path)
    }

    fn state(&self, path: &str) -> TreeState {
        self.tree.state(path)
    }

    fn shown(&self, path: &str) -> String {
        self.tree.shown(path)
    }
}
