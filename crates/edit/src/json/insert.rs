//! Makes entries present: first what is there is brought up to date, then what is missing is added.

use std::collections::BTreeMap;

use symposium_model::edit::{Entry, Slot};
use symposium_model::ours::Share;

use super::fit;
use super::node::{Kind, Node};
use super::place::{Doomed, Found, Own, Place, find, handler_of, own_in};
use super::tree::Json;
use super::write::{self, Fresh};
use crate::error::{EditError, EditErrorKind};
use crate::items::{Flow, Layout, Surroundings};
use crate::splice::{Splice, apply};
use crate::{Edited, Outcome, is_settled, share_of};

pub(crate) fn insert(text: &str, entries: &[Entry]) -> Result<Edited, EditError> {
    let doc = Json::parse(text)?;
    let stale = stale(&doc, entries)?;
    let updated;
    let doc = if stale.splices.is_empty() {
        doc
    } else {
        updated = apply(text, stale.splices);
        Json::parse(&updated)?
    };
    let missing: Vec<&Entry> =
        entries.iter().zip(&stale.outcomes).filter(|(_, o)| o.is_none()).map(|(e, _)| e).collect();
    let (splices, created) = additions(&doc, &missing)?;
    let result = apply(doc.text, splices);
    let outcomes = settled_outcomes(stale.outcomes);
    if result != text {
        check(text, &result, entries, &outcomes)?;
    }
    Ok(Edited { text: result, changed: false, outcomes, created })
}

/// A second run must find nothing to do.
fn check(text: &str, result: &str, entries: &[Entry], outcomes: &[Outcome]) -> Result<(), EditError> {
    let unsafe_result = |_| EditError::unsafe_result(text);
    let doc = Json::parse(result).map_err(unsafe_result)?;
    let again = stale(&doc, entries).map_err(unsafe_result)?;
    let settled = again.splices.is_empty() && is_settled(outcomes, &settled_outcomes(again.outcomes));
    if settled { Ok(()) } else { Err(EditError::unsafe_result(text)) }
}

/// What is not there gets inserted.
fn settled_outcomes(outcomes: Vec<Option<Outcome>>) -> Vec<Outcome> {
    outcomes.into_iter().map(|outcome| outcome.unwrap_or(Outcome::Inserted)).collect()
}

/// What has to change about entries that are there.
struct Stale {
    splices: Vec<Splice>,
    /// `None` for an entry that is not there.
    outcomes: Vec<Option<Outcome>>,
}

fn stale(doc: &Json<'_>, entries: &[Entry]) -> Result<Stale, EditError> {
    let mut stale = Stale { splices: Vec::new(), outcomes: vec![None; entries.len()] };
    let Some(root) = &doc.root else { return Ok(stale) };
    let mut doomed = Doomed::default();
    for (index, entry) in entries.iter().enumerate() {
        if entry.path.is_empty() {
            return Err(doc.wrong_shape(&entry.path, "an entry with a path", root));
        }
        let outcome = match find(doc, root, &entry.path, entry.slot)? {
            Found::Nothing(_) => None,
            Found::Key { value, .. } => Some(match share_of(entry, &doc.value(value)) {
                Share::All => outcome_of(updated(doc, value, entry)?, &mut stale.splices),
                Share::Part | Share::Nothing => Outcome::Foreign,
            }),
            Found::Array { node, elements, .. } => {
                // Entries with the same path and mark are paired in order with what is there.
                let twins =
                    |other: &&Entry| (&other.path, other.slot, &other.mark) == (&entry.path, entry.slot, &entry.mark);
                let rank = entries.iter().take(index).filter(twins).count();
                let wanted = entries.iter().filter(twins).count();
                let own = own_in(doc, elements, &entry.mark, Some(&entry.value));
                let mut outcome = match own.get(rank) {
                    None => None,
                    Some(Own::Element { node, .. }) => {
                        Some(outcome_of(fit::exactly(doc, node, &entry.value), &mut stale.splices))
                    }
                    Some(Own::Handler { node, .. }) => {
                        let splices = fit::commands(doc, node, handler_of(&entry.value))?;
                        Some(outcome_of(splices, &mut stale.splices))
                    }
                };
                if rank + 1 == wanted && own.len() > wanted {
                    for surplus in own.iter().skip(wanted) {
                        doomed.add_own(node, *surplus);
                    }
                    outcome = Some(Outcome::Updated);
                }
                outcome
            }
        };
        if let Some(slot) = stale.outcomes.get_mut(index) {
            *slot = outcome;
        }
    }
    stale.splices.extend(doomed.splices(doc));
    Ok(stale)
}

fn updated(doc: &Json<'_>, value: &Node, entry: &Entry) -> Result<Vec<Splice>, EditError> {
    // Nobody has added anything to what is still exactly as we wrote it.
    if entry.mark.is_exact() {
        Ok(fit::exactly(doc, value, &entry.value))
    } else {
        fit::merged(doc, value, &entry.value)
    }
}

