//! Reading and writing of files: bounded, regular files only, and every error contains its path.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use symposium_model::crates::lexical_path::without_verbatim;

use crate::fs_error::without_path;
use crate::parent_dirs::{self, FileAudience};

pub use crate::fs_error::{FsError, FsErrorKind, FsResult};

/// The time to remove a directory into which another process writes.
const REMOVAL_PATIENCE: Duration = Duration::from_secs(2);

pub const MAX_SETTINGS: u64 = 64 * 1024 * 1024;

/// Reads a regular file of at most `limit` bytes.
///
/// A FIFO does not block and a device is not read: the file is opened without waiting and checked first.
pub fn read(path: &Path, limit: u64) -> FsResult<Vec<u8>> {
    read_opened(path, open_without_waiting(path, LinkPolicy::Follow), limit)
}

fn read_opened(path: &Path, file: io::Result<File>, limit: u64) -> FsResult<Vec<u8>> {
    tracing::trace!(path = %path.display(), found = file.is_ok(), "reading");
    let failed = |error| FsError::new(path, error);
    let file = file.map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    let refuse = |kind| Err(FsError { path: path.to_owned(), kind });
    if !metadata.is_file() {
        return refuse(FsErrorKind::NotRegular);
    }
    if metadata.len() > limit {
        return refuse(FsErrorKind::TooLarge { limit });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    // Data appended meanwhile is left to the next read; not asking for it saves a system call per file.
    file.take(metadata.len()).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

pub fn read_text(path: &Path, limit: u64) -> FsResult<String> {
    text(path, read(path, limit)?)
}

/// Like [`read_text`], but fails if the path itself is a link.
pub fn read_text_of_no_link(path: &Path, limit: u64) -> FsResult<String> {
    match open_without_waiting(path, LinkPolicy::Refuse) {
        Err(error) if error.kind() != io::ErrorKind::NotFound && path.is_symlink() => {
            Err(FsError { path: path.to_owned(), kind: FsErrorKind::Link })
        }
        opened => text(path, read_opened(path, opened, limit)?),
    }
}

fn text(path: &Path, bytes: Vec<u8>) -> FsResult<String> {
    String::from_utf8(bytes).map_err(|error| FsError {
        path: path.to_owned(),
        kind: FsErrorKind::NotUtf8 { offset: error.utf8_error().valid_up_to() },
    })
}

/// Like [`read_text`], but returns `None` for a missing file.
pub fn read_text_if_there(path: &Path, limit: u64) -> FsResult<Option<String>> {
    match read_text(path, limit) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LinkPolicy {
    Follow,
    Refuse,
}

#[cfg(unix)]
fn open_without_waiting(path: &Path, links: LinkPolicy) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = match links {
        LinkPolicy::Follow => OFlags::NONBLOCK,
        LinkPolicy::Refuse => OFlags::NONBLOCK | OFlags::NOFOLLOW,
    };
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

#[cfg(not(unix))]
fn open_without_waiting(path: &Path, links: LinkPolicy) -> io::Result<File> {
    if links == LinkPolicy::Refuse && path.is_symlink() {
        return Err(io::Error::other("a symbolic link"));
    }
    OpenOptions::new().read(true).open(path)
}

/// The kind of a directory entry, without following links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    File,
    Directory,
    Link,
    /// A FIFO, socket or device.
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryEntry {
    /// Entries whose names are not UTF-8 are omitted from listings.
    pub name: String,
    pub kind: FileKind,
}

/// No directory maintained by hand is larger; listing it would only cost time.
const MAX_ENTRIES: usize = 50_000;

/// Lists a directory, sorted by name, so that every run sees the same order.
pub fn list(path: &Path) -> FsResult<Vec<DirectoryEntry>> {
    list_up_to(path, MAX_ENTRIES)
}

/// Lists a directory that Symposium wrote itself, with any number of entries.
pub(crate) fn list_own(path: &Path) -> FsResult<Vec<DirectoryEntry>> {
    list_up_to(path, usize::MAX)
}

/// Lists a directory of at most `limit` entries.
pub(crate) fn list_up_to(path: &Path, limit: usize) -> FsResult<Vec<DirectoryEntry>> {
    let entry = |name: OsString, kind| name.into_string().ok().map(|name| DirectoryEntry { name, kind });
    let mut entries = read_entries(path, limit, entry)?;
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

/// Lists a directory, sorted by name, with the entries whose names are not UTF-8.
pub fn list_every_name(path: &Path) -> FsResult<Vec<(OsString, FileKind)>> {
    let mut entries = read_entries(path, MAX_ENTRIES, |name, kind| Some((name, kind)))?;
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(entries)
}

fn read_entries<E>(path: &Path, limit: usize, entry: impl Fn(OsString, FileKind) -> Option<E>) -> FsResult<Vec<E>> {
    let failed = |error| FsError::new(path, error);
    let mut entries = Vec::new();
    for found in fs::read_dir(path).map_err(failed)? {
        let found = found.map_err(failed)?;
        let kind = match found.file_type().map_err(failed)? {
            kind if kind.is_file() => FileKind::File,
            kind if kind.is_dir() => FileKind::Directory,
            kind if kind.is_symlink() => FileKind::Link,
            _ => FileKind::Other,
        };
        entries.extend(entry(found.file_name(), kind));
        if entries.len() > limit {
            return Err(FsError { path: path.to_owned(), kind: FsErrorKind::TooMany { limit } });
        }
    }
    Ok(entries)
}

pub(crate) fn can_list(path: &Path) -> FsResult<()> {
    fs::read_dir(path).map(drop).map_err(|error| FsError::new(path, error))
}

/// Counts the entries of a directory, including those whose names are not UTF-8.
pub fn count(path: &Path) -> FsResult<usize> {
    let entries =
        fs::read_dir(path).and_then(|mut entries| entries.try_fold(0, |count, entry| entry.map(|_| count + 1)));
    entries.map_err(|error| FsError::new(path, error))
}

/// Returns the size of a file; 0 if it cannot be examined.
pub fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.len())
}

pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

pub fn is_dir(path: &Path) -> bool {
    path.is_dir()
}

pub fn is_link(path: &Path) -> bool {
    path.is_symlink()
}

pub fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| may_run(&metadata))
}

