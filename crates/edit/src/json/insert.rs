//! Insertion of entries: first the present ones are updated, then the missing ones are added.

use std::collections::BTreeMap;

use symposium_model::edit::{EntrySlot, SettingsEntry};
use symposium_model::ownership::OwnedPart;

use super::insertion_point::{InsertionPoint, OwnedItem, PathLookup, RemovalSet, find, handler_of, own_in};
use super::node::{JsonNode, NodeKind};
use super::remove::{doom_misplaced, marks};
use super::tree::JsonText;
use super::update_value;
use super::write::{self, NewValue};
use crate::error::{EditError, EditErrorKind};
use crate::items::{ItemFlow, ListSurroundings, TextLayout};
use crate::splice::{TextSplice, apply};
use crate::{EditResult, EntryOutcome, is_settled, share_of};

pub(crate) fn insert(text: &str, entries: &[SettingsEntry]) -> Result<EditResult, EditError> {
    let doc = JsonText::parse(text)?;
    let stale = stale(&doc, entries)?;
    let updated;
    let doc = if stale.splices.is_empty() {
        doc
    } else {
        updated = apply(text, stale.splices);
        JsonText::parse(&updated)?
    };
    let missing: Vec<&SettingsEntry> =
        entries.iter().zip(&stale.outcomes).filter(|(_, o)| o.is_none()).map(|(e, _)| e).collect();
    let (splices, created) = additions(&doc, &missing)?;
    let result = apply(doc.text, splices);
    let outcomes = settled_outcomes(stale.outcomes);
    if result != text {
        check(text, &result, entries, &outcomes)?;
    }
    Ok(EditResult { text: result, changed: false, outcomes, created })
}

/// Checks that a second run finds nothing to do.
fn check(text: &str, result: &str, entries: &[SettingsEntry], outcomes: &[EntryOutcome]) -> Result<(), EditError> {
    let unsafe_result = |_| EditError::unsafe_result(text);
    let doc = JsonText::parse(result).map_err(unsafe_result)?;
    let again = stale(&doc, entries).map_err(unsafe_result)?;
    let settled = again.splices.is_empty() && is_settled(outcomes, &settled_outcomes(again.outcomes));
    if settled { Ok(()) } else { Err(EditError::unsafe_result(text)) }
}

fn settled_outcomes(outcomes: Vec<Option<EntryOutcome>>) -> Vec<EntryOutcome> {
    outcomes.into_iter().map(|outcome| outcome.unwrap_or(EntryOutcome::Inserted)).collect()
}

struct StaleEntries {
    splices: Vec<TextSplice>,
    outcomes: Vec<Option<EntryOutcome>>,
}

fn stale(doc: &JsonText<'_>, entries: &[SettingsEntry]) -> Result<StaleEntries, EditError> {
    let mut stale = StaleEntries { splices: Vec::new(), outcomes: vec![None; entries.len()] };
    let Some(root) = &doc.root else { return Ok(stale) };
    let mut doomed = RemovalSet::default();
    for (index, entry) in entries.iter().enumerate() {
        if entry.path.is_empty() {
            return Err(doc.wrong_shape(&entry.path, "an entry with a path", root));
        }
        let outcome = match find(doc, root, &entry.path, entry.slot)? {
            PathLookup::Nothing(_) => None,
            PathLookup::Key { value, .. } => Some(match share_of(entry, &doc.value(value)) {
                OwnedPart::All => outcome_of(updated(doc, value, entry)?, &mut stale.splices),
                OwnedPart::Part | OwnedPart::Nothing => EntryOutcome::Foreign,
            }),
            PathLookup::Array { node, elements, .. } => {
                // Entries with the same path and mark are paired in order with the present elements.
                let twins = |other: &&SettingsEntry| {
                    (&other.path, other.slot, &other.mark) == (&entry.path, entry.slot, &entry.mark)
                };
                let rank = entries.iter().take(index).filter(twins).count();
                let wanted = entries.iter().filter(twins).count();
                let own = own_in(doc, elements, &entry.mark, Some(&entry.value));
                let mut outcome = match own.get(rank) {
                    None => None,
                    Some(OwnedItem::Element { node, .. }) => {
                        Some(outcome_of(update_value::exactly(doc, node, &entry.value), &mut stale.splices))
                    }
                    Some(OwnedItem::Handler { node, .. }) => {
                        let splices = update_value::commands(doc, node, handler_of(&entry.value))?;
                        Some(outcome_of(splices, &mut stale.splices))
                    }
                };
                if rank + 1 == wanted && own.len() > wanted {
                    for surplus in own.iter().skip(wanted) {
                        doomed.add_own(node, *surplus);
                    }
                    outcome = Some(EntryOutcome::Updated);
                }
                outcome
            }
        };
        if let Some(slot) = stale.outcomes.get_mut(index) {
            *slot = outcome;
        }
    }
    for mark in marks(entries.iter().map(|entry| (&*entry.path, entry.slot, &entry.mark))) {
        doom_misplaced(doc, root, mark, &mut doomed)?;
    }
    stale.splices.extend(doomed.splices(doc));
    Ok(stale)
}

fn updated(doc: &JsonText<'_>, value: &JsonNode, entry: &SettingsEntry) -> Result<Vec<TextSplice>, EditError> {
    // A value that is exactly as Symposium wrote it holds no keys of the user.
    if entry.mark.is_exact() {
        Ok(update_value::exactly(doc, value, &entry.value))
    } else {
        update_value::merged(doc, value, &entry.value)
    }
}

