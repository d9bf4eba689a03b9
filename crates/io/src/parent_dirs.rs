//! Makes the directories on the way to something, and says which were missing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::fs_error::{FsError, FsResult};

/// For whom something new is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileAudience {
    /// What the umask leaves, but never open to every user: such a directory would count as nobody's.
    Everybody,
    Owner,
}

#[cfg(unix)]
impl FileAudience {
    /// The mode of a new directory, before the umask.
    pub(crate) fn mode(self) -> u32 {
        match self {
            Self::Everybody => 0o775,
            Self::Owner => 0o700,
        }
    }
}

/// Makes a directory and those above it that are missing; gives back those it made, outermost first.
pub(crate) fn make(directory: &Path, audience: FileAudience) -> FsResult<Vec<PathBuf>> {
    // The parent of a bare name is the empty path, which is the current directory.
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

/// Makes the directories a file goes into.
pub(crate) fn make_for(file: &Path, audience: FileAudience) -> FsResult<Vec<PathBuf>> {
    file.parent().map_or_else(|| Ok(Vec::new()), |parent| make(parent, audience))
}
