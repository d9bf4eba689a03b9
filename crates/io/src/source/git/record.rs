//! The small file that names the current checkout of a source.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use symposium_model::config::GitAddress;
use symposium_model::lockfile::is_object_id;
use symposium_model::sync::ContentFingerprint;

use super::checkout::GitCopy;
use super::checkout_info::{CheckoutInfo, VERSION};
use super::remote::RemoteTarget;
use crate::fs;
use crate::source::contents;

const MAX_RECORD: u64 = 256 * 1024;

const RECORD_FILE: &str = "current.json";

/// The same for sources that do not follow the repository, once another source that does has moved on.
const HELD_FILE: &str = "held.json";

/// Contains the time of a failed fetch, if the last one failed.
const FAILURE_FILE: &str = "failed";

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct CheckoutRecord {
    version: u32,
    /// Grows with every record, so that a process that waited sees that another one has fetched.
    pub(super) serial: u64,
    /// The address without credentials, for users who look into the cache.
    source: String,
    /// Also the name of its directory.
    pub(super) commit: String,
    /// The previous commit, whose directory is kept: another process may be reading it.
    previous: Option<String>,
    object: String,
    pub(super) time: Option<u64>,
    pub(super) fetched: u64,
    tree: ContentFingerprint,
    #[serde(default)]
    whole: Option<ContentFingerprint>,
    /// The number of entries in its root: a directory that was emptied must not pass for a source without plugins.
    entries: usize,
    notes: Vec<String>,
}

pub(super) struct FetchFacts {
    pub(super) commit: String,
    pub(super) object: String,
    pub(super) time: Option<u64>,
    pub(super) tree: ContentFingerprint,
    pub(super) whole: Option<ContentFingerprint>,
    pub(super) entries: usize,
    pub(super) notes: Vec<String>,
}

impl CheckoutRecord {
    pub(super) fn new(address: &GitAddress, before: Option<&Self>, now: u64, facts: FetchFacts) -> Self {
        let previous = before.and_then(|before| {
            if before.commit == facts.commit { before.previous.clone() } else { Some(before.commit.clone()) }
        });
        Self {
            version: VERSION,
            serial: before.map_or(0, |before| before.serial) + 1,
            source: address.shown().to_owned(),
            commit: facts.commit,
            previous,
            object: facts.object,
            time: facts.time,
            fetched: now,
            tree: facts.tree,
            whole: facts.whole,
            entries: facts.entries,
            notes: facts.notes,
        }
    }

    /// Reads the record of a source; one that is unreadable or about another source counts as none.
    pub(super) fn read(directory: &Path, address: &GitAddress) -> Option<Self> {
        let text = fs::read_text_of_no_link(&path(directory, address), MAX_RECORD).ok()?;
        let record: Self = serde_json::from_str(&text).ok()?;
        // Commits become names of directories.
        let is_sound = record.version == VERSION
            && record.source == address.shown()
            && is_object_id(&record.commit)
            && record.previous.as_deref().is_none_or(is_object_id);
        is_sound.then_some(record)
    }

    pub(super) fn write(&self, directory: &Path, address: &GitAddress) -> fs::FsResult<()> {
        // Serializing these types cannot fail.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        let file = if address.is_held() { HELD_FILE } else { RECORD_FILE };
        fs::replace(&directory.join(file), text.as_bytes())
    }

    /// Returns the record for the same checkout, found to be up to date.
    pub(super) fn checked_at(&self, now: u64) -> Self {
        Self { serial: self.serial + 1, fetched: now, ..self.clone() }
    }

    pub(super) fn is_of(&self, target: &RemoteTarget) -> bool {
        self.object == target.object
    }

    pub(super) fn needs(&self, commit: &str) -> bool {
        self.commit == commit || self.previous.as_deref() == Some(commit)
    }

    pub(super) fn to_checkout_info(&self) -> CheckoutInfo {
        CheckoutInfo {
            version: VERSION,
            commit: self.commit.clone(),
            time: self.time,
            fetched: self.fetched,
            tree: self.tree.clone(),
            whole: self.whole.clone(),
            entries: self.entries,
            notes: self.notes.clone(),
            followed: true,
        }
    }

    pub(super) fn copy(&self, directory: &Path) -> Option<GitCopy> {
        self.to_checkout_info().copy(directory)
    }

    /// Returns the checkout if every byte of it is as it was fetched.
    pub(super) fn verified(&self, directory: &Path) -> Option<GitCopy> {
        let copy = self.copy(directory)?;
        (contents::fingerprint_of(&copy.directory)? == self.tree).then_some(copy)
    }
}

pub(super) fn has_own(directory: &Path) -> bool {
    fs::exists(&directory.join(HELD_FILE))
}

/// Returns the path of a source's record. A source that does not follow its repository shares the record of those that
/// do, until it has its own.
pub fn path(directory: &Path, address: &GitAddress) -> PathBuf {
    directory.join(if address.is_held() && has_own(directory) { HELD_FILE } else { RECORD_FILE })
}

pub(super) fn read_failure(directory: &Path) -> Option<u64> {
    fs::read_text_of_no_link(&directory.join(FAILURE_FILE), 64).ok()?.trim().parse().ok()
}

pub(super) fn write_failure(directory: &Path, now: u64) -> fs::FsResult<()> {
    fs::create_private_dir(directory)?;
    fs::replace(&directory.join(FAILURE_FILE), now.to_string().as_bytes())
}

pub(super) fn forget_failure(directory: &Path) -> fs::FsResult<()> {
    match fs::remove_file(&directory.join(FAILURE_FILE)) {
        Err(error) if !error.is_not_found() => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}
