//! The one JSON document of a call: what the command answers, and what could not be done.
//!
//! It is held until the command has ended. So no command can end without one, whatever it failed at, and what went wrong
//! after the answer was made is in it too.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};

use super::diagnostic_row::DiagnosticRow;

/// The document of this process. It is global because a process prints one document, and printers are copied.
static OUTBOX: Mutex<JsonDocument> = Mutex::new(JsonDocument { answer: None, errors: Vec::new(), is_open: false });

#[derive(Debug, Default)]
struct JsonDocument {
    answer: Option<HeldAnswer>,
    errors: Vec<DiagnosticRow>,
    /// Whether the last of the errors is what was said last.
    is_open: bool,
}

#[derive(Debug)]
enum HeldAnswer {
    Document(Value),
    /// Bytes for another program, beside which there is no place for a document.
    Raw,
}

pub(super) fn hold(document: Value) {
    outbox().answer = Some(HeldAnswer::Document(document));
}

/// Remembers that something else went to standard output.
pub(super) fn hold_nothing() {
    outbox().answer = Some(HeldAnswer::Raw);
}

/// Adds what could not be done.
pub(super) fn add_error(error: DiagnosticRow) {
    let mut outbox = outbox();
    outbox.errors.push(error);
    outbox.is_open = true;
}

/// Something else was said: what comes after it is not about an error.
pub(super) fn close_error() {
    outbox().is_open = false;
}

/// Adds what to do about an error, if it was one that was spoken of last.
pub(super) fn add_help(help: &str) {
    let mut outbox = outbox();
    if outbox.is_open
        && let Some(last) = outbox.errors.last_mut()
    {
        last.add_help(help);
    }
}

/// Takes the whole document, if there is anything to say in one.
pub(super) fn take() -> Option<Value> {
    std::mem::take(&mut *outbox()).document()
}

fn outbox() -> MutexGuard<'static, JsonDocument> {
    OUTBOX.lock().unwrap_or_else(PoisonError::into_inner)
}

impl JsonDocument {
    fn document(self) -> Option<Value> {
        let mut document = match self.answer {
            Some(HeldAnswer::Document(Value::Object(document))) => document,
            Some(HeldAnswer::Document(other)) => return Some(other),
            Some(HeldAnswer::Raw) => return None,
            None if self.errors.is_empty() => return None,
            None => Map::from_iter([("version".to_owned(), 1.into())]),
        };
        let errors: Vec<Value> = self.errors.iter().filter_map(|error| serde_json::to_value(error).ok()).collect();
        if !errors.is_empty() {
            match document.entry("errors").or_insert_with(|| Value::Array(Vec::new())) {
                Value::Array(known) => known.extend(errors),
                other => *other = Value::Array(errors),
            }
        }
        Some(Value::Object(document))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn errors_join_what_the_command_said() {
        let of = |answer, errors: &[&str]| {
            JsonDocument {
                answer,
                errors: errors.iter().map(|error| DiagnosticRow::error(error)).collect(),
                is_open: false,
            }
            .document()
        };
        let said = |document: Value| Some(HeldAnswer::Document(document));
        assert_eq!(of(None, &[]), None);
        assert_eq!(of(said(json!({ "version": 1 })), &[]), Some(json!({ "version": 1 })));
        let failed = of(None, &["a"]).unwrap();
        assert_eq!((&failed["version"], &failed["errors"][0]["message"]), (&json!(1), &json!("a")));
        let both = of(said(json!({ "version": 1, "rows": [], "errors": ["own"] })), &["b"]).unwrap();
        assert_eq!((&both["errors"][0], &both["errors"][1]["message"]), (&json!("own"), &json!("b")));
        assert_eq!(of(Some(HeldAnswer::Raw), &["c"]), None);
    }
}
