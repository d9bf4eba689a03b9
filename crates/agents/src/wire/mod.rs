//! The translation of an agent's JSON: events in, answers out, and the reverse for handlers in another agent's format.

mod answer;
mod claude_answer;
mod decode;
mod long_copy;
mod lower;
mod patch;
mod render;
mod repair;
mod shell;
mod vocabulary;

pub use crate::caller::EventPeek;
pub use crate::dialect::CallerRule;
pub use crate::wire_format::{
    AllowMeaning, FieldNames, LoweredDecision, LoweredOutcome, McpNames, ToolInput, ToolMapping, WireFormat,
};

pub use answer::read_answer;
pub(crate) use answer::{decision_of, fields_of, object_of, refusal_of, stops, text_of};
pub(crate) use claude_answer::{read_nested, system_message, write_nested};
pub use decode::{decode, is_of_user, speaker};
pub use long_copy::without_copy;
pub use lower::{UnsupportedEffect, lower_outcome};
pub use patch::{PatchChange, PatchedFile, touched_files};
pub use render::{per_file, render};
pub(crate) use repair::value as mended_value;
pub use repair::{NestingRepair, RepairedJson, mended, object};
pub use shell::shell_output;
pub(crate) use vocabulary::{PATCH_ALSO, canonical_mcp, canonical_mcp_name, mcp_by_known_server};
pub use vocabulary::{names_to_match, native_input, unknown_reach};
