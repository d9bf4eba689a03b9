//! The record of a change that is about to be made: a run may be killed between writing a file and recording it.

use super::change::{ChangeStep, PlannedChange};
use super::diff::{is_of_others, written_while};
use super::ledger::WrittenContent;
use super::observed::InstalledState;
use crate::edit::SettingsEditor;
use crate::fingerprint::fingerprint;

impl PlannedChange {
    /// Returns the record that covers both states; `None` when what is known stays. `is_there` says whether there is
    /// something at the place.
    pub fn intended(
        &self,
        known: Option<&WrittenContent>,
        is_there: impl FnOnce() -> bool,
        editor: &SettingsEditor,
    ) -> Option<WrittenContent> {
        match &self.step {
            ChangeStep::Edit { intended, .. } => {
                Some(known.into_iter().fold(intended.clone().before_write(known), WrittenContent::or_still))
            }
            ChangeStep::Write { text, expected: None } | ChangeStep::Configure { text, expected: None } => {
                // A file that is there all the same will not be written.
                (!is_there()).then(|| WrittenContent::file(text))
            }
            ChangeStep::Write { text, expected: Some(before) }
            | ChangeStep::Configure { text, expected: Some(before) }
                if known.is_some_and(|known| known.is_file(before)) =>
            {
                let next = Some(fingerprint(text.as_bytes()));
                Some(WrittenContent::File { fingerprint: fingerprint(before.as_bytes()), next })
            }
            ChangeStep::Configure { text, expected: Some(before) } if is_of_others(known) => {
                written_while(known, before, text, editor)
            }
            ChangeStep::Install { tree, expected, .. } => {
                let found = match expected {
                    InstalledState::Directory(found) => Some(found.fingerprint()),
                    InstalledState::Absent | InstalledState::Other => None,
                };
                let next = tree.fingerprint();
                Some(match known {
                    None => WrittenContent::skill(next),
                    Some(known) => known.clone().or_next(found, next),
                })
            }
            ChangeStep::Write { .. }
            | ChangeStep::Configure { .. }
            | ChangeStep::Restore { .. }
            | ChangeStep::GiveBack { .. }
            | ChangeStep::Delete { .. }
            | ChangeStep::Uninstall { .. } => None,
        }
    }
}

#[cfg(test)]
#[path = "intended_tests.rs"]
mod tests;
