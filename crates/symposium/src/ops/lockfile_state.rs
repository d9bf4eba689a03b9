//! The lock of a project on disk, and where its vendored sources lie.

use std::path::Path;

use symposium_io::{fs, settings};
use symposium_model::diagnostic::Diagnostic;
use symposium_model::lockfile::{Lockfile, SourcePin, parse};

pub(crate) use symposium_model::lockfile::{VENDORED, is_of_lock, lock_path, vendor_directory, vendored};

/// A larger file is no lock.
const MAX_LOCK: u64 = 16 * 1024 * 1024;

#[derive(Debug, Clone, Default)]
pub(crate) enum LockfileState {
    /// There is none, so the newest content of every source counts.
    #[default]
    Absent,
    /// There is one that cannot be understood.
    Broken,
    Sound {
        lock: Lockfile,
        text: String,
    },
}

impl LockfileState {
    /// Reads the lock of a project, and says what is wrong with it.
    pub(crate) fn read(root: &Path) -> (Self, Vec<Diagnostic>) {
        let path = lock_path(root);
        let shown = path.display().to_string();
        match settings::read_whole_by(&path, || fs::read_text_of_no_link(&path, MAX_LOCK)) {
            Ok(text) => match parse(&shown, &text) {
                Ok(lock) => (Self::Sound { lock, text }, Vec::new()),
                Err(found) => (Self::Broken, found),
            },
            Err(error) if error.is_not_found() => (Self::Absent, Vec::new()),
            Err(error) => {
                let found = Diagnostic::error(shown, format!("Cannot read this lockfile: {}", error.kind));
                (Self::Broken, vec![found.help("make it a readable text file, or remove it")])
            }
        }
    }

    /// What it says, when it can be understood.
    pub(crate) fn lock(&self) -> Option<&Lockfile> {
        match self {
            Self::Sound { lock, .. } => Some(lock),
            Self::Absent | Self::Broken => None,
        }
    }

    /// Whether there is one that cannot be understood.
    pub(crate) fn is_broken(&self) -> bool {
        matches!(self, Self::Broken)
    }

    pub(crate) fn pin(&self, source: &str) -> Option<&SourcePin> {
        self.lock()?.pin(source)
    }
}

/// Whether what the lock says of sources counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum PinPolicy {
    #[default]
    Kept,
    /// The person wants what the sources hold now.
    Released,
}
