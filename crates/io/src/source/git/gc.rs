//! Cleanup of the cache directory of a source.

use std::path::Path;

use symposium_model::config::GitAddress;
use symposium_model::lockfile::is_object_id;

use super::record::CheckoutRecord;
use super::retention;
use crate::fs::{self, FileKind};

/// Removes files of killed runs, and checkouts before the last two that no lockfile pins. Requires the lock of the
/// source.
pub(super) fn sweep(directory: &Path, address: &GitAddress, record: Option<&CheckoutRecord>) {
    let held = retention::held(directory);
    let other = if address.is_held() { address.clone().following() } else { address.clone().held() };
    let other = CheckoutRecord::read(directory, &other);
    for entry in fs::list(directory).unwrap_or_default() {
        let is_staging = entry.name.starts_with(fs::STAGING);
        // The metadata of a checkout is removed with it.
        let commit = entry.name.strip_suffix(".json").unwrap_or(&entry.name);
        let is_needed = |record: &CheckoutRecord| {
            record.needs(commit)
                || other.as_ref().is_some_and(|other| other.needs(commit))
                || held.iter().any(|held| held == commit)
        };
        let is_old = is_object_id(commit) && record.is_some_and(|record| !is_needed(record));
        if !is_staging && !is_old {
            continue;
        }
        let path = directory.join(&entry.name);
        let removed = match entry.kind {
            FileKind::Directory => fs::remove_tree(&path),
            FileKind::File | FileKind::Link | FileKind::Other => fs::remove_file(&path),
        };
        // An orphaned program may still be writing; the next run tries again.
        if let Err(error) = removed {
            tracing::warn!(%error, "cannot remove an old copy of a source");
        }
    }
}
