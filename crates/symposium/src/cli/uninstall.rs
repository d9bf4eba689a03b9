//! `symposium uninstall`: everything back to what it was.

use std::io::IsTerminal;
use std::path::PathBuf;

use super::args::{GlobalArgs, UninstallArgs};
use super::change_report::{self, ChangeReport, ReportDetail};
use super::change_summary::ChangeTense;
use super::session::CliSession;
use crate::error::{CliError, CommandExit};
use crate::ops::ledger_store;
use crate::ops::reconcile::{ChangeSet, SyncNotice};
use crate::ops::uninstall::{self, UninstallScope};
use crate::ui::printer::{OutputFormat, OutputPrinter};
use crate::ui::prompt;
use crate::ui::text::{count_of, join_names};

/// The message when there is nothing to remove.
const NOTHING: &str = "Nothing to uninstall: no files of Symposium were found here.";

pub(super) fn run(args: &UninstallArgs, global: &GlobalArgs, printer: OutputPrinter) -> Result<CommandExit, CliError> {
    let both = args.user == args.project;
    let reach = UninstallScope { user: both || args.user, project: both || args.project, all: args.all };
    // The lock is not held during the prompt, so other runs do not wait for the user.
    let mut session = CliSession::load(printer, global)?;
    let mut own = Vec::new();
    let mut outlook = session.run(|context, report| {
        // A run that writes reads the ledger again, and reports its fault then.
        let ledger = if args.writing.dry_run {
            ledger_store::read_restored(&context.directories, report)
        } else {
            ledger_store::read(&context.directories).0
        };
        own = uninstall::own_outlook(context, &ledger, reach);
        uninstall::outlook(context, &ledger, reach, report)
    });
    if args.writing.dry_run {
        show(&mut session, &outlook, &own, ChangeTense::Would, ReportDetail::Each);
        return Ok(session.exit(CommandExit::Ok));
    }
    let detail = confirm(args, &mut session, &mut outlook, &own)?;
    let done = session.run(|context, report| uninstall::carry_out(context, reach, report))?;
    show(&mut session, &done.comparison, &done.own, ChangeTense::Done, detail);
    if printer.answer == OutputFormat::Human && reach.project && !done.elsewhere.is_empty() {
        let list: Vec<String> = done.elsewhere.iter().map(|workspace| workspace.display().to_string()).collect();
        printer.note(&format!("Still set up in {}; pass `--all` to uninstall there too", list.join(", ")));
    }
    for kept in &done.kept {
        printer.warning(&format!("{} belongs to you and is kept", kept.display()));
    }
    Ok(session.exit(CommandExit::Ok))
}

fn show(session: &mut CliSession, comparison: &ChangeSet, own: &[PathBuf], tense: ChangeTense, detail: ReportDetail) {
    let nothing = without_actions(session, own, tense);
    let report = ChangeReport { comparison, lock: None, warnings: &[], tense, nothing: &nothing, detail };
    change_report::show(session, &report);
}

/// The message when nothing outside of Symposium's own directories is to remove.
fn without_actions(session: &CliSession, own: &[PathBuf], tense: ChangeTense) -> String {
    let own: Vec<String> = own.iter().map(|directory| session.context.roots().shown(directory)).collect();
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let verb = match tense {
        ChangeTense::Done => "Removed",
        ChangeTense::Would => "Would remove",
    };
    match own.as_slice() {
        [] => NOTHING.to_owned(),
        own => format!(
            "{verb} Symposium's own files (caches and records) from {}. It has no other files here.",
            join_names(own)
        ),
    }
}

/// Asks for a yes to the changes, after it has shown them. Returns how much of them is left to show.
fn confirm(
    args: &UninstallArgs,
    session: &mut CliSession,
    comparison: &mut ChangeSet,
    own: &[PathBuf],
) -> Result<ReportDetail, CliError> {
    let is_only_own = comparison.actions.is_empty();
    if args.writing.yes || (is_only_own && own.is_empty()) {
        return Ok(ReportDetail::Each);
    }
    if !std::io::stdin().is_terminal() || session.printer.answer == OutputFormat::Json {
        let error = CliError::usage("Nothing was changed: `uninstall` needs confirmation");
        return Err(error.hint("pass `--yes` to confirm, or `--dry-run` to show the changes"));
    }
    // Faults are reported by the run that meets them.
    comparison.notices.retain(|notice| !matches!(notice, SyncNotice::Unusable(_)));
    show(session, comparison, own, ChangeTense::Would, ReportDetail::Each);
    let question = match comparison.actions.len() {
        0 => "Remove them?".to_owned(),
        number => format!("Undo {}?", count_of(number, "change")),
    };
    match prompt::confirm(&question) {
        Ok(true) if is_only_own => Ok(ReportDetail::Each),
        Ok(true) => Ok(ReportDetail::Counted),
        Ok(false) => Err(CliError::no("Nothing was changed")),
        Err(error) => Err(CliError::unanswered(&error)),
    }
}
