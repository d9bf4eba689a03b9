//! What a run of ours that was killed left beside the files it was about to replace.

use std::fs;
use std::path::Path;

use crate::fs as files;

/// A file that is being written: this, six letters or digits, and the suffix.
pub(crate) const WRITING: &str = ".symposium-writing-";

/// How such a file ends.
pub(crate) const WRITING_SUFFIX: &str = ".tmp";

/// A directory in which a skill is made ready: this, and six letters or digits.
pub(crate) const STAGING: &str = ".symposium-staging-";

/// What a staging directory may hold.
pub(crate) const STAGED: [&str; 2] = ["new", "old"];

/// Removes what was left in a directory. Only for the holder of the lock: then nobody is writing.
///
/// The user may have files with names like ours, so only the exact form counts, and a staging directory only if there
/// is nothing in it but what we put there.
pub fn sweep(directory: &Path) {
    let Ok(entries) = files::list(directory) else { return };
    for entry in entries {
        let path = directory.join(&entry.name);
        let _ = match entry.kind {
            files::EntryKind::File if is_writing(&entry.name) => fs::remove_file(path),
            files::EntryKind::Directory if is_staging(&entry.name, &path) => fs::remove_dir_all(path),
            files::EntryKind::File | files::EntryKind::Directory | files::EntryKind::Link | files::EntryKind::Other => {
                Ok(())
            }
        };
    }
}

fn is_writing(name: &str) -> bool {
    name.strip_prefix(WRITING).and_then(|rest| rest.strip_suffix(WRITING_SUFFIX)).is_some_and(is_random)
}

fn is_staging(name: &str, path: &Path) -> bool {
    let ours = |entry: &files::Entry| STAGED.contains(&entry.name.as_str());
    name.strip_prefix(STAGING).is_some_and(is_random) && files::list(path).is_ok_and(|entries| entries.iter().all(ours))
}

fn is_random(text: &str) -> bool {
    text.len() == 6 && text.chars().all(|c| c.is_ascii_alphanumeric())
}
