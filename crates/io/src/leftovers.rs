//! What a run of ours that was killed left beside the files it was about to replace: ours goes, anybody else's goes back.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use symposium_model::sync::fingerprint;

use crate::exchange::{cannot_exchange, exchange};
use crate::fs as files;

/// A file that is being written: this, six letters or digits, and the suffix. Nobody else's text is ever in it.
pub(crate) const WRITING: &str = ".symposium-writing-";

/// How such a file ends.
pub(crate) const WRITING_SUFFIX: &str = ".tmp";

/// A file that changes places with another one: this, what that one held before, what it holds afterwards, six letters
/// or digits, its name, and the suffix.
const SWAP: &str = ".symposium-swap-";

/// What stands for the text of a file that is removed.
const NOTHING: &str = "nothing";

/// A longer name might make ours too long for the file system.
const MAX_NAME: usize = 120;

/// A directory in which a skill is made ready: this, and six letters or digits.
pub(crate) const STAGING: &str = ".symposium-staging-";

/// What a staging directory may hold.
pub(crate) const STAGED: [&str; 2] = ["new", "old"];

/// Moves something to a fresh name beside `target` by `step`; what is there then goes when the answer is dropped.
///
/// The name says what may be thrown away there: the text the file had `before`, and the one it gets. So a text of another
/// program that came to be there in between is told from both, also by a later run.
pub(crate) fn swap_beside(
    target: &Path,
    before: &str,
    after: Option<&str>,
    mut step: impl FnMut(&Path) -> io::Result<()>,
) -> io::Result<tempfile::TempPath> {
    let digest = after.map_or_else(|| NOTHING.to_owned(), |text| digest(text.as_bytes()));
    let prefix = format!("{SWAP}{}-{digest}-", self::digest(before.as_bytes()));
    let name = target.file_name().and_then(|name| name.to_str()).filter(|name| name.len() <= MAX_NAME);
    let suffix = format!("-{}{WRITING_SUFFIX}", name.unwrap_or_default());
    let directory = target.parent().unwrap_or(Path::new("."));
    let fresh = |path: &Path| match path.symlink_metadata() {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => step(path),
    };
    let made = tempfile::Builder::new().prefix(&prefix).suffix(&suffix).make_in(directory, fresh)?;
    Ok(made.into_temp_path())
}

/// Clears a directory of what was left in it. Only for the holder of the lock: then nobody is writing.
///
/// The user may have files with names like ours, so only the exact form counts, and a staging directory only if there
/// is nothing in it but what we put there. The answer is what was kept: the text of another program that could not be
/// put back where it belongs, because something newer is there.
pub fn sweep(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = files::list(directory) else { return Vec::new() };
    let mut kept = Vec::new();
    for entry in entries {
        let path = directory.join(&entry.name);
        match entry.kind {
            files::EntryKind::File if is_writing(&entry.name) => _ = fs::remove_file(path),
            files::EntryKind::File => {
                if let Some(swap) = Swap::parse(&entry.name)
                    && swap.settle(directory, &path).is_none()
                {
                    kept.push(path);
                }
            }
            files::EntryKind::Directory if is_staging(&entry.name, &path) => _ = fs::remove_dir_all(path),
            files::EntryKind::Directory | files::EntryKind::Link | files::EntryKind::Other => {}
        }
    }
    kept
}

/// What the name of a file says that changed places with another one.
struct Swap<'n> {
    before: &'n str,
    after: &'n str,
    /// The other one; empty when its name could not be written down.
    target: &'n str,
}

impl<'n> Swap<'n> {
    fn parse(name: &'n str) -> Option<Self> {
        let rest = name.strip_prefix(SWAP)?.strip_suffix(WRITING_SUFFIX)?;
        let (before, rest) = rest.split_once('-')?;
        let (after, rest) = rest.split_once('-')?;
        let (random, target) = rest.split_once('-')?;
        let sound = is_digest(before) && (after == NOTHING || is_digest(after)) && is_random(random);
        sound.then_some(Self { before, after, target })
    }

    /// Removes a text that may go, puts back any other; `None` when neither can be done.
    fn settle(&self, directory: &Path, path: &Path) -> Option<()> {
        let found = digest_of(path)?;
        if found == self.before || found == self.after {
            return fs::remove_file(path).ok();
        }
        let target = Some(self.target).filter(|name| !name.is_empty()).map(|name| directory.join(name))?;
        if target.symlink_metadata().is_err() {
            // A newer one may come first, so without replacing anything.
            let left = tempfile::TempPath::try_from_path(path).ok()?;
            return left.persist_noclobber(&target).map_err(|error| _ = error.path.keep()).ok();
        }
        if digest_of(&target)? != self.after {
            return None;
        }
        match exchange(path, &target) {
            Ok(()) if digest_of(path)? == self.after => fs::remove_file(path).ok(),
            // Somebody replaced ours in this very moment: that is newer.
            Ok(()) => {
                let _ = exchange(path, &target);
                None
            }
            Err(error) if cannot_exchange(&error) => fs::rename(path, &target).ok(),
            Err(_) => None,
        }
    }
}

/// Enough of a fingerprint to tell the texts of one file apart.
fn digest(bytes: &[u8]) -> String {
    fingerprint(bytes).as_str().chars().take(DIGITS).collect()
}

const DIGITS: usize = 24;

fn digest_of(path: &Path) -> Option<String> {
    files::read(path, files::MAX_SETTINGS).ok().map(|bytes| digest(&bytes))
}

fn is_digest(text: &str) -> bool {
    text.len() == DIGITS && text.chars().all(|c| c.is_ascii_hexdigit())
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

#[cfg(test)]
#[path = "leftovers_tests.rs"]
mod tests;
