//! Creation of missing parent directories.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::fs_error::{FsError, FsResult};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileAudience {
    /// Subject to the umask, but never writable by every user: such a directory would not be trusted.
    Everybody,
    Owner,
}

#[cfg(unix)]
impl FileAudience {
    pub(crate) fn mode(self) -> u32 {
        match self {
            Self::Everybody => 0o775,
            Self::Owner => 0o700,
        }
    }
}

/// Creates a directory and its missing parents; returns those that it created, outermost first.
pub(crate) fn make(directory: &Path, audience: FileAudience) -> FsResult<Vec<PathBuf>> {
    // The parent of a bare name is the empty path, which denotes the current directory.
    let missing = directory.ancestors().take_while(|one| !one.as_os_str().is_empty() && !one.exists());
    let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    missing.reverse();
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(audience.mode());
    }
    #[cfg(not(unix))]
    let _ = (audience, &mut builder);
    let mut made = Vec::new();
    for directory in missing {
        match builder.create(&directory) {
            Ok(()) => made.push(directory),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(FsError::new(&directory, error)),
        }
    }
    Ok(made)
}

pub(crate) fn make_for(file: &Path, audience: FileAudience) -> FsResult<Vec<PathBuf>> {
    file.parent().map_or_else(|| Ok(Vec::new()), |parent| make(parent, audience))
}
