//! Brings everything in step: dependencies to extensions to toggles to what agents read and hooks know.
//!
//! `read` and `select` say what applies, `sync` what is written for it, `plan` what hooks know of it; here is the order.

mod after_change;
mod config_files;
mod lock_mode;
mod options;
mod warnings;

use std::path::PathBuf;

use symposium_model::agent::AgentId;
use symposium_model::catalog::{Catalog, LoadedSource};
use symposium_model::config::{Scope, SourceKind};
use symposium_model::crates::CrateSet;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::lockfile::SourcePin;
use symposium_model::select::Selection;
use symposium_model::sync::{DesiredState, Ledger, PruneGuard, SyncScope};

use self::lock_mode::{check_exact, check_restored};
use super::catalog;
use super::context::Context;
use super::fallback_plugins;
use super::hook_plan::{self, NotWritten, hooks};
use super::installations;
use super::lockfile::{self, LockDiff, LockMode};
use super::reconcile::committed_files::{CommittedFiles, spare_committed};
use super::reconcile::compare::compare;
use super::reconcile::registrations::{hidden, registrations};
use super::reconcile::servers::plugin_servers;
use super::reconcile::skill_content::skill_options;
use super::reconcile::{ChangeSet, PlannedChange, apply, ledger_store, lock_changes, machine_programs, project_config};
use super::resolution::WorkspaceReading;
use super::trust::{self, TrustReport};
use crate::ops::guidance;
use crate::ops::guidance::SkillCoverage;
use crate::ops::lockfile_state::lock_path;
use crate::ui::error::CliError;
use crate::ui::printer::Verbosity;

pub(crate) use self::after_change::{settle_all, update_after_install};
pub(crate) use self::config_files::{configure, configuring, write};
pub(crate) use self::options::{GoneGuards, SyncOptions, WriteMode};

/// What came of a run, or what would.
#[derive(Debug)]
pub(crate) struct SyncReport {
    /// What was done, and what was left alone.
    pub(crate) comparison: ChangeSet,
    /// What became of the lock.
    pub(crate) outlook: LockDiff,
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
    pub(crate) coverage: SkillCoverage,
    /// The sources that were read, each with its place and how many plugins could apply.
    pub(crate) sources: Vec<String>,
}

impl SyncReport {
    /// Everything that could not be done.
    fn faults(&self) -> Vec<Diagnostic> {
        self.comparison.unusable().cloned().collect()
    }
}