fn outcome_of(splices: Vec<TextSplice>, all: &mut Vec<TextSplice>) -> EntryOutcome {
    let outcome = if splices.is_empty() { EntryOutcome::Unchanged } else { EntryOutcome::Updated };
    all.extend(splices);
    outcome
}

/// New content for the containers of a file, by the container's offset.
#[derive(Default)]
struct PendingAdditions<'n, 'v> {
    lists: BTreeMap<usize, PendingAddition<'n, 'v>>,
    created: Vec<Vec<String>>,
}

struct PendingAddition<'n, 'v> {
    place: InsertionPoint<'n>,
    new: NewValue<'v>,
}

fn additions(doc: &JsonText<'_>, missing: &[&SettingsEntry]) -> Result<(Vec<TextSplice>, Vec<Vec<String>>), EditError> {
    if missing.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let no_root = JsonNode { span: 0..0, kind: NodeKind::Object(Vec::new()) };
    let root = doc.root.as_ref().unwrap_or(&no_root);
    let mut additions = PendingAdditions::default();
    if doc.root.is_none() {
        additions.created.push(Vec::new());
    }
    for entry in missing {
        let place = match find(doc, root, &entry.path, entry.slot)? {
            PathLookup::Nothing(place) | PathLookup::Array { place, .. } => place,
            PathLookup::Key { holder, .. } => {
                InsertionPoint { node: holder, depth: entry.path.len() - 1, surroundings: ListSurroundings::Lines }
            }
        };
        additions.add(place, entry).map_err(|()| collision(doc, entry))?;
    }
    let mut splices = Vec::new();
    for addition in additions.lists.values() {
        if doc.root.is_none() {
            splices.push(new_root(doc, &addition.new));
        } else {
            splices.extend(addition.splices(doc));
        }
    }
    Ok((splices, additions.created))
}

impl<'n, 'v> PendingAdditions<'n, 'v> {
    /// Returns an error when it collides with another entry of the same call.
    fn add(&mut self, place: InsertionPoint<'n>, entry: &'v SettingsEntry) -> Result<(), ()> {
        let addition = self.lists.entry(place.node.span.start).or_insert_with(|| PendingAddition {
            place,
            new: match place.node.kind {
                NodeKind::Array(_) => NewValue::Array(Vec::new()),
                NodeKind::Object(_) | NodeKind::Scalar => NewValue::Object(Vec::new()),
            },
        });
        let mut target = &mut addition.new;
        let containers = match entry.slot {
            EntrySlot::Element => entry.path.len(),
            EntrySlot::Key => entry.path.len() - 1,
        };
        for (depth, key) in entry.path.iter().enumerate().skip(place.depth).take(containers - place.depth) {
            let NewValue::Object(members) = target else { return Err(()) };
            let index = match members.iter().position(|(name, _)| name == key) {
                Some(index) => index,
                None => {
                    let is_array = entry.slot == EntrySlot::Element && depth + 1 == containers;
                    let new = if is_array { NewValue::Array(Vec::new()) } else { NewValue::Object(Vec::new()) };
                    members.push((key, new));
                    self.created.push(entry.path.iter().take(depth + 1).cloned().collect());
                    members.len() - 1
                }
            };
            target = members.get_mut(index).map(|(_, value)| value).ok_or(())?;
        }
        let last = entry.path.last().ok_or(())?;
        match (target, entry.slot) {
            (NewValue::Array(elements), EntrySlot::Element) => elements.push(NewValue::Value(&entry.value)),
            (NewValue::Object(members), EntrySlot::Key) => match members.iter().find(|(name, _)| name == last) {
                None => members.push((last, NewValue::Value(&entry.value))),
                Some((_, NewValue::Value(value))) if *value == &entry.value => {}
                Some(_) => return Err(()),
            },
            _ => return Err(()),
        }
        Ok(())
    }
}

impl PendingAddition<'_, '_> {
    fn splices(&self, doc: &JsonText<'_>) -> Vec<TextSplice> {
        let items = doc.items(self.place.node);
        let flow = items.flow(&doc.layout, self.place.surroundings);
        let new: Vec<String> = match &self.new {
            NewValue::Object(members) => {
                members.iter().map(|(key, value)| write::member(key, value, &flow, &doc.layout)).collect()
            }
            NewValue::Array(elements) => elements.iter().map(|value| write::fresh(value, &flow, &doc.layout)).collect(),
            NewValue::Value(value) => vec![write::value(value, &flow, &doc.layout)],
        };
        items.append(&new, &flow, &doc.layout)
    }
}

/// Adds an object to a file that has none, after its blanks and comments.
///
/// A file without a final line break gets none; that is how `remove` knows which line break was inserted.
fn new_root(doc: &JsonText<'_>, new: &NewValue<'_>) -> TextSplice {
    let layout = TextLayout { unit: "  ".to_owned(), ..doc.layout.clone() };
    let object = write::fresh(new, &ItemFlow::Lines { indent: String::new() }, &layout);
    let newline = layout.newline;
    let ends_a_line = doc.text.is_empty() || doc.text.ends_with('\n');
    let text = if ends_a_line { format!("{object}{newline}") } else { format!("{newline}{object}") };
    TextSplice::insertion(doc.text.len(), text)
}

fn collision(doc: &JsonText<'_>, entry: &SettingsEntry) -> EditError {
    EditError::new(
        EditErrorKind::Unsupported,
        doc.text,
        0..0,
        format!("Two different entries were requested at `{}`", entry.path.join(".")),
        "this is a bug in Symposium; please report it",
    )
}
