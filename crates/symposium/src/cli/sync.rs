//! `symposium sync`: dependencies to extensions to toggles to what agents read.

use std::ffi::OsStr;
use std::path::PathBuf;

use symposium_model::catalog::{Catalog, Source};
use symposium_model::config::{Occasion, Scope, SourceKind};
use symposium_model::diagnostic::Diagnostic;
use symposium_model::lock::Pin;
use symposium_model::nearest::nearest;

use super::actions::{self, Tense};
use super::args::{Global, SyncArgs};
use super::installing::{self, Consent};
use super::{Wish, sync_notes};
use crate::app::context::Context;
use crate::app::lock_file::{LockState, Pins, lock_path};
use crate::app::locking::{self, Demand, Outlook};
use crate::app::memory::Upkeep;
use crate::app::plan::{self, NotWritten, hooks};
use crate::app::reading::Reading;
use crate::app::refresh;
use crate::app::sync::absence::Absence;
use crate::app::sync::desired::{self, Desired};
use crate::app::sync::difference::compare;
use crate::app::sync::locked::{self, Vendoring};
use crate::app::sync::servers::plugin_servers;
use crate::app::sync::sweep::Sweep;
use crate::app::sync::{Action, Comparison, Step, apply, ledger_file, names, workspace};
use crate::app::trust::{self, Announcement, Trust};
use crate::app::{catalog, installations};
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::printer::{Answer, Printer, Verbosity};

/// What a run covers and whether it writes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent<'e> {
    /// The toggles of the project.
    pub(crate) workspace: bool,
    /// What agents read.
    pub(crate) agent: bool,
    /// Whose files are kept in step: outside a workspace only the user's can be.
    pub(crate) sweep: Sweep,
    /// Whether anything is written.
    pub(crate) mode: Mode,
    /// Skills to put back even if they were edited.
    pub(crate) restore: &'e [String],
    /// What becomes of the lock.
    pub(crate) lock: Demand,
    /// What becomes of vendored sources.
    pub(crate) vendoring: Vendoring,
}

/// Whether anything is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// It is.
    Write,
    /// It is only shown.
    DryRun,
    /// It is only shown, and something to do is a no.
    Check,
}

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
            let ready = super::refreshed_for(wish, printer, global)?;
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
    let exit = bring_in_step(&mut context, extent, Vec::new(), reading)?;
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

/// Brings what agents read in step with something that changed, without a word. Whoever calls holds the lock.
pub(super) fn settle_all(context: &mut Context) -> Result<Exit, CliError> {
    let printer = std::mem::replace(&mut context.printer, Printer::silent());
    let extent = Extent {
        workspace: false,
        agent: true,
        sweep: Sweep::UserAndWorkspace,
        mode: Mode::Write,
        restore: &[],
        lock: Demand::InStep,
        vendoring: Vendoring::InStep,
    };
    let settled = synchronize(context, extent, Vec::new());
    context.printer = printer;
    settled
}

/// Brings everything in step, or shows what that would mean. Whoever writes holds the lock. `before` is what the command
/// has done already and belongs into its report.
pub(crate) fn synchronize(context: &mut Context, extent: Extent<'_>, before: Vec<Action>) -> Result<Exit, CliError> {
    bring_in_step(context, extent, before, None)
}

