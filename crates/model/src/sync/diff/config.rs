//! Lines of ours in a configuration that was there before: how they are recorded, and how they are reverted.

use std::path::Path;

use serde_json::{Map, Value};

use super::ChangeBuilder;
use super::entries::removals;
use crate::edit::{EditFormat, EntrySlot, SettingsEditor};
use crate::fingerprint::{ContentFingerprint, fingerprint};
use crate::ownership::Marker;
use crate::sync::amendment::{FileAmendment, hunks};
use crate::sync::change::{ChangeStep, RemainingEntries};
use crate::sync::ledger::{LedgerRecord, WrittenContent};
use crate::sync::written_entry::WrittenEntry;

/// A file without our lines.
enum RevertedText {
    /// Nothing of ours is in it.
    AsItIs,
    /// To the byte as it was before.
    Exactly(String),
    /// Without what can still be told to be ours: the user changed it since.
    Mostly(String),
}

impl ChangeBuilder<'_> {
    /// Takes our lines out of a file that was there before.
    pub(super) fn revert_amended(
        &mut self,
        record: &LedgerRecord,
        before: &ContentFingerprint,
        states: &[FileAmendment],
        text: &str,
    ) {
        let (reverted, is_edited) = match revert_text(before, states, text, &self.options.editor) {
            RevertedText::AsItIs if fingerprint(text.as_bytes()) == *before => {
                return self.changes.gone.push(record.path.clone());
            }
            RevertedText::AsItIs => (None, true),
            RevertedText::Exactly(reverted) => (Some(reverted), false),
            RevertedText::Mostly(reverted) => (Some(reverted), true),
        };
        if let Some(reverted) = reverted {
            self.undo(record, ChangeStep::GiveBack { text: reverted, expected: text.to_owned() });
        }
        if is_edited {
            self.keep_drifted(&record.path);
        }
    }
}

/// Whether a configuration was there before, as far as is known.
pub fn is_of_others(known: Option<&WrittenContent>) -> bool {
    match known {
        None | Some(WrittenContent::Amended { .. }) => true,
        Some(WrittenContent::Entries { .. } | WrittenContent::File { .. } | WrittenContent::Skill { .. }) => false,
    }
}

/// Returns the record of a file that was there before while `text` takes the place of `current`: it may be either.
pub fn written_while(
    known: Option<&WrittenContent>,
    current: &str,
    text: &str,
    editor: &SettingsEditor,
) -> Option<WrittenContent> {
    let reverted = match known {
        Some(WrittenContent::Amended { before, states }) => revert_text(before, states, current, editor),
        Some(WrittenContent::Entries { .. } | WrittenContent::File { .. } | WrittenContent::Skill { .. }) | None => {
            RevertedText::AsItIs
        }
    };
    let before = match reverted {
        RevertedText::AsItIs => current.to_owned(),
        RevertedText::Exactly(before) | RevertedText::Mostly(before) => before,
    };
    let state = |text: &str| {
        let (entries, created) = added(&before, text, editor);
        FileAmendment { fingerprint: fingerprint(text.as_bytes()), hunks: hunks(text, &before), entries, created }
    };
    let states: Vec<FileAmendment> = [text, current].into_iter().filter(|text| **text != *before).map(state).collect();
    (!states.is_empty()).then(|| WrittenContent::Amended { before: fingerprint(before.as_bytes()), states })
}

/// Returns the same once `text` is there; `None` when nothing of ours is in it any more.
pub fn written_after(
    known: Option<&WrittenContent>,
    current: &str,
    text: &str,
    editor: &SettingsEditor,
) -> Option<WrittenContent> {
    let found = fingerprint(text.as_bytes());
    let knows = |written: &WrittenContent| match written {
        WrittenContent::Amended { before, states } => {
            *before == found || states.iter().any(|state| state.fingerprint == found)
        }
        WrittenContent::Entries { .. } | WrittenContent::File { .. } | WrittenContent::Skill { .. } => false,
    };
    let intended = known.filter(|known| knows(known)).cloned();
    match intended.or_else(|| written_while(known, current, text, editor)) {
        Some(WrittenContent::Amended { before, mut states }) => {
            states.retain(|state| state.fingerprint == found);
            (!states.is_empty()).then_some(WrittenContent::Amended { before, states })
        }
        other => other,
    }
}

fn revert_text(
    before: &ContentFingerprint,
    states: &[FileAmendment],
    text: &str,
    editor: &SettingsEditor,
) -> RevertedText {
    if fingerprint(text.as_bytes()) == *before {
        return RevertedText::AsItIs;
    }
    if let Some(before) = states.iter().find_map(|state| state.undone(text)) {
        return RevertedText::Exactly(before);
    }
    let Some(state) = states.first() else { return RevertedText::AsItIs };
    // Key by key is always right; line by line takes along what is around them, where it says the same.
    let removals = removals(&state.entries, RemainingEntries::Nothing);
    let Ok(by_keys) = (editor.remove)(Path::new(""), text, EditFormat::Toml, &removals, &[]) else {
        return RevertedText::AsItIs;
    };
    let says = |text: &str| (editor.value)(text, EditFormat::Toml).map(|value| without_empty(value, &state.created));
    let by_lines = state.undone_elsewhere(text).filter(|by_lines| says(by_lines) == says(&by_keys.text));
    match by_lines {
        Some(text) => RevertedText::Mostly(text),
        None if by_keys.changed => RevertedText::Mostly(by_keys.text),
        None => RevertedText::AsItIs,
    }
}

/// Leaves out tables that were made for our keys and hold nothing now.
fn without_empty(document: Value, created: &[Vec<String>]) -> Map<String, Value> {
    let Value::Object(mut tables) = document else { return Map::new() };
    let is_empty = |value: &Value| value.as_object().is_some_and(Map::is_empty);
    tables.retain(|name, value| !(is_empty(value) && created.iter().any(|path| path.as_slice() == [name.as_str()])));
    tables
}

/// Returns the keys of tables that are in `text` and were not in `before`, and the tables that were not.
fn added(before: &str, text: &str, editor: &SettingsEditor) -> (Vec<WrittenEntry>, Vec<Vec<String>>) {
    let tables = |text: &str| match (editor.value)(text, EditFormat::Toml) {
        Some(Value::Object(tables)) => tables,
        Some(_) | None => Map::new(),
    };
    let (before, mut entries, mut created) = (tables(before), Vec::new(), Vec::new());
    for (name, table) in tables(text) {
        let Value::Object(table) = table else { continue };
        let known = before.get(&name).map(|known| known.as_object().cloned().unwrap_or_default());
        if known.is_none() {
            created.push(vec![name.clone()]);
        }
        let is_new = |key: &String| known.as_ref().is_none_or(|known| !known.contains_key(key));
        for (key, value) in table.into_iter().filter(|(key, _)| is_new(key)) {
            entries.push(WrittenEntry::new(vec![name.clone(), key], EntrySlot::Key, Marker::Exactly(value)));
        }
    }
    (entries, created)
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
