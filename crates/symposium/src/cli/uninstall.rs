//! `symposium uninstall`: everything back to what it was.

use std::io::IsTerminal;

use super::args::{GlobalArgs, UninstallArgs};
use super::change_report::{self, ChangeReport, ChangeTense, ReportDetail};
use super::session::CliSession;
use crate::error::{CliError, CommandExit};
use crate::ops::ledger_store;
use crate::ops::reconcile::{ChangeSet, SyncNotice};
use crate::ops::uninstall::{self, UninstallScope};
use crate::ui::printer::{OutputFormat, OutputPrinter};
use crate::ui::prompt;
use crate::ui::text::count_of;

/// The message when there is nothing to remove.
const NOTHING: &str = "Nothing to uninstall: no files of Symposium were found here.";

pub(super) fn run(args: &UninstallArgs, global: &GlobalArgs, printer: OutputPrinter) -> Result<CommandExit, CliError> {
    let both = args.user == args.project;
    let reach = UninstallScope { user: both || args.user, project: both || args.project, all: args.all };
    // The lock is not held during the prompt, so other runs do not wait for the user.
    let mut session = CliSession::load(printer, global)?;
    let mut outlook = session.run(|context, report| {
        // A run that writes reads the ledger again, and reports its fault then.
        let ledger = if args.writing.dry_run {
            ledger_store::read_restored(&context.directories, report)
        } else {
            ledger_store::read(&context.directories).0
        };
        uninstall::outlook(context, &ledger, reach, report)
    });
    if args.writing.dry_run {
        show(&mut session, &outlook, ChangeTense::Would, ReportDetail::Each);
        return Ok(session.exit(CommandExit::Ok));
    }
    let detail = confirm(args, &mut session, &mut outlook)?;
    let done = session.run(|context, report| uninstall::carry_out(context, reach, report))?;
    show(&mut session, &done.comparison, ChangeTense::Done, detail);
    if printer.answer == OutputFormat::Human && reach.project && !done.elsewhere.is_empty() {
        let list: Vec<String> = done.elsewhere.iter().map(|workspace| workspace.display().to_string()).collect();
        printer.note(&format!("Still set up in {}; pass `--all` to uninstall there too", list.join(", ")));
    }
    for kept in &done.kept {
        printer.warning(&format!("{} belongs to you and is kept", kept.display()));
    }
    Ok(session.exit(CommandExit::Ok))
}

fn show(session: &mut CliSession, comparison: &ChangeSet, tense: ChangeTense, detail: ReportDetail) {
    let report = ChangeReport { comparison, lock: None, warnings: &[], tense, nothing: NOTHING, detail };
    change_report::show(session, &report);
}

/// Asks for a yes to the changes, after it has shown them. Returns how much of them is left to show.
fn confirm(
    args: &UninstallArgs,
    session: &mut CliSession,
    comparison: &mut ChangeSet,
) -> Result<ReportDetail, CliError> {
    if args.writing.yes || comparison.actions.is_empty() {
        return Ok(ReportDetail::Each);
    }
    if !std::io::stdin().is_terminal() || session.printer.answer == OutputFormat::Json {
        let error = CliError::usage("Nothing was changed: `uninstall` needs confirmation");
        return Err(error.hint("pass `--yes` to confirm, or `--dry-run` to show the changes"));
    }
    // Faults are reported by the run that meets them.
    comparison.notices.retain(|notice| !matches!(notice, SyncNotice::Unusable(_)));
    show(session, comparison, ChangeTense::Would, ReportDetail::Each);
    let question = format!("Undo {}?", count_of(comparison.actions.len(), "change"));
    match prompt::confirm(&question) {
        Ok(true) => Ok(ReportDetail::Counted),
        Ok(false) => Err(CliError::no("Nothing was changed")),
        Err(error) => Err(CliError::unanswered(&error)),
    }
}