/// The same from what was read already, if it was.
fn bring_in_step(
    context: &mut Context,
    extent: Extent<'_>,
    before: Vec<Action>,
    reading: Option<Reading>,
) -> Result<Exit, CliError> {
    let mut ledger = match extent.mode {
        Mode::Write => ledger_file::read_to_write(context)?,
        Mode::DryRun | Mode::Check => ledger_file::read(context),
    };
    let upkeep = match extent.mode {
        Mode::Write => Upkeep::Renew,
        Mode::DryRun | Mode::Check => Upkeep::LeaveAlone,
    };
    let reading = reading.unwrap_or_else(|| Reading::of(context, upkeep));
    reading.report(context);
    let Reading { workspace, catalog } = reading;
    let crates = workspace.as_ref().map(|workspace| &workspace.crates);
    let mut selection = catalog::select_for(context, &catalog, crates);
    let absence = Absence::of(context, &catalog, crates);
    let mut comparison = Comparison::default();
    if extent.workspace
        && let Some(action) = workspace::configuration(context, &catalog, &selection, &absence)?
    {
        if let Step::Configure { text, .. } = &action.step {
            context.assume(Scope::Project, text);
            selection = catalog::select_for(context, &catalog, crates);
        }
        comparison.actions.push(action);
    }
    // What a project wants is unknown when its files cannot be understood; then what is there stays.
    let unknown = context.is_broken(Scope::Project);
    let sweep = if context.root().is_none() || unknown { Sweep::User } else { extent.sweep };
    let outlook = match sweep {
        Sweep::UserAndWorkspace | Sweep::Workspace => locking::outlook(context, &catalog, &selection, extent.lock),
        Sweep::User => None,
    };
    if extent.lock == Demand::Exact {
        check_exact(context, outlook.as_ref())?;
    }
    let unread = context.is_unread();
    if let Some(outlook) = &outlook {
        context.report_briefly(&outlook.faults);
        locked::compare(context, &catalog, outlook, extent.vendoring, &ledger, &mut comparison);
    }
    let outlook = outlook.unwrap_or_default();
    if extent.mode == Mode::Write {
        trust::store::mend(context)?;
    }
    let trust = Trust::of(context, &catalog, &selection);
    let mut wanted = Desired::default();
    if extent.agent && !context.is_broken(Scope::User) {
        let trust = &trust;
        let (servers, handled) = catalog::with_facts(context, &catalog, crates, |facts| {
            let hooks = hooks::active(&catalog, &selection, facts, &context.workflows());
            (plugin_servers(context, &catalog, &selection, facts, (trust, &ledger)), hooks::extra_events(&hooks))
        });
        wanted.handled = handled;
        wanted.warnings.extend(servers.refused);
        wanted.kept = servers.kept;
        desired::registrations(context, &ledger, &servers.permitted, &mut wanted);
        match sweep {
            Sweep::UserAndWorkspace | Sweep::Workspace => {
                wanted.warnings.extend(desired::hidden(context, &ledger));
                let kept = (&ledger, outlook.held.as_slice());
                desired::skills(context, &context.agents(), (&catalog, &selection), kept, &mut wanted);
            }
            Sweep::User => {}
        }
        wanted.retain(sweep);
        let found = compare(context, &wanted, &ledger, sweep, &absence, extent.restore);
        check_restored(context, extent.restore, &wanted, &found)?;
        comparison.actions.extend(found.actions);
        comparison.settled.extend(found.settled);
        comparison.gone.extend(found.gone);
        comparison.released.extend(found.released);
        comparison.notices.extend(found.notices);
    }
    let mut warnings = refresh::warnings(context);
    warnings.extend(outlook.warnings.iter().cloned());
    warnings.append(&mut wanted.warnings);
    warnings.extend(names::warnings(&catalog, &selection));
    warnings.extend(trust.announcements.iter().map(Announcement::sentence));
    if comparison.actions.iter().any(|action| action.workspace.is_none() && !action.agents.is_empty()) {
        warnings.extend(wanted.program_warnings);
    }
    if unread {
        warnings.push("Something could not be read, so nothing is removed because it was not found".to_owned());
    }
    // About a source that was not fetched everything is said already.
    let faulty = |source: &&Source| !source.is_missing() && !source.findings.faults.is_empty();
    warnings.extend(catalog.sources.iter().filter(faulty).filter(|_| !unread).map(|source| {
        format!(
            "Not all of source `{}` could be read, so what came from it is not removed for being absent",
            source.spec.name
        )
    }));
    if context.printer.answer == Answer::Json {
        warnings.extend(outlook.faults.iter().map(ToString::to_string));
        let findings = catalog.sources.iter().map(|source| &source.findings);
        let lost = findings.flat_map(|findings| findings.faults.iter().chain(&findings.awaited));
        warnings.extend(lost.map(ToString::to_string));
    }
    // One line for a file that was configured on the way here and is changed once more.
    let mut before = before;
    before.retain(|earlier| !comparison.actions.iter().any(|action| action.path == earlier.path));
    match extent.mode {
        Mode::Write => {
            for event in wanted.events {
                ledger.registered(event);
            }
            if let Some(root) = context.root().filter(|_| extent.sweep != Sweep::User) {
                ledger.ran_in(root);
            }
            hold_pinned(context, &catalog, &outlook);
            let mut failures = apply::apply(context, &mut comparison, &mut ledger)?;
            let plans = plan::compile(plan::Input {
                context,
                catalog: &catalog,
                selection: &selection,
                crates: workspace.as_ref(),
                ledger: &ledger,
                trust: &trust,
            });
            failures.extend(plan::write(context, &plans).err().and_then(unwritten));
            context.unmade = installations::unmade(context, &catalog, &selection, &trust);
            warnings.extend(plans.warnings);
            if context.printer.verbosity != Verbosity::Silent {
                // What nobody was told is said another time.
                trust::remember(context, &trust);
            }
            comparison.actions.splice(..0, before);
            actions::show(context, &comparison, &outlook, &warnings, Tense::Done);
            context.report(&failures);
            sync_notes::notes(context, &comparison, &wanted.notes);
            sync_notes::candidates(context, &comparison, &selection);
            sync_notes::kept(context, &comparison, &wanted.kept);
            sync_notes::awaiting(context, &comparison, &trust.awaiting(&catalog));
            Ok(Exit::Ok)
        }
        Mode::DryRun => {
            comparison.actions.splice(..0, before);
            actions::show(context, &comparison, &outlook, &warnings, Tense::Would);
            Ok(Exit::Ok)
        }
        Mode::Check => {
            comparison.actions.splice(..0, before);
            actions::show(context, &comparison, &outlook, &warnings, Tense::Would);
            Ok(if comparison.actions.is_empty() { Exit::Ok } else { Exit::No })
        }
    }
}

