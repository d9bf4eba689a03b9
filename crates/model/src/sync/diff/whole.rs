//! Files that are ours alone.

use serde_json::Value;

use super::ChangeBuilder;
use crate::ownership::{GENERATED_MARK, Marker, OwnedPart};
use crate::sync::change::{ChangeStep, SyncNotice};
use crate::sync::desired::DesiredFile;
use crate::sync::ledger::WrittenContent;

impl ChangeBuilder<'_> {
    pub(super) fn diff_whole(&mut self, file: &DesiredFile, text: &str) {
        let current = match self.observed.text(&file.path) {
            Ok(found) => found.map(|found| &found.text),
            Err(found) => return self.skip(*found),
        };
        let known = self.ledger.record(&file.path);
        let is_ours = |current: &str| match known {
            Some(known) => known.written.is_file(current),
            None => is_recognisably_ours(file, current),
        };
        match current {
            Some(current) if current == text => {
                let record = file.record(WrittenContent::file(text), self.options.now);
                self.changes.settled.push(record.renewing(known));
            }
            Some(current) if !is_ours(current) && known.is_some() => self.keep_drifted(&file.path),
            Some(current) if !is_ours(current) => self.changes.notices.push(SyncNotice::Foreign {
                path: file.path.clone(),
                what:
                    "this file lacks the mark of Symposium, so it is kept and no hooks are registered there; move it, then \
                       run `symposium sync`"
                        .to_owned(),
            }),
            current => {
                let step = ChangeStep::Write { text: text.to_owned(), expected: current.cloned() };
                self.changes.actions.push(file.change(step));
            }
        }
    }
}

/// Whether a file whose record was lost is ours all the same: every handler in it calls us, or it carries our mark.
pub(super) fn is_recognisably_ours(file: &DesiredFile, current: &str) -> bool {
    if current.contains(GENERATED_MARK) {
        return true;
    }
    let Ok(value) = serde_json::from_str::<Value>(current) else { return false };
    let events = value.get("hooks").and_then(Value::as_object).into_iter().flat_map(|events| events.values());
    let handlers: Vec<&Value> = events.filter_map(Value::as_array).flatten().collect();
    let is_ours =
        |handler: &&Value| file.agents.iter().any(|agent| Marker::HookOf(*agent).share(handler) == OwnedPart::All);
    !handlers.is_empty() && handlers.iter().all(is_ours)
}

#[cfg(test)]
#[path = "whole_tests.rs"]
mod tests;
