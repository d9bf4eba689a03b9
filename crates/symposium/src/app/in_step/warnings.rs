//! What a person should know about a run besides what it did.

use symposium_model::catalog::Source;
use symposium_model::sync::Ledger;

use super::View;
use crate::app::context::Context;
use crate::app::refresh;
use crate::app::strictness;
use crate::app::sync::{machine_programs, names};
use crate::app::trust::Announcement;

/// Everything there is to say, a sentence each.
pub(super) fn of(context: &Context, view: &mut View, ledger: &Ledger) -> Vec<String> {
    let View { reading, selection, trust, outlook, wanted, comparison, unread, said_once, machine_programs, .. } = view;
    let mut warnings = refresh::warnings(context);
    warnings.extend(outlook.warnings.iter().cloned());
    warnings.append(&mut wanted.warnings);
    let names = names::findings(&reading.catalog, selection);
    warnings.extend(names.missing);
    *said_once = names.hidden;
    if let Some(root) = context.root() {
        let sentences = machine_programs::sentences(root, wanted, comparison, ledger);
        said_once.extend(sentences.iter().cloned());
        *machine_programs = sentences;
        machine_programs.retain(|said| !ledger.has_said(Some(root), said));
    }
    warnings.extend(said_once.iter().filter(|said| !ledger.has_said(context.root(), said)).cloned());
    warnings.extend(trust.announcements.iter().map(Announcement::sentence));
    if comparison.actions.iter().any(|action| action.workspace.is_none() && !action.agents.is_empty()) {
        warnings.append(&mut wanted.program_warnings);
    }
    warnings.extend(strictness::warnings(&wanted.files));
    if *unread {
        warnings.push("Something could not be read, so nothing is removed because it was not found".to_owned());
        return warnings;
    }
    // About a source that was not fetched everything is said already.
    let faulty = |source: &&Source| !source.is_missing() && !source.findings.faults.is_empty();
    warnings.extend(reading.catalog.sources.iter().filter(faulty).map(|source| {
        format!(
            "Not all of source `{}` could be read, so what came from it is not removed for being absent",
            source.spec.name
        )
    }));
    warnings
}

/// What could not be read of the lock and the sources.
pub(super) fn lost(view: &View) -> Vec<String> {
    let findings = view.reading.catalog.sources.iter().map(|source| &source.findings);
    let of_sources = findings.flat_map(|findings| findings.faults.iter().chain(&findings.awaited));
    view.outlook.faults.iter().chain(of_sources).map(ToString::to_string).collect()
}
