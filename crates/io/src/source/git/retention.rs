//! The record of which lockfiles pin which checkouts, so that those are kept.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::fs;

const FILE: &str = "pinned.json";

const MAX_FILE: u64 = 1024 * 1024;

const MAX_LOCK: u64 = 16 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct CheckoutHold {
    lock: PathBuf,
    commit: String,
}

fn read(directory: &Path) -> Vec<CheckoutHold> {
    let text = fs::read_text_of_no_link(&directory.join(FILE), MAX_FILE);
    text.ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Lists the commits that a lockfile still contains. Lockfiles are only searched for the text of the commit, not
/// parsed.
pub(super) fn held(directory: &Path) -> Vec<String> {
    let holds = read(directory).into_iter();
    holds.filter(names).map(|hold| hold.commit).collect()
}

fn names(hold: &CheckoutHold) -> bool {
    fs::read_text(&hold.lock, MAX_LOCK).is_ok_and(|text| text.contains(&hold.commit))
}

pub(super) fn is_held(directory: &Path, lock: &Path, commit: &str) -> bool {
    read(directory).iter().any(|hold| hold.lock == lock && hold.commit == commit)
}

/// Records that a lockfile pins a commit, and drops pins that no longer exist. Requires the lock of the source.
pub(super) fn hold(directory: &Path, lock: &Path, commit: &str) -> fs::FsResult<()> {
    let known = read(directory);
    let new = CheckoutHold { lock: lock.to_owned(), commit: commit.to_owned() };
    if known.contains(&new) {
        return Ok(());
    }
    // The new pin counts before its lockfile is written.
    let mut holds: Vec<CheckoutHold> = known.into_iter().filter(|hold| hold.lock != new.lock && names(hold)).collect();
    holds.push(new);
    let text = serde_json::to_string_pretty(&holds).unwrap_or_default();
    fs::replace(&directory.join(FILE), text.as_bytes())
}
