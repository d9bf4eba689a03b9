//! Brings plans and registrations in step with something that changed, and warns only of programs of this machine in
//! files of the project. The caller holds the lock.

use super::{SyncOptions, WriteMode, bring_in_step};
use crate::ops::context::Context;
use crate::ops::resolve::{LedgerDetail, Resolution, ResolutionDetail};
use crate::ops::trust::TrustDetail;
use crate::ops::{hook_plan, ledger_store};
use crate::ui::error::CliError;
use crate::ui::printer::Printer;

/// Where nobody set anything up, only the plans follow.
pub(crate) fn update_after_install(context: &mut Context) -> Result<(), CliError> {
    let set_up = context.root().is_some_and(|root| {
        let (ledger, fault) = ledger_store::read(&context.directories);
        ledger_store::restore_files(&ledger);
        context.report_briefly(fault.as_slice());
        ledger.has_run_in(root)
    });
    if set_up { settle_all(context) } else { silently(context, compile) }
}

/// What agents read follows too.
pub(crate) fn settle_all(context: &mut Context) -> Result<(), CliError> {
    let sentences = silently(context, |context| {
        let extent = SyncOptions { workspace: false, ..SyncOptions::everything(WriteMode::Write) };
        let done = bring_in_step(context, extent, Vec::new(), None)?;
        context.report(&done.faults());
        Ok(done.machine_programs)
    })?;
    if sentences.is_empty() {
        return Ok(());
    }
    for sentence in &sentences {
        context.printer.warning(sentence);
    }
    let mut ledger = ledger_store::read_to_write(context)?;
    ledger.add_said(context.root(), sentences);
    ledger_store::write(context, &ledger).map_err(|fault| CliError::because(*fault))
}

fn silently<T>(context: &mut Context, settle: impl FnOnce(&mut Context) -> Result<T, CliError>) -> Result<T, CliError> {
    let printer = std::mem::replace(&mut context.printer, Printer::silent());
    let settled = settle(context);
    context.printer = printer;
    settled
}

fn compile(context: &mut Context) -> Result<(), CliError> {
    let detail = ResolutionDetail::SOURCES.with_trust(TrustDetail::Granted).with_ledger(LedgerDetail::Read);
    let resolution = Resolution::load(context, detail);
    resolution.report_inputs(context);
    let plans = hook_plan::compile(context, &resolution);
    hook_plan::write(context, &plans).map_err(|error| CliError::failed(error.to_string()))?;
    context.unmade = resolution.missing_installations(context);
    Ok(())
}
