//! Edits settings files that belong to somebody else: text in, text out.
//!
//! Nothing is printed anew from a tree: every change is a splice at a byte offset, so what is not ours keeps every byte,
//! in order. A file that cannot be understood is an error, never a rewrite.

mod agent_tables;
mod config;
mod error;
mod items;
mod json;
mod order;
mod splice;
mod toml;
mod trivia;

use serde_json::Value;
use symposium_model::edit::{EditFormat, SettingsEntry};
use symposium_model::ownership::OwnedPart;

pub use crate::config::{ToggleAction, ToggleEdit, ToggleTable, add_agents, add_source, set_agents, toggles};
pub use crate::error::{EditError, EditErrorKind};
pub use symposium_model::edit::{EditResult, EntryOutcome, EntryRemoval, MatchScope};

/// Makes every entry present.
///
/// Entries that share path and mark stand for as many elements, paired in order with those that are there; surplus
/// elements of ours are dropped. The result is planned a second time before it is returned: unless that plan is empty,
/// the answer is an error.
pub fn insert(text: &str, format: EditFormat, entries: &[SettingsEntry]) -> Result<EditResult, EditError> {
    edit_body(text, |body| match format {
        EditFormat::Json => json::insert(body, entries),
        EditFormat::Toml => toml::insert(body, entries),
    })
}

/// Removes what is ours, then the containers of `created` that are empty now; every other container stays.
///
/// What [`insert`] found [`Outcome::Unchanged`] the first time was there before us, and should not be asked for here.
pub fn remove(
    text: &str,
    format: EditFormat,
    removals: &[EntryRemoval],
    created: &[Vec<String>],
) -> Result<EditResult, EditError> {
    edit_body(text, |body| match format {
        EditFormat::Json => json::remove(body, removals, created),
        EditFormat::Toml => toml::remove(body, removals),
    })
}

/// What a text that [`insert`] could edit says: comments, trailing commas and a byte order mark are no hindrance, and
/// dates become strings. `None` when there is nothing in a JSON text but blanks and comments.
pub fn value(text: &str, format: EditFormat) -> Result<Option<Value>, EditError> {
    let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let value = match format {
        EditFormat::Json => json::value(body),
        EditFormat::Toml => toml::TomlText::parse(body).map(|document| Some(document.json())),
    };
    value.map_err(|error| error.moved_by(text.len() - body.len()))
}

/// Edits what follows a byte order mark, and puts the mark back.
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

/// The same, for an edit that yields just a text.
fn edit_text(text: &str, edit: impl FnOnce(&str) -> Result<String, EditError>) -> Result<String, EditError> {
    let plain = |text| EditResult { text, changed: false, outcomes: Vec::new(), created: Vec::new() };
    Ok(edit_body(text, |body| edit(body).map(plain))?.text)
}

/// Whether a second run, with the outcomes `again`, found nothing to do but to leave alone what is foreign.
fn is_settled(first: &[EntryOutcome], again: &[EntryOutcome]) -> bool {
    let settled = |(first, again): (&EntryOutcome, &EntryOutcome)| {
        *again == if *first == EntryOutcome::Foreign { EntryOutcome::Foreign } else { EntryOutcome::Unchanged }
    };
    first.len() == again.len() && first.iter().zip(again).all(settled)
}

/// How much of a key's present value is ours; what is already as we want it needs no mark.
fn share_of(entry: &SettingsEntry, present: &Value) -> OwnedPart {
    if *present == entry.value { OwnedPart::All } else { entry.mark.share(present) }
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Keys with which people switch a server off; once there, they are theirs.
const SWITCHES: [&str; 2] = ["enabled", "disabled"];
