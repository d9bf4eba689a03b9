//! Begins commands that write: takes the lock, and fetches the sources that are needed.

use symposium_model::config::FetchTrigger;

use super::catalog::CacheMode;
use super::context::{CallOptions, Context};
use super::fetch_index::FetchMode;
use super::ledger_store::{self, LedgerLock};
use super::resolve::{Resolution, ResolutionDetail};
use super::sync::SyncSources;
use super::{fetch, required_version};
use crate::error::CliError;
use crate::ops::fetch_report::{FetchPermission, FetchReport};
use crate::ops::lockfile_state::PinPolicy;

/// Loads the context of a command that writes: no other run of ours does until the lock is dropped, and what is read is
/// what is written to.
pub(crate) fn load_locked(options: &CallOptions) -> Result<(Context, LedgerLock), CliError> {
    let lock = ledger_store::lock(&Context::directories_of_call()?)?;
    Ok((Context::load(options)?, lock))
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct FetchPolicy {
    /// The reason to fetch; `None` where the network is not used.
    pub(crate) trigger: Option<FetchTrigger>,
    /// Whether what the lock says of them counts.
    pub(crate) pins: PinPolicy,
    /// Whether the project is written to, so that the version it requires counts.
    pub(crate) writes_project: bool,
}

impl FetchPolicy {
    /// Stops a command that would write to a project for which this version is not enough.
    pub(crate) fn check_version(self, context: &Context) -> Result<(), CliError> {
        if self.writes_project { required_version::check(context) } else { Ok(()) }
    }
}

/// Everything a command that writes goes on from.
pub(crate) struct LoadedCall {
    pub(crate) context: Context,
    pub(crate) held: LedgerLock,
    pub(crate) sources: SyncSources,
}

/// The maximum number of further fetches that fetched plugins can cause.
const ROUNDS: usize = 4;

/// Fetches the configured sources that are missing or old. No other run has to wait for the lock meanwhile.
pub(crate) fn fetch_due(policy: FetchPolicy, options: &CallOptions) -> Result<FetchReport, CliError> {
    let mut fetched = FetchReport::default();
    if let Some(trigger) = policy.trigger {
        // The log of a run that fetches is not shown.
        let context = Context::load(&CallOptions { shows_log: false, ..options.clone() })?;
        policy.check_version(&context)?;
        let due = fetch::due(&context, trigger);
        if !due.is_empty() {
            context.start_log();
            let mode = FetchMode { trigger, pins: policy.pins };
            fetched.outcomes = fetch::fetch(&context, &due, &fetched, mode);
        }
        fetched.more = FetchPermission::Allowed(trigger);
    }
    Ok(FetchReport { pins: policy.pins, ..fetched })
}

/// Resolves under the lock, with every repository fetched that plugins name.
///
/// Which ones they are is known only when everything is read, which is done under the lock; to fetch them it is let go.
pub(crate) fn resolve_fetched(
    mut context: Context,
    mut held: LedgerLock,
    mut fetched: FetchReport,
    options: &CallOptions,
) -> Result<LoadedCall, CliError> {
    if fetched.more == FetchPermission::Denied {
        return Ok(LoadedCall { context, held, sources: SyncSources::Unread(fetched) });
    }
    for _ in 0..ROUNDS {
        let detail = ResolutionDetail::relevant(CacheMode::Renew);
        let resolution = Resolution::load_fetched(&context, detail, fetched);
        let due = fetch::brought(&context, &resolution);
        if due.is_empty() {
            return Ok(LoadedCall { context, held, sources: SyncSources::Resolved(Box::new(resolution)) });
        }
        drop(held);
        fetched = resolution.fetched;
        let outcomes = fetch::fetch(&context, &due, &fetched, FetchMode::following(FetchTrigger::Command));
        fetched.outcomes.extend(outcomes);
        held = ledger_store::lock(&context.directories)?;
        // What others wrote meanwhile counts.
        context = Context::load(options)?;
    }
    Ok(LoadedCall { context, held, sources: SyncSources::Unread(fetched) })
}
