//! What can be typed. Doc comments are the help text.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use symposium_model::schema::Schema;

/// Makes AI coding agents good at Rust: skills, hooks and MCP servers chosen by the crates your workspace uses.
#[derive(Debug, Parser)]
#[command(name = "symposium", bin_name = "symposium", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options every command takes.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Global {
    /// Say nothing but the answer and errors.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say more about what was found on the way.
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Answer with one JSON document on standard output.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Do not use the network.
    #[arg(long, global = true)]
    pub(crate) offline: bool,
    /// When to use colour: auto, always or never.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub(crate) color: Color,
    /// One more directory of plugins, for this call only.
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) source: Vec<PathBuf>,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    // On a terminal, unless NO_COLOR is set. Doc comments here would turn all of `--help` into its long form.
    Auto,
    Always,
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Set up the agents you use, and this project.
    ///
    /// The user part writes your configuration and registers Symposium with your agents; the project part writes
    /// `.symposium/config.toml` and installs the skills that match. Without flags: both. Running it twice changes nothing.
    Init(InitArgs),
    /// Bring this project and your agents in step with the dependencies.
    Sync(SyncArgs),
    /// Switch extensions on in this project.
    On {
        /// A crate, `crate/skill`, plugin or `plugin/hook`.
        #[arg(required = true)]
        names: Vec<String>,
        #[command(flatten)]
        writing: WritingArgs,
    },
    /// Switch extensions off in this project.
    Off {
        /// A crate, `crate/skill`, plugin or `plugin/hook`.
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
    /// listed. The settings stay as they are: while the agent has an entry of its own, what was made of it stands down there.
    Import(ImportArgs),
    /// Show every extension, its state, and the agents that have it.
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
        /// An agent; those you configured when absent.
        #[arg(long, value_name = "NAME")]
        agent: Vec<String>,
    },
    /// Bring the newest version of Symposium.
    ///
    /// Finds out how it was installed, shows the command that updates such an installation, and runs it after a yes.
    /// Nothing runs it by itself.
    SelfUpdate(SelfUpdateArgs),
    /// Take everything back.
    ///
    /// Every file we touched becomes what it was before, as long as nobody else changed it. What you edited is kept and
    /// named.
    Uninstall(UninstallArgs),
    /// Print Rust guidance and the skills that match this workspace.
    Start,
    /// Answer an agent's questions as an MCP server.
    ///
    /// It speaks on standard input and output. Agents start it; `symposium init` tells them how. Its tools are `start`,
    /// `list`, `crate`, `crate_source` and `why`, and answer what the commands answer.
    Mcp {
        /// Symposium's directory, in place of what SYMPOSIUM_HOME says.
        #[arg(long, value_name = "DIR")]
        home: Option<PathBuf>,
    },
    /// Show the skills for this workspace's crates, or for one crate.
    ///
    /// For one crate: the guidance that applies to the locked version, further skills with their paths, and where the
    /// crate's source, documentation and examples are on disk. Exits with 1 when it is not a dependency.
    ///
    /// `--source`, `--search` and `--examples` look into the source of the locked version, which cargo keeps on this
    /// machine; nothing is fetched.
    Crate(CrateArgs),
    /// Explain why a crate, skill, plugin or file applies or does not.
    Why {
        /// A crate, skill or plugin by name, or a file of a source.
        name: String,
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
        override_usage = "symposium hook [OPTIONS] <COMMAND>\n       symposium hook AGENT EVENT [--project] [--home DIR]"
    )]
    Hook(HookCommand),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    Man,
}

