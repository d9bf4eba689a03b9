//! Entries of ours in files of others: inserted, brought up to date, removed.

use std::path::Path;

use super::{ChangeBuilder, RemovedRulePolicy};
use crate::diagnostic::Diagnostic;
use crate::edit::{EditFormat, EntryOutcome, EntryRemoval, EntrySlot, MatchScope, SettingsEditor, SettingsEntry};
use crate::ownership::Marker;
use crate::sync::change::{ChangeStep, RemainingEntries, SyncNotice};
use crate::sync::desired::DesiredFile;
use crate::sync::ledger::{LedgerRecord, WrittenContent};
use crate::sync::observed::ObservedText;
use crate::sync::written_entry::WrittenEntry;

impl SettingsEditor {
    /// Whether a text has an entry that was written.
    pub fn finds(&self, text: &str, format: EditFormat, entry: &WrittenEntry) -> bool {
        let removals = removals(std::slice::from_ref(entry), RemainingEntries::Stays);
        let edited = (self.remove)(Path::new(""), text, format, &removals, &[]);
        edited.is_ok_and(|edited| edited.outcomes.contains(&EntryOutcome::Removed))
    }
}

impl ChangeBuilder<'_> {
    pub(super) fn diff_entries(&mut self, file: &DesiredFile, format: EditFormat, wanted: &[SettingsEntry]) {
        let text = match self.observed.text(&file.path) {
            Ok(found) => found.map(|found| found.text.as_str()),
            Err(found) => return self.skip_wanted(file, *found),
        };
        let known = self.ledger.record(&file.path).map(|record| &record.written);
        let start = text.unwrap_or(file.starts_as);
        let editor = self.options.editor;
        let is_there = |entry: &WrittenEntry| editor.finds(start, format, entry);
        let removed = match self.options.removed_rules {
            RemovedRulePolicy::StayRemoved => removed_rules(wanted, known, is_there),
            RemovedRulePolicy::WriteAgain => Vec::new(),
        };
        if !removed.iter().all(|rule| is_removed_by_user(rule, known)) {
            let rules = removed.iter().map(rule_text).collect();
            self.changes.notices.push(SyncNotice::RemovedRules { path: file.path.clone(), rules });
        }
        let removed_by_user: Vec<WrittenEntry> = removed.iter().map(written_entry).collect();
        let left: Vec<SettingsEntry> = wanted.iter().filter(|entry| !removed.contains(entry)).cloned().collect();
        let wanted = left.as_slice();
        let entries = recognised(wanted, written_entries(known), is_there);
        let edited = match (self.options.editor.insert)(&file.path, start, format, &entries) {
            Ok(edited) => edited,
            Err(found) => return self.skip_wanted(file, *found),
        };
        let mut ours: Vec<WrittenEntry> = Vec::new();
        for (entry, outcome) in wanted.iter().zip(&edited.outcomes) {
            if *outcome == EntryOutcome::Foreign {
                let what = format!("`{}` belongs to you and is kept unchanged", entry.path.join("."));
                self.changes.notices.push(SyncNotice::Foreign { path: file.path.clone(), what });
            } else {
                let written = written_entry(entry);
                let was_theirs = *outcome == EntryOutcome::Unchanged && !written_entries(known).contains(&written);
                if !(was_theirs && written.is_list_item()) {
                    ours.push(written);
                }
            }
        }
        let is_known = |old: &WrittenEntry| ours.iter().any(|new| new.path == old.path && new.slot == old.slot);
        // An entry that the user replaced or removed is not ours to take back.
        let is_kept = |old: &WrittenEntry| !removed_by_user.contains(old) && (is_known(old) || is_there(old));
        let left = known.cloned().map(|known| known.retaining(is_kept));
        let known = left.as_ref();
        self.drop_stale(file, known, &ours);
        let (mut created, new_file) = match known {
            Some(WrittenContent::Entries { created, new_file, .. }) => (created.clone(), *new_file),
            _ => (Vec::new(), text.is_none()),
        };
        for container in edited.created {
            if !created.contains(&container) {
                created.push(container);
            }
        }
        let has_ours = !ours.is_empty() || !removed_by_user.is_empty();
        let unconfirmed = Vec::new();
        let written =
            WrittenContent::Entries { format, entries: ours, created, new_file, removed_by_user, unconfirmed };
        if edited.changed {
            let (starts_as, is_new) = (file.starts_as, text.is_none());
            let step = ChangeStep::Edit { format, entries, starts_as, is_new, intended: written };
            self.changes.actions.push(file.change(step));
        } else if has_ours {
            // What is about to leave the file is known until it has.
            let written = known.iter().fold(written, |written, known| written.beside(known));
            let record = file.record(written, self.options.now);
            self.changes.settled.push(record.renewing(self.ledger.record(&file.path)));
        }
    }

    fn skip_wanted(&mut self, file: &DesiredFile, found: Diagnostic) {
        self.unusable.push(file.path.clone());
        self.skip(found);
    }

    /// Removes entries that were written earlier and that nothing wants any more; the others stay.
    fn drop_stale(&mut self, file: &DesiredFile, known: Option<&WrittenContent>, ours: &[WrittenEntry]) {
        let Some(WrittenContent::Entries { format, entries, created, new_file, .. }) = known else { return };
        let is_same = |old: &WrittenEntry, new: &WrittenEntry| {
            new.path == old.path && new.slot == old.slot && (!old.is_list_item() || new == old)
        };
        let is_stale = |old: &&WrittenEntry| !ours.iter().any(|new| is_same(old, new));
        let stale: Vec<WrittenEntry> = entries.iter().filter(is_stale).cloned().collect();
        if !stale.is_empty() {
            let (format, created, new_file) = (*format, created.clone(), *new_file);
            let rest = RemainingEntries::Stays;
            self.changes.actions.push(file.change(ChangeStep::Restore {
                format,
                entries: stale,
                created,
                new_file,
                rest,
            }));
        }
    }

    /// Removes all entries of a record from the file in which they were found.
    pub(super) fn revert_entries(&mut self, record: &LedgerRecord, found: &ObservedText) {
        let WrittenContent::Entries { format, entries, created, new_file, .. } = &record.written else { return };
        let rest = RemainingEntries::Nothing;
        // A file in which nothing of ours is found, and that was there before, is the user's.
        let goes = |text: &str| *new_file && (self.options.editor.is_as_new)(text) && !found.is_link;
        match (self.options.editor.remove)(&record.path, &found.text, *format, &removals(entries, rest), created) {
            Ok(edited) if edited.changed || goes(&edited.text) => {
                let (format, entries, created, new_file) = (*format, entries.clone(), created.clone(), *new_file);
                self.undo(record, ChangeStep::Restore { format, entries, created, new_file, rest });
            }
            Ok(_) => self.changes.gone.push(record.path.clone()),
            Err(found) => self.skip(*found),
        }
    }
}

