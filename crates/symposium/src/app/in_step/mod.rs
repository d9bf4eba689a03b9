//! Brings everything in step: dependencies to extensions to toggles to what agents read and hooks know.
//!
//! `read` and `select` say what applies, `sync` what is written for it, `plan` what hooks know of it; here is the order.

mod configure;
mod demands;
mod extent;
mod settle;
mod warnings;

use std::path::PathBuf;

use symposium_model::agent::AgentId;
use symposium_model::catalog::{Catalog, Source};
use symposium_model::config::{Scope, SourceKind};
use symposium_model::crates::CrateSet;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::lock::Pin;
use symposium_model::select::Selection;
use symposium_model::sync::Ledger;

use self::demands::{check_exact, check_restored};
use super::context::Context;
use super::guidance::Coverage;
use super::lock_file::lock_path;
use super::locking::{self, Demand, Outlook};
use super::plan::{self, NotWritten, hooks};
use super::reading::Reading;
use super::sync::absence::Absence;
use super::sync::committed::{CommittedFiles, spare_committed};
use super::sync::desired::{self, Desired};
use super::sync::difference::compare;
use super::sync::servers::plugin_servers;
use super::sync::sweep::Sweep;
use super::sync::{Action, Comparison, apply, ledger_file, locked, machine_programs, workspace};
use super::trust::{self, Trust};
use super::{catalog, guidance, installations, stand_ins};
use crate::ui::error::CliError;
use crate::ui::printer::Verbosity;

pub(crate) use self::configure::{configure, configuring, write};
pub(crate) use self::extent::{Extent, GoneGuards, Mode};
pub(crate) use self::settle::{settle, settle_all};

/// What came of a run, or what would.
#[derive(Debug)]
pub(crate) struct InStep {
    /// What was done, and what was left alone.
    pub(crate) comparison: Comparison,
    /// What became of the lock.
    pub(crate) outlook: Outlook,
    /// What the person should know.
    pub(crate) warnings: Vec<String>,
    /// The warnings about programs of this machine in files of the project.
    pub(crate) machine_programs: Vec<String>,
    /// What could not be read of the sources and the lock; people were told when it was found.
    pub(crate) lost: Vec<String>,
    /// Skills that somebody wanted back and that are as their sources say.
    pub(crate) unchanged: Vec<String>,
    /// What the person must do, for each agent.
    pub(crate) notes: Vec<(AgentId, String)>,
    /// Crates that bring skills of their own, which nobody switched on.
    pub(crate) candidates: Vec<String>,
    /// Servers of plugins that are off here and stay in the user's own settings, each with a project that uses it.
    pub(crate) kept: Vec<(String, PathBuf)>,
    /// Plugins whose executables wait for a person's yes.
    pub(crate) awaiting: Vec<String>,
    /// How many of the dependencies have skills.
    pub(crate) coverage: Coverage,
    /// The sources that were read, each with its place and how many plugins could apply.
    pub(crate) sources: Vec<String>,
}

impl InStep {
    /// Everything that could not be done.
    fn faults(&self) -> Vec<Diagnostic> {
        self.comparison.unusable().cloned().collect()
    }
}

/// What is wanted and what is there, seen together before anything is written.
struct View {
    reading: Reading,
    selection: Selection,
    trust: Trust,
    outlook: Outlook,
    wanted: Desired,
    comparison: Comparison,
    unchanged: Vec<String>,
    /// Whether a configuration, a manifest or a lock could not be read.
    unread: bool,
    /// The sentences that are said once, as long as they hold.
    said_once: Vec<String>,
    /// Those of them that are new and about programs of this machine.
    machine_programs: Vec<String>,
}

