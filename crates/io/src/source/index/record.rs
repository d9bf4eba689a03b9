//! The small file that names the plugins of an index for one workspace, or for work outside any.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use symposium_model::config::IndexAddress;
use symposium_model::plugin_index::{AskedCrate, PublishedPlugin};
use symposium_model::sync::{ContentFingerprint, fingerprint};

use crate::{clock, fs};

/// The version of the file format; files of another version are ignored.
const VERSION: u32 = 1;

const MAX_RECORD: u64 = 16 * 1024 * 1024;

/// The number of workspaces that are remembered; the least recent ones are forgotten. A workspace that is forgotten loses
/// the plugins for its crates until its next `sync`, also those with policies.
const MOST_RECORDS: usize = 1_000;

/// The seconds for which a workspace is remembered that is not there: its disk may come back.
const ABSENT_FOR: u64 = 30 * 24 * 60 * 60;

const PREFIX: &str = "workspace-";

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PluginIndexRecord {
    version: u32,
    /// Grows with every record, so that a process that waited sees that another one has fetched.
    pub(super) serial: u64,
    source: String,
    pub(super) workspace: Option<PathBuf>,
    /// The identity of its plugins, and the name of their directory.
    pub(super) commit: String,
    /// The previous one, which is kept: another process may be reading it.
    pub(super) previous: Option<String>,
    pub(super) fetched: u64,
    /// The crates that the index was asked for.
    pub crates: Vec<AskedCrate>,
    /// The plugins that the index has for these crates.
    pub latest: Vec<PublishedPlugin>,
    /// Everything that could not be fetched.
    pub faults: Vec<String>,
}

pub(super) struct RecordFacts {
    pub(super) commit: String,
    pub(super) fetched: u64,
    pub(super) crates: Vec<AskedCrate>,
    pub(super) latest: Vec<PublishedPlugin>,
    pub(super) faults: Vec<String>,
}

/// Returns the path of the record for a workspace; it need not exist.
pub fn index_record(directory: &Path, workspace: Option<&Path>) -> PathBuf {
    let hash = workspace.map(|root| fingerprint(root.as_os_str().as_encoded_bytes()));
    let name = hash.as_ref().and_then(|hash| hash.as_str().get(..16)).unwrap_or("none");
    directory.join(format!("{PREFIX}{name}.json"))
}

impl PluginIndexRecord {
    pub(super) fn new(
        address: &IndexAddress,
        workspace: Option<&Path>,
        before: Option<&Self>,
        facts: RecordFacts,
    ) -> Self {
        let previous = before.and_then(|before| {
            if before.commit == facts.commit { before.previous.clone() } else { Some(before.commit.clone()) }
        });
        Self {
            version: VERSION,
            serial: before.map_or(0, |before| before.serial) + 1,
            source: address.shown().to_owned(),
            workspace: workspace.map(Path::to_owned),
            commit: facts.commit,
            previous,
            fetched: facts.fetched,
            crates: facts.crates,
            latest: facts.latest,
            faults: facts.faults,
        }
    }

    /// Reads a record; one that is unreadable or about another index or workspace counts as none.
    pub(super) fn read(directory: &Path, address: &IndexAddress, workspace: Option<&Path>) -> Option<Self> {
        let record = Self::read_file(&index_record(directory, workspace))?;
        (record.source == address.shown() && record.workspace.as_deref() == workspace).then_some(record)
    }

    fn read_file(file: &Path) -> Option<Self> {
        let text = fs::read_text_of_no_link(file, MAX_RECORD).ok()?;
        let record: Self = serde_json::from_str(&text).ok()?;
        // Identities become names of directories.
        let is_identity = |text: &str| ContentFingerprint::parse(text).is_some();
        let is_sound = record.version == VERSION
            && is_identity(&record.commit)
            && record.previous.as_deref().is_none_or(is_identity);
        is_sound.then_some(record)
    }

    pub(super) fn write(&self, directory: &Path) -> fs::FsResult<()> {
        // Serializing these types cannot fail.
        let text = serde_json::to_string(self).unwrap_or_default();
        fs::replace(&index_record(directory, self.workspace.as_deref()), text.as_bytes())
    }
}

