//! Changes a value in the file until it equals the wanted one, touching only the bytes that differ.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::node::{JsonNode, NodeKind, ObjectMember};
use super::tree::JsonText;
use super::write::{self, NewValue};
use crate::SWITCHES;
use crate::error::EditError;
use crate::items::{ItemFlow, ListSurroundings};
use crate::order::in_reading_order;
use crate::splice::{TextSplice, part};
use crate::trivia::line_indent;

/// Makes `node` equal to `want`; other keys are removed.
pub(super) fn exactly(doc: &JsonText<'_>, node: &JsonNode, want: &Value) -> Vec<TextSplice> {
    match (&node.kind, want) {
        (NodeKind::Object(members), Value::Object(want)) => object_exactly(doc, node, members, want)
            .unwrap_or_else(|| replaced(doc, node, &Value::Object(want.clone()))),
        (NodeKind::Array(elements), Value::Array(want)) if elements.len() == want.len() => {
            elements.iter().zip(want).flat_map(|(element, want)| exactly(doc, element, want)).collect()
        }
        _ if doc.value(node) == *want => Vec::new(),
        _ => replaced(doc, node, want),
    }
}

/// Returns `None` when the members cannot be changed one by one.
fn object_exactly(
    doc: &JsonText<'_>,
    node: &JsonNode,
    members: &[ObjectMember],
    want: &Map<String, Value>,
) -> Option<Vec<TextSplice>> {
    let mut present = BTreeSet::new();
    let mut surplus = BTreeSet::new();
    let mut splices = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let name = doc.name(member);
        match want.get(name.as_ref()) {
            Some(want) => splices.extend(exactly(doc, &member.value, want)),
            None => _ = surplus.insert(index),
        }
        if !present.insert(name) {
            return None;
        }
    }
    let missing: Vec<_> =
        in_reading_order(want).into_iter().filter(|(key, _)| !present.contains(key.as_str())).collect();
    if !missing.is_empty() && !surplus.is_empty() {
        return None;
    }
    splices.extend(added(doc, node, &missing));
    splices.extend(doc.items(node).remove(&surplus, &doc.layout));
    Some(splices)
}

/// Gives `node` every key of `want`; keys that only the file has stay, and so does a present switch.
pub(super) fn merged(doc: &JsonText<'_>, node: &JsonNode, want: &Value) -> Result<Vec<TextSplice>, EditError> {
    merged_below(doc, node, want, &SWITCHES)
}

fn merged_below(
    doc: &JsonText<'_>,
    node: &JsonNode,
    want: &Value,
    kept: &[&str],
) -> Result<Vec<TextSplice>, EditError> {
    let (NodeKind::Object(members), Value::Object(want)) = (&node.kind, want) else {
        return Ok(exactly(doc, node, want));
    };
    let mut splices = Vec::new();
    let mut missing = Vec::new();
    for (key, want) in in_reading_order(want) {
        match doc.member(members, key)? {
            Some(_) if kept.contains(&key.as_str()) => {}
            Some((_, member)) => splices.extend(merged_below(doc, &member.value, want, &[])?),
            None => missing.push((key, want)),
        }
    }
    splices.extend(added(doc, node, &missing));
    Ok(splices)
}

/// Updates the command of one handler in a group of the user; the rest of it belongs to the user.
pub(super) fn commands(doc: &JsonText<'_>, handler: &JsonNode, want: &Value) -> Result<Vec<TextSplice>, EditError> {
    let NodeKind::Object(members) = &handler.kind else { return Ok(Vec::new()) };
    let mut splices = Vec::new();
    for key in ["command", "bash", "powershell"] {
        if let Some(want) = want.get(key)
            && let Some((_, member)) = doc.member(members, key)?
        {
            splices.extend(exactly(doc, &member.value, want));
        }
    }
    Ok(splices)
}

fn added(doc: &JsonText<'_>, node: &JsonNode, missing: &[(&String, &Value)]) -> Vec<TextSplice> {
    let items = doc.items(node);
    let flow = items.flow(&doc.layout, ListSurroundings::OneLine);
    let new: Vec<_> =
        missing.iter().map(|(key, value)| write::member(key, &NewValue::Value(value), &flow, &doc.layout)).collect();
    items.append(&new, &flow, &doc.layout)
}

fn replaced(doc: &JsonText<'_>, node: &JsonNode, want: &Value) -> Vec<TextSplice> {
    let flow = if part(doc.text, node.span.clone()).contains('\n') {
        ItemFlow::Lines { indent: line_indent(doc.text, node.span.start).to_owned() }
    } else {
        ItemFlow::Inline { gap: doc.layout.space.to_owned() }
    };
    vec![TextSplice::replacement(node.span.clone(), write::value(want, &flow, &doc.layout))]
}
