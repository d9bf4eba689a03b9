//! File access of the hot path, which reads and writes only Symposium's own files.
#![expect(clippy::disallowed_methods, reason = "the hot path does not link the crate that owns files")]

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use symposium_model::authority::project::PathOwnership;
use symposium_model::crates::lexical_path::without_verbatim;

use super::clock;

const TEMPORARY: &str = ".tmp";

pub(crate) fn is_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file())
}

pub(crate) fn exists(path: &Path) -> bool {
    fs::metadata(path).is_ok()
}

#[cfg(unix)]
pub(crate) fn ownership(path: &Path) -> Option<PathOwnership> {
    use std::os::unix::fs::MetadataExt;
    let found = fs::metadata(path).ok()?;
    Some(PathOwnership { owner: found.uid(), mode: found.mode() })
}

#[cfg(not(unix))]
pub(crate) fn ownership(_: &Path) -> Option<PathOwnership> {
    None
}

#[cfg(unix)]
pub(crate) fn caller() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
pub(crate) fn caller() -> u32 {
    0
}

pub(crate) fn is_dir(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_dir())
}

pub(crate) fn canonical(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok().map(without_verbatim)
}

pub(crate) fn read_link(path: &Path) -> Option<PathBuf> {
    fs::read_link(path).ok()
}

/// Reads one of Symposium's files of at most `limit` bytes; `None` when it is missing, larger or unreadable.
pub(crate) fn read(path: &Path, limit: u64) -> Option<Vec<u8>> {
    let file = open(path).ok()?;
    let length = file.metadata().ok().filter(|found| found.is_file() && found.len() <= limit)?.len();
    read_up_to(file, length)
}

/// Reads the first `limit` bytes of a regular file.
pub(crate) fn read_start(path: &Path, limit: u64) -> Option<Vec<u8>> {
    let file = open(path).ok()?;
    let length = file.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    read_up_to(file, length.min(limit))
}

/// Reads the length that a file had when it was opened; an addition meanwhile is left to the next reader.
fn read_up_to(mut file: File, length: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    let mut filled = 0;
    while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match file.read(rest) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    bytes.truncate(filled);
    Some(bytes)
}

/// Opens a file for reading, without waiting for a pipe at that path. The direct call saves the second system call that
/// some C libraries make.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    Ok(rustix::fs::open(path, OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK, Mode::empty())?.into())
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Appends to a file with one write, creating it and its directory if missing.
pub(crate) fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    restrict_to_user(&mut options);
    let mut file = match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make_parent(path)?;
            options.open(path)?
        }
        opened => opened?,
    };
    file.write_all(bytes)
}

/// Writes a file atomically: a concurrent reader sees the old or the new content.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}{TEMPORARY}", std::process::id()));
    let temporary = path.with_file_name(name);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    restrict_to_user(&mut options);
    make_parent(path)?;
    let written = options.open(&temporary).and_then(|mut file| file.write_all(bytes));
    let moved = written.and_then(|()| fs::rename(&temporary, path));
    if moved.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    moved
}

/// Renames a file that has grown to `limit`, replacing the previously renamed one.
pub(crate) fn rotate(path: &Path, limit: u64, old: &Path) {
    let is_full = || fs::metadata(path).is_ok_and(|found| found.len() >= limit);
    if !is_full() {
        return;
    }
    // Several processes may notice this at once. One of them renames the file; later ones find the new file, which is
    // small.
    let Ok(file) = open(path) else { return };
    if file.try_lock().is_ok() && is_full() {
        let _ = fs::rename(path, old);
    }
}

pub(crate) struct RetentionRule<'a> {
    /// Files modified within this time are kept.
    pub(crate) age: Duration,
    /// Files whose names begin with one of these are kept regardless of their age.
    pub(crate) kept: &'a [&'a str],
    /// The number of the newest counted files that are kept.
    pub(crate) most: usize,
    pub(crate) is_counted: fn(&str) -> bool,
}

pub(crate) fn prune(directory: &Path, retention: &RetentionRule<'_>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    let mut counted = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // A temporary file of a killed writer belongs to no process, regardless of its name.
        if retention.kept.iter().any(|prefix| name.starts_with(prefix)) && !name.ends_with(TEMPORARY) {
            continue;
        }
        let modified = entry.metadata().ok().filter(fs::Metadata::is_file).and_then(|found| found.modified().ok());
        let Some(modified) = modified else { continue };
        if clock::is_older(modified, retention.age) {
            let _ = fs::remove_file(entry.path());
        } else if (retention.is_counted)(&name) {
            counted.push((modified, entry.path()));
        }
    }
    counted.sort_unstable_by(|one, other| other.cmp(one));
    for (_, path) in counted.into_iter().skip(retention.most) {
        let _ = fs::remove_file(path);
    }
}

