//! What a person should know about a run besides what it did.

use symposium_model::catalog::Source;

use super::View;
use crate::app::context::Context;
use crate::app::refresh;
use crate::app::strictness;
use crate::app::sync::names;
use crate::app::trust::Announcement;

/// Everything there is to say, a sentence each.
pub(super) fn of(context: &Context, view: &mut View) -> Vec<String> {
    let View { reading, selection, trust, outlook, wanted, comparison, unread, .. } = view;
    let mut warnings = refresh::warnings(context);
    warnings.extend(outlook.warnings.iter().cloned());
    warnings.append(&mut wanted.warnings);
    warnings.extend(names::warnings(&reading.catalog, selection));
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
