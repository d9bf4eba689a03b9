//! An entry that Symposium wrote into a file of the user, in the form that finds it again.

use serde::{Deserialize, Deserializer, Serialize};

use crate::edit::EntrySlot;
use crate::ownership::Marker;

/// An entry in a file of others. Its value is not in here: there may be secrets in that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenEntry {
    /// The keys that lead to it.
    pub path: Vec<String>,
    pub slot: EntrySlot,
    #[serde(deserialize_with = "without_value")]
    mark: Marker,
}

impl WrittenEntry {
    /// An entry that is recognised by a mark.
    pub fn new(path: Vec<String>, slot: EntrySlot, mark: Marker) -> Self {
        Self { path, slot, mark: mark.without_value() }
    }

    /// Returns true for an item of a list that is recognised by its value alone, such as a rule.
    pub(super) fn is_list_item(&self) -> bool {
        self.slot == EntrySlot::Element && self.mark.is_exact()
    }

    pub fn mark(&self) -> &Marker {
        &self.mark
    }
}

/// Records of version 0.6.0 have the values themselves.
fn without_value<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Marker, D::Error> {
    Marker::deserialize(deserializer).map(Marker::without_value)
}
