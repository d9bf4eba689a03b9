//! How a command begins: with a log when it reads every source, under the lock when it writes, and with everything
//! fetched that it needs.

use std::path::PathBuf;

use symposium_io::file_lock::FileLock;
use symposium_model::config::FetchTrigger;

use super::catalog::CacheMode;
use super::context::Context;
use super::fetch;
use super::ledger_store;
use super::required_version;
use super::resolve::{Resolution, ResolutionDetail};
use crate::ops::fetch_report::{FetchReport, FurtherFetches};
use crate::ops::lockfile_state::PinPolicy;
use crate::ui::error::CliError;
use crate::ui::printer::{Printer, Verbosity};

/// A context for a command that reads every source, which is worth a log, and writes nothing else.
pub(crate) fn logged(printer: Printer, extra_sources: &[PathBuf]) -> Result<Context, CliError> {
    let context = Context::load(printer, extra_sources)?;
    context.start_log_if_there();
    Ok(context)
}

/// A context for a command that writes: nobody else of ours does until the lock is dropped, and what is read is what is
/// written to.
pub(crate) fn locked(printer: Printer, extra_sources: &[PathBuf]) -> Result<(Context, FileLock), CliError> {
    let lock = ledger_store::lock(&Context::directories_of_call()?)?;
    let context = Context::load(printer, extra_sources)?;
    context.start_log();
    Ok((context, lock))
}

/// What a command that fetches wants of the sources.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FetchWish {
    /// Why they are asked; without a reason nobody is.
    pub(crate) occasion: Option<FetchTrigger>,
    /// Whether what the lock says of them counts.
    pub(crate) pins: PinPolicy,
    /// Whether the project is written to, so that the version it requires counts.
    pub(crate) writes_project: bool,
    /// Whether what is odd about the configuration was shown already.
    pub(crate) was_shown: bool,
}

/// Everything a command that writes goes on from.
pub(crate) struct LoadedCall {
    pub(crate) context: Context,
    pub(crate) held: FileLock,
    /// The resolution under the lock, if there is one.
    pub(crate) resolution: Option<Resolution>,
}

/// So many times more is fetched because of what was fetched.
const ROUNDS: usize = 4;

/// Like [`locked`], with every source fetched before that is missing or old. Nobody has to wait for the lock meanwhile.
///
/// Which repositories plugins name is known only when everything is read, which is done under the lock; to fetch them it
/// is let go.
pub(crate) fn refreshed(wish: FetchWish, printer: Printer, extra_sources: &[PathBuf]) -> Result<LoadedCall, CliError> {
    // What is odd about the configuration is said once.
    let silent = Printer { verbosity: Verbosity::Silent, ..printer };
    let require = |context: &Context| if wish.writes_project { required_version::check(context) } else { Ok(()) };
    let refreshed = match wish.occasion {
        Some(occasion) => {
            let context = Context::load(silent, extra_sources)?;
            require(&context)?;
            fetch_due(occasion, &context, printer)
        }
        None => FetchReport::default(),
    };
    let (mut context, mut held) = locked(if wish.was_shown { silent } else { printer }, extra_sources)?;
    require(&context)?;
    (context.printer, context.refreshed, context.pins) = (printer, refreshed, wish.pins);
    if wish.occasion.is_none() {
        return Ok(LoadedCall { context, held, resolution: None });
    }
    for _ in 0..ROUNDS {
        let resolution = Resolution::load(&context, ResolutionDetail::relevant(CacheMode::Renew));
        let due = fetch::brought(&context, &resolution.catalog, resolution.crates());
        if due.is_empty() {
            return Ok(LoadedCall { context, held, resolution: Some(resolution) });
        }
        drop(held);
        let outcomes = fetch::fetch(&context, &due, printer);
        let mut refreshed = std::mem::take(&mut context.refreshed);
        refreshed.outcomes.extend(outcomes);
        held = ledger_store::lock(&context.directories)?;
        // What others wrote meanwhile counts.
        context = Context::load(silent, extra_sources)?;
        (context.printer, context.refreshed, context.pins) = (printer, refreshed, wish.pins);
    }
    Ok(LoadedCall { context, held, resolution: None })
}

/// Fetches the configured sources that are missing or old.
fn fetch_due(occasion: FetchTrigger, context: &Context, printer: Printer) -> FetchReport {
    let due = fetch::due(context, occasion);
    let mut outcomes = Vec::new();
    if !due.is_empty() {
        context.start_log();
        outcomes = fetch::fetch(context, &due, printer);
    }
    FetchReport { outcomes, more: FurtherFetches::Allowed(occasion) }
}
