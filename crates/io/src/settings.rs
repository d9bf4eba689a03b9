//! Replaces a settings file that other programs write too: whole or not at all, and never over what they just wrote.
//!
//! A file that another program is in the middle of writing is waited for ([`crate::rest`]). The new text changes places
//! with the file, and what that brings out is compared with what the edit started from: if another program was faster,
//! its text goes back and the edit starts again from that ([`crate::replace`]).
//!
//! No system compares and replaces in one step, so one moment remains: who writes between our look and the exchange, and
//! reads again before their text is back, sees ours without theirs.
//!
//! For a moment the text that was brought out is in a file with a name of ours. That name says which texts may be thrown
//! away; so if we are killed in that moment, the next run puts any other back ([`crate::leftovers`]).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::dir_handle::{DirHandle, PinError};
use crate::fs as files;
use crate::parent_dirs::{FileAudience, make_for};
use crate::replace::{StepResult, create, delete, overwrite, replace};
use crate::stale_temp::restore;
use crate::write_rest::RestWatch;

pub use crate::fs::MAX_SETTINGS;

/// How long to try against a program that rewrites the file all the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WritePatience {
    /// A person ran a command, and wants it done.
    Long,
    /// An agent waits for the end of this.
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
    /// Leave the file as it is.
    Keep,
    Write(String),
    Delete,
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsUpdate {
    /// Its text before; `None` when it was not there.
    pub before: Option<String>,
    /// Its text now; `None` when it is not there.
    pub after: Option<String>,
    /// Directories made for it, outermost first.
    pub created: Vec<PathBuf>,
}

impl SettingsUpdate {
    pub fn changed(&self) -> bool {
        self.before != self.after
    }
}

/// Why a settings file was left alone.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct SettingsError<E: std::error::Error + 'static> {
    pub path: PathBuf,
    #[source]
    pub kind: SettingsErrorKind<E>,
}

/// The reasons for which a settings file is left alone.
#[derive(Debug, thiserror::Error)]
pub enum SettingsErrorKind<E: std::error::Error + 'static> {
    /// It is a link to something that does not exist.
    #[error("a link that leads nowhere")]
    DanglingLink,
    /// A link on the way leads out of the project.
    #[error("a link leads out of the project")]
    LeavesProject,
    /// Others rewrote it faster than we could edit it, or one of them has it open for writing.
    #[error("another program is writing it")]
    Busy,
    /// It is one file with several names, of which replacing it would leave the others behind.
    #[error("it is a hard link: the file has {names} names")]
    HardLink {
        /// How many names it has.
        names: u64,
    },
    /// Its content cannot be edited.
    #[error(transparent)]
    Edit(E),
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] files::FsErrorKind),
}

/// Reads a file of the user that other programs write too, once none of them is in the middle of that. One that is missing
/// because a run of ours was killed is put back first. `None` when it is not there.
pub fn read_whole(path: &Path, limit: u64) -> files::FsResult<Option<String>> {
    match read_whole_by(path, || files::read_text(path, limit)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads such a file by `read`.
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
/// A link is followed to the file it stands for, which keeps its mode. With `inside`, neither the link nor a directory
/// on the way may lead out of that directory.
pub fn update<E: std::error::Error + 'static>(
    path: &Path,
    inside: Option<&Path>,
    patience: WritePatience,
    edit: impl FnMut(Option<&str>) -> Result<SettingsChange, E>,
) -> Result<SettingsUpdate, SettingsError<E>> {
    update_for(path, inside, FileAudience::Everybody, patience, edit)
}

/// Like [`update`], for a file that is for the user alone from the first moment, with the directories made for it.
pub fn update_private<E: std::error::Error + 'static>(
    path: &Path,
    patience: WritePatience,
    edit: impl FnMut(Option<&str>) -> Result<SettingsChange, E>,
) -> Result<SettingsUpdate, SettingsError<E>> {
    update_for(path, None, FileAudience::Owner, patience, edit)
}

/// Makes `text` the content of a file that nothing but Symposium writes, for the user alone; `None` removes it. The
/// caller holds the lock.
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

/// Refuses a file that has other names too. Each of them is the user's, and only one could get the new text without
/// writing over the old one, which would not be whole for a moment.
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

/// The file by a path that nobody can bend any more, where it must be inside something; and the directories made for it.
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

/// The file behind a link, and whether it may be written.
fn resolve<E: std::error::Error>(path: &Path, inside: Option<&Path>) -> Result<PathBuf, SettingsErrorKind<E>> {
    let target = if path.is_symlink() {
        fs::canonicalize(path).map_err(|_| SettingsErrorKind::DanglingLink)?
    } else {
        path.to_owned()
    };
    let Some(inside) = inside else { return Ok(target) };
    let root = files::canonical(inside).map_err(|error| error.kind)?;
    // The nearest directory that exists decides: what is made below it cannot be a link yet.
    let existing = target.ancestors().skip(1).find(|parent| parent.exists());
    match existing.map(fs::canonicalize) {
        Some(Ok(parent)) if parent.starts_with(&root) => Ok(target),
        Some(Ok(_)) | None => Err(SettingsErrorKind::LeavesProject),
        Some(Err(error)) => Err(files::FsErrorKind::from(error).into()),
    }
}

fn read<E: std::error::Error>(target: &Path) -> Result<Option<String>, SettingsErrorKind<E>> {
    files::read_text_if_there(target, MAX_SETTINGS).map_err(|error| error.kind.into())
}

fn directory_of(target: &Path) -> &Path {
    target.parent().unwrap_or(Path::new("."))
}
