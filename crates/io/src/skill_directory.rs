//! Skill directories in a workspace: inspection, atomic installation and removal.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use symposium_model::sync::{SkillFile, SkillTree};

use crate::dir_handle::{DirHandle, PinError};
use crate::exchange::{cannot_exchange, exchange};
use crate::fs as files;
use crate::fs_error::without_path;
use crate::parent_dirs::FileAudience;
use crate::stale_temp::{STAGING, sweep};

pub use symposium_model::sync::InstalledState;

/// Bytes. No installed skill has a larger file; a directory with one does not belong to Symposium.
const MAX_FILE: u64 = 64 * 1024 * 1024;

pub fn observe(directory: &Path) -> files::FsResult<InstalledState> {
    match fs::symlink_metadata(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(InstalledState::Absent),
        Err(error) => return Err(files::FsError::new(directory, error)),
        Ok(metadata) if !metadata.is_dir() => return Ok(InstalledState::Other),
        Ok(_) => {}
    }
    let mut found = Vec::new();
    let complete = collect(directory, "", &mut found)?;
    Ok(if complete { InstalledState::Directory(SkillTree::new(found)) } else { InstalledState::Other })
}

/// Collects the files below; returns `false` for anything that Symposium would not have written: links, devices, empty
/// directories, names that are not UTF-8.
fn collect(root: &Path, below: &str, found: &mut Vec<SkillFile>) -> files::FsResult<bool> {
    let directory = root.join(below);
    let entries = files::list(&directory)?;
    if entries.is_empty() || files::count(&directory)? != entries.len() {
        return Ok(false);
    }
    for entry in entries {
        let path = if below.is_empty() { entry.name } else { format!("{below}/{}", entry.name) };
        match entry.kind {
            files::FileKind::Directory => {
                if !collect(root, &path, found)? {
                    return Ok(false);
                }
            }
            files::FileKind::File => {
                let file = root.join(&path);
                let bytes = files::read(&file, MAX_FILE)?;
                // A file that cannot be examined would count as edited.
                let metadata = fs::metadata(&file).map_err(|error| files::FsError::new(&file, error))?;
                found.push(SkillFile { path, bytes, executable: files::may_run(&metadata) });
            }
            files::FileKind::Link | files::FileKind::Other => return Ok(false),
        }
    }
    Ok(true)
}

#[derive(Debug, thiserror::Error)]
pub enum SkillInstallError {
    #[error("{}: a link leads outside the project", _0.display())]
    LeavesProject(PathBuf),
    #[error("{} changed while Symposium worked", _0.display())]
    Changed(PathBuf),
    #[error(transparent)]
    File(#[from] files::FsError),
}

/// Installs a skill directory: it is written beside the target and then renamed, so that no partial state is ever
/// visible. An existing directory is replaced only if it equals `expected`. Returns the parent directories that had to
/// be created, outermost first.
pub fn install(
    target: &Path,
    tree: &SkillTree,
    expected: &InstalledState,
    inside: &Path,
) -> Result<Vec<PathBuf>, SkillInstallError> {
    let parent = target.parent().unwrap_or(inside);
    let named = |kind| files::FsError { path: target.to_owned(), kind };
    let pinned = DirHandle::with_parents(parent, inside, FileAudience::Everybody);
    let (pinned, created) = pinned.map_err(|error| refusal(error, parent))?;
    let place = pinned.path().join(target.file_name().unwrap_or_default());
    let staging = staging_for(target, pinned.path())?;
    let staged = staging.path().join("new");
    for file in tree.files() {
        write(&staged.join(&file.path), file).map_err(|error| files::FsError::new(target, error))?;
    }
    if observe(&place).map_err(|error| named(error.kind))? != *expected {
        return Err(SkillInstallError::Changed(target.to_owned()));
    }
    let moved = |error| files::FsError::new(target, error);
    if *expected != InstalledState::Absent {
        // Atomic where the system supports it; the old directory is removed with the staging directory.
        match exchange(&staged, &place) {
            Ok(()) if is(&staged, expected) => return Ok(created),
            Ok(()) => return Err(goes_back(staging, exchange(&staged, &place), target)),
            Err(error) if cannot_exchange(&error) => {
                let old = staging.path().join("old");
                fs::rename(&place, &old).map_err(moved)?;
                if !is(&old, expected) {
                    return Err(goes_back(staging, fs::rename(&old, &place), target));
                }
            }
            Err(error) => return Err(moved(error).into()),
        }
    }
    fs::rename(&staged, &place).map_err(moved)?;
    Ok(created)
}

pub fn uninstall(target: &Path, expected: &InstalledState, inside: &Path) -> Result<(), SkillInstallError> {
    let parent = target.parent().unwrap_or(inside);
    let named = |kind| files::FsError { path: target.to_owned(), kind };
    let pinned = DirHandle::open(parent, inside).map_err(|error| refusal(error, parent))?;
    let place = pinned.path().join(target.file_name().unwrap_or_default());
    let staging = staging_for(target, pinned.path())?;
    if observe(&place).map_err(|error| named(error.kind))? != *expected {
        return Err(SkillInstallError::Changed(target.to_owned()));
    }
    let moved = |error| files::FsError::new(target, error);
    let old = staging.path().join("old");
    fs::rename(&place, &old).map_err(moved)?;
    if is(&old, expected) { Ok(()) } else { Err(goes_back(staging, fs::rename(&old, &place), target)) }
}

fn refusal(error: PinError, directory: &Path) -> SkillInstallError {
    match error {
        PinError::LeavesProject => SkillInstallError::LeavesProject(directory.to_owned()),
        PinError::File(error) => error.into(),
    }
}

fn is(place: &Path, expected: &InstalledState) -> bool {
    observe(place).is_ok_and(|found| found == *expected)
}

/// Restores a directory that was edited between the check and the move. If that fails, it stays in the staging
/// directory.
fn goes_back(staging: tempfile::TempDir, back: io::Result<()>, target: &Path) -> SkillInstallError {
    match back {
        Ok(()) => SkillInstallError::Changed(target.to_owned()),
        Err(error) => {
            let _kept = staging.keep();
            files::FsError::new(target, error).into()
        }
    }
}

fn staging_for(target: &Path, parent: &Path) -> files::FsResult<tempfile::TempDir> {
    let staging = tempfile::Builder::new().prefix(STAGING).tempdir_in(parent);
    staging.map_err(|error| files::FsError::new(target, without_path(error)))
}

/// Removes the directories that are empty, in order, and returns the others. A file or a link under one of their names is
/// the user's, so there is no directory.
pub fn remove_empty(directories: Vec<PathBuf>) -> Vec<PathBuf> {
    directories
        .into_iter()
        .inspect(|directory| _ = sweep(directory))
        .filter(|directory| match fs::remove_dir(directory) {
            Ok(()) => false,
            Err(error) => !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
        })
        .collect()
}

fn write(path: &Path, file: &SkillFile) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(if file.executable { 0o777 } else { 0o666 });
    }
    let mut written: File = options.open(path)?;
    written.write_all(&file.bytes)?;
    written.sync_all()
}
