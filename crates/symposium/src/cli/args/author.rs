//! Commands and options for people who write plugins and skills.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use symposium_model::agent::AgentId;

use super::agent::agent_parser;
use super::directories::DirectoryArgs;
use super::write::WritingArgs;

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
        #[command(flatten)]
        directories: DirectoryArgs,
    },
    /// List every source and its plugins.
    List,
    /// Show one plugin in full.
    Show {
        /// The plugin.
        name: String,
    },
    /// Check a manifest, a plugin directory, a crate or a whole source. Exits with 1 when there are errors.
    Validate {
        /// The manifest or directory; this directory when absent.
        #[arg(default_value = ".", hide_default_value = true)]
        path: PathBuf,
        /// Exit with 1 for warnings too.
        #[arg(long)]
        strict: bool,
        /// Ask the registry whether the crates named exist.
        #[arg(long)]
        check_crates: bool,
    },
    /// Make a new plugin with a skill and a hook to start from.
    ///
    /// Inside a crate, and without another name or place, it is made at the root of the crate, to be published with it:
    /// `SYMPOSIUM.toml`, `skills/` and `scripts/`. Anywhere else it is a directory of its own.
    New(NewArgs),
}

/// `symposium plugin new`.
#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// The plugin's name, usually that of the crate it is for; in a crate that crate's when absent.
    pub(crate) name: Option<String>,
    /// The directory to make a directory of its name in; this directory when absent.
    #[arg(long, value_name = "DIR")]
    pub(crate) path: Option<PathBuf>,
    /// Show what would be written.
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    /// Ask nothing; there is nothing to ask, but scripts may pass it to every command that writes.
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// `symposium skill`.
#[derive(Debug, Subcommand)]
pub(crate) enum SkillCommand {
    /// Check a SKILL.md, its directory, or every skill below a directory. Exits with 1 when there are errors.
    Check {
        /// The file or directory; this directory when absent.
        #[arg(default_value = ".", hide_default_value = true)]
        path: PathBuf,
        /// Exit with 1 for warnings too.
        #[arg(long)]
        strict: bool,
    },
}

/// `symposium hook`.
#[derive(Debug, Subcommand)]
pub(crate) enum HookCommand {
    /// List every hook that could run here, whether it does, and how it last ended.
    List,
    /// Show what happened at the latest events, newest last. Times are UTC.
    Log {
        /// The number of events to show.
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// Try the test cases of a plugin's hooks with every agent. Exits with 1 when one fails.
    ///
    /// Each case of `[[hooks.tests]]` is put into the JSON of each agent and goes the way of a real event; what the agent
    /// would be told is held against what the case expects. The commands of the plugin really run, each time in an empty
    /// temporary directory. Naming the plugin here is all the permission they need: no grant is asked for, and none is
    /// given. A plugin without any test case fails too, unless `--allow-empty` is given.
    Test {
        /// A manifest, a directory or a plugin's name; this directory when absent.
        plugin: Option<PathBuf>,
        /// Only these agents.
        #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = agent_parser())]
        agent: Vec<AgentId>,
        /// Exit with 0 when there are no test cases.
        #[arg(long)]
        allow_empty: bool,
    },
    // What agents call, behind options that only people write.
    #[command(external_subcommand)]
    Event(Vec<OsString>),
}
