//! `symposium sync`: dependencies to extensions to toggles to what agents read.

use symposium_agents::spec;
use symposium_io::fs;
use symposium_model::agent::AgentId;
use symposium_model::config::{Occasion, Scope};

use super::actions::{self, Report, Tense};
use super::args::{Global, SyncArgs};
use super::installing::{self, Consent};
use super::{person, sync_notes};
use crate::app::begin::{self, Wish};
use crate::app::context::Context;
use crate::app::guidance::Coverage;
use crate::app::in_step::{Extent, GoneGuards, InStep, Mode, bring_in_step, settle_all};
use crate::app::lock_file::{LockState, Pins, vendor_directory};
use crate::app::locking::Demand;
use crate::app::plan;
use crate::app::reading::Reading;
use crate::app::refresh;
use crate::app::required_version;
use crate::app::sync::Action;
use crate::app::sync::committed::CommittedFiles;
use crate::app::sync::locked::Vendoring;
use crate::app::sync::sweep::Sweep;
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::printer::{Answer, Printer};

/// Runs the command.
pub(super) fn run(args: &SyncArgs, global: &Global, printer: Printer) -> Result<Exit, CliError> {
    let agents_only = agents_only(args)?;
    let both = !args.workspace && !agents_only;
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
            let occasion = (!is_offline).then_some(occasion);
            let wish = Wish { occasion, pins, writes_project: true, was_shown: false };
            let ready = begin::refreshed(wish, printer, &global.source)?;
            (ready.context, Some(ready.held), ready.reading)
        }
        Mode::DryRun | Mode::Check => {
            let context = super::logged(printer, global)?;
            required_version::check(&context)?;
            (context, None, None)
        }
    };
    context.pins = pins;
    let extent = Extent {
        workspace: both || args.workspace,
        agent: both || agents_only || !args.restore.is_empty(),
        sweep: Sweep::UserAndWorkspace,
        mode,
        restore: &args.restore,
        lock,
        vendoring: if args.vendor { Vendoring::Wanted } else { Vendoring::InStep },
        committed: CommittedFiles::Written,
        // An agent that removed a manifest does not get rid of the hook by this.
        gone_guards: if person::agent().is_none() { GoneGuards::Released } else { GoneGuards::Kept },
    };
    if args.update && lock == Demand::InStep && matches!(context.lock, LockState::Absent) {
        context.printer.warning("There is no lock here, so there is nothing for `--update` to move");
        context.printer.hint("`symposium sync --lock` makes one");
    }
    if extent.agent {
        mention_missing_agents(&context);
    }
    let synced = synchronize(&mut context, extent, Vec::new(), reading)?;
    if extent.agent {
        mention_unserved_agents(&context);
    }
    if context.root().is_none() && context.printer.answer == Answer::Human {
        context
            .printer
            .note("This directory is not part of a cargo workspace, so only your own settings were looked at");
    }
    if args.vendor && !synced.vendors {
        context.printer.note("No source has to be copied: what is built in or part of the project is not vendored");
    }
    if mode == Mode::Write {
        plan::remove_deserted(&context.directories);
    }
    installing::finish(context, held, Consent::of(args.writing.yes), global, synced.exit, settle_all)
}

/// Says so when there is no agent to install anything for.
pub(super) fn mention_missing_agents(context: &Context) {
    let is_known = context.knows_agents(Scope::User) && context.knows_agents(Scope::Project);
    if is_known && context.agents().is_empty() && context.printer.answer == Answer::Human {
        context.printer.warning("No agent is configured, so only the project's own file is kept up to date");
        context.printer.hint("`symposium init` sets up the agents you use");
    }
}

/// Says which of the user's agents get nothing here, because the project names others.
pub(super) fn mention_unserved_agents(context: &Context) {
    let unserved = context.unserved_agents();
    if unserved.is_empty() || context.printer.answer == Answer::Json {
        return;
    }
    let quoted = |agents: &[AgentId]| agents.iter().map(|agent| format!("`{agent}`")).collect::<Vec<_>>().join(", ");
    let titles: Vec<&str> = unserved.iter().map(|agent| spec(*agent).title).collect();
    let verb = if titles.len() == 1 { "gets" } else { "get" };
    context.printer.note(&format!(
        "This project names {} in `[agent]`, so {} {verb} no skills here; to serve it, add {} to `name` there",
        quoted(&context.project_agents()),
        titles.join(", "),
        quoted(&unserved)
    ));
}

/// Whether only what agents read is wanted. The old spelling of that switch is an agent's name everywhere else.
fn agents_only(args: &SyncArgs) -> Result<bool, CliError> {
    match args.agent.as_deref() {
        Some("") => Ok(true),
        Some(name) => Err(CliError::usage(format!("`sync` is for all of your agents, so it takes no `{name}`")).hint(
            format!("`symposium init --agent {name}` adds an agent; `--agents-only` syncs only what agents read"),
        )),
        None => Ok(args.agents_only),
    }
}

/// What came of a synchronization, as far as its command has to know.
pub(super) struct Synced {
    pub(super) exit: Exit,
    /// How many of the dependencies have skills.
    pub(super) coverage: Coverage,
    /// Whether sources are, or would be, copied into the project.
    pub(super) vendors: bool,
}

/// Brings everything up to date, or shows what that would mean. Whoever writes holds the lock. `before` is what the
/// command has done already and belongs into its report; `reading` is what it has read already.
pub(super) fn synchronize(
    context: &mut Context,
    extent: Extent<'_>,
    before: Vec<Action>,
    reading: Option<Reading>,
) -> Result<Synced, CliError> {
    let done = bring_in_step(context, extent, before, reading)?;
    show(context, &done, extent.mode);
    let exit = match extent.mode {
        Mode::Check if !done.comparison.actions.is_empty() => Exit::No,
        Mode::Write if refresh::misses_source(context) => Exit::Partial,
        Mode::Write | Mode::DryRun | Mode::Check => Exit::Ok,
    };
    let vendors = context.root().map(vendor_directory).is_some_and(|vendored| {
        fs::is_dir(&vendored) || done.comparison.actions.iter().any(|action| action.path.starts_with(&vendored))
    });
    Ok(Synced { exit, coverage: done.coverage, vendors })
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
    let unread = context.is_partial() || !done.lost.is_empty() || context.refreshed.has_failures();
    let nothing = match (unread, context.root()) {
        (true, _) => "Everything that could be read is up to date.",
        (false, None) => "Your own settings are up to date.",
        (false, Some(_)) => "Everything is up to date.",
    };
    let lock = Some(&done.outlook);
    let report = Report { comparison: &done.comparison, lock, warnings: &warnings, tense, nothing };
    actions::show(context, &report);
    sync_notes::sources(context, done);
    if mode == Mode::Write {
        sync_notes::all(context, done);
    }
}
