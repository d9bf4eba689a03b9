//! A handle to a directory that keeps denoting the checked directory even if its path changes meanwhile.
//!
//! Between the check of a path and a write through it, another program may replace a directory on the way by a link. So
//! the directory is opened first, the opened one is checked, and everything that follows goes through it. On systems
//! without a path for an opened directory, only the check remains.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::fs as files;
use crate::parent_dirs::FileAudience;

pub(crate) struct DirHandle {
    /// `path` is valid as long as this is open.
    _opened: Option<File>,
    path: PathBuf,
}

#[derive(Debug)]
pub(crate) enum PinError {
    LeavesProject,
    File(files::FsError),
}

impl DirHandle {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a directory if it is `inside`. Creates missing parents and returns those that it created.
    pub(crate) fn with_parents(
        directory: &Path,
        inside: &Path,
        audience: FileAudience,
    ) -> Result<(Self, Vec<PathBuf>), PinError> {
        let mut missing = Vec::new();
        let mut existing = directory;
        while !existing.exists() && !existing.is_symlink() {
            let Some((parent, name)) = existing.parent().zip(existing.file_name()) else { break };
            missing.push((existing, name));
            existing = parent;
        }
        let mut pinned = Self::open(existing, inside)?;
        let mut made = Vec::new();
        for (directory, name) in missing.into_iter().rev() {
            let failed = |error| PinError::File(files::FsError::new(directory, error));
            match make(&pinned.path.join(name), audience) {
                Ok(()) => made.push(directory.to_owned()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(error)),
            }
            pinned = Self::open(&pinned.path.join(name), inside)?;
        }
        Ok((pinned, made))
    }

    pub(crate) fn open(directory: &Path, inside: &Path) -> Result<Self, PinError> {
        let root = files::canonical(inside).map_err(PinError::File)?;
        let failed = |error| PinError::File(files::FsError::new(directory, error));
        let opened = open_directory(directory).map_err(failed)?;
        let pinned = match opened.and_then(named) {
            Some((opened, path, real)) => {
                if !real.starts_with(&root) {
                    return Err(PinError::LeavesProject);
                }
                return Ok(Self { _opened: Some(opened), path });
            }
            None => Self { _opened: None, path: directory.to_owned() },
        };
        let real = files::canonical(directory).map_err(PinError::File)?;
        if real.starts_with(&root) { Ok(pinned) } else { Err(PinError::LeavesProject) }
    }
}

#[cfg(unix)]
fn make(directory: &Path, audience: FileAudience) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(audience.mode()).create(directory)
}

#[cfg(not(unix))]
fn make(directory: &Path, _audience: FileAudience) -> io::Result<()> {
    fs::DirBuilder::new().create(directory)
}

#[cfg(target_os = "linux")]
fn open_directory(directory: &Path) -> io::Result<Option<File>> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = OFlags::DIRECTORY.bits().cast_signed();
    OpenOptions::new().read(true).custom_flags(flags).open(directory).map(Some)
}

#[cfg(not(target_os = "linux"))]
fn open_directory(_directory: &Path) -> io::Result<Option<File>> {
    let _: fn() -> OpenOptions = OpenOptions::new;
    Ok(None)
}

/// Returns the path of an opened directory, and its real location; `None` without `/proc`.
#[cfg(target_os = "linux")]
fn named(opened: File) -> Option<(File, PathBuf, PathBuf)> {
    use std::os::fd::AsRawFd;
    let path = PathBuf::from(format!("/proc/self/fd/{}", opened.as_raw_fd()));
    let real = fs::read_link(&path).ok()?;
    Some((opened, path, real))
}

#[cfg(not(target_os = "linux"))]
fn named(_opened: File) -> Option<(File, PathBuf, PathBuf)> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_takes_the_place_of_a_directory_gets_nothing() {
        let home = tempfile::tempdir().unwrap();
        let inside = home.path().join("project");
        let elsewhere = home.path().join("elsewhere");
        for directory in [&inside, &elsewhere] {
            fs::create_dir(directory).unwrap();
        }
        let wanted = inside.join("a/b");
        let (pinned, made) =
            DirHandle::with_parents(&wanted, &inside, FileAudience::Everybody).map_err(|_| ()).unwrap();
        assert_eq!(made, [inside.join("a"), wanted.clone()]);
        fs::rename(&wanted, inside.join("a/moved")).unwrap();
        symlink(&elsewhere, &wanted).unwrap();
        fs::write(pinned.path().join("file"), "x").unwrap();
        assert!(inside.join("a/moved/file").exists() && !elsewhere.join("file").exists());
        assert!(matches!(DirHandle::open(&wanted, &inside), Err(PinError::LeavesProject)));
        let below = DirHandle::with_parents(&wanted.join("c"), &inside, FileAudience::Owner);
        assert!(matches!(below, Err(PinError::LeavesProject)));
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    }
}
