//! The trail: one line for every event at which something happened. It never holds prompts, tool input or variables.

use std::path::Path;

use serde::{Deserialize, Serialize};
use symposium_model::hook::shortened;

use crate::edge::disk;

/// The file, and the one it becomes when it has grown.
const FILE: &str = "hooks.jsonl";
const OLD_FILE: &str = "hooks.1.jsonl";
const MAX_TRAIL: u64 = 1024 * 1024;
const MAX_NOTE: usize = 400;

/// What happened at one event.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LogEntry {
    /// When, in milliseconds since 1970.
    pub time: u64,
    pub agent: String,
    pub event: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// Which tool, by its canonical name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The handlers that were run, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub handlers: Vec<HandlerRun>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// Bytes of context that were given.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub context: usize,
    /// Whether the input was changed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rewritten: bool,
    /// What else is worth knowing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How long it took, in milliseconds.
    pub ms: u64,
    /// What handlers printed, in the order of those with a command; kept at a trial only, and never written down.
    #[serde(skip)]
    pub outputs: Option<Vec<HandlerOutput>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandlerOutput {
    pub stdout: String,
    pub stderr: String,
    /// Whether it was meant as an answer, and is none.
    pub is_unusable: bool,
}

/// A handler that was run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HandlerRun {
    /// `plugin/hook`.
    pub name: String,
    /// How it ended: `0`, `2`, `signal 9`, `killed`, `not started`.
    pub end: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// How long it took, in milliseconds.
    pub ms: u64,
}

/// The words for ends that are no exit code.
pub(crate) const KILLED: &str = "killed";
pub(crate) const NOT_STARTED: &str = "not started";
pub(crate) const REWRITTEN: &str = "rewritten";
pub(crate) const SIGNAL: &str = "signal ";

/// How a handler ended, for whoever reads the trail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandlerEnd<'r> {
    /// By itself, with this code.
    Exit(i64),
    /// By a signal, which is named.
    Signal(&'r str),
    /// By us: time was up.
    Killed,
    NotStarted,
    /// A workflow of ours put another command in the place of one.
    Rewritten,
    /// What else workflows of ours do, and what other versions write.
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
    /// Adds a note, kept short.
    pub(crate) fn note(&mut self, note: impl AsRef<str>) {
        self.notes.push(shortened(note.as_ref(), MAX_NOTE).to_owned());
    }

    /// Says where the event was raised.
    pub(crate) fn describe_workspace(&mut self, workspace: Option<&Path>) {
        self.workspace = workspace.map(|workspace| workspace.display().to_string());
    }

    /// Whether anything happened that somebody may ask about.
    pub(crate) fn is_worth_a_line(&self) -> bool {
        !self.handlers.is_empty() || !self.notes.is_empty() || self.context > 0 || self.decision.is_some()
    }
}

/// Adds a line. That it cannot be written is no reason to fail.
pub(crate) fn append(logs: &Path, entry: &LogEntry) {
    let Ok(mut line) = serde_json::to_vec(entry) else { return };
    line.push(b'\n');
    let file = logs.join(FILE);
    disk::rotate(&file, MAX_TRAIL, &logs.join(OLD_FILE));
    let _ = disk::append(&file, &line);
}

/// The names of the files, older first.
pub fn files() -> [&'static str; 2] {
    [OLD_FILE, FILE]
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}
