//! The disk, as the search for a project asks about it.

use std::path::Path;

use symposium_model::authority::project::{Ground, Ignored, Ownership, ignored_configuration};

use crate::fs;

/// The disk of this machine, looked at by the user who calls.
pub(super) struct Disk;

impl Ground for Disk {
    fn is_file(&self, path: &Path) -> bool {
        fs::is_file(path)
    }

    fn exists(&self, path: &Path) -> bool {
        fs::exists(path)
    }

    #[cfg(unix)]
    fn ownership(&self, path: &Path) -> Option<Ownership> {
        use std::os::unix::fs::MetadataExt;
        let found = path.metadata().ok()?;
        Some(Ownership { owner: found.uid(), mode: found.mode() })
    }

    #[cfg(not(unix))]
    fn ownership(&self, _: &Path) -> Option<Ownership> {
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
}

/// The configuration directory of a project, when it is there and does not count.
pub fn ignored_project(root: &Path) -> Option<Ignored> {
    ignored_configuration(root, &Disk)
}
