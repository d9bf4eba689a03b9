//! `symposium uninstall`: everything back to what it was.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use symposium_agents::Scope;
use symposium_io::fs;
use symposium_model::sync::Ledger;

use super::actions::{self, Tense};
use super::args::{Global, UninstallArgs};
use crate::app::context::Context;
use crate::app::own_files;
use crate::app::plan;
use crate::app::sync::difference::{let_go, take_back};
use crate::app::sync::unrecorded::take_back_unrecorded;
use crate::app::sync::{Comparison, Notice, apply, ledger_file};
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::printer::{Answer, Printer};
use crate::ui::prompt;

/// What is said when there is nothing.
const NOTHING: &str = "Nothing of Symposium's was found here, so there is nothing to take back.";

/// Runs the command.
pub(super) fn run(args: &UninstallArgs, global: &Global, printer: Printer) -> Result<Exit, CliError> {
    let both = args.user == args.project;
    let (user, project) = (both || args.user, both || args.project);
    let compare = |context: &Context, ledger: &Ledger| {
        let mut comparison = Comparison::default();
        for record in &ledger.records {
            // A workspace that was deleted took what was in it along; what lies above it nobody wants any more.
            let deserted = record.workspace.is_some() && record.workspaces().all(fs::is_gone);
            if deserted || (user && record.workspace.is_none()) || (project && args.all && record.workspace.is_some()) {
                take_back(record, &mut comparison);
            } else if project && record.is_for(context.root()) {
                let_go(record, context.root(), &mut comparison);
            }
        }
        let scopes: Vec<Scope> = [(user, Scope::Global), (project, Scope::Project)]
            .iter()
            .filter(|(wanted, _)| *wanted)
            .map(|(_, scope)| *scope)
            .collect();
        take_back_unrecorded(context, ledger, &scopes, &mut comparison);
        comparison
    };
    // Looked at and asked about without the lock: nobody has to wait while a person thinks.
    let context = Context::load(printer, &global.source)?;
    let outlook = compare(&context, &ledger_file::read(&context));
    if args.writing.dry_run {
        actions::show_with(&context, &outlook, &[], Tense::Would, NOTHING);
        return Ok(context.closing(Exit::Ok));
    }
    confirm(args, printer, &outlook)?;
    let _held = ledger_file::lock(&context.directories)?;
    let mut ledger = ledger_file::read_to_write(&context)?;
    let mut comparison = compare(&context, &ledger);
    // What the user edited is the user's from now on.
    let edited = comparison.notices.iter().filter_map(|notice| match notice {
        Notice::Drifted(path) => Some(path.clone()),
        Notice::Foreign { .. } | Notice::Shared { .. } | Notice::Unusable(_) => None,
    });
    comparison.gone.extend(edited);
    forget(&context, &mut ledger, |workspace| {
        fs::is_gone(workspace) || (project && (args.all || Some(workspace) == context.root()))
    });
    let failures = apply::apply(&context, &mut comparison, &mut ledger)?;
    let elsewhere: Vec<PathBuf> = ledger
        .workspaces()
        .into_iter()
        .filter(|workspace| Some(*workspace) != context.root() && !fs::is_gone(workspace))
        .map(Path::to_owned)
        .collect();
    let all_done = failures.is_empty();
    comparison.failed(failures);
    actions::show_with(&context, &comparison, &[], Tense::Done, NOTHING);
    if printer.answer == Answer::Human && project && !elsewhere.is_empty() {
        let list: Vec<String> = elsewhere.iter().map(|workspace| workspace.display().to_string()).collect();
        context.printer.note(&format!("Still set up elsewhere: {}; `--all` cleans these too", list.join(", ")));
    }
    if user && all_done {
        let named = |path: &PathBuf| {
            comparison.notices.iter().any(|notice| matches!(notice, Notice::Drifted(drifted) if drifted == path))
        };
        remove_own_directories(&context, &ledger, named);
    }
    Ok(context.closing(Exit::Ok))
}

/// Drops what is kept about workspaces besides what was written there.
fn forget(context: &Context, ledger: &mut Ledger, is_over: impl Fn(&Path) -> bool) {
    let known = ledger.synchronised.iter().map(PathBuf::as_path).chain(ledger.workspaces()).chain(context.root());
    let over: Vec<PathBuf> = known.filter(|workspace| is_over(workspace)).map(Path::to_owned).collect();
    for workspace in &over {
        plan::remove(context, workspace);
    }
    ledger.synchronised.retain(|workspace| !over.contains(workspace));
}

fn confirm(args: &UninstallArgs, printer: Printer, comparison: &Comparison) -> Result<(), CliError> {
    if args.writing.yes || comparison.actions.is_empty() {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() || printer.answer == Answer::Json {
        let error = CliError::usage("Nothing was changed: uninstalling needs a yes");
        return Err(error.hint("pass `--yes`; `--dry-run` shows what would be done"));
    }
    let question = format!("Take back {} changes?", comparison.actions.len());
    match prompt::confirm(&question) {
        Ok(true) => Ok(()),
        Ok(false) => Err(CliError::no("Nothing was changed")),
        Err(error) => Err(CliError::failed(format!("Failed to ask: {error}"))),
    }
}

/// Our own directories go when nothing of the user's is in them, and no workspace needs the ledger any more.
fn remove_own_directories(context: &Context, ledger: &Ledger, named: impl Fn(&PathBuf) -> bool) {
    if ledger.records.is_empty() {
        for kept in own_files::remove(&context.directories).iter().filter(|path| !named(path)) {
            context.printer.warning(&format!("{} is yours, and stays", kept.display()));
        }
    }
}
