//! Atomic exchange of two paths where the system supports it, and renaming that never replaces a file.

use std::fs;
use std::io;
use std::path::Path;

pub(crate) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    rename_with(one, other, RenameFlag::Exchange)
}

/// Renames a file to a free path. An existing file at that path stays, and the error is `AlreadyExists`.
///
/// A few file systems support neither such a rename nor hard links; there an existence check precedes a plain rename.
pub(crate) fn place(file: &Path, free: &Path) -> io::Result<()> {
    match rename_with(file, free, RenameFlag::NoReplace) {
        Err(error) if cannot_exchange(&error) => {}
        done => return done,
    }
    match fs::hard_link(file, free) {
        Ok(()) => {
            // The file has its new name; the old one is removed with other stale temporary files at the latest.
            let _ = fs::remove_file(file);
            Ok(())
        }
        Err(error) if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound) => Err(error),
        Err(_) if free.symlink_metadata().is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(file, free),
    }
}

#[derive(Clone, Copy)]
enum RenameFlag {
    Exchange,
    NoReplace,
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn rename_with(one: &Path, other: &Path, flag: RenameFlag) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let flags = match flag {
        RenameFlag::Exchange => RenameFlags::EXCHANGE,
        RenameFlag::NoReplace => RenameFlags::NOREPLACE,
    };
    Ok(renameat_with(CWD, one, CWD, other, flags)?)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn rename_with(_one: &Path, _other: &Path, flag: RenameFlag) -> io::Result<()> {
    match flag {
        RenameFlag::Exchange | RenameFlag::NoReplace => Err(io::ErrorKind::Unsupported.into()),
    }
}

/// Returns true if the file system or a sandbox does not support the operation. If the files themselves are the cause,
/// the fallback fails too.
pub(crate) fn cannot_exchange(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput | io::ErrorKind::PermissionDenied)
}