/// What is wanted and what is there, seen together before anything is written.
struct SyncPlan {
    reading: WorkspaceReading,
    selection: Selection,
    trust: TrustReport,
    outlook: LockDiff,
    wanted: DesiredState,
    comparison: ChangeSet,
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
    extent: SyncOptions<'_>,
    before: Vec<PlannedChange>,
    reading: Option<WorkspaceReading>,
) -> Result<SyncReport, CliError> {
    let mut ledger = match extent.mode {
        WriteMode::Write => ledger_store::read_to_write(context)?,
        WriteMode::DryRun | WriteMode::Check => ledger_store::read(context),
    };
    let reading = reading.unwrap_or_else(|| WorkspaceReading::load(context, extent.mode.upkeep()));
    reading.report(context);
    let mut view = plan_changes(context, extent, reading, &ledger)?;
    let mut warnings = warnings::collect_warnings(context, &mut view, &ledger);
    let lost = warnings::lost(&view);
    if extent.mode == WriteMode::Write {
        let failures = carry_out(context, extent, &mut view, &mut ledger, &mut warnings)?;
        view.comparison.failed(failures);
    }
    // One line for a file that was configured on the way here and is changed once more: whether it is new is known to
    // who came first.
    view.comparison.actions.retain(|action| !before.iter().any(|earlier| earlier.path == action.path));
    view.comparison.actions.splice(..0, before);
    let crates = view.reading.workspace.as_ref().map(|workspace| &workspace.crates);
    Ok(SyncReport {
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
fn described(source: &LoadedSource) -> String {
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
fn plan_changes(
    context: &mut Context,
    extent: SyncOptions<'_>,
    reading: WorkspaceReading,
    ledger: &Ledger,
) -> Result<SyncPlan, CliError> {
    let WorkspaceReading { workspace, catalog } = &reading;
    let crates = workspace.as_ref().map(|workspace| &workspace.crates);
    let absence = PruneGuard::new(context.is_unread(), catalog, crates);
    let mut comparison = ChangeSet::default();
    let selection = if extent.workspace {
        switched(context, (catalog, crates), &absence, &mut comparison)?
    } else {
        fallback_plugins::select(context, catalog, crates)
    };
    // What a project wants is unknown when its files cannot be understood; then what is there stays.
    let unknown = context.is_broken(Scope::Project);
    let sweep = if context.root().is_none() || unknown { SyncScope::User } else { extent.sweep };
    let outlook = match sweep {
        SyncScope::UserAndWorkspace | SyncScope::Workspace => {
            lockfile::outlook(context, catalog, &selection, extent.lock)
        }
        SyncScope::User => None,
    };
    if extent.lock == LockMode::Exact {
        check_exact(context, outlook.as_ref())?;
    }
    let unread = context.is_unread();
    if let Some(outlook) = &outlook {
        context.report_briefly(&outlook.faults);
        lock_changes::compare(context, catalog, outlook, extent.vendoring, ledger, &mut comparison);
    }
    let outlook = outlook.unwrap_or_default();
    if extent.mode == WriteMode::Write {
        trust::store::mend(context)?;
    }
    let trust = TrustReport::of_granted(context, catalog, &selection);
    let mut unchanged = Vec::new();
    let mut wanted = DesiredState::default();
    if extent.agent && !context.is_broken(Scope::User) {
        wanted = wanted_by_agents(context, (catalog, &selection, crates), (&trust, &outlook, ledger), sweep);
        let found = compare(context, &wanted, ledger, sweep, &absence, extent.restore);
        unchanged = check_restored(extent.restore, &wanted, &found)?;
        comparison.extend(found);
    }
    if extent.committed == CommittedFiles::LeftAlone {
        spare_committed(context, &mut comparison);
    }
    Ok(SyncPlan {
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
    absence: &PruneGuard<'_>,
    comparison: &mut ChangeSet,
) -> Result<Selection, CliError> {
    let selection = fallback_plugins::select(context, catalog, crates);
    let Some(text) = project_config::configuration(context, catalog, &selection, absence)? else {
        return Ok(selection);
    };
    let Some(action) = configuring(context, Scope::Project, &text) else { return Ok(selection) };
    comparison.actions.push(action);
    context.assume(Scope::Project, &text);
    Ok(fallback_plugins::select(context, catalog, crates))
}

/// What agents should find on disk.
fn wanted_by_agents(
    context: &Context,
    (catalog, selection, crates): (&Catalog, &Selection, Option<&CrateSet>),
    (trust, outlook, ledger): (&TrustReport, &LockDiff, &Ledger),
    sweep: SyncScope,
) -> DesiredState {
    let (servers, handled) = catalog::with_facts(context, catalog, crates, |facts| {
        let hooks = hooks::active(catalog, selection, facts, &context.choices());
        (plugin_servers(context, catalog, selection, facts, trust, ledger), hooks::extra_events(&hooks))
    });
    let mut wanted = DesiredState { handled, warnings: servers.refused, kept: servers.kept, ..DesiredState::default() };
    if let Some(root) = context.root() {
        wanted.machine_programs = machine_programs::programs(&servers.permitted, root);
    }
    registrations(context, ledger, &servers.permitted, &mut wanted);
    match sweep {
        SyncScope::UserAndWorkspace | SyncScope::Workspace => {
            wanted.warnings.extend(hidden(context, ledger));
            let options = skill_options(context, &context.agents(), catalog, selection, &outlook.held, ledger);
            wanted.add_skills(&options, ledger);
        }
        SyncScope::User => {}
    }
    wanted.retain(sweep);
    wanted
}

/// Writes everything: first what agents read, then what hooks know. Gives back what could not be written.
fn carry_out(
    context: &mut Context,
    extent: SyncOptions<'_>,
    view: &mut SyncPlan,
    ledger: &mut Ledger,
    warnings: &mut Vec<String>,
) -> Result<Vec<Diagnostic>, CliError> {
    for event in std::mem::take(&mut view.wanted.events) {
        ledger.registered(event);
    }
    if let Some(root) = context.root().filter(|_| extent.sweep != SyncScope::User) {
        ledger.ran_in(root);
    }
    if context.printer.verbosity != Verbosity::Silent {
        ledger.say(context.root(), std::mem::take(&mut view.said_once));
    }
    let WorkspaceReading { workspace, catalog } = &view.reading;
    hold_pinned(context, catalog, &view.outlook);
    let mut failures = apply::apply(context, &mut view.comparison, ledger)?;
    if extent.gone_guards == GoneGuards::Released {
        warnings.extend(hook_plan::kept_guards::release_gone(context, catalog, &view.trust));
    }
    let plans = hook_plan::compile(hook_plan::Input {
        context,
        catalog,
        selection: &view.selection,
        crates: workspace.as_ref(),
        ledger,
        trust: &view.trust,
    });
    failures.extend(hook_plan::write(context, &plans).err().and_then(unwritten));
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
fn hold_pinned(context: &Context, catalog: &Catalog, outlook: &LockDiff) {
    let Some(lock) = context.root().map(lock_path) else { return };
    for source in &catalog.sources {
        if let (SourceKind::Git { address, .. }, Some(SourcePin::Git { commit, .. })) =
            (&source.spec.kind, outlook.lock.pin(&source.spec.name))
        {
            context.git_cache().hold(address, commit, &lock);
        }
    }
}
