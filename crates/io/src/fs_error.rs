//! What can be wrong with a file, with its path.

use std::io;
use std::path::{Path, PathBuf};

/// Why a file could not be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct FsError {
    pub path: PathBuf,
    #[source]
    pub kind: FsErrorKind,
}

/// The ways in which a file can be unusable.
#[derive(Debug, thiserror::Error)]
pub enum FsErrorKind {
    #[error("no such file or directory")]
    NotFound,
    /// A file where a directory is wanted.
    #[error("not a directory")]
    NotADirectory,
    /// A FIFO, device, socket or directory where a file is wanted.
    #[error("not a regular file")]
    NotRegular,
    /// A symbolic link where a file itself is wanted.
    #[error("a symbolic link")]
    Link,
    /// Larger than we are willing to read.
    #[error("larger than {limit} bytes")]
    TooLarge { limit: u64 },
    /// A directory with more entries than we are willing to look at.
    #[error("more than {limit} entries in one directory")]
    TooMany { limit: usize },
    /// Text is wanted and the bytes are not UTF-8.
    #[error("not UTF-8 at byte {offset}")]
    NotUtf8 {
        /// Offset of the first bad byte.
        offset: usize,
    },
    /// Another program is in the middle of writing it.
    #[error("another program is writing it")]
    BeingWritten,
    /// Anything else the operating system says.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl FsError {
    /// What the operating system said about a path.
    pub fn new(path: &Path, error: io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::NotFound => FsErrorKind::NotFound,
            io::ErrorKind::NotADirectory => FsErrorKind::NotADirectory,
            _ => FsErrorKind::Io(error),
        };
        Self { path: path.to_owned(), kind }
    }

    /// Whether another moment, or another user, may find something readable there. Everything else is about what is there.
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

    /// Whether the path simply does not exist, perhaps because something on the way is no directory.
    pub fn is_not_found(&self) -> bool {
        matches!(self.kind, FsErrorKind::NotFound | FsErrorKind::NotADirectory)
    }
}

/// What went wrong with a temporary file, without its name: that means nothing to anybody.
pub(crate) fn without_path(error: io::Error) -> io::Error {
    if error.raw_os_error().is_some() { error } else { error.kind().into() }
}

/// The result of touching a file.
pub type FsResult<T> = std::result::Result<T, FsError>;
