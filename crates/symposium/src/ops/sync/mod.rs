//! Brings everything up to date, in this order: resolution, toggles, lockfile, the files that agents read, hook plans.

mod after_change;
mod agents_md;
mod config_files;
mod lock_mode;
mod options;
mod warnings;

use std::path::{Path, PathBuf};

use symposium_io::fs::{self, FsError};
use symposium_io::source::GitCache;
use symposium_model::agent::AgentId;
use symposium_model::catalog::{Catalog, LoadedSource};
use symposium_model::config::{Scope, SourceKind};
use symposium_model::crates::CargoLockState;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::lockfile::SourcePin;
use symposium_model::sync::{DesiredState, PruneGuard, SyncScope, removed_choices};

use self::lock_mode::{check_locked, check_restored};
use super::cargo_shim;
use super::catalog;
use super::context::Context;
use super::environment::shell_agent;
use super::fetch_report::FetchReport;
use super::hook_plan::{self, NotWritten, hooks, kept_guards};
use super::ledger_store;
use super::lockfile::{self, LockDiff, LockInputs, LockMode};
use super::reconcile::committed_files::{CommittedFiles, spare_committed};
use super::reconcile::compare::compare;
use super::reconcile::registrations::{hidden, registrations};
use super::reconcile::servers::plugin_servers;
use super::reconcile::skill_content::skill_options;
use super::reconcile::unrecorded_files::revert_dropped;
use super::reconcile::{ChangeSet, PlannedChange, apply, lock_changes, machine_programs, program_path, project_config};
use super::resolve::{Resolution, ResolutionDetail};
use super::trust::{self, TrustDetail};
use crate::error::CliError;
use crate::ops::guidance::{self, SkillCoverage};
use crate::ops::installations::MissingInstallation;
use crate::ops::lockfile_state::{lock_path, vendor_directory};
use crate::run_report::RunReport;

pub(crate) use self::after_change::{sync_after_change, update_after_install};
pub(crate) use self::config_files::{configure, configuring, write};
pub(crate) use self::options::{GoneGuards, SyncOptions, WriteMode};

/// The sources as a command that syncs hands them over.
pub(crate) enum SyncSources {
    Resolved(Box<Resolution>),
    /// They are read by the sync; this happened to them before.
    Unread(FetchReport),
}

impl SyncSources {
    /// Returns what happened to them; what was read of them is dropped.
    pub(crate) fn into_fetched(self) -> FetchReport {
        match self {
            Self::Resolved(resolution) => resolution.fetched,
            Self::Unread(fetched) => fetched,
        }
    }
}

/// The result of a sync, or of its preview.
pub(crate) struct SyncReport {
    /// The context with the project's toggles as they are after the run.
    pub(crate) context: Context,
    /// Cargo's own root, which may lie above the workspace.
    pub(crate) cargo_root: Option<PathBuf>,
    pub(crate) fetched: FetchReport,
    /// Whether something could not be read.
    pub(crate) is_partial: bool,
    /// Whether sources are, or would be, copied into the project.
    pub(crate) vendors: bool,
    /// Installations that plugins need.
    pub(crate) missing_installations: Vec<MissingInstallation>,
    /// The changes that were made, and those that were not.
    pub(crate) comparison: ChangeSet,
    pub(crate) outlook: LockDiff,
    pub(crate) warnings: Vec<String>,
    /// The warnings about programs of this machine in files of the project.
    pub(crate) machine_programs: Vec<String>,
    /// The faults of the sources and the lockfile, which were already reported.
    pub(crate) lost: Vec<String>,
    /// Skills to restore that already have the content of their sources.
    pub(crate) unchanged: Vec<String>,
    /// The manual steps for each agent.
    pub(crate) notes: Vec<(AgentId, String)>,
    /// Crates with skills of their own that are not switched on, and that no run named before.
    pub(crate) candidates: Vec<String>,
    /// Servers of plugins that are off here and stay in the user's own settings, each with a project that uses it.
    pub(crate) kept: Vec<(String, PathBuf)>,
    /// Plugins whose executables wait for a person's yes.
    pub(crate) awaiting: Vec<String>,
    pub(crate) coverage: SkillCoverage,
    /// The sources that were read, each with its place and how many plugins could apply.
    pub(crate) sources: Vec<String>,
}

