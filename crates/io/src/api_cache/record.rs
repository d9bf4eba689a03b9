//! The file of an index: what it was made of, and its bytes.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use symposium_api::PackedIndex;

use crate::{clock, fs};

/// The largest file that is read.
const MOST_FILE: u64 = 128 * 1024 * 1024;
/// A file that changed less than this before it was read may change again without another time.
const RECENT_NANOSECONDS: i64 = 50_000_000;

/// Lists what an index was made of.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct IndexRecord {
    /// Indexes that it was made with, and those that they were made with.
    #[serde(rename = "u", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) used: Vec<UsedIndex>,
    /// Files that can change.
    #[serde(rename = "f", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) files: Vec<SourceStamp>,
}

/// Names an index; without a key, the source was missing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct UsedIndex {
    #[serde(rename = "n")]
    pub(super) name: String,
    #[serde(rename = "v")]
    pub(super) version: String,
    #[serde(rename = "k")]
    pub(super) key: Option<u64>,
}

/// A file as it was; without a time there was none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct SourceStamp {
    #[serde(rename = "p")]
    path: PathBuf,
    #[serde(rename = "s")]
    size: u64,
    #[serde(rename = "t")]
    changed: Option<i64>,
}

impl SourceStamp {
    pub(super) fn take(path: PathBuf) -> Self {
        let metadata = std::fs::metadata(&path).ok();
        let size = metadata.as_ref().map_or(0, std::fs::Metadata::len);
        let time = metadata.and_then(|metadata| metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok());
        let changed = time.and_then(|time| i64::try_from(time.as_nanos()).ok());
        Self { path, size, changed }
    }

    pub(super) fn is_fresh(&self) -> bool {
        Self::take(self.path.clone()) == *self
    }

    /// Says whether a later change would show.
    pub(super) fn is_settled(&self) -> bool {
        self.changed.is_none_or(|changed| changed < clock::precisely() - RECENT_NANOSECONDS)
    }
}

/// Holds the content of a file of the cache.
#[derive(Debug)]
pub(super) struct IndexFile {
    pub(super) record: IndexRecord,
    bytes: Vec<u8>,
    start: usize,
}

impl IndexFile {
    pub(super) fn new(record: IndexRecord, packed: Vec<u8>) -> Self {
        Self { record, bytes: packed, start: 0 }
    }

    pub(super) fn packed(&self) -> &[u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }

    /// Reads a file; nothing if it is missing or not of this form.
    pub(super) fn read(path: &Path) -> Option<Self> {
        let bytes = fs::read(path, MOST_FILE).ok()?;
        let line = bytes.iter().position(|byte| *byte == b'\n')?;
        let record = serde_json::from_slice(bytes.get(..line)?).ok()?;
        let file = Self { record, bytes, start: line + 1 };
        PackedIndex::parse(file.packed()).is_some().then_some(file)
    }

    /// The content of the file.
    pub(super) fn content(&self) -> Vec<u8> {
        let mut content = serde_json::to_vec(&self.record).unwrap_or_default();
        content.push(b'\n');
        content.extend(self.packed());
        content
    }
}
