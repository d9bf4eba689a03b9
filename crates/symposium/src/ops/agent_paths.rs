//! Resolves the paths of agents' files on this machine.

use std::path::{Path, PathBuf};

use symposium_agents::AgentPath;
use symposium_io::fs;

#[derive(Debug, Clone, Copy)]
pub(crate) struct AgentRoots<'r> {
    pub(crate) home: Option<&'r Path>,
    pub(crate) project: Option<&'r Path>,
}

impl AgentRoots<'_> {
    /// Finds a place; `None` without a home, or outside any workspace.
    pub(crate) fn resolve(self, place: AgentPath) -> Option<PathBuf> {
        match place {
            AgentPath::Home(path) => self.home.map(|home| home.join(path)),
            AgentPath::Project(path) => self.project.map(|root| root.join(path)),
            AgentPath::GitRoot(path) => {
                let root = self.project?;
                let mut git = root.ancestors().take_while(|directory| Some(*directory) != self.home);
                let git = git.find(|directory| fs::exists(&directory.join(".git"))).unwrap_or(root);
                Some(git.join(path))
            }
        }
    }

    /// Writes a path as a person says it: relative to the workspace, or with `~`.
    pub(crate) fn shown(self, path: &Path) -> String {
        if let Some(inside) = self.project.and_then(|root| path.strip_prefix(root).ok()) {
            return inside.display().to_string();
        }
        match self.home.and_then(|home| path.strip_prefix(home).ok()) {
            Some(inside) => format!("~/{}", inside.display()),
            None => path.display().to_string(),
        }
    }
}