impl SyncReport {
    fn faults(&self) -> Vec<Diagnostic> {
        self.comparison.unusable().cloned().collect()
    }
}

/// The desired and the observed state, before anything is written.
struct SyncPlan {
    context: Context,
    resolution: Resolution,
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

/// Brings everything up to date, or computes the changes. A caller that writes holds the lock. `before` are changes
/// that the command has already made; they are part of its report.
pub(crate) fn run_sync(
    context: Context,
    extent: SyncOptions<'_>,
    before: Vec<PlannedChange>,
    sources: SyncSources,
    report: &mut RunReport,
) -> Result<SyncReport, CliError> {
    let ledger = match extent.mode {
        WriteMode::Write => ledger_store::read_to_write(&context.directories, report)?,
        WriteMode::DryRun | WriteMode::Check => ledger_store::read_restored(&context.directories, report),
    };
    let resolution = match sources {
        SyncSources::Resolved(resolution) => *resolution,
        SyncSources::Unread(fetched) => {
            Resolution::load_fetched(&context, ResolutionDetail::relevant(extent.mode.upkeep()), fetched)
        }
    };
    resolution.report(report);
    let mut view = plan_changes(context, extent, Resolution { ledger, ..resolution }, report)?;
    let is_partial = report.is_partial();
    let mut warnings = warnings::collect_warnings(&mut view, report);
    let lost = warnings::lost(&view);
    let mut missing_installations = Vec::new();
    let has_changes = !before.is_empty() || !view.comparison.actions.is_empty();
    let candidates = new_candidates(&mut view, has_changes);
    if extent.mode == WriteMode::Write {
        let failures = carry_out(extent, &mut view, &mut warnings, report)?;
        view.comparison.failed(failures);
        missing_installations = view.resolution.missing_installations(&view.context);
        trust::remember(&view.context, &view.resolution.trust);
    }
    // One line for a file that was configured on the way here and is changed once more: whether it is new is known to
    // who came first.
    view.comparison.actions.retain(|action| !before.iter().any(|earlier| earlier.path == action.path));
    view.comparison.actions.splice(..0, before);
    let resolution = view.resolution;
    let vendors = view.context.root().map(vendor_directory).is_some_and(|vendored| {
        fs::is_dir(&vendored) || view.comparison.actions.iter().any(|action| action.path.starts_with(&vendored))
    });
    Ok(SyncReport {
        vendors,
        context: view.context,
        is_partial,
        missing_installations,
        coverage: guidance::coverage(&resolution),
        sources: shown_sources(&resolution.catalog),
        candidates,
        awaiting: resolution.trust.awaiting(&resolution.catalog),
        cargo_root: resolution.workspace.and_then(|workspace| workspace.cargo_root),
        fetched: resolution.fetched,
        comparison: view.comparison,
        outlook: view.outlook,
        warnings,
        machine_programs: view.machine_programs,
        lost,
        unchanged: view.unchanged,
        notes: view.wanted.notes,
        kept: view.wanted.kept,
    })
}

/// Lists the crates whose own skills wait to be switched on, and that no run named yet. A run that changes something
/// names them.
fn new_candidates(view: &mut SyncPlan, has_changes: bool) -> Vec<String> {
    let mark = |name: &String| format!("candidate {name}");
    let (ledger, root) = (&view.resolution.ledger, view.context.root());
    let all = guidance::candidates(&view.resolution.selection);
    let (known, new): (Vec<String>, Vec<String>) = all.into_iter().partition(|name| ledger.has_said(root, &mark(name)));
    view.said_once.extend(known.iter().map(mark));
    if has_changes {
        view.said_once.extend(new.iter().map(mark));
    }
    new
}

fn shown_sources(catalog: &Catalog) -> Vec<String> {
    catalog.sources.iter().filter(|source| !source.is_bare_workspace()).map(described).collect()
}

fn described(source: &LoadedSource) -> String {
    if source.is_missing() {
        return format!("`{}`: not fetched yet", source.spec.name);
    }
    let plugins = match source.plugins.len() {
        1 => "1 plugin".to_owned(),
        several => format!("{several} plugins"),
    };
    format!("`{}`: {plugins}, from {}", source.spec.name, source.place)
}

/// Compares what is wanted with what is there.
fn plan_changes(
    mut context: Context,
    extent: SyncOptions<'_>,
    mut resolution: Resolution,
    report: &mut RunReport,
) -> Result<SyncPlan, CliError> {
    let mut comparison = ChangeSet::default();
    let mut removed = Vec::new();
    // The versions that manifests allow are not those that are locked.
    let unlocked = resolution.crates().is_some_and(|crates| crates.lock() == CargoLockState::Broken);
    if extent.workspace && !unlocked {
        let before = context.settings.clone();
        context = switched(context, &mut resolution, &mut comparison, report)?;
        removed = removed_choices(&before, &context.settings);
    }
    // What a project wants is unknown when its files cannot be understood; then what is there stays.
    let unknown = unlocked || context.is_broken(Scope::Project);
    let sweep = if context.root().is_none() || unknown { SyncScope::User } else { extent.sweep };
    let outlook = match sweep {
        SyncScope::UserAndWorkspace | SyncScope::Workspace => {
            lockfile::outlook(&context, &resolution, extent.lock, LockInputs::from_report(report))
        }
        SyncScope::User => None,
    };
    if extent.lock == LockMode::Locked {
        check_locked(&context.lock, outlook.as_ref(), &resolution.catalog)?;
    }
    let unread = report.is_unread();
    if let Some(outlook) = &outlook {
        report.add_briefly(&outlook.faults);
        let Resolution { catalog, ledger, .. } = &resolution;
        lock_changes::compare(&context, catalog, outlook, extent.vendoring, ledger, &mut comparison);
    }
    let outlook = outlook.unwrap_or_default();
    if extent.mode == WriteMode::Write {
        trust::store::set_broken_aside(&context, report)?;
    }
    resolution.load_trust(&context, TrustDetail::Granted);
    let mut unchanged = Vec::new();
    let mut wanted = DesiredState::default();
    if extent.agent && !context.is_broken(Scope::User) {
        wanted = wanted_by_agents(&context, &resolution, &outlook, sweep);
        let absence = PruneGuard::new(report.is_unread(), &resolution.catalog, resolution.crates());
        let found = compare(&context, &wanted, &resolution.ledger, sweep, &absence, extent.restore);
        unchanged = check_restored(extent.restore.skills, &wanted, &found)?;
        comparison.extend(found);
        comparison.extend(revert_dropped(&context, &wanted, &resolution.ledger, sweep, &absence));
    }
    wanted.warnings.splice(..0, removed);
    if extent.committed == CommittedFiles::LeftAlone {
        spare_committed(context.root(), &mut comparison);
    }
    Ok(SyncPlan {
        context,
        resolution,
        outlook,
        wanted,
        comparison,
        unchanged,
        unread,
        said_once: Vec::new(),
        machine_programs: Vec::new(),
    })
}

/// Resolves what applies when the project's toggles are up to date; what that changes in its configuration is added to
/// the actions.
fn switched(
    context: Context,
    resolution: &mut Resolution,
    comparison: &mut ChangeSet,
    report: &RunReport,
) -> Result<Context, CliError> {
    let text = match context.project_only_context() {
        // The file is for the team: the user's own choice of sources and dependencies changes no toggle in it.
        Some(shared) => project_text(&shared, &resolution.load_again(&shared), report)?,
        None => project_text(&context, resolution, report)?,
    };
    let Some(text) = text else { return Ok(context) };
    let actions = configuring(&context, Scope::Project, &text);
    if actions.is_empty() {
        return Ok(context);
    }
    comparison.actions.extend(actions);
    let context = context.with_config(Scope::Project, &text);
    resolution.select(&context);
    Ok(context)
}

fn project_text(context: &Context, resolution: &Resolution, report: &RunReport) -> Result<Option<String>, CliError> {
    let Resolution { catalog, selection, .. } = resolution;
    let absence = PruneGuard::new(report.is_unread(), catalog, resolution.crates());
    let absence = absence.in_scope(catalog::widest_scope(&context.settings));
    project_config::configuration(context, catalog, selection, &absence)
}

fn wanted_by_agents(context: &Context, resolution: &Resolution, outlook: &LockDiff, sweep: SyncScope) -> DesiredState {
    let Resolution { catalog, selection, trust, ledger, .. } = resolution;
    let (servers, handled) = catalog::with_facts(context, catalog, resolution.crates(), |facts| {
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
            wanted.warnings.extend(hidden(context.roots(), &context.project_agents(), ledger));
            let options = skill_options(context, &context.agents(), catalog, selection, &outlook.held, ledger);
            wanted.add_skills(&options, ledger);
            agents_md::add_index_block(context, resolution, &mut wanted);
        }
        SyncScope::User => {}
    }
    wanted.retain(sweep);
    wanted
}

/// Writes everything: first what agents read, then what hooks know. Gives back what could not be written.
fn carry_out(
    extent: SyncOptions<'_>,
    view: &mut SyncPlan,
    warnings: &mut Vec<String>,
    report: &mut RunReport,
) -> Result<Vec<Diagnostic>, CliError> {
    let context = &view.context;
    let ledger = &mut view.resolution.ledger;
    for event in std::mem::take(&mut view.wanted.events) {
        ledger.registered(event);
    }
    if let Some(root) = context.root().filter(|_| extent.sweep != SyncScope::User) {
        ledger.ran_in(root);
    }
    if context.options.audience.is_person() {
        ledger.say(context.root(), std::mem::take(&mut view.said_once));
    }
    hold_pinned(&context.git_cache(), context.root(), &view.resolution.catalog, &view.outlook);
    let mut failures = apply::apply(context, &mut view.comparison, &mut view.resolution.ledger)?;
    if extent.agent && !context.is_broken(Scope::User) {
        let updated = cargo_shim::update_link(context, &program_path::for_user(context).0);
        failures.extend(updated.err().map(|error| unlinked(&error)));
    }
    let mut plans = hook_plan::compile(context, &view.resolution);
    if extent.gone_guards == GoneGuards::ReleasedByPerson {
        let gone = kept_guards::find_gone(context.broken_configs.is_empty(), &plans);
        // An agent that removed a manifest does not end the hook by this.
        if !gone.is_empty() && shell_agent().is_none() {
            warnings.extend(kept_guards::release(&context.directories, context.root(), &gone));
            plans = hook_plan::compile(context, &view.resolution);
        }
    }
    failures.extend(hook_plan::write(context, &plans, report).err().and_then(unwritten));
    warnings.extend(plans.warnings);
    Ok(failures)
}

fn unlinked(error: &FsError) -> Diagnostic {
    let message = format!("Failed to make the link for `[cargo] shim`: {}", error.kind);
    Diagnostic::error(error.path.display().to_string(), message)
        .help("make the directory writable, and run the command again; until then agents run cargo itself")
}

fn unwritten(error: NotWritten) -> Option<Diagnostic> {
    match error {
        // What is wrong with it was shown.
        NotWritten::BrokenConfiguration(_) | NotWritten::ReleasedGuard(_) => None,
        NotWritten::File(error) => {
            let message = format!("Failed to write the hook plan: {}", error.kind);
            let help =
                "make the directory writable, and run the command again; until then every hook recompiles the plan";
            Some(Diagnostic::error(error.path.display().to_string(), message).help(help))
        }
    }
}

/// Keeps the copies that the lock names.
fn hold_pinned(cache: &GitCache, root: Option<&Path>, catalog: &Catalog, outlook: &LockDiff) {
    let Some(lock) = root.map(lock_path) else { return };
    for source in &catalog.sources {
        if let (SourceKind::Git { address, .. }, Some(SourcePin::Git { commit, .. })) =
            (&source.spec.kind, outlook.lock.pin(&source.spec.name))
        {
            cache.hold(address, commit, &lock);
        }
    }
}
