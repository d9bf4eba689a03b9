//! File errors that contain the path.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct FsError {
    pub path: PathBuf,
    #[source]
    pub kind: FsErrorKind,
}

#[derive(Debug, thiserror::Error)]
pub enum FsErrorKind {
    #[error("no such file or directory")]
    NotFound,
    #[error("not a directory")]
    NotADirectory,
    /// A FIFO, device, socket or directory where a file is needed.
    #[error("not a regular file")]
    NotRegular,
    #[error("a symbolic link")]
    Link,
    #[error("larger than {limit} bytes")]
    TooLarge { limit: u64 },
    #[error("more than {limit} entries in one directory")]
    TooMany { limit: usize },
    #[error("not UTF-8 at byte {offset}")]
    NotUtf8 { offset: usize },
    #[error("another program is writing it")]
    BeingWritten,
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl FsError {
    pub fn new(path: &Path, error: io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::NotFound => FsErrorKind::NotFound,
            io::ErrorKind::NotADirectory => FsErrorKind::NotADirectory,
            _ => FsErrorKind::Io(error),
        };
        Self { path: path.to_owned(), kind }
    }

    /// Returns true if the error may disappear at another time or for another user. All other errors concern the
    /// content.
    pub fn is_transient(&self) -> bool {
        match self.kind {
            FsErrorKind::NotFound | FsErrorKind::NotADirectory | FsErrorKind::BeingWritten | FsErrorKind::Io(_) => true,
            FsErrorKind::NotRegular
            | FsErrorKind::Link
            | FsErrorKind::TooLarge { .. }
            | FsErrorKind::TooMany { .. }
            | FsErrorKind::NotUtf8 { .. } => false,
        }
    }

    /// Returns true if nothing can be written to that place, whatever it is: the disk is full, or not writable.
    pub fn is_unwritable(&self) -> bool {
        use io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        let FsErrorKind::Io(error) = &self.kind else { return false };
        matches!(error.kind(), PermissionDenied | QuotaExceeded | ReadOnlyFilesystem | StorageFull)
    }

    /// Returns true if the path does not exist, perhaps because a parent is no directory.
    pub fn is_not_found(&self) -> bool {
        matches!(self.kind, FsErrorKind::NotFound | FsErrorKind::NotADirectory)
    }
}

/// Removes the name of a temporary file from an error: it means nothing to the user.
pub(crate) fn without_path(error: io::Error) -> io::Error {
    if error.raw_os_error().is_some() { error } else { error.kind().into() }
}

pub type FsResult<T> = std::result::Result<T, FsError>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_errors_are_about_the_place_and_others_about_the_file() {
        use io::ErrorKind::{
            AlreadyExists, InvalidFilename, NotFound, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
        };
        for kind in [PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull] {
            assert!(FsError::new(Path::new("x"), kind.into()).is_unwritable(), "{kind}");
        }
        for kind in [AlreadyExists, InvalidFilename, NotFound] {
            assert!(!FsError::new(Path::new("x"), kind.into()).is_unwritable(), "{kind}");
        }
    }
}
