//! Trust: the files that commands can reach, grants bound to their content, and the decision if a plugin may run.

mod command_words;
mod content;
mod decision;
mod grants;
mod plugin_commands;
mod programs;
mod reached_files;
mod referenced_file;
mod shell_words;

pub use content::{ContentChange, ContentChangeKind, CoveredFile, GrantContent};
pub use decision::{GrantScope, TrustStatus, decide, grant_scope};
pub use grants::{Grant, GrantSet, GrantSubject};
pub use plugin_commands::{CommandKind, CommandReach, command_reaches, hook_reach, server_reach};
pub use reached_files::{REACH_REMEDY, ReachableFiles, UnknownReach, is_everyday};
pub use referenced_file::{FileRole, GrantCoverage, NamedFile, PathRoot};
