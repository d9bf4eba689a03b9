//! Atomic updates of settings files that other programs write too, without overwriting their changes.
//!
//! A file that another program is writing is waited for (`unfinished_write`). The new text is exchanged with the file, and
//! the text taken out is compared with the one that the edit started from: if another program was faster, its text is
//! restored and the edit starts again from that (`replace`).
//!
//! No system compares and replaces in one step, so one gap remains: a program that writes between the last check and
//! the exchange, and reads again before its text is restored, sees Symposium's text without its own.
//!
//! For a moment the text that was taken out is in a temporary file. The name of that file says which texts may be
//! deleted; if Symposium is killed in that moment, the next run restores any other text (`stale_temp`).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::dir_handle::{DirHandle, PinError};
use crate::fs as files;
use crate::parent_dirs::{FileAudience, make_for};
use crate::replace::{StepResult, create, delete, overwrite, replace};
use crate::stale_temp::restore;
use crate::unfinished_write::RestWatch;

pub use crate::fs::MAX_SETTINGS;

/// The time to wait for a program that rewrites the file all the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WritePatience {
    /// A user ran a command and wants it done.
    Long,
    /// An agent waits for the result.
    Short,
}

impl WritePatience {
    fn deadline(self) -> Instant {
        let patience = match self {
            Self::Long => Duration::from_secs(10),
            Self::Short => Duration::from_millis(800),
        };
        Instant::now() + patience
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingsChange {
    Keep,
    Write(String),
    Delete,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsUpdate {
    pub before: Option<String>,
    pub after: Option<String>,
    /// Parent directories that were created, outermost first.
    pub created: Vec<PathBuf>,
}

impl SettingsUpdate {
    pub fn changed(&self) -> bool {
        self.before != self.after
    }
}

#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct SettingsError<E: std::error::Error + 'static> {
    pub path: PathBuf,
    #[source]
    pub kind: SettingsErrorKind<E>,
}

#[derive(Debug, thiserror::Error)]
pub enum SettingsErrorKind<E: std::error::Error + 'static> {
    #[error("a broken link")]
    DanglingLink,
    #[error("a link leads outside the project")]
    LeavesProject,
    /// Other programs rewrote it faster than it could be edited, or one of them has it open for writing.
    #[error("another program is writing it")]
    Busy,
    /// Replacing the file would leave its other names with the old content.
    #[error("it is a hard link: the file has {names} names")]
    HardLink { names: u64 },
    #[error(transparent)]
    Edit(E),
    #[error(transparent)]
    File(#[from] files::FsErrorKind),
}

/// Reads a file of the user that other programs write too, after any unfinished write. A file that is missing because a
/// run of Symposium was killed is restored first. `None` when it does not exist.
pub fn read_whole(path: &Path, limit: u64) -> files::FsResult<Option<String>> {
    match read_whole_by(path, || files::read_text(path, limit)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}

pub fn read_whole_by(path: &Path, read: impl Fn() -> files::FsResult<String>) -> files::FsResult<String> {
    let busy = || files::FsError { path: path.to_owned(), kind: files::FsErrorKind::BeingWritten };
    let found =
        RestWatch::default().read_whole(path, WritePatience::Short.deadline(), &read).unwrap_or_else(|| Err(busy()));
    match found {
        Err(error) if error.is_not_found() && !path.is_symlink() => {
            restore(directory_of(path));
            read()
        }
        found => found,
    }
}

/// Edits a file. `edit` gets the current text, `None` when there is no file, and may be called several times.
///
/// A link is followed to its file, which keeps its mode. With `inside`, neither the link nor a parent directory may
/// lead out of that directory.
pub fn update<E: std::error::Error + 'static>(
    path: &Path,
    inside: Option<&Path>,
    patience: WritePatience,
    edit: impl FnMut(Option<&str>) -> Result<SettingsChange, E>,
) -> Result<SettingsUpdate, SettingsError<E>> {
    update_for(path, inside, FileAudience::Everybody, patience, edit)
}

/// Like [`update`], for a file that is accessible to the user alone from the first moment, with its new parent
/// directories.
pub fn update_private<E: std::error::Error + 'static>(
    path: &Path,
    patience: WritePatience,
    edit: impl FnMut(Option<&str>) -> Result<SettingsChange, E>,
) -> Result<SettingsUpdate, SettingsError<E>> {
    update_for(path, None, FileAudience::Owner, patience, edit)
}

/// Writes a file that only Symposium writes, for the user alone; `None` removes it. The caller holds the lock.
pub fn write_own(path: &Path, text: Option<&str>) -> files::FsResult<()> {
    let failed = |error| files::FsError::new(path, error);
    let target = if path.is_symlink() { files::canonical(path)? } else { path.to_owned() };
    let Some(text) = text else {
        return match fs::remove_file(&target) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
            Ok(()) | Err(_) => Ok(()),
        };
    };
    if files::read(&target, MAX_SETTINGS).is_ok_and(|found| found == text.as_bytes()) {
        return Ok(());
    }
    make_for(&target, FileAudience::Owner)?;
    overwrite(&target, text, FileAudience::Owner).map_err(failed)
}

