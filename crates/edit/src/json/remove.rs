//! Takes out what is ours, then the containers that were created for it.

use std::cmp::Reverse;

use symposium_model::edit::Slot;
use symposium_model::ours::Share;

use super::node::{Kind, Node};
use super::place::{Doomed, Found, find, own_in};
use super::tree::Json;
use crate::error::{EditError, EditErrorKind};
use crate::splice::{Splice, apply};
use crate::trivia::{newline_after, newline_before};
use crate::{Edited, Outcome, Reach, Removal};

pub(crate) fn remove(text: &str, removals: &[Removal], created: &[Vec<String>]) -> Result<Edited, EditError> {
    let doc = Json::parse(text)?;
    let Some(root) = &doc.root else { return Ok(untouched(text, removals)) };
    let mut doomed = Doomed::default();
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
    Ok(Edited { text: result, changed: false, outcomes, created: Vec::new() })
}

fn untouched(text: &str, removals: &[Removal]) -> Edited {
    Edited {
        text: text.to_owned(),
        changed: false,
        outcomes: vec![Outcome::Unchanged; removals.len()],
        created: Vec::new(),
    }
}

/// What is left must be JSON and hold nothing of ours.
fn check(text: &str, result: &str, removals: &[Removal]) -> Result<(), EditError> {
    let unsafe_result = |_| EditError::unsafe_result(text);
    let doc = Json::parse(result).map_err(unsafe_result)?;
    let Some(root) = &doc.root else { return Ok(()) };
    let mut doomed = Doomed::default();
    for removal in removals {
        if doom(&doc, root, removal, &mut doomed).map_err(unsafe_result)? == Outcome::Removed {
            return Err(EditError::unsafe_result(text));
        }
    }
    let copies = copies(&doc, root, removals, &mut doomed).map_err(unsafe_result)?;
    if copies.is_empty() { Ok(()) } else { Err(EditError::unsafe_result(text)) }
}

/// Dooms what is ours under events that no removal names; gives back the lists it was found in, and where those are.
fn copies<'n>(
    doc: &Json<'_>,
    root: &'n Node,
    removals: &[Removal],
    doomed: &mut Doomed<'n>,
) -> Result<Vec<(&'n Node, usize, &'n Node)>, EditError> {
    let mut lists = Vec::new();
    let wide = |removal: &&Removal| removal.slot == Slot::Element && removal.reach == Reach::EveryEvent;
    for removal in removals.iter().filter(wide) {
        let Some((_, events)) = removal.path.split_last() else { continue };
        let Some((_, holder)) = container(doc, root, events)? else { continue };
        let Kind::Object(members) = &holder.kind else { continue };
        for (index, member) in members.iter().enumerate() {
            let event = doc.name(member);
            let is_named = |other: &Removal| other.path.split_last() == Some((&event.as_ref().to_owned(), events));
            let Kind::Array(elements) = &member.value.kind else { continue };
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

fn doom<'n>(doc: &Json<'_>, root: &'n Node, removal: &Removal, doomed: &mut Doomed<'n>) -> Result<Outcome, EditError> {
    let found = match find(doc, root, &removal.path, removal.slot) {
        Ok(found) => found,
        // Where nothing of ours fits, nothing of ours is.
        Err(error) if error.kind == EditErrorKind::Shape => return Ok(Outcome::Unchanged),
        Err(error) => return Err(error),
    };
    Ok(match found {
        Found::Nothing(_) => Outcome::Unchanged,
        Found::Key { holder, index, value } => match removal.mark.share(&doc.value(value)) {
            Share::All => {
                doomed.add(holder, index);
                Outcome::Removed
            }
            Share::Part | Share::Nothing => Outcome::Foreign,
        },
        Found::Array { node, elements, .. } => {
            let own = own_in(doc, elements, &removal.mark, None);
            for own in &own {
                doomed.add_own(node, *own);
            }
            if own.is_empty() { Outcome::Unchanged } else { Outcome::Removed }
        }
    })
}

/// The container at `path`, and where it is in what holds it.
type Container<'n> = (Option<(&'n Node, usize)>, &'n Node);

fn container<'n>(doc: &Json<'_>, root: &'n Node, path: &[String]) -> Result<Option<Container<'n>>, EditError> {
    if path.is_empty() {
        return Ok(Some((None, root)));
    }
    match find(doc, root, path, Slot::Key) {
        Ok(Found::Key { holder, index, value }) if !matches!(value.kind, Kind::Scalar) => {
            Ok(Some((Some((holder, index)), value)))
        }
        Ok(Found::Key { .. } | Found::Nothing(_) | Found::Array { .. }) => Ok(None),
        Err(error) if error.kind == EditErrorKind::Shape => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes the object we gave to a file that had none, with the line break that came with it.
fn without_root(text: &str, root: &Node) -> Splice {
    let span = root.span.clone();
    if span.end == text.len() {
        return Splice::deletion(newline_before(text, span.start).unwrap_or(span.start)..span.end);
    }
    Splice::deletion(span.start..newline_after(text, span.end).unwrap_or(span.end))
}
