//! `symposium uninstall`: everything back to what it was.

use std::io::IsTerminal;

use super::actions::{self, Report, Tense};
use super::args::{Global, UninstallArgs};
use crate::app::context::Context;
use crate::app::sync::{Comparison, ledger_file};
use crate::app::uninstall::{self, Reach};
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::printer::{Answer, Printer};
use crate::ui::prompt;

/// What is said when there is nothing.
const NOTHING: &str = "Nothing of Symposium's was found here, so there is nothing to remove.";

/// Runs the command.
pub(super) fn run(args: &UninstallArgs, global: &Global, printer: Printer) -> Result<Exit, CliError> {
    let both = args.user == args.project;
    let reach = Reach { user: both || args.user, project: both || args.project, all: args.all };
    // Looked at and asked about without the lock: nobody has to wait while a person thinks.
    let context = Context::load(printer, &global.source)?;
    // Whoever goes on to write reads it again, and says then what is wrong with it.
    let read = if args.writing.dry_run { ledger_file::read } else { ledger_file::read_silently };
    let outlook = uninstall::outlook(&context, &read(&context), reach);
    if args.writing.dry_run {
        show(&context, &outlook, Tense::Would);
        return Ok(context.closing(Exit::Ok));
    }
    confirm(args, printer, &outlook)?;
    let done = uninstall::carry_out(&context, reach)?;
    show(&context, &done.comparison, Tense::Done);
    if printer.answer == Answer::Human && reach.project && !done.elsewhere.is_empty() {
        let list: Vec<String> = done.elsewhere.iter().map(|workspace| workspace.display().to_string()).collect();
        context.printer.note(&format!("Still set up elsewhere: {}; `--all` cleans these too", list.join(", ")));
    }
    for kept in &done.kept {
        context.printer.warning(&format!("{} is yours, and stays", kept.display()));
    }
    Ok(context.closing(Exit::Ok))
}

fn show(context: &Context, comparison: &Comparison, tense: Tense) {
    actions::show(context, &Report { comparison, lock: None, warnings: &[], tense, nothing: NOTHING });
}

fn confirm(args: &UninstallArgs, printer: Printer, comparison: &Comparison) -> Result<(), CliError> {
    if args.writing.yes || comparison.actions.is_empty() {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() || printer.answer == Answer::Json {
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
