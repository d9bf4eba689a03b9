//! Options of the everyday commands that only answer.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use symposium_model::schema::Schema;

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
        /// Which one.
        #[arg(value_parser = clap::builder::PossibleValuesParser::new(Schema::ALL.map(Schema::name)))]
        name: String,
    },
}
