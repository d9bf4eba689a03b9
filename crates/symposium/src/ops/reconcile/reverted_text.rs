//! Lines of ours in a configuration that was there before us: how they are recorded, and how they are taken back.

use serde_json::{Map, Value};
use symposium_edit::{remove, value};
use symposium_model::edit::{EditFormat, EntrySlot};
use symposium_model::ownership::Marker;
use symposium_model::sync::{Amendment, Fingerprint, WrittenContent, WrittenEntry, fingerprint, hunks};

use super::RemainingEntries;
use super::removals::removals;

/// A file without our lines.
pub(super) enum RevertedText {
    /// Nothing of ours is in it.
    AsItIs,
    /// To the byte as it was before us.
    Exactly(String),
    /// Without what can still be told to be ours: somebody changed it since.
    Mostly(String),
}

/// Whether a configuration was there before us, as far as is known.
pub(super) fn is_of_others(known: Option<&WrittenContent>) -> bool {
    match known {
        None | Some(WrittenContent::Amended { .. }) => true,
        Some(WrittenContent::Entries { .. } | WrittenContent::File { .. } | WrittenContent::Skill { .. }) => false,
    }
}

/// The record of a file that was there before us while `text` takes the place of `current`: it may be either.
pub(super) fn about_to_be(known: Option<&WrittenContent>, current: &str, text: &str) -> Option<WrittenContent> {
    let before = match known {
        Some(WrittenContent::Amended { before, states }) => match without(before, states, current) {
            RevertedText::AsItIs => current.to_owned(),
            RevertedText::Exactly(before) | RevertedText::Mostly(before) => before,
        },
        Some(WrittenContent::Entries { .. } | WrittenContent::File { .. } | WrittenContent::Skill { .. }) | None => {
            current.to_owned()
        }
    };
    let state = |text: &str| {
        let (entries, created) = added(&before, text);
        Amendment { fingerprint: fingerprint(text.as_bytes()), hunks: hunks(text, &before), entries, created }
    };
    let states: Vec<Amendment> = [text, current].into_iter().filter(|text| **text != *before).map(state).collect();
    (!states.is_empty()).then(|| WrittenContent::Amended { before: fingerprint(before.as_bytes()), states })
}

/// The same once `text` is there; `None` when nothing of ours is in it any more.
pub(super) fn is_now(known: Option<&WrittenContent>, current: &str, text: &str) -> Option<WrittenContent> {
    let found = fingerprint(text.as_bytes());
    let knows = |written: &WrittenContent| match written {
        WrittenContent::Amended { before, states } => {
            *before == found || states.iter().any(|state| state.fingerprint == found)
        }
        WrittenContent::Entries { .. } | WrittenContent::File { .. } | WrittenContent::Skill { .. } => false,
    };
    let intended = known.filter(|known| knows(known)).cloned().or_else(|| about_to_be(known, current, text));
    match intended {
        Some(WrittenContent::Amended { before, mut states }) => {
            states.retain(|state| state.fingerprint == found);
            (!states.is_empty()).then_some(WrittenContent::Amended { before, states })
        }
        other => other,
    }
}

/// A file without the lines that are ours.
pub(super) fn without(before: &Fingerprint, states: &[Amendment], text: &str) -> RevertedText {
    if fingerprint(text.as_bytes()) == *before {
        return RevertedText::AsItIs;
    }
    if let Some(before) = states.iter().find_map(|state| state.undone(text)) {
        return RevertedText::Exactly(before);
    }
    let Some(state) = states.first() else { return RevertedText::AsItIs };
    // Key by key is always right; line by line takes along what is around them, where it says the same.
    let Ok(by_keys) = remove(text, EditFormat::Toml, &removals(&state.entries, RemainingEntries::Nothing), &[]) else {
        return RevertedText::AsItIs;
    };
    let says = |text: &str| value(text, EditFormat::Toml).ok().map(|value| without_empty(value, &state.created));
    let by_lines = state.undone_elsewhere(text).filter(|by_lines| says(by_lines) == says(&by_keys.text));
    match by_lines {
        Some(text) => RevertedText::Mostly(text),
        None if by_keys.changed => RevertedText::Mostly(by_keys.text),
        None => RevertedText::AsItIs,
    }
}

/// A document without tables that were made for our keys and hold nothing now.
fn without_empty(document: Option<Value>, created: &[Vec<String>]) -> Map<String, Value> {
    let Some(Value::Object(mut tables)) = document else { return Map::new() };
    let is_empty = |value: &Value| value.as_object().is_some_and(Map::is_empty);
    tables.retain(|name, value| !(is_empty(value) && created.iter().any(|path| path.as_slice() == [name.as_str()])));
    tables
}

/// The keys of tables that are in `text` and were not in `before`, and the tables that were not.
fn added(before: &str, text: &str) -> (Vec<WrittenEntry>, Vec<Vec<String>>) {
    let tables = |text: &str| match value(text, EditFormat::Toml) {
        Ok(Some(Value::Object(tables))) => tables,
        Ok(_) | Err(_) => Map::new(),
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
