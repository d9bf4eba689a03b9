//! Where the entries of a path are, or would go.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use symposium_model::edit::Slot;
use symposium_model::ours::{Mark, Share};

use super::node::{Kind, Member, Node};
use super::tree::Json;
use crate::error::EditError;
use crate::items::Surroundings;
use crate::splice::{Splice, part};

/// How far a path leads into a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'n> {
    /// The last object or array that exists.
    pub(super) node: &'n Node,
    /// How many steps of the path led to it.
    pub(super) depth: usize,
    /// How it stands in what holds it.
    pub(super) surroundings: Surroundings,
}

/// What is at a place.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found<'n> {
    /// The path ends early.
    Nothing(Place<'n>),
    /// The array for elements.
    Array { node: &'n Node, elements: &'n [Node], place: Place<'n> },
    /// The key and what holds it.
    Key { holder: &'n Node, index: usize, value: &'n Node },
}

/// Follows `path`; an error when a step is no object, or the end no array for elements.
pub(super) fn find<'n>(doc: &Json<'_>, root: &'n Node, path: &[String], slot: Slot) -> Result<Found<'n>, EditError> {
    let mut place = Place { node: root, depth: 0, surroundings: Surroundings::Lines };
    for (depth, key) in path.iter().enumerate() {
        let walked = path.get(..depth).unwrap_or_default();
        let Kind::Object(members) = &place.node.kind else {
            return Err(doc.wrong_shape(walked, "an object", place.node));
        };
        let Some((index, member)) = doc.member(members, key)? else { return Ok(Found::Nothing(place)) };
        if slot == Slot::Key && depth + 1 == path.len() {
            return Ok(Found::Key { holder: place.node, index, value: &member.value });
        }
        let surroundings = surroundings(doc, place.node, index, member);
        place = Place { node: &member.value, depth: depth + 1, surroundings };
    }
    match &place.node.kind {
        Kind::Array(elements) => Ok(Found::Array { node: place.node, elements, place }),
        Kind::Object(_) | Kind::Scalar => Err(doc.wrong_shape(path, "an array", place.node)),
    }
}

fn surroundings(doc: &Json<'_>, holder: &Node, index: usize, member: &Member) -> Surroundings {
    let previous = match &holder.kind {
        Kind::Object(members) => index.checked_sub(1).and_then(|index| members.get(index)),
        Kind::Array(_) | Kind::Scalar => None,
    };
    let from = previous.map_or(holder.span.start, |previous| previous.value.span.end);
    let own_line = part(doc.text, from..member.key.start).contains('\n');
    if own_line { Surroundings::Lines } else { Surroundings::OneLine }
}

/// Something of ours in an array.
#[derive(Debug, Clone, Copy)]
pub(super) enum Own<'n> {
    /// A whole element.
    Element { index: usize, node: &'n Node },
    /// One handler of a group that also holds the user's.
    Handler { group: &'n Node, index: usize, node: &'n Node },
}

/// Everything in `elements` that is ours, in order: what `mark` recognises, and what is already as `wanted`.
pub(super) fn own_in<'n>(doc: &Json<'_>, elements: &'n [Node], mark: &Mark, wanted: Option<&Value>) -> Vec<Own<'n>> {
    let mut found = Vec::new();
    for (index, node) in elements.iter().enumerate() {
        let value = doc.value(node);
        let share = if wanted == Some(&value) { Share::All } else { mark.share(&value) };
        match share {
            Share::Nothing => {}
            Share::All => found.push(Own::Element { index, node }),
            Share::Part => {
                let Some(group) = handlers(doc, node) else { continue };
                let Kind::Array(handlers) = &group.kind else { continue };
                let own = handlers.iter().enumerate().filter(|(_, handler)| mark.is_own_handler(&doc.value(handler)));
                found.extend(own.map(|(index, node)| Own::Handler { group, index, node }));
            }
        }
    }
    found
}

/// The `hooks` of a group; the last one, as readers of JSON see it.
fn handlers<'n>(doc: &Json<'_>, group: &'n Node) -> Option<&'n Node> {
    let Kind::Object(members) = &group.kind else { return None };
    members.iter().rev().find(|member| doc.name(member) == "hooks").map(|member| &member.value)
}

/// The handler inside an element of ours: the first of its group, or the element itself.
pub(super) fn handler_of(value: &Value) -> &Value {
    value.get("hooks").and_then(|hooks| hooks.get(0)).unwrap_or(value)
}

/// Items to be taken out, by the list that holds them.
#[derive(Debug, Default)]
pub(super) struct Doomed<'n> {
    lists: BTreeMap<usize, (&'n Node, BTreeSet<usize>)>,
}

impl<'n> Doomed<'n> {
    pub(super) fn add(&mut self, list: &'n Node, index: usize) {
        self.lists.entry(list.span.start).or_insert_with(|| (list, BTreeSet::new())).1.insert(index);
    }

    pub(super) fn add_own(&mut self, array: &'n Node, own: Own<'n>) {
        match own {
            Own::Element { index, .. } => self.add(array, index),
            Own::Handler { group, index, .. } => self.add(group, index),
        }
    }

    /// How many items of this list go.
    pub(super) fn count(&self, list: &Node) -> usize {
        self.lists.get(&list.span.start).map_or(0, |(_, indices)| indices.len())
    }

    pub(super) fn splices(&self, doc: &Json<'_>) -> Vec<Splice> {
        self.lists.values().flat_map(|(list, indices)| doc.items(list).remove(indices, &doc.layout)).collect()
    }
}
