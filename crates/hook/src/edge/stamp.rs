//! The recorded state of a file or variable, used to detect changes. The code that writes a hook plan and the code that
//! reads it share it.
#![expect(clippy::disallowed_methods, reason = "the hot path does not link the crate that owns files")]

use std::path::Path;

use symposium_model::hook::hook_plan::{FileState, FolderStamp, hash};

use super::environment;

/// Returns the present state of a path, following links; `None` when nothing exists there.
pub fn take(path: &Path) -> Option<FileState> {
    let found = std::fs::metadata(path).ok()?;
    Some(state_from(&found))
}

#[cfg(unix)]
pub(crate) fn state_from(found: &std::fs::Metadata) -> FileState {
    use std::os::unix::fs::MetadataExt;
    let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    let modified = nanoseconds(found.mtime(), found.mtime_nsec());
    let changed = nanoseconds(found.ctime(), found.ctime_nsec());
    FileState { size: found.size(), modified, changed, inode: found.ino() }
}

#[cfg(not(unix))]
pub(crate) fn state_from(found: &std::fs::Metadata) -> FileState {
    let since = found.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let modified = since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or_default();
    FileState { size: found.len(), modified, changed: 0, inode: 0 }
}

/// Returns true if all files have their recorded states. The open directory saves resolving its path for each.
#[cfg(target_os = "linux")]
pub(crate) fn folder_holds(folder: &FolderStamp) -> bool {
    use rustix::fs::{AtFlags, Mode, OFlags, open, statat};
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(directory) = open(folder.directory.as_str(), flags, Mode::empty()) else { return false };
    let nanoseconds = |seconds: i64, rest: u64| {
        seconds.saturating_mul(1_000_000_000).saturating_add(i64::try_from(rest).unwrap_or_default())
    };
    folder.holds(|file| {
        let found = statat(&directory, file, AtFlags::empty()).ok()?;
        let size = u64::try_from(found.st_size).unwrap_or_default();
        let modified = nanoseconds(found.st_mtime, found.st_mtime_nsec);
        let changed = nanoseconds(found.st_ctime, found.st_ctime_nsec);
        Some(FileState { size, modified, changed, inode: found.st_ino })
    })
}

/// Returns true if all files have their recorded states.
#[cfg(not(target_os = "linux"))]
pub(crate) fn folder_holds(folder: &FolderStamp) -> bool {
    let directory = Path::new(&folder.directory);
    folder.holds(|file| take(&directory.join(file)))
}

/// Returns a hash of a variable, whose value may be secret; `None` when it is not set.
pub fn take_variable(name: &str) -> Option<u64> {
    environment::variable(name).map(|value| hash(value.as_encoded_bytes()))
}

#[cfg(test)]
mod tests {
    use symposium_model::hook::hook_plan::StateHash;

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
        // A copy in its place, with the same size and time, is another file.
        let other = directory.join("other");
        std::fs::write(&other, "two").unwrap();
        let time = std::fs::metadata(&file).unwrap().modified().unwrap();
        std::fs::File::options().write(true).open(&other).unwrap().set_modified(time).unwrap();
        std::fs::rename(&other, &file).unwrap();
        assert!(!cfg!(unix) || take(&file) != Some(first));
        // Other content of the same size in the same file, with its old time.
        let before = take(&file).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        std::fs::write(&file, "six").unwrap();
        std::fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
        let after = take(&file).unwrap();
        assert_eq!((after.size, after.modified, after.inode), (before.size, before.modified, before.inode));
        assert!(!cfg!(unix) || after != before);
        assert!(take(&directory).is_some(), "a directory has a state too");
        // Many files at once have the same states.
        let hash = |states: [FileState; 2]| states.into_iter().fold(StateHash::default(), StateHash::with);
        let files = "file|file".to_owned();
        let folder = FolderStamp { directory: directory.display().to_string(), files, hash: hash([after, after]) };
        assert!(folder_holds(&folder));
        assert!(!cfg!(unix) || !folder_holds(&FolderStamp { hash: hash([after, before]), ..folder.clone() }));
        assert!(!folder_holds(&FolderStamp { files: "file|other".to_owned(), ..folder.clone() }));
        assert!(!folder_holds(&FolderStamp { directory: file.display().to_string(), ..folder }));
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
