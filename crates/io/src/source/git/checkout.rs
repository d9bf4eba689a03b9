//! A copy of a source in the cache.

use std::path::{Path, PathBuf};

use symposium_model::sync::Fingerprint;

/// A copy of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitCopy {
    pub directory: PathBuf,
    /// The commit it was made from; for an archive that does not name one, a stand-in of the same form.
    pub commit: String,
    /// When it was fetched, or found to be up to date; in seconds since 1970.
    pub fetched: u64,
    /// Stands for every path, mode and byte of it.
    pub tree: Fingerprint,
    /// Stands for every path, mode and byte that can be reached in it, links followed; unknown for copies made by
    /// earlier versions.
    pub whole: Option<Fingerprint>,
    /// When the commit was made, in seconds since 1970.
    pub time: Option<u64>,
    pub arrival: CheckoutOrigin,
    /// What is odd about it.
    pub notes: Vec<String>,
}

impl GitCopy {
    /// Whether the address led here after it led, or could have led, to another copy. The times of commits alone do not
    /// tell: a repository may go back, and two commits may be made in one second.
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

/// How a copy came to this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckoutOrigin {
    /// The address led to it.
    Followed,
    /// Somebody asked for this very commit.
    AskedFor,
}

/// A commit of a repository, and what it must hold.
#[derive(Debug, Clone, Copy)]
pub struct PinnedCommit<'p> {
    pub commit: &'p str,
    /// Stands for every path, mode and byte that can be reached in it, links followed.
    pub whole: &'p Fingerprint,
    /// The file that pins it. As long as it does, the copy stays.
    pub lock: &'p Path,
}
