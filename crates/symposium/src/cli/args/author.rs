//! Commands and options for people who write plugins and skills.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use symposium_model::agent::AgentId;

use super::agent::agent_parser;
use super::directories::DirectoryArgs;
use super::write::WritingArgs;

#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// Fetch the git and index sources now.
    ///
    /// `symposium sync` fetches sources that are missing or older than four hours, unless `auto-update = false` is set.
    Sync {
        /// The source to fetch [default: all sources].
        name: Option<String>,
        #[command(flatten)]
        writing: WritingArgs,
        /// Fetch outdated sources of the user only, and print nothing; used at session start.
        #[arg(long, hide = true)]
        due: bool,
        #[command(flatten)]
        directories: DirectoryArgs,
    },
    /// List all sources and their plugins.
    List {
        /// List also plugins that ship with Symposium or are recommended, and do not apply here.
        #[arg(long)]
        all: bool,
    },
    /// Show all details of a plugin.
    Show {
        /// Name of the plugin.
        name: String,
    },
    /// Check manifests, plugin directories, crates or sources. Exits with 1 if there are errors.
    Validate {
        /// The manifests or directories [default: the current directory].
        #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
        paths: Vec<PathBuf>,
        /// Exit with 1 if there are warnings.
        #[arg(long)]
        strict: bool,
        /// Check in the registry that the named crates exist.
        #[arg(long)]
        check_crates: bool,
    },
    /// Create a new plugin with an example skill and an example hook.
    ///
    /// Inside a crate, and without NAME or `--path`, the plugin is created at the root of the crate, to be published with
    /// it: `SYMPOSIUM.toml`, `skills/` and `scripts/`. Otherwise it gets its own directory.
    New(NewArgs),
    /// Make an index of plugins that any web server can serve.
    ///
    /// Every plugin becomes an archive, and every crate that a plugin is for gets a small file that names it. Users add
    /// `index = "https://…"` to a `[[plugin-source]]`, and fetch only the plugins for the crates in their Cargo.lock.
    /// The output is reproducible. Archives of earlier runs stay, because lockfiles may name them.
    Index {
        /// The directory that contains the plugins.
        path: PathBuf,
        /// The directory for the index.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
}

/// `symposium plugin new`.
#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// Name of the plugin, usually the name of its crate [default: the current crate].
    pub(crate) name: Option<String>,
    /// Create the plugin's directory in DIR [default: the current directory].
    #[arg(long, value_name = "DIR")]
    pub(crate) path: Option<PathBuf>,
    /// Show the files that would be written, and write nothing.
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    /// Accepted for scripts; this command never asks.
    #[arg(short, long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SkillCommand {
    /// Check a SKILL.md, or all skills below a directory. Exits with 1 if there are errors.
    Check {
        /// The files or directories [default: the current directory].
        #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
        paths: Vec<PathBuf>,
        /// Exit with 1 if there are warnings.
        #[arg(long)]
        strict: bool,
    },
    /// Compile the Rust blocks of skills, run their tests, and look up the names in the text. Exits with 1 if one fails.
    ///
    /// Each skill is tested with the lowest and the highest version that its `crates` allow, in editions 2021 and 2024.
    /// Cargo compiles the blocks in Symposium's cache, which runs the build scripts of the crates, and the tests in the
    /// blocks. Skills that passed before and did not change are left out. A file `skill-test.toml` beside the skills or
    /// above them names features and further crates.
    Test(SkillTestArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SkillTestArgs {
    /// Skills, directories of skills, or other Markdown files [default: the current directory].
    #[arg(default_value = ".", hide_default_value = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Exit with 1 if there are warnings.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Test skills that did not change too.
    #[arg(long)]
    pub(crate) all: bool,
    /// Keep the list of skills that passed in FILE, to be committed.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Test nothing; a skill that is not recorded in its present form fails.
    #[arg(long, requires = "record", conflicts_with = "all")]
    pub(crate) check: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HookCommand {
    /// List all hooks, whether they run here, and the result of the last run.
    List,
    /// Show the latest events in the hook log, newest last. Times are UTC.
    Log {
        /// The number of events to show.
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// Run the test cases of a plugin's hooks for every agent. Exits with 1 if one fails.
    ///
    /// Each case of `[[hooks.tests]]` is converted to the JSON of each agent and handled like a real event. The answer to
    /// the agent is compared with the expected result. The commands of the plugin really run, each time in an empty
    /// temporary directory. They need no grant for this, and get none. A plugin without test cases fails too, unless you
    /// pass `--allow-empty`.
    Test {
        /// A manifest, a directory or the name of a plugin [default: the current directory].
        plugin: Option<PathBuf>,
        /// Test only these agents.
        #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = agent_parser())]
        agent: Vec<AgentId>,
        /// Exit with 0 if there are no test cases.
        #[arg(long)]
        allow_empty: bool,
    },
    // What agents call, behind options that only people write.
    #[command(external_subcommand)]
    Event(Vec<OsString>),
}