fn outcome_of(splices: Vec<Splice>, all: &mut Vec<Splice>) -> Outcome {
    let outcome = if splices.is_empty() { Outcome::Unchanged } else { Outcome::Updated };
    all.extend(splices);
    outcome
}

/// New content for the containers of a file, by the container's offset.
#[derive(Default)]
struct Additions<'n, 'v> {
    lists: BTreeMap<usize, Addition<'n, 'v>>,
    created: Vec<Vec<String>>,
}

struct Addition<'n, 'v> {
    place: Place<'n>,
    new: Fresh<'v>,
}

fn additions(doc: &Json<'_>, missing: &[&Entry]) -> Result<(Vec<Splice>, Vec<Vec<String>>), EditError> {
    if missing.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let no_root = Node { span: 0..0, kind: Kind::Object(Vec::new()) };
    let root = doc.root.as_ref().unwrap_or(&no_root);
    let mut additions = Additions::default();
    if doc.root.is_none() {
        additions.created.push(Vec::new());
    }
    for entry in missing {
        let place = match find(doc, root, &entry.path, entry.slot)? {
            Found::Nothing(place) | Found::Array { place, .. } => place,
            Found::Key { holder, .. } => {
                Place { node: holder, depth: entry.path.len() - 1, surroundings: Surroundings::Lines }
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

impl<'n, 'v> Additions<'n, 'v> {
    /// An error when another entry of the same call is in the way.
    fn add(&mut self, place: Place<'n>, entry: &'v Entry) -> Result<(), ()> {
        let addition = self.lists.entry(place.node.span.start).or_insert_with(|| Addition {
            place,
            new: match place.node.kind {
                Kind::Array(_) => Fresh::Array(Vec::new()),
                Kind::Object(_) | Kind::Scalar => Fresh::Object(Vec::new()),
            },
        });
        let mut target = &mut addition.new;
        let containers = match entry.slot {
            Slot::Element => entry.path.len(),
            Slot::Key => entry.path.len() - 1,
        };
        for (depth, key) in entry.path.iter().enumerate().skip(place.depth).take(containers - place.depth) {
            let Fresh::Object(members) = target else { return Err(()) };
            let index = match members.iter().position(|(name, _)| name == key) {
                Some(index) => index,
                None => {
                    let is_array = entry.slot == Slot::Element && depth + 1 == containers;
                    let new = if is_array { Fresh::Array(Vec::new()) } else { Fresh::Object(Vec::new()) };
                    members.push((key, new));
                    self.created.push(entry.path.iter().take(depth + 1).cloned().collect());
                    members.len() - 1
                }
            };
            target = members.get_mut(index).map(|(_, value)| value).ok_or(())?;
        }
        let last = entry.path.last().ok_or(())?;
        match (target, entry.slot) {
            (Fresh::Array(elements), Slot::Element) => elements.push(Fresh::Value(&entry.value)),
            (Fresh::Object(members), Slot::Key) => match members.iter().find(|(name, _)| name == last) {
                None => members.push((last, Fresh::Value(&entry.value))),
                Some((_, Fresh::Value(value))) if *value == &entry.value => {}
                Some(_) => return Err(()),
            },
            _ => return Err(()),
        }
        Ok(())
    }
}

impl Addition<'_, '_> {
    fn splices(&self, doc: &Json<'_>) -> Vec<Splice> {
        let items = doc.items(self.place.node);
        let flow = items.flow(&doc.layout, self.place.surroundings);
        let new: Vec<String> = match &self.new {
            Fresh::Object(members) => {
                members.iter().map(|(key, value)| write::member(key, value, &flow, &doc.layout)).collect()
            }
            Fresh::Array(elements) => elements.iter().map(|value| write::fresh(value, &flow, &doc.layout)).collect(),
            Fresh::Value(value) => vec![write::value(value, &flow, &doc.layout)],
        };
        items.append(&new, &flow, &doc.layout)
    }
}

/// The object of a file that has none, after whatever blanks and comments it has.
///
/// A file without a final line break stays one; that is how `remove` knows which break was ours.
fn new_root(doc: &Json<'_>, new: &Fresh<'_>) -> Splice {
    let layout = Layout { unit: "  ".to_owned(), ..doc.layout.clone() };
    let object = write::fresh(new, &Flow::Lines { indent: String::new() }, &layout);
    let newline = layout.newline;
    let ends_a_line = doc.text.is_empty() || doc.text.ends_with('\n');
    let text = if ends_a_line { format!("{object}{newline}") } else { format!("{newline}{object}") };
    Splice::insertion(doc.text.len(), text)
}

fn collision(doc: &Json<'_>, entry: &Entry) -> EditError {
    EditError::new(
        EditErrorKind::Unsupported,
        doc.text,
        0..0,
        format!("Two different entries were asked for at `{}`", entry.path.join(".")),
        "this is a fault of Symposium; please report it",
    )
}