fn unwritten(error: NotWritten) -> Option<Diagnostic> {
    match error {
        // What is wrong with it was shown.
        NotWritten::BrokenConfiguration(_) => None,
        NotWritten::File(error) => {
            let message = format!("What hooks have to know could not be written: {}", error.kind);
            let help =
                "make the directory writable, and run the command again; until then every hook finds it out anew";
            Some(Diagnostic::error(error.path.display().to_string(), message).help(help))
        }
    }
}

/// Whether the lock is there and says what it should, as somebody demands who wants nothing written to it.
fn check_exact(context: &Context, outlook: Option<&Outlook>) -> Result<(), CliError> {
    match (&context.lock, outlook) {
        (LockState::Absent, _) => Err(CliError::failed("There is no lock, and `--locked` allows none to be made")
            .hint("run `symposium sync --lock`, and commit `.symposium/symposium.lock`")),
        // What is wrong with it was shown.
        (LockState::Broken, _) => Err(CliError::failed("The lock cannot be understood, so nothing was done")),
        (LockState::Sound { .. }, Some(outlook)) if !outlook.changes.is_empty() => {
            let changes: Vec<String> = outlook.changes.iter().map(|change| format!("  {change}")).collect();
            let message =
                format!("The lock is not in step, and `--locked` forbids to change it:\n{}", changes.join("\n"));
            Err(CliError::failed(message).hint("run `symposium sync` without `--locked`, and commit what it changes"))
        }
        (LockState::Sound { .. }, _) => Ok(()),
    }
}

/// Keeps the copies that the lock names.
fn hold_pinned(context: &Context, catalog: &Catalog, outlook: &Outlook) {
    let Some(lock) = context.root().map(lock_path) else { return };
    for source in &catalog.sources {
        if let (SourceKind::Git { address, .. }, Some(Pin::Git { commit, .. })) =
            (&source.spec.kind, outlook.lock.pin(&source.spec.name))
        {
            context.git_cache().hold(address, commit, &lock);
        }
    }
}

/// A name that means no skill here is a no; one that needs nothing is said to.
fn check_restored(
    context: &Context,
    names: &[String],
    wanted: &Desired,
    comparison: &Comparison,
) -> Result<(), CliError> {
    // What nothing asks for any more has no source to be put back from.
    let installs = comparison.actions.iter().filter(|action| matches!(action.step, Step::Install { .. }));
    let of_action = installs.map(|action| (&action.extension, &action.path));
    let of_record = comparison.settled.iter().map(|record| (&record.extension, &record.path));
    let named = |(extension, path): (&Option<String>, &PathBuf), name: &str| {
        extension.is_some() && (extension.as_deref() == Some(name) || path.file_name() == Some(OsStr::new(name)))
    };
    for name in names {
        let candidates: Vec<&str> = wanted.skills.iter().map(|skill| skill.name.as_str()).collect();
        let to_do = of_action.clone().any(|place| named(place, name));
        let settled = of_record.clone().any(|place| named(place, name));
        if !to_do && !settled && !candidates.contains(&name.as_str()) {
            let error = CliError::no(format!("No skill called `{name}` is installed in this workspace"));
            return Err(match nearest(name, &candidates) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error.hint("`symposium status` shows what there is"),
            });
        }
        if settled && !to_do && context.printer.answer == Answer::Human {
            context.printer.note(&format!("Skill `{name}` is as its source says already"));
        }
    }
    Ok(())
}
