//! One entry of ours in a file of others, as it is found again.

use serde::{Deserialize, Serialize};

use crate::edit::Slot;
use crate::ours::Mark;

/// An entry in a file of others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenEntry {
    /// The keys that lead to it.
    pub path: Vec<String>,
    /// What it is at their end.
    pub slot: Slot,
    /// How it is recognised.
    pub mark: Mark,
}
