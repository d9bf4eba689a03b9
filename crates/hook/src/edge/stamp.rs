//! What tells one state of a file from another: the one function for whoever compiles a plan and whoever checks it.

use std::path::Path;

use symposium_model::hook::plan::{FileState, hash};

/// The state of what is at a path, links followed; `None` when there is nothing, or nothing we may look at.
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "the hot path's own look at the disk, without the crate of all others")]
pub fn take(path: &Path) -> Option<FileState> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(path).ok()?;
    let modified = metadata.mtime().saturating_mul(1_000_000_000).saturating_add(metadata.mtime_nsec());
    Some(FileState { size: metadata.size(), modified, inode: metadata.ino() })
}

/// The state of what is at a path, links followed; `None` when there is nothing, or nothing we may look at.
#[cfg(not(unix))]
#[expect(clippy::disallowed_methods, reason = "the hot path's own look at the disk, without the crate of all others")]
pub fn take(path: &Path) -> Option<FileState> {
    let metadata = std::fs::metadata(path).ok()?;
    let since = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let modified = i64::try_from(since.as_nanos()).unwrap_or(i64::MAX);
    Some(FileState { size: metadata.len(), modified, inode: 0 })
}

/// What stands for the value of a variable, which may be a secret; `None` when it is not set, or no text.
#[expect(clippy::disallowed_methods, reason = "the hot path's own look at the environment")]
pub fn take_variable(name: &str) -> Option<u64> {
    std::env::var_os(name).and_then(|value| value.to_str().map(|value| hash(value.as_bytes())))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make the files they look at")]
mod tests {
    use super::*;

    #[test]
    fn a_state_changes_with_content_time_and_identity() {
        let directory = std::env::temp_dir().join(format!("symposium-stamp-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let file = directory.join("file");
        assert_eq!(take(&file), None);
        std::fs::write(&file, "one").unwrap();
        let first = take(&file).unwrap();
        assert_eq!((take(&file), first.size), (Some(first), 3));
        // A copy in its place, of the same size and time, is another file.
        let other = directory.join("other");
        std::fs::write(&other, "two").unwrap();
        let time = std::fs::metadata(&file).unwrap().modified().unwrap();
        std::fs::File::options().write(true).open(&other).unwrap().set_modified(time).unwrap();
        std::fs::rename(&other, &file).unwrap();
        assert!(!cfg!(unix) || take(&file) != Some(first));
        assert!(take(&directory).is_some(), "a directory has a state too");
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
