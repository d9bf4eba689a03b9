//! Who may run what: what commands can reach, grants as values, bound to content, and the one decision that follows.

mod code_variables;
mod command_reach;
mod content;
mod decision;
mod grants;
mod programs;
mod reach;
mod shell_words;

pub use code_variables::loads_code;
pub use command_reach::{CommandKind, CommandReach, command_reaches, hook_reach, server_reach};
pub use content::{Change, ChangeKind, Content, Covered};
pub use decision::{GrantScope, Permission, decide, grant_scope};
pub use grants::{Grant, Grants, Subject};
pub use reach::{Base, Coverage, FileRole, NamedFile, REACH_REMEDY, Reach, UnknownReach, is_everyday};
