//! Where the files of agents are on this machine.

use std::path::PathBuf;

use symposium_agents::AgentPath;
use symposium_io::fs;

use super::context::Context;

/// Where a place is; `None` without a home, or outside any workspace.
pub(crate) fn resolve(context: &Context, place: AgentPath) -> Option<PathBuf> {
    match place {
        AgentPath::Home(path) => context.home.as_ref().map(|home| home.join(path)),
        AgentPath::Project(path) => context.root().map(|root| root.join(path)),
        AgentPath::GitRoot(path) => {
            let root = context.root()?;
            let git = root.ancestors().take_while(|directory| Some(*directory) != context.home.as_deref());
            let git = git.into_iter().find(|directory| fs::exists(&directory.join(".git"))).unwrap_or(root);
            Some(git.join(path))
        }
    }
}
