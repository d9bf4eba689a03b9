//! Options of the everyday commands that change something.

use std::path::PathBuf;

use clap::Args;
use symposium_model::agent::AgentId;

use super::agent::agent_parser;
use super::directories::DirectoryArgs;

/// The options of every command that writes.
#[derive(Debug, Args, Clone, Copy)]
pub(crate) struct WritingArgs {
    /// Show the changes without making them.
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    /// Do not ask for confirmation.
    #[arg(short, long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct InitArgs {
    /// Run only the user part.
    #[arg(long)]
    pub(crate) user: bool,
    /// Run only the project part.
    #[arg(long)]
    pub(crate) project: bool,
    /// Add an agent to your configuration; with only `--project`, to the project's configuration.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = agent_parser())]
    pub(crate) agent: Vec<AgentId>,
    /// Use only the agents that `--agent` names.
    #[arg(long, requires = "agent")]
    pub(crate) only: bool,
    /// Let agents run Symposium's read-only commands and tools without asking you.
    #[arg(long, conflicts_with = "project")]
    pub(crate) allow: bool,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct SyncArgs {
    /// Update only the toggles of this project.
    #[arg(long)]
    pub(crate) workspace: bool,
    /// Update only the files that agents read: skills, hooks and MCP servers.
    #[arg(long)]
    pub(crate) agents_only: bool,
    /// The old name of `--agents-only`; everywhere else it takes an agent's name.
    #[arg(long, hide = true, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    pub(crate) agent: Option<String>,
    /// Write nothing; exit with 1 if something needs to be updated.
    #[arg(long)]
    pub(crate) check: bool,
    /// Create the lockfile `.symposium/symposium.lock`, which pins all sources and extensions; later runs of `sync` update
    /// it.
    #[arg(long)]
    pub(crate) lock: bool,
    /// Require an up-to-date lockfile; otherwise exit with 3 and write nothing.
    #[arg(long, conflicts_with_all = ["lock", "update"])]
    pub(crate) locked: bool,
    /// Equivalent to `--locked` and `--offline`.
    #[arg(long, conflicts_with_all = ["lock", "update"])]
    pub(crate) frozen: bool,
    /// Fetch all sources, and update the lockfile to their latest content.
    #[arg(long)]
    pub(crate) update: bool,
    /// Copy the locked sources to `.symposium/vendor/`, and use these copies instead of fetching; creates the lockfile if
    /// needed.
    #[arg(long)]
    pub(crate) vendor: bool,
    /// Restore an installed skill that was edited, from its source.
    #[arg(long, value_name = "NAME")]
    pub(crate) restore: Vec<String>,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The agent to import from.
    #[arg(long, value_name = "AGENT", value_parser = agent_parser())]
    pub(crate) from: AgentId,
    /// Import the project's settings into a plugin of the project, instead of your own into a plugin of your own.
    #[arg(long)]
    pub(crate) project: bool,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// A directory of the workspace [default: the current directory].
    pub(crate) path: Option<PathBuf>,
    /// Only list the plugins and their trust status.
    #[arg(long, conflicts_with = "revoke")]
    pub(crate) show: bool,
    /// Revoke the grants of the plugins in this workspace.
    #[arg(long)]
    pub(crate) revoke: bool,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SelfUpdateArgs {
    /// Only check for a newer version; exit with 1 if there is one.
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) directories: DirectoryArgs,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct UninstallArgs {
    /// Uninstall only from this workspace.
    #[arg(long)]
    pub(crate) project: bool,
    /// Uninstall only from your home directory.
    #[arg(long)]
    pub(crate) user: bool,
    /// Uninstall from all workspaces that Symposium was used in.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}
