//! The order in which the keys of a new value are written: the most important ones for a reader first.

use serde_json::{Map, Value};

const FIRST: [&str; 6] = ["name", "matcher", "type", "command", "bash", "args"];

/// Returns the members of an object in an order that does not depend on the map.
pub(crate) fn in_reading_order(object: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut members: Vec<_> = object.iter().collect();
    let rank = |key: &str| FIRST.iter().position(|first| *first == key).unwrap_or(FIRST.len());
    members.sort_by(|(a, _), (b, _)| rank(a).cmp(&rank(b)).then_with(|| a.cmp(b)));
    members
}
