//! Hooks: the events they answer, what goes in and out of them, how their commands are read, and the plan
//! they are run by.

pub mod command_line;
mod event;
mod handler;
mod input;
pub mod llm;
mod matcher;
mod outcome;
mod output;
pub mod plan;

pub use event::{Event, HookEvent};
pub use handler::{Format, OnFailure, Order};
pub use input::{Detail, HookInput, NativeUse, ToolResult, ToolUse};
pub use matcher::Matcher;
pub use outcome::{Flow, Outcome, refusal_reason, shortened};
pub use output::{Decision, HookOutput};
