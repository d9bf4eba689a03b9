//! The names under which files change places, and what a run of ours that was killed left under them: ours goes, anybody
//! else's goes back.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use symposium_model::sync::fingerprint;

use crate::exchange::{cannot_exchange, exchange, place};
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
    let name = target.file_name().and_then(|name| name.to_str()).filter(|name| name.len() <= MAX_NAME);
    let after = after.map_or_else(|| NOTHING.to_owned(), |text| digest(text.as_bytes()));
    let swap = SwapName { before: &digest(before.as_bytes()), after: &after, target: name.unwrap_or_default() };
    swap.fresh_name(target.parent().unwrap_or(Path::new(".")), &mut step)
}

/// Lets a file under a name of [`swap_beside`] change places with `target`, in one step where the system can.
///
/// What is at `target` then is what was under the other name, and the other way round.
pub(crate) fn trade(swap: &Path, target: &Path) -> io::Result<()> {
    match exchange(swap, target) {
        Err(error) if cannot_exchange(&error) => trade_in_steps(swap, target),
        done => done,
    }
}

/// The same in three steps: `target` moves to another name of ours, the file takes its place, and what was there takes
/// the file's. So `target` is away for a moment, but whatever another program puts there is never replaced: if one does
/// in that moment, theirs stays and the error is `AlreadyExists`. After a kill, [`restore`] puts back what was there.
fn trade_in_steps(swap: &Path, target: &Path) -> io::Result<()> {
    let name = swap.file_name().and_then(|name| name.to_str()).and_then(SwapName::parse);
    let Some(name) = name.filter(|name| !name.target.is_empty()) else { return Err(io::ErrorKind::Unsupported.into()) };
    let directory = target.parent().unwrap_or(Path::new("."));
    let aside = name.fresh_name(directory, &mut |aside| fs::rename(target, aside))?;
    let Err(error) = place(swap, target) else {
        let moved = fs::rename(&aside, swap);
        // It has moved, or is for the next run to look at.
        let _kept = aside.keep();
        return moved;
    };
    let back = place(&aside, target);
    let aside = aside.keep().map_err(|error| error.error)?;
    match back {
        Err(back) if back.kind() == io::ErrorKind::AlreadyExists => {
            // Newer than what we took away, so that goes if it is what we expected, and is kept if not.
            name.resolve(directory, &aside);
            Err(back)
        }
        Err(back) => Err(back),
        Ok(()) => Err(error),
    }
}

/// Puts back files of a directory that are missing because a run of ours was killed while they changed places with others.
///
/// A run of ours may be in the middle of that, so what is there a moment later is all that counts; and since nothing is
/// replaced, that run notices.
pub fn restore(directory: &Path) {
    let is_missing = |path: &Path| path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    let taken_out = || -> Vec<(PathBuf, PathBuf)> {
        let entries = files::list(directory).unwrap_or_default().into_iter();
        let taken_out = entries.filter(|entry| entry.kind == files::EntryKind::File).filter_map(|entry| {
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

/// Longer than a run of ours that is not killed leaves a file away.
const MOMENT: Duration = Duration::from_millis(50);

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
                if let Some(swap) = SwapName::parse(&entry.name)
                    && swap.resolve(directory, &path).is_none()
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
struct SwapName<'n> {
    before: &'n str,
    after: &'n str,
    /// The other one; empty when its name could not be written down.
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

    /// Moves something to a fresh name like this one by `step`; what is there then goes when the answer is dropped.
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

    /// Removes a text that may go, puts back any other; `None` when neither can be done.
    fn resolve(&self, directory: &Path, path: &Path) -> Option<()> {
        let found = digest_of(path)?;
        let target = Some(self.target).filter(|name| !name.is_empty()).map(|name| directory.join(name));
        let is_missing = target.as_ref().is_some_and(|target| target.symlink_metadata().is_err());
        // The text from before is all there is while nothing is at its place, unless it was to be removed.
        if found == self.after || (found == self.before && (self.after == NOTHING || !is_missing)) {
            return fs::remove_file(path).ok();
        }
        let target = target?;
        if is_missing {
            // A newer one may come first, so without replacing anything.
            return place(path, &target).ok();
        }
        if digest_of(&target)? != self.after {
            return None;
        }
        trade(path, &target).ok()?;
        if digest_of(path)? == self.after {
            return fs::remove_file(path).ok();
        }
        // Another program replaced ours in this very moment: that is newer.
        let _ = trade(path, &target);
        None
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
    let ours = |entry: &files::DirectoryEntry| STAGED.contains(&entry.name.as_str());
    name.strip_prefix(STAGING).is_some_and(is_random) && files::list(path).is_ok_and(|entries| entries.iter().all(ours))
}

fn is_random(text: &str) -> bool {
    text.len() == 6 && text.chars().all(|c| c.is_ascii_alphanumeric())
}

#[cfg(test)]
#[path = "stale_temp_tests.rs"]
mod tests;
