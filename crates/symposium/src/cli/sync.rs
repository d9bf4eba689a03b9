//! `symposium sync`: dependencies to extensions to toggles to what agents read.

use symposium_agents::spec;
use symposium_io::fs;
use symposium_model::agent::AgentId;
use symposium_model::config::{FetchTrigger, Scope};
use symposium_model::sync::SyncScope;

use super::args::{GlobalArgs, SyncArgs};
use super::change_report::{self, ChangeReport, ChangeTense};
use super::install_step::{self, InstallConsent};
use super::{person_check, sync_notes};
use crate::ops::context::Context;
use crate::ops::fetch;
use crate::ops::guidance::SkillCoverage;
use crate::ops::hook_plan;
use crate::ops::load::{self, FetchWish};
use crate::ops::lockfile::LockMode;
use crate::ops::lockfile_state::{LockfileState, PinPolicy, vendor_directory};
use crate::ops::reconcile::PlannedChange;
use crate::ops::reconcile::committed_files::CommittedFiles;
use crate::ops::reconcile::lock_changes::VendorMode;
use crate::ops::required_version;
use crate::ops::resolution::WorkspaceReading;
use crate::ops::sync::{GoneGuards, SyncOptions, SyncReport, WriteMode, bring_in_step, settle_all};
use crate::ui::error::CliError;
use crate::ui::exit::CommandExit;
use crate::ui::printer::{OutputFormat, Printer};

pub(super) fn run(args: &SyncArgs, global: &GlobalArgs, printer: Printer) -> Result<CommandExit, CliError> {
    let agents_only = agents_only(args)?;
    let both = !args.workspace && !agents_only;
    let is_offline = super::is_offline(global) || args.frozen;
    let lock = match (args.locked || args.frozen, args.lock || args.vendor) {
        (true, _) => LockMode::Exact,
        (false, true) => LockMode::Made,
        (false, false) => LockMode::InStep,
    };
    let mode = match (args.check, args.writing.dry_run) {
        (true, _) => WriteMode::Check,
        (false, true) => WriteMode::DryRun,
        (false, false) => WriteMode::Write,
    };
    let pins = if args.update { PinPolicy::Released } else { PinPolicy::Kept };
    let (mut context, held, reading) = match mode {
        WriteMode::Write => {
            let occasion = if args.update { FetchTrigger::Asked } else { FetchTrigger::Command };
            let occasion = (!is_offline).then_some(occasion);
            let wish = FetchWish { occasion, pins, writes_project: true, was_shown: false };
            let ready = load::refreshed(wish, printer, &global.source)?;
            (ready.context, Some(ready.held), ready.reading)
        }
        WriteMode::DryRun | WriteMode::Check => {
            let context = super::logged(printer, global)?;
            required_version::check(&context)?;
            (context, None, None)
        }
    };
    context.pins = pins;
    let extent = SyncOptions {
        workspace: both || args.workspace,
        agent: both || agents_only || !args.restore.is_empty(),
        sweep: SyncScope::UserAndWorkspace,
        mode,
        restore: &args.restore,
        lock,
        vendoring: if args.vendor { VendorMode::Wanted } else { VendorMode::InStep },
        committed: CommittedFiles::Written,
        // An agent that removed a manifest does not get rid of the hook by this.
        gone_guards: if person_check::agent().is_none() { GoneGuards::Released } else { GoneGuards::Kept },
    };
    if args.update && lock == LockMode::InStep && matches!(context.lock, LockfileState::Absent) {
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
    if context.root().is_none() && context.printer.answer == OutputFormat::Human {
        context
            .printer
            .note("This directory is not part of a cargo workspace, so only your own settings were looked at");
    }
    if args.vendor && !synced.vendors {
        context.printer.note("No source has to be copied: what is built in or part of the project is not vendored");
    }
    if mode == WriteMode::Write {
        hook_plan::remove_deserted(&context.directories);
    }
    install_step::finish(context, held, InstallConsent::from_call(args.writing.yes), global, synced.exit, settle_all)
}

/// Says so when there is no agent to install anything for.
pub(super) fn mention_missing_agents(context: &Context) {
    let is_known = context.knows_agents(Scope::User) && context.knows_agents(Scope::Project);
    if is_known && context.agents().is_empty() && context.printer.answer == OutputFormat::Human {
        context.printer.warning("No agent is configured, so only the project's own file is kept up to date");
        context.printer.hint("`symposium init` sets up the agents you use");
    }
}

/// Says which of the user's agents get nothing here, because the project names others.
pub(super) fn mention_unserved_agents(context: &Context) {
    let unserved = context.unserved_agents();
    if unserved.is_empty() || context.printer.answer == OutputFormat::Json {
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
pub(super) struct SyncResult {
    pub(super) exit: CommandExit,
    /// How many of the dependencies have skills.
    pub(super) coverage: SkillCoverage,
    /// Whether sources are, or would be, copied into the project.
    pub(super) vendors: bool,
}

/// Brings everything up to date, or shows what that would mean. Whoever writes holds the lock. `before` is what the
/// command has done already and belongs into its report; `reading` is what it has read already.
pub(super) fn synchronize(
    context: &mut Context,
    extent: SyncOptions<'_>,
    before: Vec<PlannedChange>,
    reading: Option<WorkspaceReading>,
) -> Result<SyncResult, CliError> {
    let done = bring_in_step(context, extent, before, reading)?;
    show(context, &done, extent.mode);
    let exit = match extent.mode {
        WriteMode::Check if !done.comparison.actions.is_empty() => CommandExit::No,
        WriteMode::Write if fetch::misses_source(context) => CommandExit::Partial,
        WriteMode::Write | WriteMode::DryRun | WriteMode::Check => CommandExit::Ok,
    };
    let vendors = context.root().map(vendor_directory).is_some_and(|vendored| {
        fs::is_dir(&vendored) || done.comparison.actions.iter().any(|action| action.path.starts_with(&vendored))
    });
    Ok(SyncResult { exit, coverage: done.coverage, vendors })
}

fn show(context: &Context, done: &SyncReport, mode: WriteMode) {
    let mut warnings = done.warnings.clone();
    match context.printer.answer {
        // Programs do not read what is said beside the document.
        OutputFormat::Json => warnings.extend(done.lost.iter().cloned()),
        OutputFormat::Human => {
            for name in &done.unchanged {
                context.printer.note(&format!("Skill `{name}` is as its source says already"));
            }
        }
    }
    let tense = match mode {
        WriteMode::Write => ChangeTense::Done,
        WriteMode::DryRun | WriteMode::Check => ChangeTense::Would,
    };
    let unread = context.is_partial() || !done.lost.is_empty() || context.refreshed.has_failures();
    let nothing = match (unread, context.root()) {
        (true, _) => "Everything that could be read is up to date.",
        (false, None) => "Your own settings are up to date.",
        (false, Some(_)) => "Everything is up to date.",
    };
    let lock = Some(&done.outlook);
    let report = ChangeReport { comparison: &done.comparison, lock, warnings: &warnings, tense, nothing };
    change_report::show(context, &report);
    sync_notes::sources(context, done);
    if mode == WriteMode::Write {
        sync_notes::all(context, done);
    }
}
