//! The names of temporary files during an exchange of files, and the cleanup after a killed run: Symposium's own texts
//! are removed, those of other programs restored.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use symposium_model::sync::fingerprint;

use crate::exchange::{cannot_exchange, exchange, place};
use crate::fs as files;

/// Prefix of a file that is being written; six letters or digits and the suffix follow. It never contains a text of
/// another program.
pub(crate) const WRITING: &str = ".symposium-writing-";

pub(crate) const WRITING_SUFFIX: &str = ".tmp";

/// Prefix of a file that is exchanged with another one. Digests of that file's old and new text, six letters or digits,
/// its name and the suffix follow.
const SWAP: &str = ".symposium-swap-";

/// Replaces the digest of the new text if the file is removed.
const NOTHING: &str = "nothing";

/// Bytes. With a longer name the temporary name might be too long for the file system.
const MAX_NAME: usize = 120;

/// Prefix of a directory in which a skill is prepared; six letters or digits follow.
pub(crate) const STAGING: &str = ".symposium-staging-";

/// The names that a staging directory may contain.
pub(crate) const STAGED: [&str; 2] = ["new", "old"];

/// Moves a file to a fresh name beside `target` by `step`. The file under that name is removed when the result is
/// dropped.
///
/// The name says which texts may be removed: the text `before` and the new one. A text of another program that gets
/// there in between is thus distinguishable from both, also by a later run.
pub(crate) fn swap_beside(
    target: &Path,
    before: &str,
    after: Option<&str>,
    mut step: impl FnMut(&Path) -> io::Result<()>,
) -> io::Result<tempfile::TempPath> {
    let name = target.file_name().and_then(|name| name.to_str()).filter(|name| name.len() <= MAX_NAME);
    let after = after.map_or_else(|| NOTHING.to_owned(), |text| digest(text.as_bytes()));
    let swap = SwapName { before: &digest(before.as_bytes()), after: &after, target: name.unwrap_or_default() };
    swap.fresh_name(target.parent().unwrap_or(Path::new(".")), &mut step)
}

/// Exchanges a file named by [`swap_beside`] with `target`, atomically where the system supports it.
pub(crate) fn trade(swap: &Path, target: &Path) -> io::Result<()> {
    match exchange(swap, target) {
        Err(error) if cannot_exchange(&error) => trade_in_steps(swap, target),
        done => done,
    }
}

/// Exchanges the files in three steps: `target` moves to another temporary name, `swap` takes its place, and the old
/// target takes the name `swap`. So `target` is missing for a moment, but a file that another program puts there is
/// never replaced: if that happens, it stays and the error is `AlreadyExists`. After a kill, [`restore`] restores the
/// old target.
fn trade_in_steps(swap: &Path, target: &Path) -> io::Result<()> {
    let name = swap.file_name().and_then(|name| name.to_str()).and_then(SwapName::parse);
    let Some(name) = name.filter(|name| !name.target.is_empty()) else { return Err(io::ErrorKind::Unsupported.into()) };
    let directory = target.parent().unwrap_or(Path::new("."));
    let aside = name.fresh_name(directory, &mut |aside| fs::rename(target, aside))?;
    let Err(error) = place(swap, target) else {
        let moved = fs::rename(&aside, swap);
        // It has moved, or the next run handles it.
        let _kept = aside.keep();
        return moved;
    };
    let back = place(&aside, target);
    let aside = aside.keep().map_err(|error| error.error)?;
    match back {
        Err(back) if back.kind() == io::ErrorKind::AlreadyExists => {
            // The other file is newer than the one moved away, which is removed if it has the expected text, and kept
            // otherwise.
            name.resolve(directory, &aside);
            Err(back)
        }
        Err(back) => Err(back),
        Ok(()) => Err(error),
    }
}

/// Restores files of a directory that are missing because a run of Symposium was killed while it exchanged them.
///
/// Another run may be in the middle of an exchange, so the directory is checked again a moment later. Since nothing is
/// replaced, that run notices the restored file.
pub fn restore(directory: &Path) {
    let is_missing = |path: &Path| path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    let taken_out = || -> Vec<(PathBuf, PathBuf)> {
        let entries = files::list(directory).unwrap_or_default().into_iter();
        let taken_out = entries.filter(|entry| entry.kind == files::FileKind::File).filter_map(|entry| {
            let swap = SwapName::parse(&entry.name).filter(|swap| !swap.target.is_empty() && swap.after != NOTHING)?;
            let (path, target) = (directory.join(&entry.name), directory.join(swap.target));
            (is_missing(&target) && digest_of(&path)? != swap.after).then_some((path, target))
        });
        taken_out.collect()
    };
    if !taken_out().is_empty() {
        std::thread::sleep(MOMENT);
        for (path, target) in taken_out() {
            let _ = place(&path, &target);
        }
    }
}

