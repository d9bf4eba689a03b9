//! How an agent's JSON is read and written: events in, answers out, and both ways round for handlers that speak another
//! agent's language.

mod answer;
mod decode;
mod mend;
mod nested;
mod patch;
mod render;
mod settle;
mod vocabulary;

pub use crate::dialect::Guest;
pub use crate::form::{Allow, Fields, McpNames, Reply, Tool, ToolInput, Verdict, Wire};
pub use crate::guest::Peek;

pub use answer::read_answer;
pub(crate) use answer::{decision_of, fields_of, object_of, refusal_of, stops, text_of};
pub use decode::{decode, speaker};
pub(crate) use mend::value as mended_value;
pub use mend::{Mended, Nesting, mended, object};
pub(crate) use nested::{read_nested, system_message, write_nested};
pub use patch::{Change, Touched, touched_files};
pub use render::{per_file, render};
pub use settle::{Loss, settle};
pub(crate) use vocabulary::{PATCH_ALSO, canonical_mcp, canonical_mcp_name, mcp_by_known_server};
pub use vocabulary::{names_to_match, native_input, unknown_reach};
