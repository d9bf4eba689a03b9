//! What a run of ours that was killed left beside the files it was about to replace.

use std::fs;
use std::path::Path;

use crate::fs as files;

/// Everything temporary of ours starts like this. Whoever makes such things holds the lock, so whatever is there when
/// the next holder looks is left over.
pub(crate) const PREFIX: &str = ".symposium-";

/// Temporary files end like this.
pub(crate) const FILE_SUFFIX: &str = ".tmp";

/// Removes what was left in a directory. Only for the holder of the lock.
pub fn sweep(directory: &Path) {
    let Ok(entries) = files::list(directory) else { return };
    for entry in entries.iter().filter(|entry| entry.name.starts_with(PREFIX)) {
        let path = directory.join(&entry.name);
        let _ = match entry.kind {
            files::EntryKind::Directory => fs::remove_dir_all(path),
            files::EntryKind::File if entry.name.ends_with(FILE_SUFFIX) => fs::remove_file(path),
            files::EntryKind::File | files::EntryKind::Link | files::EntryKind::Other => Ok(()),
        };
    }
}