/// Longer than a file is missing during an exchange that is not killed.
const MOMENT: Duration = Duration::from_millis(50);

/// Removes stale temporary files from a directory. Requires the lock, so that no other run is writing.
///
/// The user may have files with similar names, so the exact form is required, and a staging directory must contain only
/// what Symposium puts there. Returns the files that were kept: texts of other programs that could not be restored
/// because a newer file is in place.
pub fn sweep(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = files::list(directory) else { return Vec::new() };
    let mut kept = Vec::new();
    for entry in entries {
        let path = directory.join(&entry.name);
        match entry.kind {
            files::FileKind::File if is_writing(&entry.name) => _ = fs::remove_file(path),
            files::FileKind::File => {
                if let Some(swap) = SwapName::parse(&entry.name)
                    && swap.resolve(directory, &path).is_none()
                {
                    kept.push(path);
                }
            }
            files::FileKind::Directory if is_staging(&entry.name, &path) => _ = fs::remove_dir_all(path),
            files::FileKind::Directory | files::FileKind::Link | files::FileKind::Other => {}
        }
    }
    kept
}

struct SwapName<'n> {
    before: &'n str,
    after: &'n str,
    /// The name of the other file; empty when it was too long.
    target: &'n str,
}

impl<'n> SwapName<'n> {
    fn parse(name: &'n str) -> Option<Self> {
        let rest = name.strip_prefix(SWAP)?.strip_suffix(WRITING_SUFFIX)?;
        let (before, rest) = rest.split_once('-')?;
        let (after, rest) = rest.split_once('-')?;
        let (random, target) = rest.split_once('-')?;
        let sound = is_digest(before) && (after == NOTHING || is_digest(after)) && is_random(random);
        sound.then_some(Self { before, after, target })
    }

    /// Moves a file to a fresh name of this form by `step`. The file under that name is removed when the result is
    /// dropped.
    fn fresh_name(
        &self,
        directory: &Path,
        step: &mut dyn FnMut(&Path) -> io::Result<()>,
    ) -> io::Result<tempfile::TempPath> {
        let prefix = format!("{SWAP}{}-{}-", self.before, self.after);
        let suffix = format!("-{}{WRITING_SUFFIX}", self.target);
        let fresh = |path: &Path| match path.symlink_metadata() {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => step(path),
        };
        let made = tempfile::Builder::new().prefix(&prefix).suffix(&suffix).make_in(directory, fresh)?;
        Ok(made.into_temp_path())
    }

    /// Removes a text that may be removed, restores any other; `None` when neither is possible.
    fn resolve(&self, directory: &Path, path: &Path) -> Option<()> {
        let found = digest_of(path)?;
        let target = Some(self.target).filter(|name| !name.is_empty()).map(|name| directory.join(name));
        let is_missing = target.as_ref().is_some_and(|target| target.symlink_metadata().is_err());
        // The old text is the only copy while the target is missing, unless the target was to be removed.
        if found == self.after || (found == self.before && (self.after == NOTHING || !is_missing)) {
            return fs::remove_file(path).ok();
        }
        let target = target?;
        if is_missing {
            // Without replacing anything, since a newer file may appear first.
            return place(path, &target).ok();
        }
        if digest_of(&target)? != self.after {
            return None;
        }
        trade(path, &target).ok()?;
        if digest_of(path)? == self.after {
            return fs::remove_file(path).ok();
        }
        // Another program replaced Symposium's text at this very moment: that text is newer.
        let _ = trade(path, &target);
        None
    }
}

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
    let ours = |entry: &files::DirectoryEntry| STAGED.contains(&entry.name.as_str());
    name.strip_prefix(STAGING).is_some_and(is_random) && files::list(path).is_ok_and(|entries| entries.iter().all(ours))
}

fn is_random(text: &str) -> bool {
    text.len() == 6 && text.chars().all(|c| c.is_ascii_alphanumeric())
}

#[cfg(test)]
#[path = "stale_temp_tests.rs"]
mod tests;
