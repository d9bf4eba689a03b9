//! The commands and options of the command line. The doc comments are the help text.

mod agent;
mod author;
mod directories;
mod query;
mod write;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use symposium_model::agent::AgentId;

use crate::ops::query::extension_state::legend;

pub(crate) use agent::agent_parser;
pub(crate) use author::{HookCommand, NewArgs, PluginCommand, SkillCommand};
pub(crate) use directories::DirectoryArgs;
pub(crate) use query::{ApiArgs, ConfigCommand, CrateArgs};
pub(crate) use write::{ImportArgs, InitArgs, SelfUpdateArgs, SyncArgs, TrustArgs, UninstallArgs, WritingArgs};

/// Makes AI coding agents good at Rust: skills, hooks and MCP servers chosen by the crates your workspace uses.
#[derive(Debug, Parser)]
#[command(name = "symposium", bin_name = "symposium", version, arg_required_else_help = true)]
pub(crate) struct CliArgs {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: CliCommand,
}

/// The heading of the options that every command takes.
pub(crate) const GLOBAL_OPTIONS: &str = "Global options";

/// Options every command takes.
#[derive(Debug, Args)]
pub(crate) struct GlobalArgs {
    /// Say nothing but the answer and errors.
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = GLOBAL_OPTIONS)]
    pub(crate) quiet: bool,
    /// Say more; twice, show the log of the run too.
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = GLOBAL_OPTIONS)]
    pub(crate) verbose: u8,
    /// Run as if started in this directory.
    #[arg(short = 'C', global = true, value_name = "DIR", help_heading = GLOBAL_OPTIONS)]
    pub(crate) directory: Option<PathBuf>,
    /// Answer with one JSON document on standard output.
    #[arg(long, global = true, help_heading = GLOBAL_OPTIONS)]
    pub(crate) json: bool,
    /// Do not use the network.
    #[arg(long, global = true, help_heading = GLOBAL_OPTIONS)]
    pub(crate) offline: bool,
    /// When to use colour: auto, always or never.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    #[arg(help_heading = GLOBAL_OPTIONS)]
    pub(crate) color: ColorMode,
    /// One more directory of plugins, for this call only.
    #[arg(long, global = true, value_name = "PATH", help_heading = GLOBAL_OPTIONS)]
    pub(crate) source: Vec<PathBuf>,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorMode {
    // On a terminal, unless NO_COLOR is set. Doc comments here would turn all of `--help` into its long form.
    Auto,
    Always,
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    /// Set up the agents you use, and this project.
    ///
    /// The user part writes your configuration and registers Symposium with your agents; the project part writes
    /// `.symposium/config.toml` and installs the skills that match. Without flags: both. Running it twice changes nothing.
    Init(InitArgs),
    /// Bring this project and your agents up to date with its crates.
    Sync(SyncArgs),
    /// Switch extensions on in this project.
    On {
        /// A crate, skill, plugin or hook as `status` and `hook list` name it, or `crate/skill`.
        #[arg(required_unless_present = "all")]
        names: Vec<String>,
        /// Everything.
        #[arg(long, conflicts_with = "names")]
        all: bool,
        #[command(flatten)]
        writing: WritingArgs,
    },
    /// Switch extensions off in this project.
    Off {
        /// A crate, skill, plugin or hook as `status` and `hook list` name it, or `crate/skill`.
        #[arg(required_unless_present = "all")]
        names: Vec<String>,
        /// Everything.
        #[arg(long, conflicts_with = "names")]
        all: bool,
        #[command(flatten)]
        writing: WritingArgs,
    },
    /// Bring what you have in one agent along to every agent.
    ///
    /// Writes a plugin of yours with what the agent's settings say, all layers of them; what cannot be carried over is
    /// listed. The settings stay as they are: while the agent has an entry of its own, the copy of it does not run there.
    Import(ImportArgs),
    /// Show every extension, its state, and the agents that have it.
    #[command(after_help = legend())]
    Status,
    /// Review what plugins would run here, and agree to it.
    ///
    /// Hooks, MCP servers and installations of a project, of a dependency or of the public recommendations do not run
    /// before you agree. What you agree to is exactly what is shown: the manifest and every file the commands name.
    /// When one of them changes, it stops again, and the difference is shown.
    Trust(TrustArgs),
    /// Check each agent, and name the fix for what is not right.
    ///
    /// Installed, registered, readable, trusted, answered: nothing is changed. A test event goes through Symposium itself, which starts no handler for it.
    ///
    /// OpenCode loads no plugin before npm has installed a package of its own. Where that is missing, and OpenCode is
    /// named with `--agent`, it is started in an empty home with a plugin that ends it at once, for at most ten seconds,
    /// to see how long it takes. It begins no session and touches none of your files, but it may use the network; with
    /// `--offline` it is not started.
    Doctor {
        /// Agents; those you configured when absent.
        #[arg(value_name = "AGENT", value_parser = agent_parser(), hide_possible_values = true)]
        names: Vec<AgentId>,
        /// The same as an option.
        #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = agent_parser())]
        agent: Vec<AgentId>,
    },
    /// Show how much of a model's context Symposium fills.
    ///
    /// Lists for each agent the skills it shows its model, the text and the index at session start, and the instructions
    /// and tools of the MCP server, in bytes and in tokens of four bytes, beside the agent's limit for the list of skills.
    Context {
        /// Agents; those you configured when absent.
        #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = agent_parser())]
        agent: Vec<AgentId>,
    },
    /// Bring the newest version of Symposium.
    ///
    /// Finds out how it was installed, shows the command that updates such an installation, and runs it after a yes.
    /// Nothing runs it by itself.
    SelfUpdate(SelfUpdateArgs),
    /// Remove everything that Symposium wrote.
    ///
    /// Every file it touched becomes what it was before, unless someone else changed it since. What you edited, and
    /// what git tracks in a workspace, is kept and named.
    Uninstall(UninstallArgs),
    /// Run cargo, and print its output as short as it can be.
    ///
    /// Everything after `cargo` is cargo's: `symposium cargo test --workspace`. Directory, environment, input, exit code
    /// and signals are cargo's own. On a terminal, and for commands or formats that are not understood, the output is
    /// cargo's own too. Otherwise every diagnostic, failing test and total stays, and the rest is left out; the whole
    /// output of the last 20 such runs is kept in the cache.
    Cargo {
        /// The arguments of cargo.
        #[arg(value_name = "ARGS", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Print Rust guidance and the skills that match this workspace.
    Start,
    /// Answer an agent's questions as an MCP server.
    ///
    /// It speaks on standard input and output. Agents start it; `symposium init` tells them how. Its tools are `start`,
    /// `list`, `crate`, `crate_source`, `api` and `why`, and answer what the commands answer. `--home DIR`, `--cache DIR` and
    /// `--logs DIR` name Symposium's directories in place of the variables an agent may lack.
    Mcp {
        #[command(flatten)]
        directories: DirectoryArgs,
    },
    /// Show the skills for this workspace's crates, or for one crate.
    ///
    /// For one crate: the guidance that applies to the locked version, further skills with their paths, and where the
    /// crate's source, documentation and examples are on disk. A package of the workspace itself counts at its own
    /// version. Exits with 1 when it is neither that nor a dependency.
    ///
    /// `--files`, `--path`, `--search` and `--examples` look into the source of the locked version, which cargo keeps on this
    /// machine; nothing is fetched.
    Crate(CrateArgs),
    /// Show public items of the crates that this workspace uses.
    ///
    /// The answer comes from the sources of the locked versions, which cargo keeps on this machine; nothing is fetched or
    /// built. For a crate: its modules, types, traits, functions and macros. For a path: that item with its fields,
    /// variants and methods. For words: the items that fit best.
    ///
    /// The first question about a crate reads its sources, which can take a second. After that the answer is in the
    /// cache.
    Api(ApiArgs),
    /// Explain why something applies or does not, and who wrote it.
    Why {
        /// A name, `crate/skill`, `plugin/hook`, or a file; what it is may come before it, as in `mcp server NAME`.
        ///
        /// A crate, skill, plugin, hook or MCP server by its name, `crate/skill` or `plugin/hook`, an entry as `why`
        /// shows it of a settings file, or a file, of a source or one that Symposium wrote. `crate`, `skill`, `plugin`,
        /// `hook`, `mcp server` or `file` before the name leaves out what else has it.
        #[arg(required = true, value_name = "NAME")]
        name: Vec<String>,
    },
    /// Show settings and where they come from.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Fetch, inspect, check and start plugins.
    #[command(subcommand)]
    Plugin(PluginCommand),
    /// Check skills.
    #[command(subcommand)]
    Skill(SkillCommand),
    /// Try the hooks of a plugin, and look at what hooks did.
    ///
    /// Agents call `symposium hook AGENT EVENT` with the event as JSON on standard input; so can you, with `symposium` as
    /// the agent, to see what hooks say to an event in the canonical format.
    #[command(
        subcommand,
        override_usage = "symposium hook [OPTIONS] <COMMAND>\n       symposium hook AGENT EVENT [--project] [--home DIR] [--cache DIR] [--logs DIR] [--user-home DIR]"
    )]
    Hook(HookCommand),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual, or the page of one command.
    Man {
        /// The command, such as `sync` or `plugin validate`; all of them when absent.
        command: Vec<String>,
    },
}
