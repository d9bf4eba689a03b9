//! The ledger on disk: read under the lock, written back whole.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use symposium_io::file_lock::{self, FileLock, LockError};
use symposium_io::settings;
use symposium_io::{fs, stale_temp};
use symposium_model::config::AppDirectories;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::sync::{Ledger, WrittenContent};

use crate::error::CliError;
use crate::run_report::RunReport;

/// A ledger beyond this is not ours.
const MAX_LEDGER: u64 = 64 * 1024 * 1024;

/// The time to wait for another run of Symposium.
const PATIENCE: Duration = Duration::from_mins(1);

/// The lock under which everything is compared and written; dropping it releases it.
pub(crate) struct LedgerLock {
    _file: FileLock,
}

/// Takes the lock under which everything is compared and written.
pub(crate) fn lock(directories: &AppDirectories) -> Result<LedgerLock, CliError> {
    let path = directories.config.join("lock");
    let taken = file_lock::acquire(&path, PATIENCE).map_err(|error| {
        let hint = match &error {
            LockError::Held { .. } => "wait until it has finished, then run the command again",
            LockError::File(_) => "make the directory writable, or set SYMPOSIUM_HOME to one that is",
        };
        CliError::failed(format!("Cannot start: {error}")).hint(hint)
    });
    taken.map(|file| LedgerLock { _file: file })
}

/// Takes the lock; `None` if another run holds it or the file cannot be locked.
pub(crate) fn lock_if_free(directories: &AppDirectories) -> Option<LedgerLock> {
    let file = file_lock::acquire(&directories.config.join("lock"), Duration::ZERO).ok()?;
    Some(LedgerLock { _file: file })
}

/// Reads the ledger to look at it. One that cannot be read counts as empty; the fault says why.
pub(crate) fn read(directories: &AppDirectories) -> (Ledger, Option<Diagnostic>) {
    match read_existing(directories) {
        Ok(ledger) => (ledger, None),
        Err(fault) => (Ledger::default(), Some(*fault)),
    }
}

/// Reads the ledger for a command of a person, reports its fault, and puts back files that a killed run left.
pub(crate) fn read_restored(directories: &AppDirectories, report: &mut RunReport) -> Ledger {
    let (ledger, fault) = read(directories);
    report.add_briefly(fault.as_slice());
    restore_files(&ledger);
    ledger
}

/// Whether a sync has run in a workspace, as far as the ledger can be read.
pub(crate) fn has_run_in(directories: &AppDirectories, root: &Path) -> bool {
    read_existing(directories).is_ok_and(|ledger| ledger.has_run_in(root))
}

fn read_existing(directories: &AppDirectories) -> Result<Ledger, Box<Diagnostic>> {
    let path = directories.config.join("ledger.json");
    let fault = |reason: String, help: &str| {
        let message = format!("The ledger of installed files {reason}, so the installed files are unknown");
        Box::new(Diagnostic::error(path.display().to_string(), message).help(help))
    };
    let anew = "run `symposium sync`: it keeps the file as `ledger.json.broken` and creates a new ledger; files that \
                match exactly are recorded again, and all others count as yours";
    match fs::read_text_if_there(&path, MAX_LEDGER) {
        Ok(None) => Ok(Ledger::default()),
        Ok(Some(text)) => match Ledger::parse(&text) {
            Some(ledger) => Ok(without_original(ledger, directories)),
            None => Err(fault("is invalid".to_owned(), anew)),
        },
        Err(fs::FsError { kind: fs::FsErrorKind::Io(error), .. }) => {
            Err(fault(format!("cannot be read ({error})"), "make the file readable, and run the command again"))
        }
        Err(error) => Err(fault(format!("cannot be used ({})", error.kind), anew)),
    }
}