/// Brings everything in step, or finds out what that would mean. Whoever writes holds the lock. `before` is what the
/// command has done already and belongs into its report; `reading` is what it has read already.
pub(crate) fn bring_in_step(
    context: &mut Context,
    extent: Extent<'_>,
    before: Vec<Action>,
    reading: Option<Reading>,
) -> Result<InStep, CliError> {
    let mut ledger = match extent.mode {
        Mode::Write => ledger_file::read_to_write(context)?,
        Mode::DryRun | Mode::Check => ledger_file::read(context),
    };
    let reading = reading.unwrap_or_else(|| Reading::of(context, extent.mode.upkeep()));
    reading.report(context);
    let mut view = look(context, extent, reading, &ledger)?;
    let mut warnings = warnings::of(context, &mut view, &ledger);
    let lost = warnings::lost(&view);
    if extent.mode == Mode::Write {
        let failures = carry_out(context, extent, &mut view, &mut ledger, &mut warnings)?;
        view.comparison.failed(failures);
    }
    // One line for a file that was configured on the way here and is changed once more: whether it is new is known to
    // who came first.
    view.comparison.actions.retain(|action| !before.iter().any(|earlier| earlier.path == action.path));
    view.comparison.actions.splice(..0, before);
    let crates = view.reading.workspace.as_ref().map(|workspace| &workspace.crates);
    Ok(InStep {
        coverage: guidance::coverage(&view.reading.catalog, &view.selection, crates),
        sources: view.reading.catalog.sources.iter().map(described).collect(),
        candidates: guidance::candidates(&view.selection),
        comparison: view.comparison,
        outlook: view.outlook,
        warnings,
        machine_programs: view.machine_programs,
        lost,
        unchanged: view.unchanged,
        notes: view.wanted.notes,
        kept: view.wanted.kept,
        awaiting: view.trust.awaiting(&view.reading.catalog),
    })
}

/// A source in a few words.
fn described(source: &Source) -> String {
    if source.is_missing() {
        return format!("`{}`: not fetched yet", source.spec.name);
    }
    let plugins = match source.plugins.len() {
        1 => "1 plugin".to_owned(),
        several => format!("{several} plugins"),
    };
    format!("`{}`: {plugins} for these crates, from {}", source.spec.name, source.place)
}

/// Compares what is wanted with what is there.
fn look(context: &mut Context, extent: Extent<'_>, reading: Reading, ledger: &Ledger) -> Result<View, CliError> {
    let Reading { workspace, catalog } = &reading;
    let crates = workspace.as_ref().map(|workspace| &workspace.crates);
    let absence = Absence::of(context, catalog, crates);
    let mut comparison = Comparison::default();
    let selection = if extent.workspace {
        switched(context, (catalog, crates), &absence, &mut comparison)?
    } else {
        stand_ins::select(context, catalog, crates)
    };
    // What a project wants is unknown when its files cannot be understood; then what is there stays.
    let unknown = context.is_broken(Scope::Project);
    let sweep = if context.root().is_none() || unknown { Sweep::User } else { extent.sweep };
    let outlook = match sweep {
        Sweep::UserAndWorkspace | Sweep::Workspace => locking::outlook(context, catalog, &selection, extent.lock),
        Sweep::User => None,
    };
    if extent.lock == Demand::Exact {
        check_exact(context, outlook.as_ref())?;
    }
    let unread = context.is_unread();
    if let Some(outlook) = &outlook {
        context.report_briefly(&outlook.faults);
        locked::compare(context, catalog, outlook, extent.vendoring, ledger, &mut comparison);
    }
    let outlook = outlook.unwrap_or_default();
    if extent.mode == Mode::Write {
        trust::store::mend(context)?;
    }
    let trust = Trust::of_granted(context, catalog, &selection);
    let mut unchanged = Vec::new();
    let mut wanted = Desired::default();
    if extent.agent && !context.is_broken(Scope::User) {
        wanted = wanted_by_agents(context, (catalog, &selection, crates), (&trust, &outlook, ledger), sweep);
        let found = compare(context, &wanted, ledger, sweep, &absence, extent.restore);
        unchanged = check_restored(extent.restore, &wanted, &found)?;
        comparison.extend(found);
    }
    if extent.committed == CommittedFiles::LeftAlone {
        spare_committed(context, &mut comparison);
    }
    Ok(View {
        reading,
        selection,
        trust,
        outlook,
        wanted,
        comparison,
        unchanged,
        unread,
        said_once: Vec::new(),
        machine_programs: Vec::new(),
    })
}