#[cfg(unix)]
pub(crate) fn may_run(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
pub(crate) fn may_run(_metadata: &fs::Metadata) -> bool {
    false
}

pub fn exists(path: &Path) -> bool {
    path.exists()
}

/// Returns true if nothing is at the path, following links. A path that cannot be examined now may well exist.
pub fn is_gone(path: &Path) -> bool {
    match path.try_exists() {
        Ok(there) => !there,
        Err(error) => error.kind() == io::ErrorKind::NotADirectory,
    }
}

pub fn canonical(path: &Path) -> FsResult<PathBuf> {
    fs::canonicalize(path).map(without_verbatim).map_err(|error| FsError::new(path, error))
}

pub fn create_private_dir(path: &Path) -> FsResult<()> {
    parent_dirs::make(path, FileAudience::Owner).map(|_| ())
}

/// Name prefix of files and directories that Symposium has not finished.
pub(crate) const STAGING: &str = ".staging-";

/// Creates a directory beside the final location of its content; it is removed unless it is published.
pub(crate) fn staging_dir(parent: &Path) -> FsResult<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(STAGING);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o700));
    }
    let made = builder.tempdir_in(parent);
    made.map_err(|error| FsError::new(parent, without_path(error)))
}

/// Creates an empty directory for the user alone, which is removed when the value is dropped.
pub fn scratch_dir() -> FsResult<tempfile::TempDir> {
    tempfile::tempdir().map_err(|error| FsError::new(Path::new("the directory for temporary files"), error))
}

/// Writes a new file for the user alone, with its parent directories.
pub fn write_new(path: &Path, bytes: &[u8]) -> FsResult<()> {
    parent_dirs::make_for(path, FileAudience::Owner)?;
    write_with_mode(path, bytes, 0o600)
}

pub fn write_new_program(path: &Path, bytes: &[u8]) -> FsResult<()> {
    if let Some(parent) = path.parent() {
        create_private_dir(parent)?;
    }
    write_with_mode(path, bytes, 0o700)
}

pub fn replace(path: &Path, bytes: &[u8]) -> FsResult<()> {
    let failed = |error| FsError::new(path, error);
    let parent = path.parent().unwrap_or(path);
    let mut staged = tempfile::Builder::new().prefix(STAGING).tempfile_in(parent).map_err(failed)?;
    staged.write_all(bytes).and_then(|()| staged.as_file().sync_all()).map_err(failed)?;
    staged.persist(path).map(|_| ()).map_err(|error| FsError::new(path, error.error))
}

/// Replaces a file atomically by one that `write` creates at the given path, keeping the mode of the new file.
pub fn replace_by(path: &Path, write: impl FnOnce(&Path) -> FsResult<()>) -> FsResult<()> {
    let failed = |error| FsError::new(path, error);
    let parent = path.parent().unwrap_or(path);
    let staging = tempfile::Builder::new().prefix(STAGING).tempdir_in(parent).map_err(failed)?;
    let made = staging.path().join("file");
    write(&made)?;
    fs::rename(&made, path).map_err(failed)
}

/// Makes a link, with the directory it is in.
pub fn make_link(target: impl AsRef<Path>, link: &Path) -> FsResult<()> {
    if let Some(parent) = link.parent() {
        create_private_dir(parent)?;
    }
    #[cfg(unix)]
    let made = std::os::unix::fs::symlink(target.as_ref(), link);
    #[cfg(not(unix))]
    let made = {
        let _ = target;
        Err(io::Error::from(io::ErrorKind::Unsupported))
    };
    made.map_err(|error| FsError::new(link, error))
}

