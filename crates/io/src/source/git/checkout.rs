//! The checkout of a source in the cache.

use std::path::{Path, PathBuf};

use symposium_model::sync::ContentFingerprint;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitCopy {
    pub directory: PathBuf,
    /// For an archive that does not name its commit, a substitute of the same form.
    pub commit: String,
    /// The time when it was fetched or found to be up to date, in seconds since 1970.
    pub fetched: u64,
    /// A hash over all paths, modes and bytes.
    pub tree: ContentFingerprint,
    /// A hash over all reachable paths, modes and bytes, with links followed; unknown for checkouts made by earlier
    /// versions.
    pub whole: Option<ContentFingerprint>,
    /// The time of the commit, in seconds since 1970.
    pub time: Option<u64>,
    pub arrival: CheckoutOrigin,
    pub notes: Vec<String>,
}

impl GitCopy {
    /// Returns true if the address led to this checkout after it led, or could have led, to the other one. Commit times
    /// alone do not tell: a repository may be reset, and two commits may be made in one second.
    pub fn came_after(&self, other: &Self) -> bool {
        match other.arrival {
            CheckoutOrigin::Followed => true,
            CheckoutOrigin::AskedFor => {
                self.fetched > other.fetched
                    || self.time.zip(other.time).is_some_and(|(time, of_other)| time > of_other)
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckoutOrigin {
    /// The address led to it.
    Followed,
    /// A caller asked for this very commit.
    AskedFor,
}

/// A commit of a repository, and the content that it must have.
#[derive(Debug, Clone, Copy)]
pub struct PinnedCommit<'p> {
    pub commit: &'p str,
    pub whole: &'p ContentFingerprint,
    /// The lockfile that pins it. The checkout is kept as long as it does.
    pub lock: &'p Path,
}
