//! Edits settings files that other programs own: text in, text out.
//!
//! Nothing is printed anew from a tree: every change is a splice at a byte offset, so foreign content keeps every byte,
//! in order. A file that cannot be parsed is an error, never a rewrite.

mod agent_tables;
mod config;
mod error;
mod items;
mod json;
mod marked_block;
mod order;
mod splice;
mod toml;
mod trivia;

use serde_json::Value;
use symposium_model::edit::{EditFormat, SettingsEntry};
use symposium_model::merged_toggles::merge_toggles;
use symposium_model::ownership::OwnedPart;

pub use crate::config::{
    ToggleAction, ToggleEdit, ToggleTable, add_agents, add_source, allow_symposium, set_agents, toggles,
};
pub use crate::error::{EditError, EditErrorKind};
pub use symposium_model::edit::{EditResult, EntryOutcome, EntryRemoval, MatchScope};

/// Makes every entry present.
///
/// Entries that share path and mark stand for as many elements, paired in order with the present ones; surplus elements
/// of Symposium are removed. The result is planned a second time before it is returned: unless that plan is empty, the
/// result is an error.
pub fn insert(text: &str, format: EditFormat, entries: &[SettingsEntry]) -> Result<EditResult, EditError> {
    edit_body(text, |body| match format {
        EditFormat::Json => json::insert(body, entries),
        EditFormat::Toml => toml::insert(body, entries),
        EditFormat::Marked => marked_block::insert(body, entries),
    })
}

/// Removes Symposium's entries, then the containers of `created` that are empty now; every other container stays.
///
/// Entries that [`insert`] reported as [`EntryOutcome::Unchanged`] the first time were there before, and should not be
/// passed here.
pub fn remove(
    text: &str,
    format: EditFormat,
    removals: &[EntryRemoval],
    created: &[Vec<String>],
) -> Result<EditResult, EditError> {
    edit_body(text, |body| match format {
        EditFormat::Json => json::remove(body, removals, created),
        EditFormat::Toml => toml::remove(body, removals, created),
        EditFormat::Marked => marked_block::remove(body, removals),
    })
}

/// Parses a text that [`insert`] could edit: comments, trailing commas and a byte order mark are accepted, and dates
/// become strings. `None` when a JSON text holds nothing but blanks and comments.
pub fn value(text: &str, format: EditFormat) -> Result<Option<Value>, EditError> {
    let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let value = match format {
        EditFormat::Json => json::value(body),
        EditFormat::Toml => toml::TomlText::parse(body).map(|document| Some(document.json())),
        // A text of any kind has no value.
        EditFormat::Marked => Ok(None),
    };
    value.map_err(|error| error.moved_by(text.len() - body.len()))
}

fn edit_body(text: &str, edit: impl FnOnce(&str) -> Result<EditResult, EditError>) -> Result<EditResult, EditError> {
    let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let skipped = text.len() - body.len();
    let mut edited = edit(body).map_err(|error| error.moved_by(skipped))?;
    edited.changed = edited.text != body;
    if skipped > 0 {
        edited.text.insert(0, BYTE_ORDER_MARK);
    }
    Ok(edited)
}

fn edit_text(text: &str, edit: impl FnOnce(&str) -> Result<String, EditError>) -> Result<String, EditError> {
    let plain = |text| EditResult { text, changed: false, outcomes: Vec::new(), created: Vec::new() };
    Ok(edit_body(text, |body| edit(&merge_toggles(body).text).map(plain))?.text)
}

/// Returns whether a second run, with the outcomes `again`, found nothing to do except to skip foreign entries.
fn is_settled(first: &[EntryOutcome], again: &[EntryOutcome]) -> bool {
    let settled = |(first, again): (&EntryOutcome, &EntryOutcome)| {
        *again == if *first == EntryOutcome::Foreign { EntryOutcome::Foreign } else { EntryOutcome::Unchanged }
    };
    first.len() == again.len() && first.iter().zip(again).all(settled)
}

/// Returns how much of a key's present value belongs to Symposium; a value equal to the wanted one needs no mark.
fn share_of(entry: &SettingsEntry, present: &Value) -> OwnedPart {
    if *present == entry.value { OwnedPart::All } else { entry.mark.share(present) }
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Keys with which users disable a server; once present, they belong to the user.
const SWITCHES: [&str; 2] = ["enabled", "disabled"];
