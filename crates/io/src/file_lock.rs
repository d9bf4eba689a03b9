//! One writer at a time: an advisory lock on a file of ours.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::fs;

/// Held until it is dropped; a process that dies lets go of it.
#[derive(Debug)]
pub struct FileLock {
    _file: File,
}

/// Why a lock was not had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("another run of Symposium has held {} for {} seconds", path.display(), waited.as_secs())]
    Held { path: PathBuf, waited: Duration },
    /// The lock file cannot be used.
    #[error(transparent)]
    File(#[from] fs::FsError),
}

/// Takes the lock, waiting up to `patience` for whoever holds it.
pub fn acquire(path: &Path, patience: Duration) -> Result<FileLock, LockError> {
    let file = fs::open_private(path)?;
    let deadline = Instant::now() + patience;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(FileLock { _file: file }),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(LockError::Held { path: path.to_owned(), waited: patience });
            }
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                // A file system without locks: better to go on than to refuse.
                return Ok(FileLock { _file: file });
            }
            Err(TryLockError::Error(error)) => return Err(LockError::File(fs::FsError::new(path, error))),
        }
    }
}
