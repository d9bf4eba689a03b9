//! Hooks: the events they answer and the tools they are meant for.

mod event;
mod matcher;

pub use event::{Event, HookEvent};
pub use matcher::Matcher;

/// With this variable set to anything, a hook call loads its plan and gives the neutral answer, but starts no handler
/// and writes nothing: how `doctor` sends an event through.
pub const PROBE_VARIABLE: &str = "SYMPOSIUM_HOOK_PROBE";
