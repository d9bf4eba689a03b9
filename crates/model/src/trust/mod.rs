//! Who may run what: grants as values, bound to content, and the one decision that follows from them.

mod content;
mod decision;
mod grants;
mod named;

pub use content::{Change, ChangeKind, Content, Covered};
pub use decision::{Permission, Reach, decide, reach};
pub use grants::{Grant, Grants, Subject};
pub use named::{Base, Named, is_everyday, named};
