//! Changes to settings files, as values: `symposium-agents` describes them, `symposium-edit` applies them to text.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::ownership::Marker;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileContent {
    /// Entries among those of the user and other programs; every existing byte stays, in order.
    Entries { format: EditFormat, entries: Vec<SettingsEntry> },
    /// The whole text of a file that only Symposium writes.
    Whole(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EditFormat {
    /// Comments and trailing commas of the user are kept.
    Json,
    Toml,
    /// Any text, with a block of Symposium between two marks.
    Marked,
}

/// An entry that Symposium writes into a file of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsEntry {
    /// The keys that lead to it, from the top of the file.
    pub path: Vec<String>,
    pub slot: EntrySlot,
    pub value: Value,
    /// Recognises an earlier version of the entry.
    pub mark: Marker,
}

/// The position of an entry at the end of its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntrySlot {
    /// An element of the array there, appended after all others.
    Element,
    Key,
}

/// A text after an edit, and what the edit did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditResult {
    pub text: String,
    /// Whether it differs from the text before.
    pub changed: bool,
    /// The outcome of each entry, in the order in which they were asked for.
    pub outcomes: Vec<EntryOutcome>,
    /// The objects, arrays and tables that had to be created, outermost first; the empty path is the file's own object.
    /// Removing wants them back.
    pub created: Vec<Vec<String>>,
}

/// Tells what happened to one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryOutcome {
    Inserted,
    /// An older version of it was there, or surplus copies were.
    Updated,
    /// Nothing had to be done.
    Unchanged,
    /// Its key holds something that is not ours, which was not touched.
    Foreign,
    /// It was there and is gone.
    Removed,
}

/// Asks for the removal of everything at the end of `path` that `mark` recognises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryRemoval {
    /// The keys that lead to it, from the top of the file.
    pub path: Vec<String>,
    pub slot: EntrySlot,
    pub mark: Marker,
    pub reach: MatchScope,
}

/// Says in which events a hook of ours is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchScope {
    Event,
    /// Under every event: the user may have copied it. A list of an event that held nothing but such copies goes with
    /// them.
    EveryEvent,
}

impl From<&SettingsEntry> for EntryRemoval {
    fn from(entry: &SettingsEntry) -> Self {
        Self { path: entry.path.clone(), slot: entry.slot, mark: entry.mark.clone(), reach: MatchScope::Event }
    }
}

/// A text after an edit, or why it was left alone.
pub type EditAttempt = Result<EditResult, Box<Diagnostic>>;

/// Removes entries, then those of the containers that are empty.
pub type EntryRemover = fn(&Path, &str, EditFormat, &[EntryRemoval], &[Vec<String>]) -> EditAttempt;

/// Edits texts of settings files. The functions are handed in, since those who decide about a text know no parser; the
/// path is for the diagnostic alone.
#[derive(Debug, Clone, Copy)]
pub struct SettingsEditor {
    pub insert: fn(&Path, &str, EditFormat, &[SettingsEntry]) -> EditAttempt,
    pub remove: EntryRemover,
    /// Reads a document; `None` for one that is empty or cannot be understood.
    pub value: fn(&str, EditFormat) -> Option<Value>,
    /// Whether a file holds nothing but what a new one starts as.
    pub is_as_new: fn(&str) -> bool,
}