fn written_entries(known: Option<&WrittenContent>) -> &[WrittenEntry] {
    known.map_or(&[], WrittenContent::entries)
}

fn written_entry(entry: &SettingsEntry) -> WrittenEntry {
    WrittenEntry::new(entry.path.clone(), entry.slot, mark_of(entry))
}

/// Returns a rule as the user reads it in the file.
pub fn rule_text(rule: &SettingsEntry) -> String {
    rule.value.as_str().map_or_else(|| rule.value.to_string(), str::to_owned)
}

fn is_removed_by_user(entry: &SettingsEntry, known: Option<&WrittenContent>) -> bool {
    match known {
        Some(WrittenContent::Entries { removed_by_user, .. }) => removed_by_user.contains(&written_entry(entry)),
        Some(WrittenContent::File { .. } | WrittenContent::Skill { .. } | WrittenContent::Amended { .. }) | None => {
            false
        }
    }
}

/// Finds the rules that were written and that the user deleted, now or earlier. `is_there` looks for an entry in the
/// file.
pub fn removed_rules(
    wanted: &[SettingsEntry],
    known: Option<&WrittenContent>,
    is_there: impl Fn(&WrittenEntry) -> bool,
) -> Vec<SettingsEntry> {
    let is_deleted = |entry: &WrittenEntry| match known {
        Some(WrittenContent::Entries { entries, unconfirmed, .. }) => {
            entries.contains(entry) && !unconfirmed.contains(entry) && !is_there(entry)
        }
        Some(WrittenContent::File { .. } | WrittenContent::Skill { .. } | WrittenContent::Amended { .. }) | None => {
            false
        }
    };
    let is_removed = |entry: &&SettingsEntry| {
        let written = written_entry(entry);
        written.is_list_item() && (is_removed_by_user(entry, known) || is_deleted(&written))
    };
    wanted.iter().filter(is_removed).cloned().collect()
}

/// An entry that is ours only as long as it is untouched is looked for as it was written last. After a run that was
/// killed that may be one of two ways; the one that is there counts. What calls us is also looked for by the programs
/// it was written with, since not every name tells that a program is ours.
fn recognised(
    wanted: &[SettingsEntry],
    written: &[WrittenEntry],
    is_there: impl Fn(&WrittenEntry) -> bool,
) -> Vec<SettingsEntry> {
    let mut entries = wanted.to_vec();
    for entry in &mut entries {
        let same: Vec<&WrittenEntry> =
            written.iter().filter(|last| last.path == entry.path && last.slot == entry.slot).collect();
        if !entry.mark.is_exact() {
            entry.mark = same.iter().fold(entry.mark.clone(), |mark, last| mark.or_by_programs_of(last.mark()));
            continue;
        }
        // An item of a list has no name; it is itself or another one.
        if entry.slot == EntrySlot::Element {
            continue;
        }
        let last = match same.as_slice() {
            [] | [_] => same.first(),
            several => several.iter().find(|last| is_there(last)).or(several.first()),
        };
        if let Some(last) = last {
            entry.mark = last.mark().clone();
        }
    }
    entries
}

/// Our own hook entries and server are recognised by what they call; anything else only as long as it is untouched.
fn mark_of(entry: &SettingsEntry) -> Marker {
    if entry.mark.is_exact() { Marker::Exactly(entry.value.clone()) } else { entry.mark.clone() }
}

/// Returns how the editor finds entries again. When all of ours go, copies of them go too.
pub fn removals(entries: &[WrittenEntry], rest: RemainingEntries) -> Vec<EntryRemoval> {
    let reach = match rest {
        RemainingEntries::Stays => MatchScope::Event,
        RemainingEntries::Nothing => MatchScope::EveryEvent,
    };
    let removal = |entry: &WrittenEntry| EntryRemoval {
        path: entry.path.clone(),
        slot: entry.slot,
        mark: entry.mark().clone(),
        reach,
    };
    entries.iter().map(removal).collect()
}

/// Whether a file is there only because of us: it was not there before, and holds nothing else.
pub fn is_ours_alone(record: &LedgerRecord, found: &ObservedText, editor: &SettingsEditor) -> bool {
    let WrittenContent::Entries { format, entries, created, new_file: true, .. } = &record.written else {
        return false;
    };
    let removals = removals(entries, RemainingEntries::Nothing);
    let left = (editor.remove)(&record.path, &found.text, *format, &removals, created);
    !found.is_link && left.is_ok_and(|left| (editor.is_as_new)(&left.text))
}

#[cfg(test)]
#[path = "entries_tests.rs"]
mod tests;
