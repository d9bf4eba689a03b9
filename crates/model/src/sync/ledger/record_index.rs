//! The records of a ledger, found by their paths.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::LedgerRecord;

/// Records in the order in which they were made, one for each path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Vec<LedgerRecord>")]
pub struct RecordIndex {
    records: Vec<LedgerRecord>,
    positions: HashMap<PathBuf, usize>,
}

impl RecordIndex {
    pub(super) fn find(&self, path: &Path) -> Option<&LedgerRecord> {
        self.records.get(*self.positions.get(path)?)
    }

    pub(super) fn find_mut(&mut self, path: &Path) -> Option<&mut LedgerRecord> {
        self.records.get_mut(*self.positions.get(path)?)
    }

    /// Adds a record, unless there is one about its path.
    pub(super) fn push(&mut self, record: LedgerRecord) {
        if let Entry::Vacant(place) = self.positions.entry(record.path.clone()) {
            place.insert(self.records.len());
            self.records.push(record);
        }
    }

    /// Removes the records that are not kept, and may change the others, but not their paths.
    pub(super) fn retain_mut(&mut self, is_kept: impl FnMut(&mut LedgerRecord) -> bool) {
        self.records.retain_mut(is_kept);
        *self = std::mem::take(&mut self.records).into();
    }

    /// Removes the record about a path.
    pub(super) fn remove(&mut self, path: &Path) {
        let Some(at) = self.positions.remove(path) else { return };
        self.records.remove(at);
        for position in self.positions.values_mut().filter(|position| **position > at) {
            *position -= 1;
        }
    }
}

impl Deref for RecordIndex {
    type Target = [LedgerRecord];

    fn deref(&self) -> &[LedgerRecord] {
        &self.records
    }
}

impl From<Vec<LedgerRecord>> for RecordIndex {
    fn from(records: Vec<LedgerRecord>) -> Self {
        let mut index = Self::default();
        for record in records {
            index.push(record);
        }
        index
    }
}

impl Serialize for RecordIndex {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.records.serialize(serializer)
    }
}
