//! How entries that were written are found again, and what is left of a file without them.

use std::path::Path;

use symposium_agents::is_as_new;
use symposium_edit::{EntryRemoval, MatchScope, remove};
use symposium_io::fs;
use symposium_io::settings::MAX_SETTINGS;
use symposium_model::sync::{Ledger, WrittenContent, WrittenEntry};

use super::RemainingEntries;

/// What the editor needs to find entries again. When all of ours go, copies of them go too.
pub(crate) fn removals(entries: &[WrittenEntry], rest: RemainingEntries) -> Vec<EntryRemoval> {
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

/// Whether a file is there only because of us: it was not there before, and nobody has put anything else into it.
pub(crate) fn is_ours_alone(path: &Path, ledger: &Ledger) -> bool {
    let Some(WrittenContent::Entries { format, entries, created, new_file: true }) =
        ledger.record(path).map(|record| &record.written)
    else {
        return false;
    };
    let Ok(Some(text)) = fs::read_text_if_there(path, MAX_SETTINGS) else { return false };
    let left = remove(&text, *format, &removals(entries, RemainingEntries::Nothing), created);
    !fs::is_link(path) && left.is_ok_and(|left| is_as_new(&left.text))
}
