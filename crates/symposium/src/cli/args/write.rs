//! Options of the everyday commands that change something.

use std::path::PathBuf;

use clap::Args;
use symposium_model::agent::AgentId;

use super::agent::agent_parser;
use super::directories::DirectoryArgs;

/// The options of every command that writes.
#[derive(Debug, Args, Clone, Copy)]
pub(crate) struct WritingArgs {
    /// Show what would be done.
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    /// Ask nothing.
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// `symposium init`.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Only the user part.
    #[arg(long)]
    pub(crate) user: bool,
    /// Only the project part.
    #[arg(long)]
    pub(crate) project: bool,
    /// An agent to add to those you use; with `--project` alone, to those this project uses.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = agent_parser())]
    pub(crate) agent: Vec<AgentId>,
    /// Use only the agents that `--agent` names.
    #[arg(long, requires = "agent")]
    pub(crate) only: bool,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

/// `symposium sync`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct SyncArgs {
    /// Only the toggles of this project.
    #[arg(long)]
    pub(crate) workspace: bool,
    /// Only what agents read: skills, hooks and MCP servers.
    #[arg(long)]
    pub(crate) agents_only: bool,
    /// The old name of `--agents-only`; everywhere else it takes an agent's name.
    #[arg(long, hide = true, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    pub(crate) agent: Option<String>,
    /// Write nothing; exit with 1 if there is anything to do.
    #[arg(long)]
    pub(crate) check: bool,
    /// Make `.symposium/symposium.lock`, which pins every source and extension; from then on it is kept up to date.
    #[arg(long)]
    pub(crate) lock: bool,
    /// Exit with 3, and write nothing, if the lock is missing or would change.
    #[arg(long, conflicts_with_all = ["lock", "update"])]
    pub(crate) locked: bool,
    /// Like `--locked` and `--offline` together.
    #[arg(long, conflicts_with_all = ["lock", "update"])]
    pub(crate) frozen: bool,
    /// Fetch every source, and move the lock to what it holds now.
    #[arg(long)]
    pub(crate) update: bool,
    /// Copy the locked sources to `.symposium/vendor/`, where they are read before anything is fetched; makes the lock
    /// too.
    #[arg(long)]
    pub(crate) vendor: bool,
    /// Put an installed skill that was edited back to what its source says.
    #[arg(long, value_name = "NAME")]
    pub(crate) restore: Vec<String>,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

/// `symposium import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The agent.
    #[arg(long, value_name = "AGENT", value_parser = agent_parser())]
    pub(crate) from: AgentId,
    /// Import the project's settings into a plugin of the project, instead of your own into a plugin of yours.
    #[arg(long)]
    pub(crate) project: bool,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

/// `symposium trust`.
#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// A directory of the workspace; the current one when absent.
    pub(crate) path: Option<PathBuf>,
    /// Only list what there is and how it stands.
    #[arg(long, conflicts_with = "revoke")]
    pub(crate) show: bool,
    /// Withdraw what was granted here.
    #[arg(long)]
    pub(crate) revoke: bool,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

/// `symposium self-update`.
#[derive(Debug, Args)]
pub(crate) struct SelfUpdateArgs {
    /// Only look whether there is a newer version; exit with 1 if there is.
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) directories: DirectoryArgs,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

/// `symposium uninstall`.
#[derive(Debug, Args)]
pub(crate) struct UninstallArgs {
    /// Only what is in this workspace.
    #[arg(long)]
    pub(crate) project: bool,
    /// Only what is in your home directory.
    #[arg(long)]
    pub(crate) user: bool,
    /// All workspaces Symposium was used in.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}
