//! Collection of files in a walk through directories, within limits.

use symposium_model::sync::SkillFile;

use super::tree::{SourceTree, TreeError};
use super::walk_allowance::DirectoryAllowance;

#[derive(Clone, Copy)]
pub(super) struct WalkLimits {
    pub(super) directories: usize,
    pub(super) files: usize,
    pub(super) bytes: u64,
}

pub(super) struct SkillWalk {
    directories: DirectoryAllowance,
    most_files: usize,
    left: u64,
    pub(super) files: Vec<SkillFile>,
}

impl SkillWalk {
    pub(super) fn new(most: WalkLimits) -> Self {
        let directories = DirectoryAllowance::new(most.directories);
        Self { directories, most_files: most.files, left: most.bytes, files: Vec::new() }
    }

    pub(super) fn enter(&mut self) -> Result<(), String> {
        self.directories.enter()
    }

    /// Reads the file at `place` and adds it as `path`.
    pub(super) fn take(&mut self, tree: &dyn SourceTree, place: &str, path: String) -> Result<(), String> {
        let (bytes, executable) = tree.read_file(place, self.left).map_err(|error| match error {
            TreeError::Absent => format!("`{path}` no longer exists"),
            TreeError::Unusable(reason) => format!("`{path}`: {reason}"),
        })?;
        self.left -= bytes.len() as u64;
        self.files.push(SkillFile { path, bytes, executable });
        Ok(())
    }

    pub(super) fn count(&self) -> Result<(), String> {
        if self.files.len() > self.most_files { Err(format!("more than {} files", self.most_files)) } else { Ok(()) }
    }
}
