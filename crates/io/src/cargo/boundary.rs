//! How far up a walk through parent directories goes: HOME and the user directory are never a project.

use std::path::{Path, PathBuf};

use symposium_model::crates::lexical_path;

use crate::fs;

/// The directories at which a walk upwards ends or which it passes by.
#[derive(Debug, Clone, Default)]
pub struct Boundary {
    home: Option<PathBuf>,
    user_dir: Option<PathBuf>,
}

impl Boundary {
    /// `home` ends the walk; `user_dir` is Symposium's own user-level directory, as `~/.symposium`.
    pub fn new(home: Option<&Path>, user_dir: Option<&Path>) -> Self {
        Self { home: home.map(resolved), user_dir: user_dir.map(resolved) }
    }

    /// The directory and its parents that may be projects, nearest first, links resolved.
    pub(super) fn upwards(&self, start: &Path) -> Vec<PathBuf> {
        let start = resolved(start);
        let below_home = start.ancestors().take_while(|directory| Some(*directory) != self.home.as_deref());
        let may_be_project = |directory: &&Path| {
            self.user_dir.as_deref().is_none_or(|own| *directory != own && directory.join(".symposium") != own)
        };
        below_home.filter(may_be_project).map(Path::to_owned).collect()
    }
}

/// The path with links resolved as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    fs::canonical(path).unwrap_or_else(|_| lexical_path::normal(path))
}
