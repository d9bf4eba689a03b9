//! Metadata of one checkout, regardless of whether it is the current one.

use std::path::Path;

use serde::{Deserialize, Serialize};
use symposium_model::lockfile::is_object_id;
use symposium_model::sync::ContentFingerprint;

use super::checkout::{CheckoutOrigin, GitCopy};
use crate::fs;

const MAX_KEPT: u64 = 256 * 1024;

/// The version of the file format; files of another version are ignored.
pub(in crate::source) const VERSION: u32 = 1;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::source) struct CheckoutInfo {
    pub(in crate::source) version: u32,
    pub(in crate::source) commit: String,
    /// Commit time in seconds since 1970.
    pub(in crate::source) time: Option<u64>,
    pub(in crate::source) fetched: u64,
    pub(in crate::source) tree: ContentFingerprint,
    pub(in crate::source) whole: Option<ContentFingerprint>,
    pub(in crate::source) entries: usize,
    pub(in crate::source) notes: Vec<String>,
    /// True if the address led to it at some time.
    pub(in crate::source) followed: bool,
}

pub(super) fn file_name(commit: &str) -> String {
    format!("{commit}.json")
}

impl CheckoutInfo {
    pub(in crate::source) fn read(directory: &Path, commit: &str) -> Option<Self> {
        if !is_object_id(commit) {
            return None;
        }
        let text = fs::read_text_of_no_link(&directory.join(file_name(commit)), MAX_KEPT).ok()?;
        let kept: Self = serde_json::from_str(&text).ok()?;
        (kept.version == VERSION && kept.commit == commit).then_some(kept)
    }

    pub(in crate::source) fn write(&self, directory: &Path) -> fs::FsResult<()> {
        // Serializing these types cannot fail.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        fs::replace(&directory.join(file_name(&self.commit)), text.as_bytes())
    }

    /// Returns the checkout, unless it obviously differs from what was fetched.
    pub(in crate::source) fn copy(&self, directory: &Path) -> Option<GitCopy> {
        let tree = directory.join(&self.commit);
        if fs::is_link(&tree) || fs::count(&tree).ok()? != self.entries {
            return None;
        }
        Some(GitCopy {
            directory: tree,
            commit: self.commit.clone(),
            fetched: self.fetched,
            tree: self.tree.clone(),
            whole: self.whole.clone(),
            time: self.time,
            arrival: if self.followed { CheckoutOrigin::Followed } else { CheckoutOrigin::AskedFor },
            notes: self.notes.clone(),
        })
    }
}