pub fn link_target(link: &Path) -> Option<String> {
    link_target_path(link)?.into_os_string().into_string().ok()
}

/// Returns the target of a link, which need not be UTF-8.
pub fn link_target_path(link: &Path) -> Option<PathBuf> {
    fs::read_link(link).ok()
}

/// Writes a new file of a size, without content.
pub fn write_new_blank(path: &Path, size: u64) -> FsResult<()> {
    write_new(path, b"")?;
    let file = OpenOptions::new().write(true).open(path).map_err(|error| FsError::new(path, error))?;
    file.set_len(size).map_err(|error| FsError::new(path, error))
}

/// Writes a new file of the user's project, with its parent directories.
pub fn write_new_shared(path: &Path, bytes: &[u8]) -> FsResult<()> {
    parent_dirs::make_for(path, FileAudience::Everybody)?;
    write_with_mode(path, bytes, 0o666)
}

pub fn write_new_executable(path: &Path, bytes: &[u8]) -> FsResult<()> {
    parent_dirs::make_for(path, FileAudience::Everybody)?;
    write_with_mode(path, bytes, 0o777)
}

/// The user's umask applies to `mode`.
fn write_with_mode(path: &Path, bytes: &[u8], mode: u32) -> FsResult<()> {
    let failed = |error| FsError::new(path, error);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(mode);
    }
    #[cfg(not(unix))]
    let _ = mode;
    let mut file = options.open(path).map_err(failed)?;
    file.write_all(bytes).map_err(failed)
}

/// Moves a finished staging directory into place. If another process was faster, its directory stays.
pub(crate) fn publish_dir(staging: tempfile::TempDir, target: &Path) -> FsResult<()> {
    match fs::rename(staging.path(), target) {
        Ok(()) => {
            // It has moved: nothing is left to remove.
            let _moved = staging.keep();
            Ok(())
        }
        Err(_) if target.is_dir() => Ok(()),
        Err(error) => Err(FsError::new(target, error)),
    }
}

pub fn create_log(path: &Path) -> FsResult<File> {
    parent_dirs::make_for(path, FileAudience::Owner)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path).map_err(|error| FsError::new(path, error))
}

pub(crate) fn open_private(path: &Path) -> FsResult<File> {
    parent_dirs::make_for(path, FileAudience::Owner)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // Opening does not wait for a pipe at that path.
        options.mode(0o600).custom_flags(OFlags::NONBLOCK.bits().cast_signed());
    }
    options.open(path).map_err(|error| FsError::new(path, error))
}

/// Returns true for a file and for a directory that is not empty.
pub fn has_content(path: &Path) -> bool {
    path.is_file() || fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some())
}

pub fn remove_empty_dirs(directories: &[PathBuf]) {
    for directory in directories {
        let _ = fs::remove_dir(directory);
    }
}

pub fn move_file(from: &Path, to: &Path) -> FsResult<()> {
    fs::rename(from, to).map_err(|error| FsError::new(from, error))
}

/// Moves a finished directory to `target` and discards the directory that was there.
pub(crate) fn replace_dir(finished: &Path, target: &Path) -> FsResult<()> {
    match crate::exchange::exchange(finished, target) {
        // The old directory is now at `finished`, and the caller removes it.
        Ok(()) => return Ok(()),
        Err(_) if target.is_dir() => remove_tree(target)?,
        Err(_) => {}
    }
    fs::rename(finished, target).map_err(|error| FsError::new(target, error))
}

/// Removes a directory with its content. What another process puts there meanwhile goes too, unless it never ends.
pub fn remove_tree(path: &Path) -> FsResult<()> {
    let until = Instant::now() + REMOVAL_PATIENCE;
    loop {
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty && Instant::now() < until => {
                thread::sleep(Duration::from_millis(5));
            }
            ended => return ended.map_err(|error| FsError::new(path, error)),
        }
    }
}

pub fn remove_file(path: &Path) -> FsResult<()> {
    fs::remove_file(path).map_err(|error| FsError::new(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work in the background may write to the cache while the user uninstalls.
    #[test]
    fn a_directory_is_removed_while_another_process_writes_to_it() {
        for _ in 0..5 {
            let home = tempfile::tempdir().unwrap();
            let place = home.path().join("cache");
            fs::create_dir(&place).unwrap();
            let target = place.clone();
            let writer = thread::spawn(move || {
                let end = Instant::now() + Duration::from_millis(200);
                for n in 0..1_000_000_u32 {
                    if Instant::now() > end || fs::write(target.join(n.to_string()), "").is_err() {
                        break;
                    }
                }
            });
            thread::sleep(Duration::from_millis(20));
            let removed = remove_tree(&place);
            writer.join().unwrap();
            assert!(removed.is_ok() && !place.exists(), "{removed:?}");
        }
    }
}
