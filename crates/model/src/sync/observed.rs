//! The state of the disk at the places that a comparison is about, as values.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::tree::SkillTree;
use crate::diagnostic::Diagnostic;

/// Everything that was found on disk. A place that was not looked at counts as unreadable, never as absent.
#[derive(Debug, Default)]
pub struct Observed {
    /// Files that hold text; `None` for one that is not there.
    pub texts: BTreeMap<PathBuf, Result<Option<ObservedText>, Box<Diagnostic>>>,
    /// Places of skills.
    pub skills: BTreeMap<PathBuf, Result<InstalledState, ReadFailure>>,
    /// Directories that cannot be made, each with the reason.
    pub blocked: BTreeMap<PathBuf, String>,
    /// Places at which there is something, of those that were asked for.
    pub existing: BTreeSet<PathBuf>,
    /// Workspaces that were deleted.
    pub gone: BTreeSet<PathBuf>,
}

/// A file and whether a link leads to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservedText {
    pub text: String,
    pub is_link: bool,
}

/// The state of the place of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstalledState {
    Absent,
    Directory(SkillTree),
    /// Something that is no skill directory of ours: a file, a link, or a directory that holds links or devices.
    Other,
}

/// Why a place could not be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFailure {
    /// The file that could not be read: the place, or one below it.
    pub path: PathBuf,
    pub reason: String,
    /// Whether another moment, or another user, may find something readable there.
    pub is_transient: bool,
}

const UNOBSERVED: &str = "it was not observed";

impl Observed {
    /// Returns the file at a place; `None` when there is none.
    pub fn text(&self, path: &Path) -> Result<Option<&ObservedText>, Box<Diagnostic>> {
        match self.texts.get(path) {
            Some(Ok(found)) => Ok(found.as_ref()),
            Some(Err(found)) => Err(found.clone()),
            None => {
                let found = Diagnostic::error(path.display().to_string(), format!("Skipped: {UNOBSERVED}"));
                Err(Box::new(found.help("this is a bug in Symposium; please report it")))
            }
        }
    }

    /// Returns the state of the place of a skill.
    pub fn skill(&self, path: &Path) -> Result<&InstalledState, ReadFailure> {
        match self.skills.get(path) {
            Some(Ok(found)) => Ok(found),
            Some(Err(failure)) => Err(failure.clone()),
            None => Err(ReadFailure { path: path.to_owned(), reason: UNOBSERVED.to_owned(), is_transient: true }),
        }
    }
}
