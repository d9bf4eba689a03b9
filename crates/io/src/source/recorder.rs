//! A tree that remembers what was looked at, so that it can be told later whether the outcome still holds.

use std::cell::{Cell, RefCell};

use super::sign::Sign;
use super::tree::{Listing, Tree, TreeEntryKind, TreeError, TreeState};

/// Looks at a tree for somebody, and remembers each file and directory as it was before it was looked at.
pub(super) struct Recorder<'t> {
    tree: &'t dyn Tree,
    /// Up to here, links on the way down are somebody else's concern.
    base: &'t str,
    extent: Extent,
    seen: RefCell<Vec<String>>,
    sign: Cell<Sign>,
    /// When the newest of it changed.
    newest: Cell<i64>,
    /// A link was among it: what that leads to can change without a trace here.
    is_certain: Cell<bool>,
}

/// What is remembered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Everything,
    /// Only the directories that were listed.
    Listings,
}

/// What was looked at.
pub(super) struct Recorded {
    /// The paths.
    pub(super) seen: Vec<String>,
    /// How all of it was.
    pub(super) sign: Sign,
}

impl<'t> Recorder<'t> {
    /// Records what is done below the directory `base`.
    pub(super) fn new(tree: &'t dyn Tree, base: &'t str) -> Self {
        Self::with(tree, base, Extent::Everything)
    }

    /// Records which directories are listed.
    pub(super) fn of_listings(tree: &'t dyn Tree) -> Self {
        Self::with(tree, "", Extent::Listings)
    }

    fn with(tree: &'t dyn Tree, base: &'t str, extent: Extent) -> Self {
        Self {
            tree,
            base,
            extent,
            seen: RefCell::default(),
            sign: Cell::default(),
            newest: Cell::new(i64::MIN),
            is_certain: Cell::new(true),
        }
    }

    /// What was looked at; `None` when that does not tell whether anything changed, or when some of it changed after
    /// `horizon`: then it may change once more without looking different.
    pub(super) fn finish(self, horizon: i64) -> Option<Recorded> {
        let certain = self.is_certain.get() && self.newest.get() < horizon;
        certain.then(|| Recorded { seen: self.seen.into_inner(), sign: self.sign.get() })
    }

    /// Something was, or is about to be, looked at.
    pub(super) fn note(&self, path: &str) {
        if self.extent == Extent::Everything {
            self.remember(path);
        }
    }

    fn remember(&self, path: &str) {
        // The same is looked at twice in a row, if at all.
        if !self.is_certain.get() || self.seen.borrow().iter().rev().take(2).any(|seen| seen == path) {
            return;
        }
        let state = self.tree.state(path);
        match state {
            TreeState::Absent => {}
            TreeState::Link => self.is_certain.set(false),
            TreeState::Known { modified, changed, .. } => {
                self.newest.set(self.newest.get().max(modified).max(changed));
            }
        }
        self.sign.set(self.sign.get().with(state));
        self.seen.borrow_mut().push(path.to_owned());
    }
}

impl Tree for Recorder<'_> {
    fn list(&self, directory: &str) -> Result<Listing, TreeError> {
        self.remember(directory);
        let listing = self.tree.list(directory);
        let plain = |listing: &Listing| {
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

    fn read_text(&self, path: &str, limit: u64) -> Result<String, TreeError> {
        self.note(path);
        self.tree.read_text(path, limit)
    }

    fn read_file(&self, path: &str, limit: u64) -> Result<(Vec<u8>, bool), TreeError> {
        self.note(path);
        self.tree.read_file(path, limit)
    }

    fn exists(&self, path: &str) -> bool {
        self.note(path);
        self.tree.exists(path)
    }

    fn leads_out(&self, path: &str) -> bool {
        for (at, _) in path.match_indices('/') {
            let above = path.get(..at).unwrap_or_default();
            if above.len() > self.base.len() || !self.base.starts_with(above) {
                self.note(above);
            }
        }
        self.note(path);
        self.tree.leads_out(path)
    }

    fn state(&self, path: &str) -> TreeState {
        self.tree.state(path)
    }

    fn shown(&self, path: &str) -> String {
        self.tree.shown(path)
    }
}