/// Reads the ledger to write it, under the lock. An invalid ledger is renamed, with a warning, and an empty one takes
/// its place. A ledger that cannot be read now is an error, because it is the only record of the written files.
pub(crate) fn read_to_write(directories: &AppDirectories, report: &mut RunReport) -> Result<Ledger, CliError> {
    let path = directories.config.join("ledger.json");
    match fs::read_text_if_there(&path, MAX_LEDGER) {
        Ok(None) => Ok(Ledger::default()),
        Ok(Some(text)) => {
            let ledger = Ledger::parse(&text).unwrap_or_else(|| put_aside(directories, &path, report));
            let ledger = without_original(ledger, directories);
            restore_files(&ledger);
            Ok(ledger)
        }
        Err(fs::FsError { kind: fs::FsErrorKind::Io(error), .. }) => {
            let reason = format!("Failed to read the ledger {}: {error}", path.display());
            Err(CliError::failed(reason).hint("make the file readable, and run the command again"))
        }
        Err(_) => Ok(put_aside(directories, &path, report)),
    }
}

/// In a copy of a home that is still there, the ledger is about the files of that one, which are not changed from here.
fn without_original(mut ledger: Ledger, directories: &AppDirectories) -> Ledger {
    let original = ledger.home.take().filter(|home| *home != directories.config);
    if let Some(original) = original.and_then(|home| fs::canonical(&home).ok())
        && let Some(here) = fs::canonical(&directories.config).ok().filter(|here| *here != original)
    {
        ledger.forget_original(&home_around(&original, &here));
    }
    ledger
}

/// Returns the directory around the original configuration directory that was copied: the rest of both paths is the
/// same.
fn home_around(original: &Path, here: &Path) -> PathBuf {
    let mut around = (original, here);
    while let ((Some(name), Some(parent)), (Some(other), Some(other_parent))) =
        ((around.0.file_name(), around.0.parent()), (around.1.file_name(), around.1.parent()))
        && name == other
    {
        around = (parent, other_parent);
    }
    let copied = if around.0 == original { original.parent().unwrap_or(original) } else { around.0 };
    copied.to_owned()
}

/// Puts back files that the ledger names and that a killed run left under another name.
pub(crate) fn restore_files(ledger: &Ledger) {
    let files = ledger.records.iter().filter(|record| !matches!(record.written, WrittenContent::Skill { .. }));
    let directories: BTreeSet<&Path> =
        files.filter(|record| !fs::exists(&record.path)).filter_map(|record| record.path.parent()).collect();
    directories.into_iter().for_each(stale_temp::restore);
}

fn put_aside(directories: &AppDirectories, path: &Path, report: &mut RunReport) -> Ledger {
    let aside = directories.config.join("ledger.json.broken");
    let kept = match fs::move_file(path, &aside) {
        Ok(()) => format!("it is kept as {}", aside.display()),
        Err(error) => error.to_string(),
    };
    report.warning(format!("{} could not be read and is created again; {kept}", path.display()));
    Ledger::default()
}

/// Writes the ledger, unless it is already so. One with nothing in it goes, which needs no space on the disk.
pub(crate) fn write(directories: &AppDirectories, ledger: &Ledger) -> Result<(), Box<Diagnostic>> {
    let path = directories.config.join("ledger.json");
    let failed = |reason: String, help: &str| {
        let message = format!("Failed to write the ledger: {reason}");
        Box::new(Diagnostic::error(path.display().to_string(), message).help(help))
    };
    let text = ledger
        .written_in(&directories.config)
        .to_text()
        .map_err(|error| failed(error.to_string(), "use directories with UTF-8 names"))?;
    // A directory that is empty should be gone; until it is, the ledger records that it is Symposium's.
    let stuck = ledger.directories.iter().any(|directory| !fs::has_content(directory));
    let empty = ledger.records.is_empty() && ledger.synchronised.is_empty() && !stuck;
    let written = settings::write_own(&path, (!empty).then_some(text.as_str()));
    let help = "check that the directory is writable and the disk is not full, and run the command again";
    written.map_err(|error| failed(error.kind.to_string(), help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_around_a_copied_configuration_is_found() {
        for (original, here, around) in [
            ("/home/user/.symposium", "/mnt/copy/.symposium", "/home/user"),
            ("/home/user/.config/symposium", "/mnt/copy/.config/symposium", "/home/user"),
            ("/home/user/.symposium", "/home/user/other", "/home/user"),
            ("/symposium", "/copy/symposium", "/"),
        ] {
            assert_eq!(home_around(Path::new(original), Path::new(here)), Path::new(around), "{original} {here}");
        }
    }
}
