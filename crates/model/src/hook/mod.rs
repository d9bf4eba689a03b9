//! Hooks: the events they answer, what goes in and out of them, and the plan they are run by.

mod event;
mod handler;
mod input;
mod matcher;
mod outcome;
mod output;
pub mod plan;

pub use event::{Event, HookEvent};
pub use handler::{Format, OnFailure, Order};
pub use input::{Detail, HookInput, NativeUse, ToolResult, ToolUse};
pub use matcher::Matcher;
pub use outcome::{Flow, Outcome, shortened};
pub use output::{Decision, HookOutput};
