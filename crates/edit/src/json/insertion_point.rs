//! The lookup of a path: the entries at its end, or the point where they would be inserted.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use symposium_model::edit::EntrySlot;
use symposium_model::ownership::{Marker, OwnedPart};

use super::node::{JsonNode, NodeKind, ObjectMember};
use super::tree::JsonText;
use crate::error::EditError;
use crate::items::ListSurroundings;
use crate::splice::{TextSplice, part};

/// The deepest existing container on a path.
#[derive(Debug, Clone, Copy)]
pub(super) struct InsertionPoint<'n> {
    pub(super) node: &'n JsonNode,
    pub(super) depth: usize,
    pub(super) surroundings: ListSurroundings,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum PathLookup<'n> {
    Nothing(InsertionPoint<'n>),
    Array { node: &'n JsonNode, elements: &'n [JsonNode], place: InsertionPoint<'n> },
    Key { holder: &'n JsonNode, index: usize, value: &'n JsonNode },
}

/// Follows `path`; an error when a step is not an object, or the end is not an array although elements are wanted.
pub(super) fn find<'n>(
    doc: &JsonText<'_>,
    root: &'n JsonNode,
    path: &[String],
    slot: EntrySlot,
) -> Result<PathLookup<'n>, EditError> {
    let mut place = InsertionPoint { node: root, depth: 0, surroundings: ListSurroundings::Lines };
    for (depth, key) in path.iter().enumerate() {
        let walked = path.get(..depth).unwrap_or_default();
        let NodeKind::Object(members) = &place.node.kind else {
            return Err(doc.wrong_shape(walked, "an object", place.node));
        };
        let Some((index, member)) = doc.member(members, key)? else { return Ok(PathLookup::Nothing(place)) };
        if slot == EntrySlot::Key && depth + 1 == path.len() {
            return Ok(PathLookup::Key { holder: place.node, index, value: &member.value });
        }
        let surroundings = surroundings(doc, place.node, index, member);
        place = InsertionPoint { node: &member.value, depth: depth + 1, surroundings };
    }
    match &place.node.kind {
        NodeKind::Array(elements) => Ok(PathLookup::Array { node: place.node, elements, place }),
        NodeKind::Object(_) | NodeKind::Scalar => Err(doc.wrong_shape(path, "an array", place.node)),
    }
}

fn surroundings(doc: &JsonText<'_>, holder: &JsonNode, index: usize, member: &ObjectMember) -> ListSurroundings {
    let previous = match &holder.kind {
        NodeKind::Object(members) => index.checked_sub(1).and_then(|index| members.get(index)),
        NodeKind::Array(_) | NodeKind::Scalar => None,
    };
    let from = previous.map_or(holder.span.start, |previous| previous.value.span.end);
    let own_line = part(doc.text, from..member.key.start).contains('\n');
    if own_line { ListSurroundings::Lines } else { ListSurroundings::OneLine }
}

#[derive(Debug, Clone, Copy)]
pub(super) enum OwnedItem<'n> {
    Element {
        index: usize,
        node: &'n JsonNode,
    },
    /// One handler of a group that also holds handlers of the user.
    Handler {
        group: &'n JsonNode,
        index: usize,
        node: &'n JsonNode,
    },
}

/// Returns all items of Symposium in `elements`, in order: those that `mark` recognises, and those equal to `wanted`.
pub(super) fn own_in<'n>(
    doc: &JsonText<'_>,
    elements: &'n [JsonNode],
    mark: &Marker,
    wanted: Option<&Value>,
) -> Vec<OwnedItem<'n>> {
    let mut found = Vec::new();
    for (index, node) in elements.iter().enumerate() {
        let value = doc.value(node);
        let share = if wanted == Some(&value) { OwnedPart::All } else { mark.share(&value) };
        match share {
            OwnedPart::Nothing => {}
            OwnedPart::All => found.push(OwnedItem::Element { index, node }),
            OwnedPart::Part => {
                let Some(group) = handlers(doc, node) else { continue };
                let NodeKind::Array(handlers) = &group.kind else { continue };
                let own = handlers.iter().enumerate().filter(|(_, handler)| mark.is_own_handler(&doc.value(handler)));
                found.extend(own.map(|(index, node)| OwnedItem::Handler { group, index, node }));
            }
        }
    }
    found
}

/// Returns the `hooks` of a group; the last one of several, as JSON parsers do.
fn handlers<'n>(doc: &JsonText<'_>, group: &'n JsonNode) -> Option<&'n JsonNode> {
    let NodeKind::Object(members) = &group.kind else { return None };
    members.iter().rev().find(|member| doc.name(member) == "hooks").map(|member| &member.value)
}

/// Returns the handler inside an element of Symposium: the first of its group, or the element itself.
pub(super) fn handler_of(value: &Value) -> &Value {
    value.get("hooks").and_then(|hooks| hooks.get(0)).unwrap_or(value)
}

#[derive(Debug, Default)]
pub(super) struct RemovalSet<'n> {
    lists: BTreeMap<usize, (&'n JsonNode, BTreeSet<usize>)>,
}

impl<'n> RemovalSet<'n> {
    pub(super) fn add(&mut self, list: &'n JsonNode, index: usize) {
        self.lists.entry(list.span.start).or_insert_with(|| (list, BTreeSet::new())).1.insert(index);
    }

    pub(super) fn add_own(&mut self, array: &'n JsonNode, own: OwnedItem<'n>) {
        match own {
            OwnedItem::Element { index, .. } => self.add(array, index),
            OwnedItem::Handler { group, index, .. } => self.add(group, index),
        }
    }

    pub(super) fn count(&self, list: &JsonNode) -> usize {
        self.lists.get(&list.span.start).map_or(0, |(_, indices)| indices.len())
    }

    pub(super) fn splices(&self, doc: &JsonText<'_>) -> Vec<TextSplice> {
        self.lists.values().flat_map(|(list, indices)| doc.items(list).remove(indices, &doc.layout)).collect()
    }
}
