//! A copy of a source in the cache.

use std::path::PathBuf;

use symposium_model::sync::Fingerprint;

/// A copy of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitCopy {
    /// Where it lies.
    pub directory: PathBuf,
    /// The commit it was made from; for an archive that does not name one, a stand-in of the same form.
    pub commit: String,
    /// When it was fetched, or found to be up to date; in seconds since 1970.
    pub fetched: u64,
    /// Stands for every path, mode and byte of it.
    pub tree: Fingerprint,
    /// What is odd about it.
    pub notes: Vec<String>,
}