/// The part of a record that says what is kept in the cache, without the lists, which may be long.
#[derive(Debug, Deserialize)]
pub(super) struct KeptRecord {
    version: u32,
    source: String,
    pub(super) workspace: Option<PathBuf>,
    commit: String,
    previous: Option<String>,
    fetched: u64,
    /// Whether the workspace is there.
    #[serde(skip)]
    pub(super) is_present: bool,
}

impl KeptRecord {
    fn read(file: &Path, address: &IndexAddress) -> Option<Self> {
        let text = fs::read_text_of_no_link(file, MAX_RECORD).ok()?;
        let mut record: Self = serde_json::from_str(&text).ok()?;
        record.is_present = record.workspace.as_deref().is_none_or(fs::is_dir);
        (record.version == VERSION && record.source == address.shown()).then_some(record)
    }

    /// Lists the records of an index that are kept, those of present workspaces first and then the most recent, and the
    /// files of the others.
    pub(super) fn list(directory: &Path, address: &IndexAddress) -> (Vec<Self>, Vec<PathBuf>) {
        let mut records = Vec::new();
        let mut old = Vec::new();
        let now = clock::now();
        for entry in fs::list(directory).unwrap_or_default() {
            if !entry.name.starts_with(PREFIX) {
                continue;
            }
            let file = directory.join(&entry.name);
            let is_kept = |record: &Self| record.is_present || now.saturating_sub(record.fetched) < ABSENT_FOR;
            match Self::read(&file, address).filter(is_kept) {
                Some(record) => records.push((record, file)),
                None => old.push(file),
            }
        }
        records.sort_by_key(|(record, _)| {
            (record.workspace.is_some(), !record.is_present, std::cmp::Reverse(record.fetched))
        });
        let extra = records.split_off(MOST_RECORDS.min(records.len()));
        old.extend(extra.into_iter().map(|(_, file)| file));
        (records.into_iter().map(|(record, _)| record).collect(), old)
    }

    pub(super) fn needs(&self, commit: &str) -> bool {
        self.commit == commit || self.previous.as_deref() == Some(commit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_workspace_is_remembered_for_thirty_days() {
        let cache = tempfile::tempdir().unwrap();
        let address = IndexAddress::parse("https://h/i").unwrap();
        let day = 24 * 60 * 60;
        for (age, expected) in [(0, true), (29 * day, true), (31 * day, false)] {
            let (commit, fetched) = (fingerprint(b"").as_str().to_owned(), clock::now() - age);
            let facts = RecordFacts { commit, fetched, crates: Vec::new(), latest: Vec::new(), faults: Vec::new() };
            let workspace = cache.path().join("unmounted");
            PluginIndexRecord::new(&address, Some(&workspace), None, facts).write(cache.path()).unwrap();
            let (records, old) = KeptRecord::list(cache.path(), &address);
            assert_eq!((records.len() == 1, old.is_empty()), (expected, expected), "{age}");
            assert!(records.iter().all(|record| !record.is_present));
        }
    }

    #[test]
    fn of_very_many_workspaces_the_most_recent_are_remembered() {
        let home = tempfile::tempdir().unwrap();
        let cache = home.path().join("cache");
        let address = IndexAddress::parse("https://h/i").unwrap();
        let write = |workspace: Option<&Path>, fetched: u64| {
            let commit = fingerprint(b"").as_str().to_owned();
            let facts = RecordFacts { commit, fetched, crates: Vec::new(), latest: Vec::new(), faults: Vec::new() };
            let record = PluginIndexRecord::new(&address, workspace, None, facts);
            // Not as `write` does it, which waits for the disk.
            std::fs::write(index_record(&cache, workspace), serde_json::to_string(&record).unwrap()).unwrap();
        };
        std::fs::create_dir(&cache).unwrap();
        write(None, 0);
        for number in 1..=1_006 {
            let workspace = home.path().join(format!("work{number}"));
            // One is gone.
            if number != 1_006 {
                std::fs::create_dir(&workspace).unwrap();
            }
            write(Some(&workspace), number);
        }
        // One is away, and the least important.
        write(Some(&home.path().join("away")), clock::now());
        let (records, old) = KeptRecord::list(&cache, &address);
        assert_eq!((records.len(), old.len()), (MOST_RECORDS, 8));
        assert_eq!((records[0].workspace.as_deref(), records[1].fetched, records[999].fetched), (None, 1_005, 7));
    }
}
