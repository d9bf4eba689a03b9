//! Replaces a settings file that other programs write too: whole or not at all, and never over what they just wrote.
//!
//! The new text is written beside the file and exchanged with it in one step. What the exchange brings out is compared
//! with what the edit started from: if another program was faster, its text goes back and the edit starts again from
//! that. Where the system cannot exchange files, the comparison comes right before a plain rename.
//!
//! No system compares and replaces in one step, so one moment remains: who writes between our look and the exchange, and
//! reads again before their text is back, sees ours without theirs.
//!
//! For a moment the text that was brought out is in a file with a name of ours. That name says which texts may be thrown
//! away; so if we are killed in that moment, the next run puts any other back ([`crate::leftovers`]).

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::exchange::{cannot_exchange, exchange};
use crate::fs as files;
use crate::leftovers::{WRITING, WRITING_SUFFIX, swap_beside};
use crate::parents::{Audience, make_for};
use crate::pinned::{PinError, Pinned};

pub use crate::fs::MAX_SETTINGS;

/// How long to try against a program that rewrites the file all the time.
const PATIENCE: Duration = Duration::from_secs(10);

/// What an edit wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Leave the file as it is.
    Keep,
    /// Make this its content.
    Write(String),
    /// Remove it.
    Delete,
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// Its text before; `None` when it was not there.
    pub before: Option<String>,
    /// Its text now; `None` when it is not there.
    pub after: Option<String>,
    /// Directories made for it, outermost first.
    pub created: Vec<PathBuf>,
}

impl Update {
    /// Whether anything was written.
    pub fn changed(&self) -> bool {
        self.before != self.after
    }
}

/// Why a settings file was left alone.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct SettingsError<E: std::error::Error + 'static> {
    /// The file.
    pub path: PathBuf,
    /// The reason.
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
    /// Others rewrote it faster than we could edit it.
    #[error("another program keeps rewriting it")]
    Busy,
    /// Its content cannot be edited.
    #[error(transparent)]
    Edit(E),
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] files::FsErrorKind),
}

/// Edits a file. `edit` gets the current text, `None` when there is no file, and may be called several times.
///
/// A link is followed to the file it stands for, which keeps its mode. With `inside`, neither the link nor a directory
/// on the way may lead out of that directory.
pub fn update<E: std::error::Error + 'static>(
    path: &Path,
    inside: Option<&Path>,
    edit: impl FnMut(Option<&str>) -> Result<Change, E>,
) -> Result<Update, SettingsError<E>> {
    update_for(path, inside, Audience::Everybody, edit)
}

/// Like [`update`], for a file of ours: it and the directories made for it are for the user alone from the first moment.
pub fn update_private<E: std::error::Error + 'static>(
    path: &Path,
    edit: impl FnMut(Option<&str>) -> Result<Change, E>,
) -> Result<Update, SettingsError<E>> {
    update_for(path, None, Audience::Owner, edit)
}

