//! Changes to settings files, as values: `symposium-agents` describes them, `symposium-edit` applies them to text.

use serde::{Deserialize, Serialize};
use serde_json::Value;

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
