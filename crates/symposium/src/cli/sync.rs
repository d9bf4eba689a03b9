//! `symposium sync`: dependencies to extensions to toggles to what agents read.

use symposium_agents::spec;
use symposium_model::agent::AgentId;
use symposium_model::config::{FetchTrigger, Scope};
use symposium_model::sync::SyncScope;
use symposium_model::sync::diff::RemovedRulePolicy;

use super::args::{GlobalArgs, SyncArgs, WritingArgs};
use super::change_report::{self, ChangeReport, ReportDetail};
use super::change_summary::ChangeTense;
use super::install_step::{self, InstallConsent};
use super::session::{CliSession, FetchedSession};
use super::sync_notes;
use crate::error::{CliError, CommandExit};
use crate::ops::cargo_shim;
use crate::ops::context::Context;
use crate::ops::fetch;
use crate::ops::fetch_report::FetchReport;
use crate::ops::hook_plan;
use crate::ops::ledger_store::LedgerLock;
use crate::ops::load::FetchPolicy;
use crate::ops::lockfile::LockMode;
use crate::ops::lockfile_state::{LockfileState, PinPolicy};
use crate::ops::query::api;
use crate::ops::reconcile::PlannedChange;
use crate::ops::reconcile::committed_files::CommittedFiles;
use crate::ops::reconcile::compare::RestoreOptions;
use crate::ops::reconcile::lock_changes::VendorMode;
use crate::ops::sync::{GoneGuards, SyncOptions, SyncReport, SyncSources, WriteMode, run_sync, sync_after_change};
use crate::run_report::RunReport;
use crate::ui::printer::{OutputFormat, OutputPrinter};

pub(super) fn run(args: &SyncArgs, global: &GlobalArgs, printer: OutputPrinter) -> Result<CommandExit, CliError> {
    let options = sync_options(args)?;
    let policy = fetch_policy(args, global);
    let (mut session, held, sources) = match options.mode {
        WriteMode::Write => {
            let FetchedSession { session, held, sources } = CliSession::fetched(policy, false, printer, global)?;
            (session, Some(held), sources)
        }
        WriteMode::DryRun | WriteMode::Check => {
            let session = CliSession::logged(printer, global)?;
            policy.check_version(&session.context)?;
            let fetched = FetchReport { pins: policy.pins, ..FetchReport::default() };
            (session, None, SyncSources::Unread(fetched))
        }
    };
    if args.update && options.lock == LockMode::Update && matches!(session.context.lock, LockfileState::Absent) {
        printer.warning("There is no lockfile to update");
        printer.hint("run `symposium sync --lock` to create one");
    }
    if options.agent {
        mention_missing_agents(&session);
    }
    let (exit, synced) = synchronize(&mut session, options, Vec::new(), sources, ReportDetail::Each)?;
    if options.agent {
        mention_unserved_agents(&session);
    }
    if session.context.root().is_none() && printer.answer == OutputFormat::Human {
        printer.note("This directory is not part of a cargo workspace, so only your user settings were checked");
    }
    if args.vendor && !synced.vendors {
        printer.note("No source needs to be vendored: built-in sources and sources of the project are not copied");
    }
    if options.mode == WriteMode::Write {
        hook_plan::remove_deserted(&session.context.directories);
    }
    finish(session, held, args.writing, global, exit, synced)
}

/// Makes installations that a sync found to be missing, where a person is there or said yes.
pub(super) fn finish(
    session: CliSession,
    held: Option<LedgerLock>,
    writing: WritingArgs,
    global: &GlobalArgs,
    exit: CommandExit,
    synced: SyncReport,
) -> Result<CommandExit, CliError> {
    let SyncReport { fetched, missing_installations, .. } = synced;
    let consent = InstallConsent::from_call(writing.yes);
    let settle = |context: &Context, report: &mut RunReport| sync_after_change(context, fetched, report);
    let session = install_step::install(session, held, consent, global, &missing_installations, settle)?;
    Ok(session.exit(exit))
}

fn sync_options(args: &SyncArgs) -> Result<SyncOptions<'_>, CliError> {
    let agents_only = agents_only(args)?;
    let both = !args.workspace && !agents_only;
    Ok(SyncOptions {
        workspace: both || args.workspace,
        agent: both || agents_only || !args.restore.is_empty(),
        sweep: SyncScope::UserAndWorkspace,
        mode: match (args.check, args.writing.dry_run) {
            (true, _) => WriteMode::Check,
            (false, true) => WriteMode::DryRun,
            (false, false) => WriteMode::Write,
        },
        restore: RestoreOptions { skills: &args.restore, rules: RemovedRulePolicy::StayRemoved },
        lock: match (args.locked || args.frozen, args.lock || args.vendor) {
            (true, _) => LockMode::Locked,
            (false, true) => LockMode::Create,
            (false, false) => LockMode::Update,
        },
        vendoring: if args.vendor { VendorMode::Wanted } else { VendorMode::Update },
        committed: CommittedFiles::Written,
        gone_guards: GoneGuards::ReleasedByPerson,
    })
}

