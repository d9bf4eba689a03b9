//! What the next handler of an event sees of what the one before it said.

use serde_json::{Map, Value};

use super::merge::overlay;

/// Parts of an answer that change the event for whoever comes next: the event, and the key in both.
const CHANGES: &[(&str, &str)] = &[("BeforeModel", "llm_request"), ("AfterModel", "llm_response")];

/// The event as the next handler gets it; `None` when nothing of it changed.
pub fn chained(event: &str, payload: &Map<String, Value>, answer: &Map<String, Value>) -> Option<Map<String, Value>> {
    let (_, key) = CHANGES.iter().find(|(of, _)| *of == event)?;
    let change = answer.get("hookSpecificOutput")?.get(*key)?.as_object()?;
    let mut payload = payload.clone();
    match payload.get_mut(*key) {
        Some(Value::Object(known)) => overlay(known, change.clone()),
        Some(_) | None => {
            payload.insert((*key).to_owned(), Value::Object(change.clone()));
        }
    }
    Some(payload)
}
