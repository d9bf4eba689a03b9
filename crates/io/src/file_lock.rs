//! Advisory lock on a file, which allows one writer at a time.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::fs;

/// A lock that is held until it is dropped or the process dies.
#[derive(Debug)]
pub struct FileLock {
    _file: File,
}

#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("another run of Symposium has held {} for {} seconds", path.display(), waited.as_secs())]
    Held { path: PathBuf, waited: Duration },
    #[error(transparent)]
    File(#[from] fs::FsError),
}

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
                // A file system without locks: continuing is better than refusing.
                return Ok(FileLock { _file: file });
            }
            Err(TryLockError::Error(error)) => return Err(LockError::File(fs::FsError::new(path, error))),
        }
    }
}
