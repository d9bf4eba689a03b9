//! How an agent's JSON is read and written: events in, answers out, and both ways round for handlers that speak another
//! agent's language.

mod answer;
mod decode;
mod nested;
mod patch;
mod render;
mod settle;
mod vocabulary;

use serde_json::{Map, Value};
use symposium_model::hook::{Event, HookOutput};

use crate::dialect::Emission;

pub use answer::read_answer;
pub(crate) use answer::{decision_of, fields_of, object_of, refusal_of, stops, text_of};
pub use decode::{Guest, Peek, decode, speaker};
pub(crate) use nested::{read_nested, write_nested};
pub use patch::{Change, Touched, touched_files};
pub use render::{per_file, render};
pub use settle::{Loss, Reply, Verdict, settle};
pub use vocabulary::{McpNames, Tool, names_to_match, native_input};
pub(crate) use vocabulary::{PATCH_ALSO, canonical_mcp, canonical_mcp_name, mcp_by_known_server};

/// How one agent's JSON is read and written.
#[derive(Debug)]
pub struct Wire {
    /// Where it keeps what we translate.
    pub fields: Fields,
    /// Its tools that have a canonical name.
    pub tools: &'static [Tool],
    /// What it calls the tools of MCP servers.
    pub mcp: McpNames,
    /// Writes an answer.
    pub write: fn(&Reply<'_>) -> Emission,
    /// Reads the answer of a handler that speaks its language; a rewritten input stays in the agent's own words.
    pub read: fn(Event, &mut Map<String, Value>) -> HookOutput,
    /// What its handlers mean when they allow something.
    pub allow: Allow,
    /// Events at which a handler's plain text counts as context.
    pub plain_text: &'static [Event],
}

/// What the handlers of an agent mean when they allow something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allow {
    /// It goes on without asking the person.
    Grants,
    /// They do not mind; whoever would be asked is asked all the same.
    NoObjection,
}

/// Where an agent's JSON keeps what we translate. Of several names the first is the one it writes today.
#[derive(Debug)]
pub struct Fields {
    /// The name of the event.
    pub event: &'static str,
    /// The session.
    pub session_id: &'static [&'static str],
    /// The working directory.
    pub cwd: &'static [&'static str],
    /// The tool.
    pub tool_name: &'static [&'static str],
    /// What the tool is given.
    pub tool_input: &'static [&'static str],
    /// What the tool gave back.
    pub tool_response: &'static [&'static str],
    /// What it said when it failed, where that is told elsewhere.
    pub error: &'static [&'static str],
    /// Inside that, where the text is.
    pub output: &'static [&'static str],
    /// Inside that, what tells that the tool failed.
    pub failed: fn(&Value) -> bool,
    /// The prompt.
    pub prompt: &'static [&'static str],
    /// Marks around text of ours that the agent puts in front of the prompt.
    pub before_prompt: Option<(&'static str, &'static str)>,
    /// Why a session starts.
    pub source: &'static [&'static str],
    /// Words for that which differ from Claude's.
    pub source_words: &'static [(&'static str, &'static str)],
    /// What is only there in a sub-agent.
    pub sub_agent: &'static [&'static str],
    /// Whether a hook sent it into this turn: `true`, or a number above 0.
    pub stop_hook_active: &'static [&'static str],
    /// What it said last.
    pub last_message: &'static [&'static str],
}

/// The response says nothing about failure.
pub(crate) fn never_failed(_: &Value) -> bool {
    false
}
