//! Files and their states below one directory; the open directory saves resolving its path each time.

use std::path::Path;

use super::tree::TreeState;
use crate::fs::{FsError, FsResult};

#[derive(Debug)]
pub(super) struct RootHandle {
    #[cfg(target_os = "linux")]
    directory: std::os::fd::OwnedFd,
    #[cfg(not(target_os = "linux"))]
    directory: std::path::PathBuf,
}

/// The reason why a file was not read the short way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlainReadError {
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "the short way exists on Linux only"))]
    Absent,
    /// The usual way finds out.
    Other,
}

#[cfg(target_os = "linux")]
impl RootHandle {
    pub(super) fn open(directory: &Path) -> FsResult<Self> {
        use rustix::fs::{Mode, OFlags};
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = rustix::fs::open(directory, flags, Mode::empty());
        Ok(Self { directory: opened.map_err(|error| FsError::new(directory, error.into()))? })
    }

    /// Returns the present state of a path, without following a link at its end. The empty path is the directory
    /// itself.
    pub(super) fn state(&self, path: &str) -> TreeState {
        use rustix::fs::{AtFlags, FileType};
        let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::EMPTY_PATH;
        let Ok(found) = rustix::fs::statat(&self.directory, path, flags) else { return TreeState::Absent };
        if FileType::from_raw_mode(found.st_mode) == FileType::Symlink { TreeState::Link } else { known(&found) }
    }

    /// Reads a regular file that is not a link, with its state before that. The open file is examined, which saves
    /// resolving its path again.
    pub(super) fn read_plain_text(&self, path: &str, limit: u64) -> Result<(String, TreeState), PlainReadError> {
        use rustix::fs::{FileType, Mode, OFlags, ResolveFlags};
        use rustix::io::Errno;
        use std::io::Read;
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        // No directory on the way may be a link, which could lead outside.
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        let opened = rustix::fs::openat2(&self.directory, path, flags, Mode::empty(), resolve);
        let opened = opened.map_err(|error| match error {
            Errno::NOENT => PlainReadError::Absent,
            _ => PlainReadError::Other,
        })?;
        let found = rustix::fs::fstat(&opened).map_err(|_| PlainReadError::Other)?;
        let size = u64::try_from(found.st_size).map_err(|_| PlainReadError::Other)?;
        if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile || size > limit {
            return Err(PlainReadError::Other);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        // Data appended meanwhile is left to the next read; not asking for it saves a system call per file.
        let read = std::fs::File::from(opened).take(size).read_to_end(&mut bytes);
        read.map_err(|_| PlainReadError::Other)?;
        let text = String::from_utf8(bytes).map_err(|_| PlainReadError::Other)?;
        Ok((text, known(&found)))
    }
}

#[cfg(target_os = "linux")]
fn known(found: &rustix::fs::Stat) -> TreeState {
    let nanoseconds = |seconds: i64, rest: u64| {
        seconds.saturating_mul(1_000_000_000).saturating_add(i64::try_from(rest).unwrap_or_default())
    };
    TreeState::Known {
        size: u64::try_from(found.st_size).unwrap_or_default(),
        modified: nanoseconds(found.st_mtime, found.st_mtime_nsec),
        changed: nanoseconds(found.st_ctime, found.st_ctime_nsec),
        inode: found.st_ino,
    }
}

#[cfg(not(target_os = "linux"))]
impl RootHandle {
    pub(super) fn open(directory: &Path) -> FsResult<Self> {
        std::fs::metadata(directory).map_err(|error| FsError::new(directory, error))?;
        Ok(Self { directory: directory.to_owned() })
    }

    /// Returns the present state of a path, without following a link at its end. The empty path is the directory
    /// itself.
    pub(super) fn state(&self, path: &str) -> TreeState {
        let place = if path.is_empty() { self.directory.clone() } else { self.directory.join(path) };
        let Ok(found) = std::fs::symlink_metadata(place) else { return TreeState::Absent };
        if found.is_symlink() { TreeState::Link } else { known(&found) }
    }

    #[expect(clippy::unused_self, reason = "the short way exists on Linux only")]
    pub(super) fn read_plain_text(&self, _path: &str, _limit: u64) -> Result<(String, TreeState), PlainReadError> {
        Err(PlainReadError::Other)
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn known(found: &std::fs::Metadata) -> TreeState {
    use std::os::unix::fs::MetadataExt;
    let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    TreeState::Known {
        size: found.size(),
        modified: nanoseconds(found.mtime(), found.mtime_nsec()),
        changed: nanoseconds(found.ctime(), found.ctime_nsec()),
        inode: found.ino(),
    }
}

/// Returns [`TreeState::Link`]: without a change time and an identity, the metadata does not show all changes.
#[cfg(not(unix))]
fn known(_found: &std::fs::Metadata) -> TreeState {
    TreeState::Link
}