/// What every command that changes something takes.
#[derive(Debug, Args, Clone, Copy)]
pub(crate) struct WritingArgs {
    /// Show what would be done.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Ask nothing.
    #[arg(long)]
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
    /// An agent you use; with `--project` alone, the agent everybody uses in this project.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Vec<String>,
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
    pub(crate) agent: bool,
    /// Write nothing; exit with 1 if there is anything to do.
    #[arg(long)]
    pub(crate) check: bool,
    /// Make `.symposium/symposium.lock`, which pins every source and extension; from then on it is kept in step.
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
    /// The agent: claude, copilot, gemini, codex, kiro, opencode, goose or cursor.
    #[arg(long, value_name = "AGENT")]
    pub(crate) from: String,
    /// What this project has, into a plugin of the project; otherwise what is yours, into a plugin of yours.
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
    /// Symposium's directory, in place of what SYMPOSIUM_HOME says.
    #[arg(long, value_name = "DIR", hide = true)]
    pub(crate) home: Option<PathBuf>,
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

/// `symposium crate`.
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("what").required(true)))]
pub(crate) struct CrateArgs {
    /// The crate; `-` and `_` are the same.
    #[arg(group = "what")]
    pub(crate) name: Option<String>,
    /// List the skills of every crate of the workspace.
    #[arg(long, group = "what", conflicts_with = "version")]
    pub(crate) list: bool,
    /// Answer as if this version were locked; about its source, which of the locked versions is meant.
    #[arg(long, value_name = "REQ")]
    pub(crate) version: Option<String>,
    /// Read a file of the crate's source, or list its files; a directory here that holds plugins is one more source of them.
    // The same name and type as the option of every command: what is given ends in both.
    #[arg(long, value_name = "PATH", num_args = 0..=1, default_missing_value = "*")]
    pub(crate) source: Vec<PathBuf>,
    /// Search the crate's source for a regular expression.
    #[arg(long, value_name = "REGEX", requires = "name")]
    pub(crate) search: Option<String>,
    /// Show the crate's examples; with `--search`, those that match.
    #[arg(long, requires = "name")]
    pub(crate) examples: bool,
    /// Only this file or directory of the crate.
    #[arg(long, value_name = "PATH", requires = "name")]
    pub(crate) path: Option<String>,
    /// Only these lines of a file, such as `120-180`.
    #[arg(long, value_name = "RANGE", requires = "name")]
    pub(crate) lines: Option<String>,
    /// Go on where an earlier answer ended.
    #[arg(long, value_name = "CURSOR", requires = "name")]
    pub(crate) cursor: Option<String>,
}

/// `symposium config`.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print every setting.
    Show {
        /// Say for each where it comes from.
        #[arg(long)]
        origin: bool,
    },
    /// Print where the configuration files and directories are.
    Path,
    /// Print a JSON Schema, for editors and other programs.
    Schema {
        /// Of what.
        #[arg(value_parser = clap::builder::PossibleValuesParser::new(Schema::ALL.map(Schema::name)))]
        name: String,
    },
}

/// `symposium plugin`.
#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// Fetch sources in git again, now.
    ///
    /// `symposium sync` fetches what is missing or older than four hours by itself, unless `auto-update = false`.
    Sync {
        /// The source; all of them when absent.
        name: Option<String>,
        #[command(flatten)]
        writing: WritingArgs,
        /// Only what is old, nothing a project names, and nothing said: what the start of a session asks for.
        #[arg(long, hide = true)]
        due: bool,
        /// Symposium's directory, in place of what SYMPOSIUM_HOME says.
        #[arg(long, hide = true, value_name = "DIR")]
        home: Option<PathBuf>,
    },
    /// List every source and its plugins.
    List,
    /// Show one plugin in full.
    Show {
        /// The plugin.
        name: String,
    },
    /// Check a manifest, a plugin directory or a whole source. Exits with 1 when there are errors.
    Validate {
        /// The manifest or directory.
        path: PathBuf,
        /// Ask the registry whether the crates named exist.
        #[arg(long)]
        check_crates: bool,
    },
    /// Make a new plugin with a skill and a hook to start from.
    New(NewArgs),
}

/// `symposium plugin new`.
#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// The plugin's name; usually that of the crate it is for.
    pub(crate) name: String,
    /// The directory to make it in.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) path: PathBuf,
    /// Show what would be written.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Ask nothing; there is nothing to ask, but scripts may pass it to every command that writes.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// `symposium skill`.
#[derive(Debug, Subcommand)]
pub(crate) enum SkillCommand {
    /// Check a SKILL.md, its directory, or every skill below a directory. Exits with 1 when there are errors.
    Check {
        /// The file or directory.
        path: PathBuf,
    },
}

/// `symposium hook`.
#[derive(Debug, Subcommand)]
pub(crate) enum HookCommand {
    /// List every hook that could run here, whether it does, and how it last ended.
    List,
    /// Show what happened at the latest events, newest last. Times are UTC.
    Log {
        /// How many events.
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// Try the test cases of a plugin's hooks with every agent. Exits with 1 when one fails.
    ///
    /// Each case of `[[hooks.tests]]` is put into the JSON of each agent and goes the way of a real event; what the agent
    /// would be told is held against what the case expects. The commands of the plugin really run, each time in an empty
    /// temporary directory. Naming the plugin here is all the permission they need: no grant is asked for, and none is
    /// given.
    Test {
        /// A manifest, a directory or a plugin's name; this directory when absent.
        plugin: Option<PathBuf>,
        /// Only this agent; may be given several times.
        #[arg(long, value_name = "NAME")]
        agent: Vec<String>,
    },
    // What agents call, behind options that only people write.
    #[command(external_subcommand)]
    Event(Vec<OsString>),
}
