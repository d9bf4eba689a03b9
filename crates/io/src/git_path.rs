//! Paths of git as paths of this system.

use std::path::{Path, PathBuf};

pub use symposium_model::git_index::GitPath;

/// Returns a path of git as a path of this system; `None` if the system has only paths in UTF-8 and it is none.
pub fn to_system(path: &GitPath) -> Option<PathBuf> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Some(PathBuf::from(std::ffi::OsStr::from_bytes(path.as_bytes())))
    }
    #[cfg(not(unix))]
    std::str::from_utf8(path.as_bytes()).ok().map(PathBuf::from)
}

/// Returns a relative path of this system as git stores it.
pub fn from_system(path: &Path) -> GitPath {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        GitPath::new(path.as_os_str().as_bytes())
    }
    #[cfg(not(unix))]
    GitPath::new(path.to_string_lossy().replace('\\', "/"))
}
