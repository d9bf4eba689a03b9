//! The places of the lockfile and of vendored sources in a project.

use std::path::{Path, PathBuf};

use super::vendor_name::vendor_name;

/// The directory of vendored sources, from the root of a project.
pub const VENDORED: &str = ".symposium/vendor";

pub fn lock_path(root: &Path) -> PathBuf {
    root.join(".symposium/symposium.lock")
}

pub fn vendor_directory(root: &Path) -> PathBuf {
    root.join(VENDORED)
}

/// Returns the place of one vendored source.
pub fn vendored(root: &Path, source: &str) -> PathBuf {
    vendor_directory(root).join(vendor_name(source))
}

/// Whether a path is the lockfile of a project or among its vendored sources.
pub fn is_of_lock(root: Option<&Path>, path: &Path) -> bool {
    root.is_some_and(|root| path == lock_path(root) || path.starts_with(vendor_directory(root)))
}
