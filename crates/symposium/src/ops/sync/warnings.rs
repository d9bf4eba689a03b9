//! Collects the warnings of a sync.

use symposium_model::catalog::LoadedSource;

use super::SyncPlan;
use crate::ops::catalog::pinned_source::CopyChooser;
use crate::ops::fetch;
use crate::ops::reconcile::{machine_programs, name_warnings};
use crate::ops::resolve::Resolution;
use crate::ops::settings_lints;
use crate::ops::skill_listing;
use crate::ops::trust::ChangeNotice;
use crate::run_report::RunReport;

/// Everything there is to say, a sentence each.
pub(super) fn collect_warnings(view: &mut SyncPlan, report: &mut RunReport) -> Vec<String> {
    let SyncPlan { context, resolution, outlook, wanted, comparison, unread, said_once, machine_programs, .. } = view;
    let Resolution { catalog, selection, trust, ledger, fetched, .. } = &*resolution;
    let mut warnings = fetch::warnings(&CopyChooser::new(context, fetched), report);
    warnings.extend(outlook.warnings.iter().cloned());
    warnings.append(&mut wanted.warnings);
    let names = name_warnings::findings(catalog, selection);
    warnings.extend(names.missing);
    *said_once = names.hidden;
    if let Some(root) = context.root() {
        let sentences = machine_programs::sentences(root, wanted, comparison, ledger);
        said_once.extend(sentences.iter().cloned());
        *machine_programs = sentences;
        machine_programs.retain(|said| !ledger.has_said(Some(root), said));
    }
    let listings = skill_listing::warnings(resolution, &context.agents());
    said_once.extend(listings.into_iter().map(|warning| format!("{}; {}", warning.message, warning.fix)));
    warnings.extend(said_once.iter().filter(|said| !ledger.has_said(context.root(), said)).cloned());
    warnings.extend(trust.announcements.iter().map(ChangeNotice::sentence));
    if comparison.actions.iter().any(|action| action.workspace.is_none() && !action.agents.is_empty()) {
        warnings.append(&mut wanted.program_warnings);
    }
    warnings.extend(settings_lints::warnings(&wanted.files));
    if *unread {
        warnings.push("Some files could not be read; skipping all removals".to_owned());
        return warnings;
    }
    // About a source that was not fetched everything is said already.
    let faulty = |source: &&LoadedSource| !source.is_missing() && !source.findings.faults.is_empty();
    warnings.extend(catalog.sources.iter().filter(faulty).map(|source| {
        format!("Source `{}` was only partly read; keeping everything installed from it", source.spec.name)
    }));
    warnings
}

/// Lists the faults of the lockfile and the sources.
pub(super) fn lost(view: &SyncPlan) -> Vec<String> {
    let findings = view.resolution.catalog.sources.iter().map(|source| &source.findings);
    let of_sources = findings.flat_map(|findings| findings.faults.iter().chain(&findings.awaited));
    view.outlook.faults.iter().chain(of_sources).map(ToString::to_string).collect()
}
