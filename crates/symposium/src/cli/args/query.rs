//! Options of the everyday commands that only answer.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use symposium_model::schema::JsonSchema;

use super::GLOBAL_OPTIONS;

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("what").required(true)))]
pub(crate) struct CrateArgs {
    /// The crate, as `NAME` or `NAME@VERSION`; `-` and `_` are equivalent.
    #[arg(group = "what")]
    pub(crate) name: Option<String>,
    /// List the skills for all crates of the workspace.
    #[arg(long, group = "what", conflicts_with = "version")]
    pub(crate) list: bool,
    /// Show the guidance for this version; for the source, select one of the locked versions.
    #[arg(long, value_name = "REQ")]
    pub(crate) version: Option<String>,
    /// List the files of the crate's source.
    #[arg(long, requires = "name")]
    pub(crate) files: bool,
    /// Use another directory of plugins, for this command only.
    // The option of every command, which here also has the meaning it had before `--files` and `--path`.
    #[arg(long, value_name = "PATH", num_args = 0..=1, default_missing_value = "*", help_heading = GLOBAL_OPTIONS)]
    pub(crate) source: Vec<PathBuf>,
    /// Search the crate's source for a regular expression.
    #[arg(long, value_name = "REGEX", requires = "name")]
    pub(crate) search: Option<String>,
    /// Show the crate's examples; with `--search`, only matching examples.
    #[arg(long, requires = "name")]
    pub(crate) examples: bool,
    /// Print this file of the crate; with `--files`, `--search` or `--examples`, use only this file or directory.
    #[arg(long, value_name = "PATH", requires = "name")]
    pub(crate) path: Option<String>,
    /// Print only these lines of a file, such as `120-180`.
    #[arg(long, value_name = "RANGE", requires = "name")]
    pub(crate) lines: Option<String>,
    /// Continue at the cursor that an earlier answer printed.
    #[arg(long, value_name = "CURSOR", requires = "name")]
    pub(crate) cursor: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ApiArgs {
    /// A crate such as `tokio`, a path such as `tokio::sync::Semaphore` or `Semaphore::acquire`, or words.
    #[arg(required = true, value_name = "QUERY")]
    pub(crate) query: Vec<String>,
    /// Search all locked crates, not only direct dependencies.
    #[arg(long)]
    pub(crate) all: bool,
    /// Choose among several locked versions of a crate.
    #[arg(long, value_name = "V")]
    pub(crate) version: Option<String>,
    /// Show what changed in a crate since another version, and where this workspace uses what was removed.
    ///
    /// Without a version, the one that an earlier commit of Cargo.lock or an earlier session had. Its source must be on
    /// this machine.
    #[arg(long, value_name = "FROM", num_args = 0..=1, default_missing_value = "")]
    pub(crate) changes: Option<String>,
}

/// Options of `symposium diff`, which compares revisions.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// A branch, tag or commit, with `~N` or `^N` behind it; or two of them as `A..B`, or `A...B` for everything in B
    /// since both parted.
    #[arg(value_name = "REV")]
    pub(crate) revision: Option<String>,
    /// Print Markdown for a pull request.
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print all settings.
    Show {
        /// Print where each setting comes from.
        #[arg(long)]
        origin: bool,
    },
    /// Print the paths of the configuration files and directories.
    Path,
    /// Print a JSON Schema for editors and other programs.
    Schema {
        /// Name of the schema.
        #[arg(value_parser = clap::builder::PossibleValuesParser::new(JsonSchema::ALL.map(JsonSchema::name)))]
        name: String,
    },
}