fn update_for<E: std::error::Error + 'static>(
    path: &Path,
    inside: Option<&Path>,
    audience: Audience,
    mut edit: impl FnMut(Option<&str>) -> Result<Change, E>,
) -> Result<Update, SettingsError<E>> {
    let failed = |kind| SettingsError { path: path.to_owned(), kind };
    let deadline = Instant::now() + PATIENCE;
    let mut created = Vec::new();
    loop {
        let target = resolve(path, inside).map_err(failed)?;
        let current = read(&target).map_err(failed)?;
        let change = edit(current.as_deref()).map_err(|error| failed(SettingsErrorKind::Edit(error)))?;
        match (&change, &current) {
            (Change::Keep, _) | (Change::Delete, None) => return Ok(unchanged(current)),
            (Change::Write(text), Some(before)) if text == before => return Ok(unchanged(current)),
            (Change::Write(_) | Change::Delete, _) => {}
        }
        let (_pinned, target, made) = hold(&target, inside, audience).map_err(failed)?;
        created.extend(made);
        let done = match (&change, &current) {
            (Change::Keep, _) | (Change::Delete, None) => return Ok(unchanged(current)),
            (Change::Write(text), None) => create(&target, text, audience),
            (Change::Write(text), Some(before)) => replace(&target, before, text, audience),
            (Change::Delete, Some(before)) => delete(&target, before),
        };
        let done = done.map_err(|error| failed(files::FsErrorKind::from(error).into()))?;
        if done == Done::Yes {
            let after = match change {
                Change::Write(text) => Some(text),
                Change::Keep | Change::Delete => None,
            };
            return Ok(Update { before: current, after, created });
        }
        if Instant::now() > deadline {
            return Err(failed(SettingsErrorKind::Busy));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The file by a path that nobody can bend any more, where it must be inside something; and the directories made for it.
fn hold<E: std::error::Error>(
    target: &Path,
    inside: Option<&Path>,
    audience: Audience,
) -> Result<(Option<Pinned>, PathBuf, Vec<PathBuf>), SettingsErrorKind<E>> {
    let Some(inside) = inside else {
        let made = make_for(target, audience).map_err(|error| error.kind)?;
        return Ok((None, target.to_owned(), made));
    };
    match Pinned::with_parents(directory_of(target), inside, audience) {
        Ok((pinned, made)) => {
            let place = pinned.path().join(target.file_name().unwrap_or_default());
            Ok((Some(pinned), place, made))
        }
        Err(PinError::LeavesProject) => Err(SettingsErrorKind::LeavesProject),
        Err(PinError::File(error)) => Err(error.kind.into()),
    }
}

fn unchanged(current: Option<String>) -> Update {
    Update { before: current.clone(), after: current, created: Vec::new() }
}

/// Whether a step was carried out, or somebody else came first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Done {
    Yes,
    SomebodyCameFirst,
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

/// Writes the text to a temporary file beside the target, on disk for good. What goes wrong is said without a path: the
/// name of that file means nothing to anybody.
fn stage(target: &Path, text: &str, audience: Audience) -> io::Result<tempfile::NamedTempFile> {
    let existing = fs::metadata(target).ok();
    // A new file gets what any program would give it. The copy of an existing one is private until it has that one's
    // mode: there may be secrets in it.
    let mode = match (&existing, audience) {
        (None, Audience::Everybody) => 0o666,
        (Some(_), Audience::Everybody) | (_, Audience::Owner) => 0o600,
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(WRITING).suffix(WRITING_SUFFIX);
    let mut staged = builder.make_in(directory_of(target), |path| create_new(path, mode))?;
    staged.as_file_mut().write_all(text.as_bytes())?;
    if let Some(metadata) = existing {
        keep_owner(staged.as_file(), &metadata);
        match audience {
            Audience::Everybody => staged.as_file().set_permissions(metadata.permissions())?,
            Audience::Owner => {}
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

/// Creates the file, unless somebody else just did.
fn create(target: &Path, text: &str, audience: Audience) -> io::Result<Done> {
    let staged = stage(target, text, audience)?;
    match staged.persist_noclobber(target) {
        Ok(_) => {
            sync_directory(target);
            Ok(Done::Yes)
        }
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(Done::SomebodyCameFirst),
        Err(error) => Err(error.error),
    }
}

/// Replaces the file, unless it is no longer what the edit started from.
fn replace(target: &Path, before: &str, text: &str, audience: Audience) -> io::Result<Done> {
    let staged = stage(target, text, audience)?.into_temp_path();
    let swap = swap_beside(target, before, Some(text), |path| fs::rename(&staged, path))?;
    // It has moved: nothing is left to remove.
    let _moved = staged.keep();
    // Looking last keeps the moment rare in which others could see a text of ours that is about to go back.
    if !holds(target, before) {
        return Ok(Done::SomebodyCameFirst);
    }
    match exchange(&swap, target) {
        Ok(()) => {
            if holds(&swap, before) {
                sync_directory(target);
                return Ok(Done::Yes);
            }
            // Their text goes back. If they replaced ours meanwhile, that is newer still, and stays.
            let back = exchange(&swap, target);
            let back = if back.is_ok() && !holds(&swap, text) { exchange(&swap, target) } else { back };
            if let Err(error) = back {
                // It is all there is of their text now: better a file too many than that lost.
                let _kept = swap.keep();
                return Err(error);
            }
            Ok(Done::SomebodyCameFirst)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Done::SomebodyCameFirst),
        Err(error) if cannot_exchange(&error) => {
            swap.persist(target).map_err(|error| error.error)?;
            sync_directory(target);
            Ok(Done::Yes)
        }
        Err(error) => Err(error),
    }
}

/// Removes the file, unless it is no longer what the edit started from.
fn delete(target: &Path, before: &str) -> io::Result<Done> {
    let aside = match swap_beside(target, before, None, |path| fs::rename(target, path)) {
        Ok(aside) => aside,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Done::SomebodyCameFirst),
        Err(error) => return Err(error),
    };
    if holds(&aside, before) {
        sync_directory(target);
        return Ok(Done::Yes);
    }
    // Not what we meant to remove: it goes back, unless a newer one took its place.
    match aside.persist_noclobber(target) {
        Ok(()) => Ok(Done::SomebodyCameFirst),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(Done::SomebodyCameFirst),
        Err(error) => {
            let _kept = error.path.keep();
            Err(error.error)
        }
    }
}

fn directory_of(target: &Path) -> &Path {
    target.parent().unwrap_or(Path::new("."))
}

fn holds(path: &Path, text: &str) -> bool {
    files::read(path, MAX_SETTINGS).is_ok_and(|bytes| bytes == text.as_bytes())
}

/// The rename itself survives a power cut only when the directory is on disk too. Best effort: not every system can.
fn sync_directory(target: &Path) {
    if let Some(directory) = target.parent().and_then(|parent| File::open(parent).ok()) {
        let _ = directory.sync_all();
    }
}
