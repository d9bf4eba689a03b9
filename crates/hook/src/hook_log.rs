//! The hook log: one JSON line for every event at which something happened. It never contains prompts, tool input or
//! variables.

use std::path::Path;

use serde::{Deserialize, Serialize};
use symposium_model::hook::shortened;

use crate::edge::disk;

/// The log file, and the name it gets when it has grown too large.
const FILE: &str = "hooks.jsonl";
const OLD_FILE: &str = "hooks.1.jsonl";
const MAX_TRAIL: u64 = 1024 * 1024;
const MAX_NOTE: usize = 400;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LogEntry {
    /// Milliseconds since 1970.
    pub time: u64,
    pub agent: String,
    pub event: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub handlers: Vec<HandlerRun>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// Bytes of context that the agent was given.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub context: usize,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rewritten: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    pub ms: u64,
    /// The output of the handlers that have a command, in order; collected in a dry run only and never written to the
    /// log.
    #[serde(skip)]
    pub outputs: Option<Vec<HandlerOutput>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandlerOutput {
    pub stdout: String,
    pub stderr: String,
    /// True if the output is not empty and no valid answer.
    pub is_unusable: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HandlerRun {
    /// `plugin/hook`
    pub name: String,
    /// An exit code, `signal 9`, `killed`, `not started`, or a word of a builtin workflow such as `rewritten`.
    pub end: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    pub ms: u64,
}

/// Values of [`HandlerRun::end`] that are no exit code.
pub(crate) const KILLED: &str = "killed";
pub(crate) const NOT_STARTED: &str = "not started";
pub(crate) const REWRITTEN: &str = "rewritten";
pub(crate) const SIGNAL: &str = "signal ";

/// The parsed form of [`HandlerRun::end`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandlerEnd<'r> {
    Exit(i64),
    /// The whole text, such as `signal 9`.
    Signal(&'r str),
    Killed,
    NotStarted,
    Rewritten,
    /// Other ends of builtin workflows, and values written by other versions.
    Other,
}

impl HandlerRun {
    pub fn ended(&self) -> HandlerEnd<'_> {
        match self.end.as_str() {
            KILLED => HandlerEnd::Killed,
            NOT_STARTED => HandlerEnd::NotStarted,
            REWRITTEN => HandlerEnd::Rewritten,
            word => match (word.parse(), word.starts_with(SIGNAL)) {
                (Ok(code), _) => HandlerEnd::Exit(code),
                (Err(_), true) => HandlerEnd::Signal(word),
                (Err(_), false) => HandlerEnd::Other,
            },
        }
    }
}

impl LogEntry {
    pub(crate) fn note(&mut self, note: impl AsRef<str>) {
        self.notes.push(shortened(note.as_ref(), MAX_NOTE).to_owned());
    }

    pub(crate) fn describe_workspace(&mut self, workspace: Option<&Path>) {
        self.workspace = workspace.map(|workspace| workspace.display().to_string());
    }

    pub(crate) fn is_worth_a_line(&self) -> bool {
        !self.handlers.is_empty() || !self.notes.is_empty() || self.context > 0 || self.decision.is_some()
    }
}

/// Appends a line. Errors are ignored: a missing log line is no reason to fail.
pub(crate) fn append(logs: &Path, entry: &LogEntry) {
    let Ok(mut line) = serde_json::to_vec(entry) else { return };
    line.push(b'\n');
    let file = logs.join(FILE);
    disk::rotate(&file, MAX_TRAIL, &logs.join(OLD_FILE));
    let _ = disk::append(&file, &line);
}

/// Returns the file names, oldest first.
pub fn files() -> [&'static str; 2] {
    [OLD_FILE, FILE]
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}
