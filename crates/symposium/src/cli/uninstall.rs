//! `symposium uninstall`: everything back to what it was.

use std::io::IsTerminal;

use super::args::{GlobalArgs, UninstallArgs};
use super::change_report::{self, ChangeReport, ChangeTense, ReportDetail};
use super::session::CliSession;
use crate::error::{CliError, CommandExit};
use crate::ops::ledger_store;
use crate::ops::reconcile::ChangeSet;
use crate::ops::uninstall::{self, UninstallScope};
use crate::ui::printer::{OutputFormat, Printer};
use crate::ui::prompt;

/// What is said when there is nothing.
const NOTHING: &str = "Nothing to uninstall: no files of Symposium were found here.";

pub(super) fn run(args: &UninstallArgs, global: &GlobalArgs, printer: Printer) -> Result<CommandExit, CliError> {
    let both = args.user == args.project;
    let reach = UninstallScope { user: both || args.user, project: both || args.project, all: args.all };
    // Looked at and asked about without the lock: nobody has to wait while a person thinks.
    let mut session = CliSession::load(printer, global)?;
    let outlook = session.run(|context, report| {
        // A run that writes reads the ledger again, and reports its fault then.
        let ledger = if args.writing.dry_run {
            ledger_store::read_restored(&context.directories, report)
        } else {
            ledger_store::read(&context.directories).0
        };
        uninstall::outlook(context, &ledger, reach, report)
    });
    if args.writing.dry_run {
        show(&mut session, &outlook, ChangeTense::Would);
        return Ok(session.exit(CommandExit::Ok));
    }
    confirm(args, printer, &outlook)?;
    let done = session.run(|context, report| uninstall::carry_out(context, reach, report))?;
    show(&mut session, &done.comparison, ChangeTense::Done);
    if printer.answer == OutputFormat::Human && reach.project && !done.elsewhere.is_empty() {
        let list: Vec<String> = done.elsewhere.iter().map(|workspace| workspace.display().to_string()).collect();
        printer.note(&format!("Still set up in {}; pass `--all` to uninstall there too", list.join(", ")));
    }
    for kept in &done.kept {
        printer.warning(&format!("{} belongs to you and is kept", kept.display()));
    }
    Ok(session.exit(CommandExit::Ok))
}

fn show(session: &mut CliSession, comparison: &ChangeSet, tense: ChangeTense) {
    let detail = ReportDetail::Each;
    let report = ChangeReport { comparison, lock: None, warnings: &[], tense, nothing: NOTHING, detail };
    change_report::show(session, &report);
}

fn confirm(args: &UninstallArgs, printer: Printer, comparison: &ChangeSet) -> Result<(), CliError> {
    if args.writing.yes || comparison.actions.is_empty() {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() || printer.answer == OutputFormat::Json {
        let error = CliError::usage("Nothing was changed: `uninstall` needs confirmation");
        return Err(error.hint("pass `--yes` to confirm, or `--dry-run` to show the changes"));
    }
    let question = format!("Undo {} changes?", comparison.actions.len());
    match prompt::confirm(&question) {
        Ok(true) => Ok(()),
        Ok(false) => Err(CliError::no("Nothing was changed")),
        Err(error) => Err(CliError::failed(format!("Failed to read the answer: {error}"))),
    }
}
