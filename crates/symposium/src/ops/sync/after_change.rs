//! Updates plans and registrations after a change, and warns only about programs of this machine in files of the
//! project. The caller holds the lock.

use super::{SyncOptions, SyncSources, WriteMode, run_sync};
use crate::error::CliError;
use crate::ops::context::Context;
use crate::ops::fetch_report::FetchReport;
use crate::ops::installations::MissingInstallation;
use crate::ops::resolve::{LedgerDetail, Resolution, ResolutionDetail};
use crate::ops::trust::TrustDetail;
use crate::ops::{hook_plan, ledger_store};
use crate::run_report::RunReport;

/// Updates the plans, and where a sync has run also what agents read. Returns the installations that are missing then.
pub(crate) fn update_after_install(
    context: &Context,
    report: &mut RunReport,
) -> Result<Vec<MissingInstallation>, CliError> {
    let root = context.root();
    if root.is_some_and(|root| ledger_store::read_restored(&context.directories, report).has_run_in(root)) {
        return sync_after_change(context, FetchReport::default(), report);
    }
    let context = context.in_background();
    let detail = ResolutionDetail::SOURCES.with_trust(TrustDetail::Granted).with_ledger(LedgerDetail::Read);
    let resolution = Resolution::load(&context, detail);
    let mut aside = RunReport::default();
    resolution.report_inputs(&mut aside);
    report.count_all(&aside);
    let plans = hook_plan::compile(&context, &resolution);
    hook_plan::write(&context, &plans, &mut aside).map_err(|error| CliError::failed(error.to_string()))?;
    Ok(resolution.missing_installations(&context))
}

/// Updates the plans and what agents read. Returns the installations that are missing then.
pub(crate) fn sync_after_change(
    context: &Context,
    fetched: FetchReport,
    report: &mut RunReport,
) -> Result<Vec<MissingInstallation>, CliError> {
    let options = SyncOptions { workspace: false, ..SyncOptions::everything(WriteMode::Write) };
    let mut aside = RunReport::default();
    aside.count_all(report);
    let sources = SyncSources::Unread(fetched);
    let done = run_sync(context.in_background(), options, Vec::new(), sources, &mut aside)?;
    aside.add(&done.faults());
    report.count_all(&aside);
    if !done.machine_programs.is_empty() {
        for sentence in &done.machine_programs {
            report.warning(sentence);
        }
        let mut ledger = ledger_store::read_to_write(&context.directories, report)?;
        ledger.add_said(context.root(), done.machine_programs);
        ledger_store::write(&context.directories, &ledger).map_err(|fault| CliError::because(*fault))?;
    }
    Ok(done.missing_installations)
}
