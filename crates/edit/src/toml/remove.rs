//! Removal of Symposium's tables and keys from TOML settings.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;
use symposium_model::edit::EntrySlot;
use symposium_model::ownership::{Marker, OwnedPart};
use toml_edit::{Item, TableLike, Value};

use super::doc::{StatementKind, TomlText, json};
use super::lines::without_lines;
use super::write;
use crate::error::{EditError, EditErrorKind};
use crate::splice::{TextSplice, apply};
use crate::{EditResult, EntryOutcome, EntryRemoval};

pub(crate) fn remove(text: &str, removals: &[EntryRemoval], created: &[Vec<String>]) -> Result<EditResult, EditError> {
    let doc = TomlText::parse(text)?;
    let (splices, outcomes) = plan(&doc, removals, created)?;
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
    let (_, outcomes) = plan(&doc, removals, &[]).map_err(unsafe_result)?;
    if outcomes.contains(&EntryOutcome::Removed) { Err(EditError::unsafe_result(text)) } else { Ok(()) }
}

fn plan(
    doc: &TomlText<'_>,
    removals: &[EntryRemoval],
    created: &[Vec<String>],
) -> Result<(Vec<TextSplice>, Vec<EntryOutcome>), EditError> {
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
    // A table that was created for a key goes with it.
    for (holder, indices) in inline.clone() {
        let size = doc.item(holder)?.and_then(Item::as_table_like).map(TableLike::len);
        if created.iter().any(|table| table == holder) && size == Some(indices.len()) {
            inline.remove(holder);
            match in_inline_table(doc, holder)? {
                Some((outer, index)) => _ = inline.entry(outer).or_default().insert(index),
                None => doomed.push(holder),
            }
        }
    }
    for (holder, indices) in inline {
        if let Some(Item::Value(Value::InlineTable(table))) = doc.item(holder)? {
            splices.extend(doc.inline_items(holder, table)?.remove(&indices, &doc.layout));
        }
    }
    doomed.extend(emptied_tables(doc, &doomed, created));
    splices.extend(without_lines(doc, |statement| doomed.iter().any(|path| statement.path.starts_with(path))));
    Ok((splices, outcomes))
}

/// Lists the tables that were created for a key, and have no other.
fn emptied_tables<'c>(doc: &TomlText<'_>, doomed: &[&[String]], created: &'c [Vec<String>]) -> Vec<&'c [String]> {
    let goes = |path: &[String]| doomed.iter().any(|gone| path.starts_with(gone));
    let held_a_key = |table: &[String]| {
        let mut statements = doc.statements().iter().filter(|statement| statement.kind == StatementKind::KeyValue);
        statements.any(|statement| {
            let is_child = statement.path.len() == table.len() + 1 && statement.path.starts_with(table);
            is_child && doomed.contains(&statement.path.as_slice())
        })
    };
    let is_emptied = |table: &[String]| {
        let mut inner = doc.statements().iter().filter(|statement| statement.path.starts_with(table));
        inner.all(|statement| statement.path == table || goes(&statement.path))
    };
    created.iter().map(Vec::as_slice).filter(|table| held_a_key(table) && is_emptied(table)).collect()
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
