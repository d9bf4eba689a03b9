//! Atomic creation, replacement and removal of a file: each is completed, or undone when another program was faster.
//!
//! The new text is written beside the file and exchanged with it. The file that was taken out is compared with the
//! expected text, at once and a moment later: a program that had the file open continues to write to it. If it differs,
//! it is restored.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
#[cfg(unix)]
use std::time::Duration;

use tempfile::TempPath;

use crate::exchange::place;
use crate::fs as files;
use crate::parent_dirs::FileAudience;
use crate::stale_temp::{WRITING, WRITING_SUFFIX, swap_beside, trade};
use crate::unfinished_write;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepResult {
    Yes,
    /// Another program changed the file first, and its text is in place.
    AnotherWasFaster,
}

pub(crate) fn create(target: &Path, text: &str, audience: FileAudience) -> io::Result<StepResult> {
    let staged = stage(target, text, audience)?.into_temp_path();
    match place(&staged, target) {
        Ok(()) => {
            // It has moved: nothing is left to remove.
            let _moved = staged.keep();
            sync_directory(target);
            Ok(StepResult::Yes)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(StepResult::AnotherWasFaster),
        Err(error) => Err(error),
    }
}

pub(crate) fn overwrite(target: &Path, text: &str, audience: FileAudience) -> io::Result<()> {
    stage(target, text, audience)?.persist(target).map_err(|error| error.error)?;
    sync_directory(target);
    Ok(())
}

/// Replaces the file, unless it no longer contains `before`.
pub(crate) fn replace(target: &Path, before: &str, text: &str, audience: FileAudience) -> io::Result<StepResult> {
    let staged = stage(target, text, audience)?.into_temp_path();
    let swap = swap_beside(target, before, Some(text), |path| fs::rename(&staged, path))?;
    // It has moved: nothing is left to remove.
    let _moved = staged.keep();
    // A check at the last moment makes it rare that other programs see a text that is about to be replaced again.
    if !holds(target, before) {
        return Ok(StepResult::AnotherWasFaster);
    }
    match trade(&swap, target) {
        Ok(()) if stays(&swap, before) => {
            sync_directory(target);
            Ok(StepResult::Yes)
        }
        Ok(()) => give_back(swap, target, text),
        Err(error) if is_gone_or_taken(&error) => Ok(StepResult::AnotherWasFaster),
        Err(error) => Err(error),
    }
}

/// Restores the text of another program that was taken out of place.
fn give_back(swap: TempPath, target: &Path, text: &str) -> io::Result<StepResult> {
    let back = match trade(&swap, target) {
        // The new file was removed meanwhile.
        Err(error) if error.kind() == io::ErrorKind::NotFound => place(&swap, target),
        Ok(()) if !stays(&swap, text) => {
            // Another program wrote to the new file meanwhile. That text is newer and stays; its previous text is kept
            // beside it.
            let again = trade(&swap, target);
            let _kept = swap.keep();
            return again.map(|()| StepResult::AnotherWasFaster);
        }
        back => back,
    };
    if let Err(error) = back {
        // This is the only copy of the other program's text: a superfluous file is better than a lost text.
        let _kept = swap.keep();
        return if is_gone_or_taken(&error) { Ok(StepResult::AnotherWasFaster) } else { Err(error) };
    }
    Ok(StepResult::AnotherWasFaster)
}

/// Removes the file, unless it no longer contains `before`.
pub(crate) fn delete(target: &Path, before: &str) -> io::Result<StepResult> {
    let aside = match swap_beside(target, before, None, |path| fs::rename(target, path)) {
        Ok(aside) => aside,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(StepResult::AnotherWasFaster),
        Err(error) => return Err(error),
    };
    if stays(&aside, before) {
        sync_directory(target);
        return Ok(StepResult::Yes);
    }
    // Not the file that was to be removed: it is restored, unless a newer one took its place; then both are kept.
    let back = place(&aside, target);
    let _moved = aside.keep();
    match back {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => Ok(StepResult::AnotherWasFaster),
    }
}

/// Returns true if the file that was taken out has the expected text, now and a moment later.
fn stays(path: &Path, text: &str) -> bool {
    unfinished_write::stays(path, || holds(path, text))
}

fn holds(path: &Path, text: &str) -> bool {
    files::read(path, files::MAX_SETTINGS).is_ok_and(|bytes| bytes == text.as_bytes())
}

fn is_gone_or_taken(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists)
}

/// Writes the text to a temporary file beside the target and syncs it. Errors do not contain a path: the name of that
/// file means nothing to the user.
fn stage(target: &Path, text: &str, audience: FileAudience) -> io::Result<tempfile::NamedTempFile> {
    let existing = fs::metadata(target).ok();
    // A new file gets the usual mode. The copy of an existing one is private until it has the mode of that one: it may
    // contain secrets.
    let mode = match (&existing, audience) {
        (None, FileAudience::Everybody) => 0o666,
        (Some(_), FileAudience::Everybody) | (_, FileAudience::Owner) => 0o600,
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(WRITING).suffix(WRITING_SUFFIX);
    let mut staged = builder.make_in(directory_of(target), |path| create_new(path, mode))?;
    staged.as_file_mut().write_all(text.as_bytes())?;
    if let Some(metadata) = existing {
        keep_owner(staged.as_file(), &metadata);
        match audience {
            FileAudience::Everybody => staged.as_file().set_permissions(metadata.permissions())?,
            FileAudience::Owner => {}
        }
    }
    show_as_whole(staged.as_file());
    staged.as_file().sync_all()?;
    Ok(staged)
}

/// Sets the time of the last write a nanosecond back, so that it is before the time of the last change of name or mode.
/// Otherwise both are alike if the rename is fast, and the next run searches all processes for a writer of the file.
#[cfg(unix)]
fn show_as_whole(file: &File) {
    let modified = file.metadata().and_then(|metadata| metadata.modified());
    let before = modified.ok().and_then(|time| time.checked_sub(Duration::from_nanos(1)));
    // Without it the search is slower and finds the same.
    let _ = before.map(|before| file.set_modified(before));
}

#[cfg(not(unix))]
fn show_as_whole(_file: &File) {}

fn create_new(path: &Path, mode: u32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(mode);
    }
    #[cfg(not(unix))]
    let _ = mode;
    options.open(path)
}

/// Keeps the owner of a file that root edits. No other user can change owners, so errors are ignored.
#[cfg(unix)]
fn keep_owner(file: &File, metadata: &fs::Metadata) {
    use std::os::unix::fs::MetadataExt;
    let _ = std::os::unix::fs::fchown(file, Some(metadata.uid()), Some(metadata.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _metadata: &fs::Metadata) {}

fn directory_of(target: &Path) -> &Path {
    target.parent().unwrap_or(Path::new("."))
}

/// Makes the rename survive a power cut, which requires the directory to be on disk too. Best effort: not every system
/// can.
fn sync_directory(target: &Path) {
    if let Some(directory) = target.parent().and_then(|parent| File::open(parent).ok()) {
        let _ = directory.sync_all();
    }
}
