//! Hooks: the events they answer and the tools they are meant for.

mod event;
mod matcher;

pub use event::{Event, HookEvent};
pub use matcher::Matcher;
