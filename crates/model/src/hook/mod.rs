//! Hooks: the events they answer, the tools they are meant for, and how their commands are read.

pub mod command_line;
mod event;
mod matcher;

pub use event::{Event, HookEvent};
pub use matcher::Matcher;
