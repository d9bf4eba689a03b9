//! The small file that says which copy of a source counts.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use symposium_model::config::GitAddress;
use symposium_model::sync::Fingerprint;

use super::checkout::GitCopy;
use super::checkout_info::{CheckoutInfo, VERSION};
use super::remote::{RemoteTarget, is_object_id};
use crate::fs;
use crate::source::contents;

const MAX_RECORD: u64 = 256 * 1024;

/// The file that names the current copy of a repository; it changes with it.
const RECORD_FILE: &str = "current.json";

/// The same for sources that do not follow the repository, once another source that does has moved on.
const HELD_FILE: &str = "held.json";

/// When fetching failed, if it did since the copy at hand was fetched.
const FAILURE_FILE: &str = "failed";

/// Which copy counts, and what is known about it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct CheckoutRecord {
    version: u32,
    /// Grows with every record, so that whoever waited sees that somebody else was at it.
    pub(super) serial: u64,
    /// The address without credentials, for people who look into the cache.
    source: String,
    /// The commit, which is also the name of its directory.
    pub(super) commit: String,
    /// The one before, whose directory stays: somebody may be reading it.
    previous: Option<String>,
    object: String,
    /// When the commit was made.
    pub(super) time: Option<u64>,
    /// When it was fetched, or found to be up to date.
    pub(super) fetched: u64,
    tree: Fingerprint,
    /// The same with links followed.
    #[serde(default)]
    whole: Option<Fingerprint>,
    /// How many entries its root has: a directory that somebody emptied must not pass for a source without plugins.
    entries: usize,
    notes: Vec<String>,
}

pub(super) struct FetchFacts {
    pub(super) commit: String,
    pub(super) object: String,
    pub(super) time: Option<u64>,
    pub(super) tree: Fingerprint,
    pub(super) whole: Option<Fingerprint>,
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

    /// Reads the record of a source; one that cannot be read, or is about another source, counts as none.
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
        // Our own types can always be written.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        let file = if address.is_held() { HELD_FILE } else { RECORD_FILE };
        fs::replace(&directory.join(file), text.as_bytes())
    }

    /// The same copy, found to be up to date.
    pub(super) fn checked_at(&self, now: u64) -> Self {
        Self { serial: self.serial + 1, fetched: now, ..self.clone() }
    }

    /// Whether a target is what was fetched last.
    pub(super) fn is_of(&self, target: &RemoteTarget) -> bool {
        self.object == target.object
    }

    /// Whether a directory of the cache is needed.
    pub(super) fn needs(&self, commit: &str) -> bool {
        self.commit == commit || self.previous.as_deref() == Some(commit)
    }

    /// What is known about the copy it names.
    pub(super) fn kept(&self) -> CheckoutInfo {
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

    /// The copy, unless it is obviously not what was fetched.
    pub(super) fn copy(&self, directory: &Path) -> Option<GitCopy> {
        self.kept().copy(directory)
    }

    /// The copy, if every byte of it is what was fetched.
    pub(super) fn verified(&self, directory: &Path) -> Option<GitCopy> {
        let copy = self.copy(directory)?;
        (contents::fingerprint_of(&copy.directory)? == self.tree).then_some(copy)
    }
}

/// Whether sources that do not follow the repository have a record of their own.
pub(super) fn has_own(directory: &Path) -> bool {
    fs::exists(&directory.join(HELD_FILE))
}

/// Where the record of a source is. One that does not follow shares that of those that do, until it has its own.
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
