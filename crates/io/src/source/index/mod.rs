//! Index sources: the plugins for the crates of a workspace, fetched file by file from any web server.
//!
//! Each index has a directory in the cache, named by its address. It has the files that the server sent, the archives
//! of plugins, a directory for each set of plugins in use, and for each workspace a record that names its set. Records
//! are replaced atomically as the last step, so that a killed run leaves the old plugins or the new ones.

mod client;
mod fetch;
mod gc;
mod known_files;
mod record;
mod view;
mod write;

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use symposium_model::config::{FetchHistory, FetchTrigger, IndexAddress};
use symposium_model::plugin_index::{AskedCrate, PublishedPlugin};

use super::fetch_error::{FetchError, FetchLimits};
use super::git::{CheckoutInfo, FetchResult, GitCopy};
use super::transfer::ByteCount;

pub use self::record::{PluginIndexRecord, index_record};
pub use self::write::{IndexWriter, PackedPlugin};

/// The plugins that a workspace wants from an index.
#[derive(Debug, Clone)]
pub struct IndexDemand<'d> {
    /// `None` for work outside any workspace, which renews what other workspaces have.
    pub workspace: Option<&'d Path>,
    /// The crates of the workspace, sorted by name and version.
    pub crates: &'d [AskedCrate],
    /// The plugins that the lockfile pins.
    pub pinned: Option<&'d [PublishedPlugin]>,
    pub trigger: FetchTrigger,
    /// Whether plugins follow the index, or stay until the user asks.
    pub auto_update: bool,
}

/// A file of an index or a plugin that could not be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PluginIndexFault {
    plugin: Option<String>,
    text: String,
}

impl PluginIndexFault {
    /// Names the plugin, its crates and the address of its archive.
    fn about_plugin(plugin: &PublishedPlugin, archives: &IndexAddress, error: &FetchError) -> Self {
        let PublishedPlugin { name, version, crates, archive, .. } = plugin;
        let mut of: Vec<String> = crates.iter().take(NAMED_CRATES).map(|atom| format!("`{atom}`")).collect();
        if crates.len() > of.len() {
            of.push(format!("{} more", crates.len() - of.len()));
        }
        let whose = if of.is_empty() { String::new() } else { format!(" for {}", of.join(", ")) };
        let text = format!("plugin `{name}` {version}{whose} at `{}/{archive}`: {error}", archives.shown());
        Self { plugin: Some(name.clone()), text }
    }
}

impl fmt::Display for PluginIndexFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Crates of a plugin that a fault names; the others are counted.
const NAMED_CRATES: usize = 3;

#[derive(Debug, Clone)]
pub struct PluginIndexCache {
    root: PathBuf,
}

impl PluginIndexCache {
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    fn directory(&self, address: &IndexAddress) -> PathBuf {
        let hash = symposium_model::sync::fingerprint(address.shown().as_bytes());
        let hash: String = hash.as_str().chars().take(16).collect();
        self.root.join(format!("index-{hash}"))
    }

    /// Returns what is known about the plugins for a workspace.
    pub fn record(&self, address: &IndexAddress, workspace: Option<&Path>) -> Option<PluginIndexRecord> {
        PluginIndexRecord::read(&self.directory(address), address, workspace)
    }

    /// Returns the path of that record; it need not exist.
    pub fn record_path(&self, address: &IndexAddress, workspace: Option<&Path>) -> PathBuf {
        index_record(&self.directory(address), workspace)
    }

    /// Returns the plugins that a record names.
    pub fn copy(&self, address: &IndexAddress, record: &PluginIndexRecord) -> Option<GitCopy> {
        let copy = self.copy_of(address, &record.commit)?;
        Some(GitCopy { fetched: record.fetched, ..copy })
    }

    /// Returns one set of plugins by its identity.
    pub fn copy_of(&self, address: &IndexAddress, commit: &str) -> Option<GitCopy> {
        let directory = self.directory(address);
        CheckoutInfo::read(&directory, commit)?.copy(&directory)
    }

    pub fn plugins_of(&self, address: &IndexAddress, commit: &str) -> Option<Vec<PublishedPlugin>> {
        view::plugins_of(&self.directory(address), commit)
    }

    /// Returns when the index was asked about these crates; never if it was asked about others, or not all came.
    pub fn history(&self, address: &IndexAddress, workspace: Option<&Path>, crates: &[AskedCrate]) -> FetchHistory {
        let record = self.record(address, workspace);
        let record = record.filter(|record| record.crates == crates && record.faults.is_empty());
        let fetched = record.filter(|record| self.copy(address, record).is_some()).map(|record| record.fetched);
        FetchHistory { fetched, failed: None }
    }

    pub fn fetch(
        &self,
        address: &IndexAddress,
        demand: &IndexDemand<'_>,
        limits: &FetchLimits,
        count: &ByteCount,
    ) -> Result<FetchResult, FetchError> {
        fetch::fetch(&self.directory(address), address, demand, limits, count)
    }
}

/// Files of an index that are asked for at the same time.
const WORKERS: usize = 16;

/// The age from which a file of an index is asked for again.
const FRESH_FOR: Duration = Duration::from_hours(4);
