//! The order in which the keys of a new value are written: what a reader looks for comes first.

use serde_json::{Map, Value};

const FIRST: [&str; 6] = ["name", "matcher", "type", "command", "bash", "args"];

/// The members of an object; the same whatever order its map keeps.
pub(crate) fn in_reading_order(object: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut members: Vec<_> = object.iter().collect();
    let rank = |key: &str| FIRST.iter().position(|first| *first == key).unwrap_or(FIRST.len());
    members.sort_by(|(a, _), (b, _)| rank(a).cmp(&rank(b)).then_with(|| a.cmp(b)));
    members
}
