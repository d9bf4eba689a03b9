//! Hooks: their events, input and output formats, command lines, and the compiled hook plan they run from.

pub mod command_line;
mod event;
pub mod guidance_plan;
mod handler;
pub mod hook_plan;
mod input;
pub mod llm;
mod matcher;
mod outcome;
mod output;
mod path_stamp;
mod permission;
mod plan_handler;
mod session_plan;

pub use event::{Event, HookEvent};
pub use handler::{HookOrder, OnFailure, PayloadFormat};
pub use input::{EventDetail, HookInput, NativeUse, ToolResult, ToolUse};
pub use matcher::ToolMatcher;
pub use outcome::{HandlerFlow, Outcome, refusal_reason, shortened};
pub use output::{HookDecision, HookOutput};
pub use permission::{CommandRule, RulePiece, is_appended, rule_about, rule_passed_by};
