//! Removal of Symposium's entries, then of the containers that were created for them.

use std::cmp::Reverse;

use symposium_model::edit::EntrySlot;
use symposium_model::ownership::OwnedPart;

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
    if copies.is_empty() { Ok(()) } else { Err(EditError::unsafe_result(text)) }
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
    let wide = |removal: &&EntryRemoval| removal.slot == EntrySlot::Element && removal.reach == MatchScope::EveryEvent;
    for removal in removals.iter().filter(wide) {
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
