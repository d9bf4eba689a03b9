//! Commands and options for people who write plugins and skills.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::changing::WritingArgs;
use super::directories::DirectoryArgs;

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
