//! Removal of Symposium's entries, then of the containers that were created for them.

use std::cmp::Reverse;

use symposium_model::edit::EntrySlot;
use symposium_model::ownership::{Marker, OwnedPart};

use super::insertion_point::{PathLookup, RemovalSet, find, own_in};
use super::node::{JsonNode, NodeKind};
use super::tree::JsonText;
use crate::error::{EditError, EditErrorKind};
use crate::splice::{TextSplice, apply};
use crate::trivia::{newline_after, newline_before};
use crate::{EditResult, EntryOutcome, EntryRemoval, MatchScope};

pub(crate) fn remove(text: &str, removals: &[EntryRemoval], created: &[Vec<String>]) -> Result<EditResult, EditError> {
    let doc = JsonText::parse(text)?;
    let Some(root) = &doc.root else { return Ok(untouched(text, removals)) };
    let mut doomed = RemovalSet::default();
    let mut outcomes = Vec::with_capacity(removals.len());
    for removal in removals {
        outcomes.push(doom(&doc, root, removal, &mut doomed)?);
    }
    for (holder, index, node) in copies(&doc, root, removals, &mut doomed)? {
        let items = doc.items(node);
        if doomed.count(node) == items.spans.len() && !items.has_comment() {
            doomed.add(holder, index);
        }
    }
    doom_all_misplaced(&doc, root, removals, &mut doomed)?;
    let mut root_goes = false;
    let mut innermost_first: Vec<_> = created.iter().collect();
    innermost_first.sort_by_key(|path| Reverse(path.len()));
    for path in innermost_first {
        let Some((holder, node)) = container(&doc, root, path)? else { continue };
        let items = doc.items(node);
        if doomed.count(node) < items.spans.len() || items.has_comment() {
            continue;
        }
        match holder {
            Some((holder, index)) => doomed.add(holder, index),
            None => root_goes = true,
        }
    }
    let splices = if root_goes { vec![without_root(text, root)] } else { doomed.splices(&doc) };
    let result = apply(text, splices);
    if result != text {
        check(text, &result, removals)?;
    }
    Ok(EditResult { text: result, changed: false, outcomes, created: Vec::new() })
}

fn untouched(text: &str, removals: &[EntryRemoval]) -> EditResult {
    EditResult {
        text: text.to_owned(),
        changed: false,
        outcomes: vec![EntryOutcome::Unchanged; removals.len()],
        created: Vec::new(),
    }
}

/// Checks that the remaining text is JSON and holds no entry of Symposium.
fn check(text: &str, result: &str, removals: &[EntryRemoval]) -> Result<(), EditError> {
    let unsafe_result = |_| EditError::unsafe_result(text);
    let doc = JsonText::parse(result).map_err(unsafe_result)?;
    let Some(root) = &doc.root else { return Ok(()) };
    let mut doomed = RemovalSet::default();
    for removal in removals {
        if doom(&doc, root, removal, &mut doomed).map_err(unsafe_result)? == EntryOutcome::Removed {
            return Err(EditError::unsafe_result(text));
        }
    }
    let copies = copies(&doc, root, removals, &mut doomed).map_err(unsafe_result)?;
    doom_all_misplaced(&doc, root, removals, &mut doomed).map_err(unsafe_result)?;
    let is_done = copies.is_empty() && doomed.splices(&doc).is_empty();
    if is_done { Ok(()) } else { Err(EditError::unsafe_result(text)) }
}

fn is_wide(removal: &EntryRemoval) -> bool {
    removal.slot == EntrySlot::Element && removal.reach == MatchScope::EveryEvent
}

/// Adds entries of Symposium under events that no removal names to `doomed`, and returns the lists that contain them,
/// each with its holder and index.
fn copies<'n>(
    doc: &JsonText<'_>,
    root: &'n JsonNode,
    removals: &[EntryRemoval],
    doomed: &mut RemovalSet<'n>,
) -> Result<Vec<(&'n JsonNode, usize, &'n JsonNode)>, EditError> {
    let mut lists = Vec::new();
    for removal in removals.iter().filter(|removal| is_wide(removal)) {
        let Some((_, events)) = removal.path.split_last() else { continue };
        let Some((_, holder)) = container(doc, root, events)? else { continue };
        let NodeKind::Object(members) = &holder.kind else { continue };
        for (index, member) in members.iter().enumerate() {
            let event = doc.name(member);
            let is_named = |other: &EntryRemoval| other.path.split_last() == Some((&event.as_ref().to_owned(), events));
            let NodeKind::Array(elements) = &member.value.kind else { continue };
            if removals.iter().any(is_named) {
                continue;
            }
            let own = own_in(doc, elements, &removal.mark, None);
            for own in &own {
                doomed.add_own(&member.value, *own);
            }
            if !own.is_empty() {
                lists.push((holder, index, &member.value));
            }
        }
    }
    Ok(lists)
}

