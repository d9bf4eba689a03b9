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
pub(crate) use author::{HookCommand, NewArgs, PluginCommand, SkillCommand, SkillTestArgs};
pub(crate) use directories::DirectoryArgs;
pub(crate) use query::{ApiArgs, ConfigCommand, CrateArgs, DiffArgs};
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
    /// Print only the result and errors.
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = GLOBAL_OPTIONS)]
    pub(crate) quiet: bool,
    /// Print more details; `-vv` also prints the log of this run.
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = GLOBAL_OPTIONS)]
    pub(crate) verbose: u8,
    /// Run as if started in DIR.
    #[arg(short = 'C', global = true, value_name = "DIR", help_heading = GLOBAL_OPTIONS)]
    pub(crate) directory: Option<PathBuf>,
    /// Print the result as one JSON document on standard output.
    #[arg(long, global = true, help_heading = GLOBAL_OPTIONS)]
    pub(crate) json: bool,
    /// Do not use the network.
    #[arg(long, global = true, help_heading = GLOBAL_OPTIONS)]
    pub(crate) offline: bool,
    /// When to use colour: auto, always or never.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    #[arg(help_heading = GLOBAL_OPTIONS)]
    pub(crate) color: ColorMode,
    /// Use another directory of plugins, for this command only.
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
    /// Set up your agents and this project.
    ///
    /// The user part writes your configuration and registers Symposium with your agents. The project part writes
    /// `.symposium/config.toml` and installs the matching skills. Without flags, `init` does both. A second run changes
    /// nothing.
    Init(InitArgs),
    /// Update skills, hooks and MCP servers to match the dependencies.
    Sync(SyncArgs),
    /// Switch on extensions in this project.
    On {
        /// Name of a crate, skill, plugin or hook as in `status` and `hook list`, or `crate/skill`.
        #[arg(required_unless_present = "all")]
        names: Vec<String>,
        /// Switch on all extensions.
        #[arg(long, conflicts_with = "names")]
        all: bool,
        #[command(flatten)]
        writing: WritingArgs,
    },
    /// Switch off extensions in this project.
    Off {
        /// Name of a crate, skill, plugin or hook as in `status` and `hook list`, or `crate/skill`.
        #[arg(required_unless_present = "all")]
        names: Vec<String>,
        /// Switch off all extensions.
        #[arg(long, conflicts_with = "names")]
        all: bool,
        #[command(flatten)]
        writing: WritingArgs,
    },
    /// Import hooks, MCP servers and skills of an agent for all agents.
    ///
    /// Reads all layers of the agent's settings, writes a plugin of your own, and lists the parts that it cannot import.
    /// The agent's settings do not change. An imported hook or server is skipped on an agent that still has the original
    /// entry.
    Import(ImportArgs),
    /// Show every extension, its state and the agents that have it.
    #[command(after_help = legend())]
    Status,
    /// Review the programs that plugins would run here, and grant them.
    ///
    /// Hooks, MCP servers and installations of a project, of a dependency or of the public recommendations do not run
    /// before you grant them. A grant covers exactly the content that is shown: every file in the plugin's directory, and
    /// every file of the workspace that a command can reach. For a plugin at the root of a package or repository, it
    /// covers the manifest, the files that commands name and the directories of these files. When one of them changes,
    /// the plugin stops until you grant it again, and `trust` shows the difference.
    Trust(TrustArgs),
    /// Check the setup of each agent, and suggest fixes.
    ///
    /// Checks that each agent is installed and registered, that it can read and trusts its files, and that Symposium
    /// answers a test event. It starts no handler and changes nothing.
    ///
    /// OpenCode loads plugins only after npm has installed a package. If that package is missing and you name OpenCode,
    /// `doctor` starts it in an empty home directory with a plugin that stops it at once, and measures the time, for at
    /// most ten seconds. This starts no session and touches none of your files, but may use the network. With
    /// `--offline`, OpenCode is not started.
    Doctor {
        /// Agents to check [default: the configured agents].
        #[arg(value_name = "AGENT", value_parser = agent_parser(), hide_possible_values = true)]
        names: Vec<AgentId>,
        /// Agents to check, as an option.
        #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = agent_parser())]
        agent: Vec<AgentId>,
    },
    /// Show what a change of the project means for agents.
    ///
    /// Compares a revision with the working tree, or two revisions: what agents would be told, what would run, new
    /// sources, settings of the project, and dependencies with other guidance. Files that agents read without Symposium
    /// are compared too, if git tracks them. Hidden characters and commands that deserve a second look are named. Your own
    /// configuration, plugins and grants do not count, so that everyone sees the same.
    ///
    /// Without REV, the working tree is compared with HEAD, or with the parent of HEAD if nothing differs from HEAD. git is
    /// not started, and nothing is run, fetched or installed.
    Diff(DiffArgs),
    /// Show how much of a model's context Symposium fills.
    ///
    /// Lists for each agent the skills it shows its model, the text and the index at session start, and the instructions
    /// and tools of the MCP server, in bytes and in tokens of four bytes, beside the agent's limit for the list of skills.
    Context {
        /// Agents; default: those you configured.
        #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = agent_parser())]
        agent: Vec<AgentId>,
    },
    /// Update Symposium to the latest version.
    ///
    /// Detects how Symposium was installed, shows the command that updates it, and runs that command after you confirm.
    /// Symposium never updates itself without this command.
    SelfUpdate(SelfUpdateArgs),
    /// Remove everything that Symposium wrote.
    ///
    /// Restores every file that Symposium changed byte for byte, unless it was changed again since. Files that you
    /// edited, and files in a workspace that git tracks, are kept and listed.
    Uninstall(UninstallArgs),
    /// Run cargo and print a shortened output.
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
    /// Print Rust guidance and the skills for this workspace.
    Start,
    /// Run the MCP server that agents query.
    ///
    /// The server uses standard input and output. Agents start it; `symposium init` registers it. Its tools `start`,
    /// `list`, `crate`, `crate_source`, `api` and `why` return the output of the commands. `--home DIR`, `--cache DIR` and
    /// `--logs DIR` set Symposium's directories if the agent does not pass on the environment variables.
    Mcp {
        #[command(flatten)]
        directories: DirectoryArgs,
    },
    /// Show guidance, skills and source of a dependency.
    ///
    /// Prints the guidance for the locked version of the crate, the paths of further skills, and the paths of the crate's
    /// source, documentation and examples on disk. For a package of the workspace, its own version is used. Exits with 1
    /// if the crate is neither a dependency nor a package of the workspace.
    ///
    /// `--files`, `--path`, `--search` and `--examples` read the source of the locked version that cargo keeps on this
    /// machine. Nothing is fetched.
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
    /// Find skills and plugins by name, crate or description.
    ///
    /// Searches all sources and every crate in Cargo.lock that carries a plugin, as far as they are on this machine;
    /// nothing is fetched. Shows for each result its state and how to switch it on, the best result first. Every word
    /// must be found. Exits with 1 if there is no result.
    Search {
        /// Words that a result has in its name, its crates or its description.
        #[arg(required = true, value_name = "WORDS")]
        words: Vec<String>,
    },
    /// Explain why something applies or not, and where it comes from.
    Why {
        /// A name, `crate/skill`, `plugin/hook` or a file, with an optional kind before it, as in `mcp server NAME`.
        ///
        /// The name of a crate, skill, plugin, hook or MCP server; `crate/skill` or `plugin/hook`; an entry of a settings
        /// file as `why` shows it; or the path of a file that belongs to a source or that Symposium wrote. If several
        /// things have the same name, put the kind before it: `crate`, `skill`, `plugin`, `hook`, `mcp server` or `file`.
        #[arg(required = true, value_name = "NAME")]
        name: Vec<String>,
    },
    /// Show the settings and where they come from.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Fetch, inspect, validate and create plugins.
    #[command(subcommand)]
    Plugin(PluginCommand),
    /// Check skills, and test what they say.
    #[command(subcommand)]
    Skill(SkillCommand),
    /// List and test hooks, and show the hook log.
    ///
    /// Agents call `symposium hook AGENT EVENT` with the event as JSON on standard input. To try an event in the
    /// canonical format yourself, use `symposium` as the agent.
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
    /// Print the manual page of Symposium or of one command.
    Man {
        /// The command, such as `sync` or `plugin validate` [default: all commands].
        command: Vec<String>,
    },
}
