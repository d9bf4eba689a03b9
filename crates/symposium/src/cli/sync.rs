//! `symposium sync`: dependencies to extensions to toggles to what agents read.

use symposium_model::config::{Occasion, Scope};

use super::actions::{self, Tense};
use super::args::{Global, SyncArgs};
use super::installing::{self, Consent};
use super::sync_notes;
use crate::app::begin::{self, Wish};
use crate::app::context::Context;
use crate::app::in_step::{Extent, InStep, Mode, bring_in_step, settle_all};
use crate::app::lock_file::{LockState, Pins};
use crate::app::locking::Demand;
use crate::app::plan;
use crate::app::reading::Reading;
use crate::app::sync::Action;
use crate::app::sync::locked::Vendoring;
use crate::app::sync::sweep::Sweep;
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::printer::{Answer, Printer};

/// Runs the command.
pub(super) fn run(args: &SyncArgs, global: &Global, printer: Printer) -> Result<Exit, CliError> {
    let both = !args.workspace && !args.agent;
    let is_offline = super::is_offline(global) || args.frozen;
    let lock = match (args.locked || args.frozen, args.lock || args.vendor) {
        (true, _) => Demand::Exact,
        (false, true) => Demand::Made,
        (false, false) => Demand::InStep,
    };
    let mode = match (args.check, args.writing.dry_run) {
        (true, _) => Mode::Check,
        (false, true) => Mode::DryRun,
        (false, false) => Mode::Write,
    };
    let pins = if args.update { Pins::Released } else { Pins::Kept };
    let (mut context, held, reading) = match mode {
        Mode::Write => {
            let occasion = if args.update { Occasion::Asked } else { Occasion::Command };
            let wish = Wish { occasion: (!is_offline).then_some(occasion), pins };
            let ready = begin::refreshed(wish, printer, &global.source)?;
            (ready.context, Some(ready.held), ready.reading)
        }
        Mode::DryRun | Mode::Check => (super::logged(printer, global)?, None, None),
    };
    context.pins = pins;
    let extent = Extent {
        workspace: both || args.workspace,
        agent: both || args.agent || !args.restore.is_empty(),
        sweep: Sweep::UserAndWorkspace,
        mode,
        restore: &args.restore,
        lock,
        vendoring: if args.vendor { Vendoring::Wanted } else { Vendoring::InStep },
    };
    if args.update && lock == Demand::InStep && matches!(context.lock, LockState::Absent) {
        context.printer.warning("There is no lock here, so there is nothing for `--update` to move");
        context.printer.hint("`symposium sync --lock` makes one");
    }
    if extent.agent {
        mention_missing_agents(&context);
    }
    let exit = synchronize(&mut context, extent, Vec::new(), reading)?;
    if mode == Mode::Write {
        plan::remove_deserted(&context.directories);
    }
    installing::finish(context, held, Consent::of(args.writing.yes), global, exit, settle_all)
}

/// Says so when there is no agent to install anything for.
pub(super) fn mention_missing_agents(context: &Context) {
    let is_known = !context.is_broken(Scope::User);
    if is_known && context.agents().is_empty() && context.printer.answer == Answer::Human {
        context.printer.warning("No agent is configured, so only the project's own file is kept in step");
        context.printer.hint("`symposium init` sets up the agents you use");
    }
}

/// Brings everything in step, or shows what that would mean. Whoever writes holds the lock. `before` is what the command
/// has done already and belongs into its report; `reading` is what it has read already.
pub(super) fn synchronize(
    context: &mut Context,
    extent: Extent<'_>,
    before: Vec<Action>,
    reading: Option<Reading>,
) -> Result<Exit, CliError> {
    let done = bring_in_step(context, extent, before, reading)?;
    show(context, &done, extent.mode);
    Ok(match extent.mode {
        Mode::Check if !done.comparison.actions.is_empty() => Exit::No,
        Mode::Write | Mode::DryRun | Mode::Check => Exit::Ok,
    })
}

fn show(context: &Context, done: &InStep, mode: Mode) {
    let mut warnings = done.warnings.clone();
    match context.printer.answer {
        // Programs do not read what is said beside the document.
        Answer::Json => warnings.extend(done.lost.iter().cloned()),
        Answer::Human => {
            for name in &done.unchanged {
                context.printer.note(&format!("Skill `{name}` is as its source says already"));
            }
        }
    }
    let tense = match mode {
        Mode::Write => Tense::Done,
        Mode::DryRun | Mode::Check => Tense::Would,
    };
    actions::show(context, &done.comparison, &done.outlook, &warnings, tense);
    if mode == Mode::Write {
        sync_notes::all(context, done);
    }
}
