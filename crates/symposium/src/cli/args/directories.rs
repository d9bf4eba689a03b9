//! The directories a call of an agent names, because it may lack the variables a person has in a terminal.

use std::path::PathBuf;

use clap::Args;
use symposium_model::config::NamedDirectories;

/// Directories of Symposium, which take precedence over the environment variables.
#[derive(Debug, Clone, Args)]
pub(crate) struct DirectoryArgs {
    /// Symposium's directory, in place of what SYMPOSIUM_HOME says.
    #[arg(long, hide = true, value_name = "DIR")]
    home: Option<PathBuf>,
    /// The cache, which can be deleted at any time.
    #[arg(long, hide = true, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Logs and the trail.
    #[arg(long, hide = true, value_name = "DIR")]
    logs: Option<PathBuf>,
    /// The user's home directory.
    #[arg(long, hide = true, value_name = "DIR")]
    user_home: Option<PathBuf>,
}

impl From<DirectoryArgs> for NamedDirectories {
    fn from(DirectoryArgs { home, cache, logs, user_home }: DirectoryArgs) -> Self {
        Self { home, cache, logs, user: user_home }
    }
}
