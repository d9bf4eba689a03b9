//! Who may run what: what commands can reach, grants as values, bound to content, and the one decision that follows.

mod command_reach;
mod content;
mod decision;
mod grants;
mod named_file;
mod programs;
mod reach;
mod shell_words;

pub use command_reach::{CommandKind, CommandReach, command_reaches, hook_reach, server_reach};
pub use content::{Change, ChangeKind, Content, Covered};
pub use decision::{GrantScope, Permission, decide, grant_scope};
pub use grants::{Grant, Grants, Subject};
pub use named_file::{Base, Coverage, FileRole, NamedFile};
pub use reach::{REACH_REMEDY, Reach, UnknownReach, is_everyday};
