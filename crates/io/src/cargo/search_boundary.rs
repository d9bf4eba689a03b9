//! The boundary of a walk through parent directories: HOME, Symposium's user directory and directories of other users
//! are never a project.

use std::path::{Path, PathBuf};

use symposium_model::authority::project::{IgnoredProject, distrusted, ignored_configuration, within_repository};
use symposium_model::crates::lexical_path;

use super::caller_disk::CallerDisk;
use crate::fs;

#[derive(Debug, Clone, Default)]
pub struct SearchBoundary {
    home: Option<PathBuf>,
    user_dir: Option<PathBuf>,
    allowed: Vec<PathBuf>,
}

impl SearchBoundary {
    /// `home` ends the walk; `user_dir` is Symposium's own user directory, usually `~/.symposium`.
    pub fn new(home: Option<&Path>, user_dir: Option<&Path>) -> Self {
        Self { home: home.map(resolved), user_dir: user_dir.map(resolved), allowed: Vec::new() }
    }

    /// Allows these directories, with everything below them, to belong to other users.
    #[must_use]
    pub fn allowing(self, directories: &[String]) -> Self {
        Self { allowed: directories.iter().map(|directory| resolved(Path::new(directory))).collect(), ..self }
    }

    pub fn allowed(&self) -> &[PathBuf] {
        &self.allowed
    }

    pub(super) fn disk(&self) -> CallerDisk<'_> {
        CallerDisk { allowed: &self.allowed }
    }

    /// Returns the directory and its parents that belong to the caller, up to the top of the repository, nearest first.
    pub(super) fn own_upwards(&self, start: &Path) -> Vec<PathBuf> {
        let upwards = self.upwards(start);
        let disk = self.disk();
        let within = within_repository(upwards.iter().map(PathBuf::as_path), &disk);
        within.filter(|directory| distrusted(directory, &disk).is_none()).map(Path::to_owned).collect()
    }

    /// Returns the directory and its parents below HOME, nearest first, with links resolved.
    pub(super) fn upwards(&self, start: &Path) -> Vec<PathBuf> {
        let start = resolved(start);
        let below_home = start.ancestors().take_while(|directory| Some(*directory) != self.home.as_deref());
        let may_be_project = |directory: &&Path| {
            self.user_dir.as_deref().is_none_or(|own| *directory != own && directory.join(".symposium") != own)
        };
        below_home.filter(may_be_project).map(Path::to_owned).collect()
    }
}

pub fn ignored_project(root: &Path, boundary: &SearchBoundary) -> Option<IgnoredProject> {
    ignored_configuration(root, &boundary.disk())
}

/// Resolves links; a path that does not exist is only normalized.
fn resolved(path: &Path) -> PathBuf {
    fs::canonical(path).unwrap_or_else(|_| lexical_path::normal(path))
}
