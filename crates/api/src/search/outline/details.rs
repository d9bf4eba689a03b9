//! More or less of an item, by the room that is left.

use std::collections::HashMap;

use super::entries::{OutlineDetail, OutlineModule};
use super::print::print_entry;
use crate::index::ItemKind;

/// Bytes of a name besides its letters, and of the head of a list of names.
const NAME_SIGNS: usize = 2;
const LIST_SIGNS: usize = 24;

impl OutlineModule<'_> {
    /// Shows names, up to so many bytes of each kind.
    pub(super) fn show_names(&mut self, most: usize) {
        let mut sizes: HashMap<ItemKind, usize> = HashMap::new();
        for entry in &mut self.entries {
            let size = sizes.entry(entry.item.kind).or_default();
            *size += entry.item.name().len() + NAME_SIGNS;
            entry.detail = if *size <= most { OutlineDetail::Name } else { OutlineDetail::Nothing };
        }
    }

    /// Estimates the bytes of its lines while it has names only.
    pub(super) fn name_bytes(&self) -> usize {
        let names = self.entries.iter().filter(|entry| entry.detail == OutlineDetail::Name);
        let mut kinds: Vec<ItemKind> = names.clone().map(|entry| entry.item.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let names: usize = names.map(|entry| entry.item.name().len() + NAME_SIGNS).sum();
        names + (kinds.len() + 1) * LIST_SIGNS + self.path.len()
    }

    /// Shows the sentence if there is room.
    pub(super) fn show_sentence(&mut self, left: &mut usize) {
        let size = self.sentence.len() + " // ".len();
        if !self.has_sentence && !self.sentence.is_empty() && self.is_shown() && size <= *left {
            self.has_sentence = true;
            *left -= size;
        }
    }

    /// Shows more of an item if there is room.
    pub(super) fn show_entry(&mut self, rank: usize, detail: OutlineDetail, left: &mut usize) {
        let Some(entry) = self.entries.get_mut(rank) else { return };
        if entry.is_group || entry.detail == OutlineDetail::Nothing || entry.detail >= detail {
            return;
        }
        let before = match entry.detail {
            OutlineDetail::Name => entry.item.name().len(),
            detail => print_entry(entry, detail).len(),
        };
        let size = print_entry(entry, detail).len().saturating_sub(before);
        if size <= *left {
            entry.detail = detail;
            *left -= size;
        }
    }
}