/// Lists the names in a directory, at most `most` of them; none if it cannot be read.
pub(crate) fn names(directory: &Path, most: usize) -> Vec<String> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    entries.flatten().take(most).filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

pub(crate) fn is_younger(path: &Path, age: Duration) -> bool {
    let written = fs::metadata(path).and_then(|found| found.modified());
    written.is_ok_and(|time| !clock::is_older(time, age))
}

pub(crate) fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}

/// Opens a file only to lock it. `None` when another process holds the lock.
pub(crate) fn try_lock(path: &Path) -> Option<File> {
    let file = open_lock(path)?;
    file.try_lock().ok().map(|()| file)
}

pub(crate) fn try_share_lock(path: &Path) -> Option<File> {
    let file = open_lock(path)?;
    file.try_lock_shared().ok().map(|()| file)
}

fn open_lock(path: &Path) -> Option<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    restrict_to_user(&mut options);
    make_parent(path).ok()?;
    options.open(path).ok()
}

/// Returns true if another process holds the lock on a file. A missing file is not locked.
pub(crate) fn is_locked(path: &Path) -> bool {
    let file = open(path).ok();
    file.is_some_and(|file| matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
}

fn make_parent(path: &Path) -> io::Result<()> {
    let Some(parent) = path.parent() else { return Ok(()) };
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(parent)
}

/// Makes the file accessible to the user alone, and opening it not wait for the reader of a pipe at that path.
#[cfg(unix)]
pub(super) fn restrict_to_user(options: &mut OpenOptions) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600).custom_flags(OFlags::NONBLOCK.bits().cast_signed());
}

#[cfg(not(unix))]
pub(super) fn restrict_to_user(_: &mut OpenOptions) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_is_renaming_is_left_to_it() {
        let home = tempfile::tempdir().unwrap();
        let (now, old) = (home.path().join("now"), home.path().join("old"));
        fs::write(&now, "0123456789").unwrap();
        fs::write(&old, "old").unwrap();
        let held = File::open(&now).unwrap();
        held.lock().unwrap();
        rotate(&now, 10, &old);
        assert_eq!((fs::read(&now).unwrap().len(), fs::read(&old).unwrap().len()), (10, 3));
        drop(held);
        rotate(&now, 11, &old);
        assert!(now.exists(), "it is not that large");
        rotate(&now, 10, &old);
        assert_eq!((now.exists(), fs::read(&old).unwrap().len()), (false, 10));
        rotate(&now, 10, &old);
        assert_eq!(fs::read(&old).unwrap().len(), 10);
    }

    /// Each process sees the large file and writes a little to the new one: the large one must not be lost.
    #[test]
    fn many_at_once_rename_a_large_file_once() {
        let home = tempfile::tempdir().unwrap();
        let (now, old) = (home.path().join("now"), home.path().join("old"));
        for round in 0..200 {
            fs::write(&now, [b'x'; 100]).unwrap();
            let barrier = std::sync::Barrier::new(8);
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| {
                        barrier.wait();
                        rotate(&now, 100, &old);
                        append(&now, b"y").unwrap();
                    });
                }
            });
            assert!(fs::read(&old).unwrap().starts_with(&[b'x'; 100]), "round {round}");
        }
    }

    #[test]
    fn what_is_kept_stays_and_what_was_left_half_written_goes() {
        let home = tempfile::tempdir().unwrap();
        let old = std::time::SystemTime::now() - Duration::from_hours(48);
        for name in ["workspace-1", "workspace-1.77.tmp", "claude-2"] {
            File::create(home.path().join(name)).unwrap().set_modified(old).unwrap();
        }
        fs::write(home.path().join("workspace-3.88.tmp"), "new").unwrap();
        let age = Duration::from_hours(24);
        prune(home.path(), &RetentionRule { age, kept: &["workspace-"], most: 0, is_counted: |_| false });
        let mut left: Vec<_> = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["workspace-1", "workspace-3.88.tmp"]);
    }
}
