//! One entry of ours in a file of others, as it is found again.

use serde::{Deserialize, Deserializer, Serialize};

use crate::edit::Slot;
use crate::ours::Mark;

/// An entry in a file of others. Its value is not in here: there may be secrets in that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenEntry {
    /// The keys that lead to it.
    pub path: Vec<String>,
    /// What it is at their end.
    pub slot: Slot,
    #[serde(deserialize_with = "without_value")]
    mark: Mark,
}

impl WrittenEntry {
    /// An entry that is recognised by a mark.
    pub fn new(path: Vec<String>, slot: Slot, mark: Mark) -> Self {
        Self { path, slot, mark: mark.without_value() }
    }

    /// How it is recognised.
    pub fn mark(&self) -> &Mark {
        &self.mark
    }
}

/// Records of version 0.6.0 have the values themselves.
fn without_value<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Mark, D::Error> {
    Mark::deserialize(deserializer).map(Mark::without_value)
}
