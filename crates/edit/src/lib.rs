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
use symposium_model::edit::{EditFormat, EntrySlot, SettingsEntry};
use symposium_model::ownership::{Marker, OwnedPart};

pub use crate::config::{ToggleAction, ToggleEdit, ToggleTable, add_agents, add_source, set_agents, toggles};
pub use crate::error::{EditError, EditErrorKind};

/// A text after an edit, and what the edit did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditResult {
    pub text: String,
    /// Whether it differs from the text before.
    pub changed: bool,
    /// What happened to each entry, in the order in which they were asked for.
    pub outcomes: Vec<EntryOutcome>,
    /// The objects, arrays and tables that had to be created, outermost first; the empty path is the file's own object.
    /// [`remove`] wants them back.
    pub created: Vec<Vec<String>>,
}

/// What happened to one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryOutcome {
    Inserted,
    /// An older version of it was there, or surplus copies were.
    Updated,
    /// Nothing had to be done.
    Unchanged,
    /// Its key holds something that is not ours, which was not touched.
    Foreign,
    /// It was there and is gone.
    Removed,
}

/// What is to be removed: everything at the end of `path` that `mark` recognises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryRemoval {
    /// The keys that lead to it, from the top of the file.
    pub path: Vec<String>,
    /// What it is at the end of that path.
    pub slot: EntrySlot,
    pub mark: Marker,
    /// Where else it is looked for.
    pub reach: MatchScope,
}

/// Where a hook of ours is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchScope {
    Event,
    /// Under every event: somebody may have copied it. A list of an event that held nothing but such copies goes with
    /// them.
    EveryEvent,
}

impl From<&SettingsEntry> for EntryRemoval {
    fn from(entry: &SettingsEntry) -> Self {
        Self { path: entry.path.clone(), slot: entry.slot, mark: entry.mark.clone(), reach: MatchScope::Event }
    }
}

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
