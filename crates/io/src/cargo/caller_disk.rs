//! File system access for the search for a project.

use std::path::{Path, PathBuf};

use symposium_model::authority::project::{DiskProbe, PathOwnership, is_within};

use crate::fs;

pub(super) struct CallerDisk<'d> {
    pub(super) allowed: &'d [PathBuf],
}

impl DiskProbe for CallerDisk<'_> {
    fn is_file(&self, path: &Path) -> bool {
        fs::is_file(path)
    }

    fn exists(&self, path: &Path) -> bool {
        fs::exists(path)
    }

    #[cfg(unix)]
    fn ownership(&self, path: &Path) -> Option<PathOwnership> {
        use std::os::unix::fs::MetadataExt;
        let found = path.metadata().ok()?;
        Some(PathOwnership { owner: found.uid(), mode: found.mode() })
    }

    #[cfg(not(unix))]
    fn ownership(&self, _: &Path) -> Option<PathOwnership> {
        None
    }

    #[cfg(unix)]
    fn caller(&self) -> u32 {
        rustix::process::geteuid().as_raw()
    }

    #[cfg(not(unix))]
    fn caller(&self) -> u32 {
        0
    }

    fn is_allowed(&self, directory: &Path) -> bool {
        is_within(directory, self.allowed)
    }
}