/// What applies when the project's toggles are in step; what that changes in its configuration is added to the actions.
fn switched(
    context: &mut Context,
    (catalog, crates): (&Catalog, Option<&CrateSet>),
    absence: &Absence<'_>,
    comparison: &mut Comparison,
) -> Result<Selection, CliError> {
    let selection = stand_ins::select(context, catalog, crates);
    let Some(text) = workspace::configuration(context, catalog, &selection, absence)? else { return Ok(selection) };
    let Some(action) = configuring(context, Scope::Project, &text) else { return Ok(selection) };
    comparison.actions.push(action);
    context.assume(Scope::Project, &text);
    Ok(stand_ins::select(context, catalog, crates))
}

/// What agents should find on disk.
fn wanted_by_agents(
    context: &Context,
    (catalog, selection, crates): (&Catalog, &Selection, Option<&CrateSet>),
    (trust, outlook, ledger): (&Trust, &Outlook, &Ledger),
    sweep: Sweep,
) -> Desired {
    let (servers, handled) = catalog::with_facts(context, catalog, crates, |facts| {
        let hooks = hooks::active(catalog, selection, facts, &context.choices());
        (plugin_servers(context, catalog, selection, facts, (trust, ledger)), hooks::extra_events(&hooks))
    });
    let mut wanted = Desired { handled, warnings: servers.refused, kept: servers.kept, ..Desired::default() };
    if let Some(root) = context.root() {
        wanted.machine_programs = machine_programs::programs(&servers.permitted, root);
    }
    desired::registrations(context, ledger, &servers.permitted, &mut wanted);
    match sweep {
        Sweep::UserAndWorkspace | Sweep::Workspace => {
            wanted.warnings.extend(desired::hidden(context, ledger));
            let kept = (ledger, outlook.held.as_slice());
            desired::skills(context, &context.agents(), (catalog, selection), kept, &mut wanted);
        }
        Sweep::User => {}
    }
    wanted.retain(sweep);
    wanted
}

/// Writes everything: first what agents read, then what hooks know. Gives back what could not be written.
fn carry_out(
    context: &mut Context,
    extent: Extent<'_>,
    view: &mut View,
    ledger: &mut Ledger,
    warnings: &mut Vec<String>,
) -> Result<Vec<Diagnostic>, CliError> {
    for event in std::mem::take(&mut view.wanted.events) {
        ledger.registered(event);
    }
    if let Some(root) = context.root().filter(|_| extent.sweep != Sweep::User) {
        ledger.ran_in(root);
    }
    if context.printer.verbosity != Verbosity::Silent {
        ledger.say(context.root(), std::mem::take(&mut view.said_once));
    }
    let Reading { workspace, catalog } = &view.reading;
    hold_pinned(context, catalog, &view.outlook);
    let mut failures = apply::apply(context, &mut view.comparison, ledger)?;
    if extent.gone_guards == GoneGuards::Released {
        warnings.extend(plan::guards::release_gone(context, catalog, &view.trust));
    }
    let plans = plan::compile(plan::Input {
        context,
        catalog,
        selection: &view.selection,
        crates: workspace.as_ref(),
        ledger,
        trust: &view.trust,
    });
    failures.extend(plan::write(context, &plans).err().and_then(unwritten));
    context.unmade = installations::unmade(context, catalog, &view.selection, &view.trust);
    warnings.extend(plans.warnings);
    trust::remember(context, &view.trust);
    Ok(failures)
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
