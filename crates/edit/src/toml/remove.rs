//! Removal of Symposium's tables from TOML settings.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;
use symposium_model::edit::EntrySlot;
use symposium_model::ownership::{Marker, OwnedPart};
use toml_edit::{Item, Value};

use super::doc::{TomlText, json};
use super::lines::without_lines;
use super::write;
use crate::error::{EditError, EditErrorKind};
use crate::splice::{TextSplice, apply};
use crate::{EditResult, EntryOutcome, EntryRemoval};

pub(crate) fn remove(text: &str, removals: &[EntryRemoval]) -> Result<EditResult, EditError> {
    let doc = TomlText::parse(text)?;
    let (splices, outcomes) = plan(&doc, removals)?;
    let result = apply(text, splices);
    if result != text {
        check(text, &result, removals)?;
    }
    Ok(EditResult { text: result, changed: false, outcomes, created: Vec::new() })
}

/// Checks that the remaining text is TOML and holds no entry of Symposium.
fn check(text: &str, result: &str, removals: &[EntryRemoval]) -> Result<(), EditError> {
    let unsafe_result = |_| EditError::unsafe_result(text);
    let doc = TomlText::parse(result).map_err(unsafe_result)?;
    let (_, outcomes) = plan(&doc, removals).map_err(unsafe_result)?;
    if outcomes.contains(&EntryOutcome::Removed) { Err(EditError::unsafe_result(text)) } else { Ok(()) }
}

fn plan(doc: &TomlText<'_>, removals: &[EntryRemoval]) -> Result<(Vec<TextSplice>, Vec<EntryOutcome>), EditError> {
    let mut splices = Vec::new();
    let mut outcomes = Vec::with_capacity(removals.len());
    let mut doomed: Vec<&[String]> = Vec::new();
    // Items of one inline table are removed together: a comma between two of them belongs to neither alone.
    let mut inline: BTreeMap<&[String], BTreeSet<usize>> = BTreeMap::new();
    for removal in removals {
        let item = match doc.item(&removal.path) {
            Ok(item) => item.filter(|_| removal.slot == EntrySlot::Key && !removal.path.is_empty()),
            // A place that cannot hold an entry of Symposium contains none.
            Err(error) if error.kind == EditErrorKind::Shape => None,
            Err(error) => return Err(error),
        };
        outcomes.push(match item.map(|item| share(&removal.mark, &json(item))) {
            None => EntryOutcome::Unchanged,
            Some(OwnedPart::Part | OwnedPart::Nothing) => EntryOutcome::Foreign,
            Some(OwnedPart::All) => {
                match in_inline_table(doc, &removal.path)? {
                    Some((holder, index)) => _ = inline.entry(holder).or_default().insert(index),
                    None => doomed.push(&removal.path),
                }
                EntryOutcome::Removed
            }
        });
    }
    for (holder, indices) in inline {
        if let Some(Item::Value(Value::InlineTable(table))) = doc.item(holder)? {
            splices.extend(doc.inline_items(holder, table)?.remove(&indices, &doc.layout));
        }
    }
    splices.extend(without_lines(doc, |statement| doomed.iter().any(|path| statement.path.starts_with(path))));
    Ok((splices, outcomes))
}

/// Returns how much belongs to Symposium; TOML has no null, so the written value had none either.
fn share(mark: &Marker, present: &Json) -> OwnedPart {
    match mark {
        Marker::Exactly(written) => Marker::Exactly(write::without_nulls(written)).share(present),
        mark => mark.share(present),
    }
}

/// Returns the inline table that holds a key, and the index in it; `None` when the key stands in lines of its own.
fn in_inline_table<'p>(doc: &TomlText<'_>, path: &'p [String]) -> Result<Option<(&'p [String], usize)>, EditError> {
    let Some((name, holder)) = path.split_last() else { return Ok(None) };
    let Some(Item::Value(Value::InlineTable(table))) = doc.item(holder)? else { return Ok(None) };
    Ok(table.iter().position(|(key, _)| key == name).map(|index| (holder, index)))
}
