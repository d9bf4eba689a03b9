//! `symposium uninstall`: everything back to what it was.

use std::io::IsTerminal;

use super::args::{GlobalArgs, UninstallArgs};
use super::change_report::{self, ChangeReport, ChangeTense};
use crate::ops::context::Context;
use crate::ops::ledger_store;
use crate::ops::reconcile::ChangeSet;
use crate::ops::uninstall::{self, UninstallScope};
use crate::ui::error::CliError;
use crate::ui::exit::CommandExit;
use crate::ui::printer::{OutputFormat, Printer};
use crate::ui::prompt;

/// What is said when there is nothing.
const NOTHING: &str = "Nothing of Symposium's was found here, so there is nothing to remove.";

pub(super) fn run(args: &UninstallArgs, global: &GlobalArgs, printer: Printer) -> Result<CommandExit, CliError> {
    let both = args.user == args.project;
    let reach = UninstallScope { user: both || args.user, project: both || args.project, all: args.all };
    // Looked at and asked about without the lock: nobody has to wait while a person thinks.
    let context = Context::load(printer, &global.source)?;
    let (ledger, fault) = ledger_store::read(&context.directories);
    if args.writing.dry_run {
        // A run that writes reads it again, and reports the fault then.
        ledger_store::restore_files(&ledger);
        context.report_briefly(fault.as_slice());
    }
    let outlook = uninstall::outlook(&context, &ledger, reach);
    if args.writing.dry_run {
        show(&context, &outlook, ChangeTense::Would);
        return Ok(context.closing(CommandExit::Ok));
    }
    confirm(args, printer, &outlook)?;
    let done = uninstall::carry_out(&context, reach)?;
    show(&context, &done.comparison, ChangeTense::Done);
    if printer.answer == OutputFormat::Human && reach.project && !done.elsewhere.is_empty() {
        let list: Vec<String> = done.elsewhere.iter().map(|workspace| workspace.display().to_string()).collect();
        context.printer.note(&format!("Still set up elsewhere: {}; `--all` cleans these too", list.join(", ")));
    }
    for kept in &done.kept {
        context.printer.warning(&format!("{} is yours, and stays", kept.display()));
    }
    Ok(context.closing(CommandExit::Ok))
}

fn show(context: &Context, comparison: &ChangeSet, tense: ChangeTense) {
    change_report::show(context, &ChangeReport { comparison, lock: None, warnings: &[], tense, nothing: NOTHING });
}

fn confirm(args: &UninstallArgs, printer: Printer, comparison: &ChangeSet) -> Result<(), CliError> {
    if args.writing.yes || comparison.actions.is_empty() {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() || printer.answer == OutputFormat::Json {
        let error = CliError::usage("Nothing was changed: uninstalling needs a yes");
        return Err(error.hint("pass `--yes`; `--dry-run` shows what would be done"));
    }
    let question = format!("Undo {} changes?", comparison.actions.len());
    match prompt::confirm(&question) {
        Ok(true) => Ok(()),
        Ok(false) => Err(CliError::no("Nothing was changed")),
        Err(error) => Err(CliError::failed(format!("Failed to ask: {error}"))),
    }
}