fn doom_all_misplaced<'n>(
    doc: &JsonText<'_>,
    root: &'n JsonNode,
    removals: &[EntryRemoval],
    doomed: &mut RemovalSet<'n>,
) -> Result<(), EditError> {
    let wide =
        removals.iter().filter(|removal| is_wide(removal)).map(|removal| (&*removal.path, removal.slot, &removal.mark));
    marks(wide).into_iter().try_for_each(|mark| doom_misplaced(doc, root, mark, doomed))
}

/// Returns the marks of hooks whose events stand at the top of the file, each once.
pub(super) fn marks<'m>(entries: impl Iterator<Item = (&'m [String], EntrySlot, &'m Marker)>) -> Vec<&'m Marker> {
    let is_at_top = |(path, slot, mark): &(&[String], EntrySlot, &Marker)| {
        path.len() == 1 && *slot == EntrySlot::Element && !mark.is_exact()
    };
    let mut marks: Vec<&Marker> = entries.filter(is_at_top).map(|(_, _, mark)| mark).collect();
    marks.dedup();
    marks
}

/// Adds hooks of Symposium to `doomed` that stand under `hooks`, as in most settings, in a file with its events at the
/// top, with the lists and the table that held nothing else.
pub(super) fn doom_misplaced<'n>(
    doc: &JsonText<'_>,
    root: &'n JsonNode,
    mark: &Marker,
    doomed: &mut RemovalSet<'n>,
) -> Result<(), EditError> {
    let Some((Some((holder, index)), table)) = container(doc, root, &["hooks".to_owned()])? else { return Ok(()) };
    let NodeKind::Object(events) = &table.kind else { return Ok(()) };
    for (number, event) in events.iter().enumerate() {
        let NodeKind::Array(elements) = &event.value.kind else { continue };
        let own = own_in(doc, elements, mark, None);
        for own in &own {
            doomed.add_own(&event.value, *own);
        }
        if !own.is_empty() && doomed.count(&event.value) == elements.len() && !doc.items(&event.value).has_comment() {
            doomed.add(table, number);
        }
    }
    if !events.is_empty() && doomed.count(table) == events.len() && !doc.items(table).has_comment() {
        doomed.add(holder, index);
    }
    Ok(())
}

fn doom<'n>(
    doc: &JsonText<'_>,
    root: &'n JsonNode,
    removal: &EntryRemoval,
    doomed: &mut RemovalSet<'n>,
) -> Result<EntryOutcome, EditError> {
    let found = match find(doc, root, &removal.path, removal.slot) {
        Ok(found) => found,
        // A place that cannot hold an entry of Symposium contains none.
        Err(error) if error.kind == EditErrorKind::Shape => return Ok(EntryOutcome::Unchanged),
        Err(error) => return Err(error),
    };
    Ok(match found {
        PathLookup::Nothing(_) => EntryOutcome::Unchanged,
        PathLookup::Key { holder, index, value } => match removal.mark.share(&doc.value(value)) {
            OwnedPart::All => {
                doomed.add(holder, index);
                EntryOutcome::Removed
            }
            OwnedPart::Part | OwnedPart::Nothing => EntryOutcome::Foreign,
        },
        PathLookup::Array { node, elements, .. } => {
            let own = own_in(doc, elements, &removal.mark, None);
            for own in &own {
                doomed.add_own(node, *own);
            }
            if own.is_empty() { EntryOutcome::Unchanged } else { EntryOutcome::Removed }
        }
    })
}

type ContainerPosition<'n> = (Option<(&'n JsonNode, usize)>, &'n JsonNode);

fn container<'n>(
    doc: &JsonText<'_>,
    root: &'n JsonNode,
    path: &[String],
) -> Result<Option<ContainerPosition<'n>>, EditError> {
    if path.is_empty() {
        return Ok(Some((None, root)));
    }
    match find(doc, root, path, EntrySlot::Key) {
        Ok(PathLookup::Key { holder, index, value }) if !matches!(value.kind, NodeKind::Scalar) => {
            Ok(Some((Some((holder, index)), value)))
        }
        Ok(PathLookup::Key { .. } | PathLookup::Nothing(_) | PathLookup::Array { .. }) => Ok(None),
        Err(error) if error.kind == EditErrorKind::Shape => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes the object that Symposium added to a file without one, with the line break that came with it.
fn without_root(text: &str, root: &JsonNode) -> TextSplice {
    let span = root.span.clone();
    if span.end == text.len() {
        return TextSplice::deletion(newline_before(text, span.start).unwrap_or(span.start)..span.end);
    }
    TextSplice::deletion(span.start..newline_after(text, span.end).unwrap_or(span.end))
}