fn fetch_policy(args: &SyncArgs, global: &GlobalArgs) -> FetchPolicy {
    let trigger = if args.update { FetchTrigger::Asked } else { FetchTrigger::Command };
    let is_offline = super::is_offline(global) || args.frozen;
    let pins = if args.update { PinPolicy::Released } else { PinPolicy::Kept };
    FetchPolicy { trigger: (!is_offline).then_some(trigger), pins, writes_project: true }
}

/// Says so when there is no agent to install anything for.
pub(super) fn mention_missing_agents(CliSession { context, printer, .. }: &CliSession) {
    let is_known = context.knows_agents(Scope::User) && context.knows_agents(Scope::Project);
    if is_known && context.agents().is_empty() && printer.answer == OutputFormat::Human {
        printer.warning("No agent is configured, so only the project's configuration is updated");
        printer.hint("run `symposium init` to set up your agents");
    }
}

/// Says which of the user's agents get nothing here, because the project names others.
pub(super) fn mention_unserved_agents(CliSession { context, printer, .. }: &CliSession) {
    let unserved = context.unserved_agents();
    if unserved.is_empty() || printer.answer == OutputFormat::Json {
        return;
    }
    let quoted = |agents: &[AgentId]| agents.iter().map(|agent| format!("`{agent}`")).collect::<Vec<_>>().join(", ");
    let titles: Vec<&str> = unserved.iter().map(|agent| spec(*agent).title).collect();
    let verb = if titles.len() == 1 { "gets" } else { "get" };
    printer.note(&format!(
        "This project names {} in `[agent]`, so {} {verb} no skills here; to change that, add {} to `name` there",
        quoted(&context.project_agents()),
        titles.join(", "),
        quoted(&unserved)
    ));
}

/// Whether only what agents read is wanted. The old spelling of that switch is an agent's name everywhere else.
fn agents_only(args: &SyncArgs) -> Result<bool, CliError> {
    match args.agent.as_deref() {
        Some("") => Ok(true),
        Some(name) => Err(CliError::usage(format!("`sync` updates all of your agents and does not accept `{name}`"))
            .hint(format!(
                "run `symposium init --agent {name}` to add an agent; `--agents-only` updates only the files that \
                 agents read"
            ))),
        None => Ok(args.agents_only),
    }
}

/// Brings everything up to date, or shows the changes. A caller that writes holds the lock. `before` are changes that
/// the command has already made; they are part of its report.
pub(super) fn synchronize(
    session: &mut CliSession,
    options: SyncOptions<'_>,
    before: Vec<PlannedChange>,
    sources: SyncSources,
    detail: ReportDetail,
) -> Result<(CommandExit, SyncReport), CliError> {
    let done = session.run(|context, report| run_sync(context.clone(), options, before, sources, report))?;
    session.context = done.context.clone();
    if options.mode == WriteMode::Write && options.lock != LockMode::Locked {
        api::index_later(&session.context, done.cargo_root.as_deref());
    }
    show(session, &done, options.mode, detail);
    if let Some(notice) = cargo_shim::notice(&session.context) {
        session.printer.note(&notice);
    }
    let exit = match options.mode {
        WriteMode::Check if !done.comparison.actions.is_empty() => CommandExit::No,
        WriteMode::Write if fetch::misses_source(&done.context, &done.fetched) => CommandExit::Partial,
        WriteMode::Write | WriteMode::DryRun | WriteMode::Check => CommandExit::Ok,
    };
    Ok((exit, done))
}

fn show(session: &mut CliSession, done: &SyncReport, mode: WriteMode, detail: ReportDetail) {
    let printer = session.printer;
    let mut warnings = done.warnings.clone();
    match printer.answer {
        // Programs do not read what is said beside the document.
        OutputFormat::Json => warnings.extend(done.lost.iter().cloned()),
        OutputFormat::Human => {
            for name in &done.unchanged {
                printer.note(&format!("Skill `{name}` is already up to date with its source"));
            }
        }
    }
    let tense = match mode {
        WriteMode::Write => ChangeTense::Done,
        WriteMode::DryRun | WriteMode::Check => ChangeTense::Would,
    };
    let unread = done.is_partial || !done.lost.is_empty() || done.fetched.has_failures();
    let nothing = match (unread, session.context.root()) {
        (true, _) => "Everything that could be read is up to date.",
        (false, None) => "Your user settings are up to date.",
        (false, Some(_)) => "Everything is up to date.",
    };
    let lock = Some(&done.outlook);
    let report = ChangeReport { comparison: &done.comparison, lock, warnings: &warnings, tense, nothing, detail };
    change_report::show(session, &report);
    sync_notes::sources(printer, done);
    if mode == WriteMode::Write {
        sync_notes::all(printer, done);
    }
}
