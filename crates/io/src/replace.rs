//! The steps by which a file gets another text, or goes: each is carried out whole, or undone when another program was
//! faster.
//!
//! The new text is written beside the file and changes places with it. What that brings out is compared with what was
//! expected there, now and a moment later: a program that had the file open goes on writing to what was brought out. If
//! it differs it goes back.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use tempfile::TempPath;

use crate::exchange::place;
use crate::fs as files;
use crate::parent_dirs::FileAudience;
use crate::stale_temp::{WRITING, WRITING_SUFFIX, swap_beside, trade};
use crate::write_rest;

/// Whether a step was carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepResult {
    Yes,
    /// Another program changed the file first, and what it wrote is there.
    AnotherWasFaster,
}

/// Creates the file, unless another program just did.
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

/// Makes `text` the content of a file, whatever is in it.
pub(crate) fn overwrite(target: &Path, text: &str, audience: FileAudience) -> io::Result<()> {
    stage(target, text, audience)?.persist(target).map_err(|error| error.error)?;
    sync_directory(target);
    Ok(())
}

/// Replaces the file, unless it is no longer what the edit started from.
pub(crate) fn replace(target: &Path, before: &str, text: &str, audience: FileAudience) -> io::Result<StepResult> {
    let staged = stage(target, text, audience)?.into_temp_path();
    let swap = swap_beside(target, before, Some(text), |path| fs::rename(&staged, path))?;
    // It has moved: nothing is left to remove.
    let _moved = staged.keep();
    // Looking last keeps the moment rare in which others could see a text of ours that is about to go back.
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

/// Puts back what another program wrote to the file that we took from its place.
fn give_back(swap: TempPath, target: &Path, text: &str) -> io::Result<StepResult> {
    let back = match trade(&swap, target) {
        // Ours was removed meanwhile.
        Err(error) if error.kind() == io::ErrorKind::NotFound => place(&swap, target),
        Ok(()) if !stays(&swap, text) => {
            // They wrote to ours meanwhile. That is newer and stays; what they wrote before is kept beside it.
            let again = trade(&swap, target);
            let _kept = swap.keep();
            return again.map(|()| StepResult::AnotherWasFaster);
        }
        back => back,
    };
    if let Err(error) = back {
        // It is all there is of their text now: better a file too many than that lost.
        let _kept = swap.keep();
        return if is_gone_or_taken(&error) { Ok(StepResult::AnotherWasFaster) } else { Err(error) };
    }
    Ok(StepResult::AnotherWasFaster)
}

/// Removes the file, unless it is no longer what the edit started from.
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
    // Not what we meant to remove: it goes back, unless a newer one took its place; then both are kept.
    let back = place(&aside, target);
    let _moved = aside.keep();
    match back {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => Ok(StepResult::AnotherWasFaster),
    }
}

/// Whether what we took from its place is what we expected there, and stays so.
fn stays(path: &Path, text: &str) -> bool {
    write_rest::stays(path, || holds(path, text))
}

fn holds(path: &Path, text: &str) -> bool {
    files::read(path, files::MAX_SETTINGS).is_ok_and(|bytes| bytes == text.as_bytes())
}

fn is_gone_or_taken(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists)
}

/// Writes the text to a temporary file beside the target, on disk for good. What goes wrong is said without a path: the
/// name of that file means nothing to anybody.
fn stage(target: &Path, text: &str, audience: FileAudience) -> io::Result<tempfile::NamedTempFile> {
    let existing = fs::metadata(target).ok();
    // A new file gets what any program would give it. The copy of an existing one is private until it has that one's
    // mode: there may be secrets in it.
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
    staged.as_file().sync_all()?;
    Ok(staged)
}

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

/// A file edited by the superuser stays its owner's. Nobody else may give files away, so a refusal is no fault.
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

/// The rename itself survives a power cut only when the directory is on disk too. Best effort: not every system can.
fn sync_directory(target: &Path) {
    if let Some(directory) = target.parent().and_then(|parent| File::open(parent).ok()) {
        let _ = directory.sync_all();
    }
}
