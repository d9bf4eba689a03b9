//! A command while it runs: its context, and what it prints.

use std::path::PathBuf;

use symposium_model::diagnostic::Diagnostic;

use super::args::GlobalArgs;
use crate::error::{CliError, CommandExit};
use crate::ops::context::{CallAudience, CallOptions, Context};
use crate::ops::ledger_store::LedgerLock;
use crate::ops::load::{self, FetchPolicy, LoadedCall};
use crate::ops::resolve::{Resolution, ResolutionDetail};
use crate::ops::sync::SyncSources;
use crate::run_report::RunReport;
use crate::ui::printer::{OutputPrinter, VerbosityLevel};

/// A session under the lock, with its sources.
pub(super) struct FetchedSession {
    pub(super) session: CliSession,
    pub(super) held: LedgerLock,
    pub(super) sources: SyncSources,
}

pub(super) struct CliSession {
    pub(super) context: Context,
    pub(super) printer: OutputPrinter,
    pub(super) report: RunReport,
}

/// The options of a call for the operations.
pub(super) fn call_options(printer: OutputPrinter, sources: &[PathBuf]) -> CallOptions {
    let audience = match printer.verbosity {
        VerbosityLevel::Silent => CallAudience::Background,
        VerbosityLevel::Quiet | VerbosityLevel::Normal | VerbosityLevel::Verbose | VerbosityLevel::WithLog => {
            CallAudience::Person
        }
    };
    let shows_log = printer.verbosity == VerbosityLevel::WithLog;
    let shows_progress = printer.verbosity >= VerbosityLevel::Normal;
    CallOptions { extra_sources: sources.to_vec(), audience, shows_log, shows_progress }
}

impl CliSession {
    /// Prints what is odd about the configuration.
    pub(super) fn new(context: Context, printer: OutputPrinter) -> Self {
        let mut session = Self { context, printer, report: RunReport::default() };
        session.context.report(&mut session.report);
        session.flush();
        session
    }

    /// The same for a context of which that was printed before.
    pub(super) fn resumed(context: Context, printer: OutputPrinter) -> Self {
        Self { printer, ..Self::new(context, OutputPrinter::silent()) }
    }

    pub(super) fn load(printer: OutputPrinter, global: &GlobalArgs) -> Result<Self, CliError> {
        Ok(Self::new(Context::load(&call_options(printer, &global.source))?, printer))
    }

    /// Loads the context of a command that reads every source, which is worth a log, and writes nothing else.
    pub(super) fn logged(printer: OutputPrinter, global: &GlobalArgs) -> Result<Self, CliError> {
        let session = Self::load(printer, global)?;
        session.context.start_log_if_there();
        Ok(session)
    }

    /// Loads the context of a command that reports on revisions of the project: nothing of the working tree and of the
    /// user's configuration is printed.
    pub(super) fn unreported(printer: OutputPrinter, global: &GlobalArgs) -> Result<Self, CliError> {
        let context = Context::load(&call_options(printer, &global.source))?;
        context.start_log_if_there();
        Ok(Self { context, printer, report: RunReport::default() })
    }

    /// Loads the context of a command that writes, under the lock.
    pub(super) fn locked(printer: OutputPrinter, global: &GlobalArgs) -> Result<(Self, LedgerLock), CliError> {
        let (context, lock) = load::load_locked(&call_options(printer, &global.source))?;
        let session = Self::new(context, printer);
        session.context.start_log();
        Ok((session, lock))
    }

    /// The same, with every source fetched before that is missing or old. `was_shown` tells that what is odd about the
    /// configuration was printed before.
    pub(super) fn fetched(
        policy: FetchPolicy,
        was_shown: bool,
        printer: OutputPrinter,
        global: &GlobalArgs,
    ) -> Result<FetchedSession, CliError> {
        let options = call_options(printer, &global.source);
        let fetched = load::fetch_due(policy, &options)?;
        let (context, held) = load::load_locked(&options)?;
        let Self { context, .. } =
            if was_shown { Self::resumed(context, printer) } else { Self::new(context, printer) };
        context.start_log();
        policy.check_version(&context)?;
        let LoadedCall { context, held, sources } = load::resolve_fetched(context, held, fetched, &options)?;
        Ok(FetchedSession { session: Self::resumed(context, printer), held, sources })
    }

    /// Runs a command that cannot fail, and returns its exit code.
    pub(super) fn answer(mut self, run: impl FnOnce(&mut Self) -> CommandExit) -> CommandExit {
        let exit = run(&mut self);
        self.exit(exit)
    }

    /// Resolves what applies, and prints only faults of the workspace and of how sources are configured.
    pub(super) fn resolve_inputs(&mut self, detail: ResolutionDetail<'_>) -> Resolution {
        let resolution = Resolution::load(&self.context, detail);
        self.run(|_, report| resolution.report_inputs(report));
        resolution
    }

    /// Resolves what applies, and prints what could not be read.
    pub(super) fn resolve(&mut self, detail: ResolutionDetail<'_>) -> Resolution {
        let resolution = Resolution::load(&self.context, detail);
        self.run(|_, report| resolution.report(report));
        resolution
    }

    pub(super) fn report(&mut self, findings: &[Diagnostic]) {
        self.report.add(findings);
        self.flush();
    }

    pub(super) fn report_briefly(&mut self, findings: &[Diagnostic]) {
        self.report.add_briefly(findings);
        self.flush();
    }

    /// Runs an operation, and prints what it reports.
    pub(super) fn run<T>(&mut self, operation: impl FnOnce(&Context, &mut RunReport) -> T) -> T {
        let done = operation(&self.context, &mut self.report);
        self.flush();
        done
    }

    /// Prints what was collected.
    pub(super) fn flush(&mut self) {
        self.printer.lines(self.report.take_lines());
    }

    /// Returns the exit code: a good end still tells when something could not be done.
    pub(super) fn exit(&self, exit: CommandExit) -> CommandExit {
        self.report.exit(exit)
    }
}
