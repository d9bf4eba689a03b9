//! The changes that an answer makes to a native event before the next handler gets it.

use serde_json::{Map, Value};

use super::merge::overlay;

/// Parts of an answer that change the event for the next handler: the event, the section of the answer, and the key in
/// both.
const CHANGES: &[(&str, AnswerSection, &str)] = &[
    ("BeforeModel", AnswerSection::Own, "llm_request"),
    ("AfterModel", AnswerSection::Own, "llm_response"),
    ("chat.message", AnswerSection::Answer, "output"),
    ("chat.params", AnswerSection::Answer, "output"),
    ("shell.env", AnswerSection::Answer, "output"),
    ("experimental.chat.system.transform", AnswerSection::Answer, "output"),
    ("experimental.text.complete", AnswerSection::Answer, "output"),
];

#[derive(Clone, Copy)]
enum AnswerSection {
    Answer,
    Own,
}

/// Returns the event as the next handler gets it; `None` when it did not change.
pub fn chained(event: &str, payload: &Map<String, Value>, answer: &Map<String, Value>) -> Option<Map<String, Value>> {
    let (_, within, key) = CHANGES.iter().find(|(of, _, _)| *of == event)?;
    let within = match within {
        AnswerSection::Answer => answer,
        AnswerSection::Own => answer.get("hookSpecificOutput")?.as_object()?,
    };
    let change = within.get(*key)?.as_object()?;
    let mut payload = payload.clone();
    match payload.get_mut(*key) {
        Some(Value::Object(known)) => overlay(known, change.clone()),
        Some(_) | None => {
            payload.insert((*key).to_owned(), Value::Object(change.clone()));
        }
    }
    Some(payload)
}
