//! Swaps two files or directories in one step, where the system can, and names files without replacing any.

use std::fs;
use std::io;
use std::path::Path;

/// Swaps two files or directories in one step.
pub(crate) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    rename_with(one, other, RenameFlag::Exchange)
}

/// Renames a file to a path at which nothing is. What is there stays, and the error is `AlreadyExists`.
///
/// Few file systems can neither rename so nor link; there a look comes before a plain rename.
pub(crate) fn place(file: &Path, free: &Path) -> io::Result<()> {
    match rename_with(file, free, RenameFlag::NoReplace) {
        Err(error) if cannot_exchange(&error) => {}
        done => return done,
    }
    match fs::hard_link(file, free) {
        Ok(()) => {
            // The file has its new name; the old one goes with the leftovers at the latest.
            let _ = fs::remove_file(file);
            Ok(())
        }
        Err(error) if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound) => Err(error),
        Err(_) if free.symlink_metadata().is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(file, free),
    }
}

/// How a rename treats what is at the new path.
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

/// Whether the file system or a sandbox, not the files, is the obstacle. Where the files are, the other way fails too.
pub(crate) fn cannot_exchange(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput | io::ErrorKind::PermissionDenied)
}
