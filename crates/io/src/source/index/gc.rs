//! Cleanup of the cache directory of an index.

use std::collections::BTreeSet;
use std::path::Path;

use symposium_model::config::IndexAddress;
use symposium_model::sync::ContentFingerprint;

use super::record::KeptRecord;
use super::view;
use crate::fs::{self, FileKind};

/// Removes files of killed runs, records of workspaces that are long gone, and directories and archives that no record needs.
/// Requires the lock of the index.
pub(super) fn sweep(directory: &Path, address: &IndexAddress) {
    let (records, old) = KeptRecord::list(directory, address);
    for file in old {
        remove(&file, FileKind::File);
    }
    let is_needed = |commit: &str| records.iter().any(|record| record.needs(commit));
    let mut archives = BTreeSet::new();
    for entry in fs::list(directory).unwrap_or_default() {
        let commit = entry.name.split('.').next().unwrap_or_default();
        let is_old = ContentFingerprint::parse(commit).is_some() && !is_needed(commit);
        if is_old || entry.name.starts_with(fs::STAGING) {
            remove(&directory.join(&entry.name), entry.kind);
        } else if entry.name.ends_with(".plugins") {
            let plugins = view::plugins_of(directory, commit).unwrap_or_default();
            archives.extend(plugins.into_iter().map(|plugin| format!("{}.tar.gz", plugin.sha256.as_str())));
        }
    }
    let place = directory.join("archives");
    for entry in fs::list(&place).unwrap_or_default() {
        if !archives.contains(&entry.name) {
            remove(&place.join(&entry.name), entry.kind);
        }
    }
}

fn remove(path: &Path, kind: FileKind) {
    let removed = match kind {
        FileKind::Directory => fs::remove_tree(path),
        FileKind::File | FileKind::Link | FileKind::Other => fs::remove_file(path),
    };
    // The next run tries again.
    if let Err(error) = removed {
        tracing::warn!(%error, "cannot remove an old file of an index");
    }
}
