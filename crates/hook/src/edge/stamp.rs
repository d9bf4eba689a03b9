//! A file as it is now, to be compared with how it was: one function, for whoever writes a plan and whoever reads it.
#![expect(clippy::disallowed_methods, reason = "the hot path does not link the crate that owns files")]

use std::path::Path;

use symposium_model::hook::plan::FileState;

/// What is at a path now; links are followed. `None` when nothing is.
pub fn take(path: &Path) -> Option<FileState> {
    let found = std::fs::metadata(path).ok()?;
    Some(state_of(&found))
}

#[cfg(unix)]
fn state_of(found: &std::fs::Metadata) -> FileState {
    use std::os::unix::fs::MetadataExt;
    let modified = found.mtime().saturating_mul(1_000_000_000).saturating_add(found.mtime_nsec());
    FileState { size: found.size(), modified, inode: found.ino() }
}

#[cfg(not(unix))]
fn state_of(found: &std::fs::Metadata) -> FileState {
    let since = found.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let modified = since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or_default();
    FileState { size: found.len(), modified, inode: 0 }
}
