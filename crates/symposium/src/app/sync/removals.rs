//! How entries that were written are found again, and what is left of a file without them.

use std::path::Path;

use symposium_agents::is_as_new;
use symposium_edit::{Reach, Removal, remove};
use symposium_io::fs;
use symposium_io::settings::MAX_SETTINGS;
use symposium_model::sync::{Ledger, Written, WrittenEntry};

use super::Rest;

/// What the editor needs to find entries again. When all of ours go, copies of them go too.
pub(crate) fn removals(entries: &[WrittenEntry], rest: Rest) -> Vec<Removal> {
    let reach = match rest {
        Rest::Stays => Reach::Event,
        Rest::Nothing => Reach::EveryEvent,
    };
    let removal = |entry: &WrittenEntry| Removal {
        path: entry.path.clone(),
        slot: entry.slot,
        mark: entry.mark().clone(),
        reach,
    };
    entries.iter().map(removal).collect()
}

/// Whether a file is there only because of us: it was not there before, and nobody has put anything else into it.
pub(crate) fn is_ours_alone(path: &Path, ledger: &Ledger) -> bool {
    let Some(Written::Entries { format, entries, created, new_file: true }) =
        ledger.record(path).map(|record| &record.written)
    else {
        return false;
    };
    let Ok(Some(text)) = fs::read_text_if_there(path, MAX_SETTINGS) else { return false };
    let left = remove(&text, *format, &removals(entries, Rest::Nothing), created);
    !fs::is_link(path) && left.is_ok_and(|left| is_as_new(&left.text))
}
