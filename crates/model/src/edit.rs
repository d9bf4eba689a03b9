//! Changes to settings files, as values: `symposium-agents` describes them, `symposium-edit` applies them to text.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ownership::Marker;

/// What a file must hold for an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileContent {
    /// Entries among those of others; every byte that is there stays, in order.
    Entries {
        /// How the file is written.
        format: EditFormat,
        /// What must be in it.
        entries: Vec<SettingsEntry>,
    },
    /// The file is ours alone.
    Whole(String),
}

/// How a settings file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EditFormat {
    /// JSON; comments and trailing commas of the user are kept.
    Json,
    Toml,
}

/// One entry of ours in a file of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsEntry {
    /// The keys that lead to it, from the top of the file.
    pub path: Vec<String>,
    /// What it is at the end of that path.
    pub slot: EntrySlot,
    pub value: Value,
    /// How an earlier version of it is recognised.
    pub mark: Marker,
}

/// What an entry is at the end of its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntrySlot {
    /// An element of the array there, appended after everybody else's.
    Element,
    /// The value of the key itself.
    Key,
}