fn update_for<E: std::error::Error + 'static>(
    path: &Path,
    inside: Option<&Path>,
    audience: FileAudience,
    patience: WritePatience,
    mut edit: impl FnMut(Option<&str>) -> Result<SettingsChange, E>,
) -> Result<SettingsUpdate, SettingsError<E>> {
    let failed = |kind| SettingsError { path: path.to_owned(), kind };
    let deadline = patience.deadline();
    let mut watch = RestWatch::default();
    let mut created = Vec::new();
    loop {
        let target = resolve(path, inside).map_err(failed)?;
        let current = watch.read_whole(&target, deadline, || read(&target));
        let current = current.unwrap_or(Err(SettingsErrorKind::Busy)).map_err(failed)?;
        let change = edit(current.as_deref()).map_err(|error| failed(SettingsErrorKind::Edit(error)))?;
        match (&change, &current) {
            (SettingsChange::Keep, _) | (SettingsChange::Delete, None) => return Ok(unchanged(current)),
            (SettingsChange::Write(text), Some(before)) if text == before => return Ok(unchanged(current)),
            (SettingsChange::Write(_), Some(_)) => has_one_name(&target).map_err(failed)?,
            (SettingsChange::Write(_), None) | (SettingsChange::Delete, Some(_)) => {}
        }
        let (_pinned, target, made) = hold(&target, inside, audience).map_err(failed)?;
        created.extend(made);
        let done = match (&change, &current) {
            (SettingsChange::Keep, _) | (SettingsChange::Delete, None) => return Ok(unchanged(current)),
            (SettingsChange::Write(text), None) => create(&target, text, audience),
            (SettingsChange::Write(text), Some(before)) => replace(&target, before, text, audience),
            (SettingsChange::Delete, Some(before)) => delete(&target, before),
        };
        let done = done.map_err(|error| failed(files::FsErrorKind::from(error).into()))?;
        if done == StepResult::Yes {
            let after = match change {
                SettingsChange::Write(text) => Some(text),
                SettingsChange::Keep | SettingsChange::Delete => None,
            };
            return Ok(SettingsUpdate { before: current, after, created });
        }
        if Instant::now() > deadline {
            return Err(failed(SettingsErrorKind::Busy));
        }
        watch.suspect();
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Refuses a file with several hard links. All of them belong to the user, and giving each the new text would require
/// overwriting in place, which is not atomic.
#[cfg(unix)]
fn has_one_name<E: std::error::Error>(target: &Path) -> Result<(), SettingsErrorKind<E>> {
    use std::os::unix::fs::MetadataExt;
    match fs::metadata(target) {
        Ok(metadata) if metadata.nlink() > 1 => Err(SettingsErrorKind::HardLink { names: metadata.nlink() }),
        Ok(_) | Err(_) => Ok(()),
    }
}

#[cfg(not(unix))]
fn has_one_name<E: std::error::Error>(_target: &Path) -> Result<(), SettingsErrorKind<E>> {
    Ok(())
}

/// Returns a path of the file that other programs cannot redirect if it must be `inside` a directory, and the
/// directories created for it.
fn hold<E: std::error::Error>(
    target: &Path,
    inside: Option<&Path>,
    audience: FileAudience,
) -> Result<(Option<DirHandle>, PathBuf, Vec<PathBuf>), SettingsErrorKind<E>> {
    let Some(inside) = inside else {
        let made = make_for(target, audience).map_err(|error| error.kind)?;
        return Ok((None, target.to_owned(), made));
    };
    match DirHandle::with_parents(directory_of(target), inside, audience) {
        Ok((pinned, made)) => {
            let place = pinned.path().join(target.file_name().unwrap_or_default());
            Ok((Some(pinned), place, made))
        }
        Err(PinError::LeavesProject) => Err(SettingsErrorKind::LeavesProject),
        Err(PinError::File(error)) => Err(error.kind.into()),
    }
}

fn unchanged(current: Option<String>) -> SettingsUpdate {
    SettingsUpdate { before: current.clone(), after: current, created: Vec::new() }
}

fn resolve<E: std::error::Error>(path: &Path, inside: Option<&Path>) -> Result<PathBuf, SettingsErrorKind<E>> {
    let target = if path.is_symlink() {
        files::canonical(path).map_err(|_| SettingsErrorKind::DanglingLink)?
    } else {
        path.to_owned()
    };
    let Some(inside) = inside else { return Ok(target) };
    let root = files::canonical(inside).map_err(|error| error.kind)?;
    // The nearest existing directory decides: what is created below it cannot be a link yet.
    let existing = target.ancestors().skip(1).find(|parent| parent.exists());
    match existing.map(files::canonical) {
        Some(Ok(parent)) if parent.starts_with(&root) => Ok(target),
        Some(Ok(_)) | None => Err(SettingsErrorKind::LeavesProject),
        Some(Err(error)) => Err(error.kind.into()),
    }
}

fn read<E: std::error::Error>(target: &Path) -> Result<Option<String>, SettingsErrorKind<E>> {
    files::read_text_if_there(target, MAX_SETTINGS).map_err(|error| error.kind.into())
}

fn directory_of(target: &Path) -> &Path {
    target.parent().unwrap_or(Path::new("."))
}
