//! Our entries in files of others: what has to be written, and what nothing wants any more.

use symposium_edit::{EntryOutcome, insert, remove};
use symposium_model::edit::{EditFormat, FileContent, SettingsEntry};
use symposium_model::ownership::Marker;
use symposium_model::sync::{Ledger, LedgerRecord, WrittenContent, WrittenEntry};

use super::desired::DesiredFile;
use super::recorded_state::{RecordOwner, read, record};
use super::removals::removals;
use super::{ChangeSet, ChangeStep, RemainingEntries, SyncNotice};

/// Compares the entries of a file that others write too.
pub(super) fn compare_entries(file: &DesiredFile, ledger: &Ledger, comparison: &mut ChangeSet) {
    let FileContent::Entries { format, entries } = &file.content else { return };
    let known = ledger.record(&file.path);
    let text = match read(&file.path) {
        Ok(text) => text,
        Err(found) => {
            comparison.notices.push(SyncNotice::Unusable(*found));
            return;
        }
    };
    let start = text.as_deref().unwrap_or(file.starts_as);
    let wanted = entries;
    let entries = &recognised(entries, known, start, *format);
    let edited = match insert(start, *format, entries) {
        Ok(edited) => edited,
        Err(error) => {
            let shown = file.path.display().to_string();
            comparison.notices.push(SyncNotice::Unusable(error.diagnostic(&shown)));
            return;
        }
    };
    for (entry, outcome) in entries.iter().zip(&edited.outcomes) {
        if *outcome == EntryOutcome::Foreign {
            let what = format!("`{}` is your own, and stays as it is", entry.path.join("."));
            comparison.notices.push(SyncNotice::Foreign { path: file.path.clone(), what });
        }
    }
    let ours: Vec<WrittenEntry> = wanted
        .iter()
        .zip(&edited.outcomes)
        .filter(|(_, outcome)| **outcome != EntryOutcome::Foreign)
        .map(|(entry, _)| WrittenEntry::new(entry.path.clone(), entry.slot, mark_of(entry)))
        .collect();
    drop_stale(file, known, &ours, comparison);
    let (mut created, new_file) = match known.map(|record| &record.written) {
        Some(WrittenContent::Entries { created, new_file, .. }) => (created.clone(), *new_file),
        Some(WrittenContent::File { .. } | WrittenContent::Skill { .. } | WrittenContent::Amended { .. }) | None => {
            (Vec::new(), text.is_none())
        }
    };
    for container in edited.created {
        if !created.contains(&container) {
            created.push(container);
        }
    }
    let written = WrittenContent::Entries { format: *format, entries: ours, created, new_file };
    if edited.changed {
        let (format, entries, starts_as) = (*format, entries.clone(), file.starts_as);
        let is_new = text.is_none();
        let step = ChangeStep::Edit { format, entries, starts_as, is_new, intended: written };
        comparison.actions.push(file.action(step));
    } else if edited.outcomes.iter().any(|outcome| *outcome != EntryOutcome::Foreign) {
        // What is about to leave the file is known until it has.
        let written = match known {
            Some(known) => written.beside(&known.written),
            None => written,
        };
        comparison.settled.push(record(&RecordOwner::of_file(file), written, known));
    }
}

/// An entry that is ours only as long as it is untouched is looked for as it was written last. After a run that was
/// killed that may be one of two ways; the one that is there counts. What calls us is also looked for by the programs
/// it was written with, since not every name tells that a program is ours.
fn recognised(
    entries: &[SettingsEntry],
    known: Option<&LedgerRecord>,
    text: &str,
    format: EditFormat,
) -> Vec<SettingsEntry> {
    let written = match known.map(|record| &record.written) {
        Some(WrittenContent::Entries { entries, .. }) => entries.as_slice(),
        Some(WrittenContent::File { .. } | WrittenContent::Skill { .. } | WrittenContent::Amended { .. }) | None => &[],
    };
    let is_there = |entry: &WrittenEntry| {
        let removals = removals(std::slice::from_ref(entry), RemainingEntries::Stays);
        remove(text, format, &removals, &[]).is_ok_and(|edited| edited.outcomes.contains(&EntryOutcome::Removed))
    };
    let mut entries = entries.to_vec();
    for entry in &mut entries {
        let same: Vec<&WrittenEntry> =
            written.iter().filter(|last| last.path == entry.path && last.slot == entry.slot).collect();
        if !entry.mark.is_exact() {
            entry.mark = same.iter().fold(entry.mark.clone(), |mark, last| mark.or_by_programs_of(last.mark()));
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

/// Entries we wrote earlier that nothing wants any more leave the file, the others stay.
fn drop_stale(file: &DesiredFile, known: Option<&LedgerRecord>, ours: &[WrittenEntry], comparison: &mut ChangeSet) {
    let Some(LedgerRecord { written: WrittenContent::Entries { format, entries, created, new_file }, .. }) = known
    else {
        return;
    };
    let stale: Vec<WrittenEntry> = entries
        .iter()
        .filter(|old| !ours.iter().any(|new| new.path == old.path && new.slot == old.slot))
        .cloned()
        .collect();
    if stale.is_empty() {
        return;
    }
    comparison.actions.push(file.action(ChangeStep::Restore {
        format: *format,
        entries: stale,
        created: created.clone(),
        new_file: *new_file,
        rest: RemainingEntries::Stays,
    }));
}
