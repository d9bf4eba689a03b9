//! `symposium init`: the user part, then the project part.

use std::io::IsTerminal;

use symposium_agents::spec;
use symposium_model::agent::AgentId;
use symposium_model::config::{FetchTrigger, Scope, SettingOrigin};
use symposium_model::sync::SyncScope;
use symposium_model::sync::diff::RemovedRulePolicy;

use super::args::{GlobalArgs, InitArgs, WritingArgs};
use super::change_report::ReportDetail;
use super::session::{CliSession, FetchedSession, call_options};
use super::sync::{mention_unserved_agents, synchronize};
use super::{install_step, next_steps};
use crate::error::{CliError, CommandExit};
use crate::ops::agent_config::{self, AgentChange};
use crate::ops::agent_detection;
use crate::ops::context::Context;
use crate::ops::fetch_report::FetchReport;
use crate::ops::load::FetchPolicy;
use crate::ops::lockfile_state::PinPolicy;
use crate::ops::reconcile::compare::RestoreOptions;
use crate::ops::sync::{SyncOptions, SyncReport, SyncSources, WriteMode};
use crate::ops::{fetch, required_version};
use crate::ui::printer::{OutputFormat, OutputPrinter, VerbosityLevel};
use crate::ui::prompt::{self, SetupAnswer};
use crate::ui::text::{StyledText, join_names, pad};

pub(super) fn run(args: &InitArgs, global: &GlobalArgs, printer: OutputPrinter) -> Result<CommandExit, CliError> {
    let parts = InitParts::new(args);
    let can_ask = std::io::stdin().is_terminal() && printer.answer == OutputFormat::Human;
    let asks = can_ask && !args.writing.yes && !args.writing.dry_run;
    if asks {
        printer.note("Nothing is written or fetched before you confirm the changes");
    }
    let InitAnswers { choice, project_agents } = match args.agent.as_slice() {
        [] if asks => ask(args, parts, printer, global)?,
        [] => AgentChoice::Usual.into(),
        named if args.only => AgentChoice::Exactly(named.to_vec()).into(),
        named => AgentChoice::Adding(named.to_vec()).into(),
    };
    if parts.user && matches!(&choice, AgentChoice::Exactly(agents) if agents.is_empty()) {
        printer.warning("No agent was selected; run `symposium init --agent NAME` to add one later");
    }
    let setup = InitOptions { parts, choice, project_agents, allows: args.allow, writing: args.writing };
    if args.writing.dry_run {
        let mut session = CliSession::logged(printer, global)?;
        let (exit, _) = setup.carry_out(&mut session, WriteMode::DryRun, FetchReport::default(), ReportDetail::Each)?;
        return Ok(session.exit(exit));
    }
    match (args.writing.yes, can_ask) {
        (true, _) => setup.write(ReportDetail::Each, global, printer),
        (false, true) => setup.offer("Do this?", global, printer),
        (false, false) => setup.refuse(global, printer),
    }
}

/// Offers to set up the agents that are configured or found, and this project.
pub(super) fn offer(question: &str, global: &GlobalArgs, printer: OutputPrinter) -> Result<CommandExit, CliError> {
    let setup = InitOptions {
        parts: InitParts { user: true, project: true },
        choice: AgentChoice::Usual,
        project_agents: Vec::new(),
        allows: false,
        writing: WritingArgs { dry_run: false, yes: false },
    };
    setup.offer(question, global, printer)
}

const ALLOWS_NOTHING: &str = "`--allow` has no effect: only Claude Code and Gemini CLI have rules for that, and your \
                              agents include neither";

const NO_PROJECT: &str = "This directory is not part of a cargo workspace, so there is no project to set up";

fn no_project() -> CliError {
    CliError::failed(NO_PROJECT).hint("run the command in a directory with a Cargo.toml")
}

/// The parts of the set-up that are done.
#[derive(Debug, Clone, Copy)]
struct InitParts {
    user: bool,
    project: bool,
}

impl InitParts {
    fn new(args: &InitArgs) -> Self {
        let both = args.user == args.project;
        Self { user: both || args.user, project: both || args.project }
    }
}

#[derive(Debug, Clone)]
enum AgentChoice {
    /// Those that are configured already, or else found.
    Usual,
    /// These besides those that are configured.
    Adding(Vec<AgentId>),
    Exactly(Vec<AgentId>),
}

/// The agents that the user chose at the prompts or on the command line.
struct InitAnswers {
    choice: AgentChoice,
    /// The agents of the project, where they are asked for beside the user's own.
    project_agents: Vec<AgentId>,
}

impl From<AgentChoice> for InitAnswers {
    fn from(choice: AgentChoice) -> Self {
        Self { choice, project_agents: Vec::new() }
    }
}

enum InitConsent {
    Given,
    /// There was nothing to agree to.
    NotNeeded(CommandExit),
}

struct InitOptions {
    parts: InitParts,
    choice: AgentChoice,
    project_agents: Vec<AgentId>,
    /// Whether agents may use Symposium's read-only commands without asking.
    allows: bool,
    writing: WritingArgs,
}

impl InitOptions {
    fn offer(mut self, question: &str, global: &GlobalArgs, printer: OutputPrinter) -> Result<CommandExit, CliError> {
        match self.agreed(question, global, printer)? {
            InitConsent::Given => self.write(ReportDetail::Counted, global, printer),
            InitConsent::NotNeeded(exit) => Ok(exit),
        }
    }

    /// Returns true if the user did not decide yet, and an agent of theirs has rules for commands.
    fn may_allow(&self, context: &Context) -> bool {
        let is_open = context.settings.allow_symposium.origin == SettingOrigin::Default;
        self.parts.user && is_open && !allowing_agents(&context.user_agents()).is_empty()
    }

    /// Shows the plan once more, without its notes.
    fn show(&self, detail: ReportDetail, global: &GlobalArgs, printer: OutputPrinter) -> Result<(), CliError> {
        let mut session = CliSession::logged(OutputPrinter::silent(), global)?;
        session.printer = OutputPrinter { verbosity: VerbosityLevel::Quiet, ..printer };
        self.carry_out(&mut session, WriteMode::Check, FetchReport::default(), detail)?;
        Ok(())
    }

    fn write(
        &self,
        detail: ReportDetail,
        global: &GlobalArgs,
        printer: OutputPrinter,
    ) -> Result<CommandExit, CliError> {
        // Nothing is made, not even a lock, for a project that is not there.
        let silent = OutputPrinter { verbosity: VerbosityLevel::Silent, ..printer };
        if !self.parts.user && Context::load(&call_options(silent, &global.source))?.root().is_none() {
            return Err(no_project());
        }
        let trigger = (!super::is_offline(global)).then_some(FetchTrigger::Command);
        let policy = FetchPolicy { trigger, pins: PinPolicy::Kept, writes_project: self.parts.project };
        let was_shown = detail == ReportDetail::Counted;
        let FetchedSession { mut session, held: _held, sources } =
            CliSession::fetched(policy, was_shown, printer, global)?;
        let fetched = sources.into_fetched();
        // The sources that were fetched after the yes may bring more than the plan showed.
        let is_counted = detail == ReportDetail::Counted;
        let detail = if is_counted && !fetched.outcomes.is_empty() { ReportDetail::ByAgent } else { detail };
        let (exit, synced) = self.carry_out(&mut session, WriteMode::Write, fetched, detail)?;
        install_step::name(printer, &synced.missing_installations);
        self.close(&session, &synced);
        Ok(session.exit(exit))
    }

    /// Shows what would be done and asks for it.
    fn agreed(&mut self, question: &str, global: &GlobalArgs, printer: OutputPrinter) -> Result<InitConsent, CliError> {
        let mut session = CliSession::logged(printer, global)?;
        let (exit, synced) =
            self.carry_out(&mut session, WriteMode::Check, FetchReport::default(), ReportDetail::ByAgent)?;
        if exit != CommandExit::No {
            self.close(&session, &synced);
            return Ok(InitConsent::NotNeeded(session.exit(CommandExit::Ok)));
        }
        if !super::is_offline(global) {
            printer.text(&would_fetch(&session.context));
        }
        // The agents that were found and shown are set up, and are named once.
        let agents = session.context.user_agents();
        if matches!(self.choice, AgentChoice::Usual) && self.parts.user && !agents.is_empty() {
            self.choice = AgentChoice::Adding(agents);
        }
        loop {
            let asking = allowing_agents(&session.context.user_agents());
            let offered = Some(asking.as_str()).filter(|_| !self.allows && self.may_allow(&session.context));
            match prompt::set_up(question, offered).map_err(|error| CliError::unanswered(&error))? {
                SetupAnswer::Agree => return Ok(InitConsent::Given),
                SetupAnswer::Refuse => return Err(CliError::no("Nothing was changed")),
                SetupAnswer::Show => self.show(ReportDetail::WithText, global, printer)?,
                SetupAnswer::Allow => {
                    self.allows = true;
                    let rules = "would be allowed to run `symposium start`, `crate` and `api` without asking you";
                    printer.text(&StyledText::default().line(format!("{asking} {rules}.")));
                    self.show(ReportDetail::ByAgent, global, printer)?;
                }
            }
        }
    }

    /// Ends a call that can ask no one: it is an error when there is anything to do.
    fn refuse(&self, global: &GlobalArgs, printer: OutputPrinter) -> Result<CommandExit, CliError> {
        let silent = OutputPrinter { verbosity: VerbosityLevel::Silent, ..printer };
        let check = |session: &mut CliSession| {
            self.carry_out(session, WriteMode::Check, FetchReport::default(), ReportDetail::Each)
        };
        if check(&mut CliSession::logged(silent, global)?)?.0 == CommandExit::No {
            return Err(CliError::usage("Nothing was changed: `init` needs confirmation")
                .hint("pass `--yes` to confirm, or `--dry-run` to show the changes"));
        }
        let mut session = CliSession::logged(printer, global)?;
        let (_, synced) = check(&mut session)?;
        self.close(&session, &synced);
        Ok(session.exit(CommandExit::Ok))
    }

    /// Does both parts, or shows what that would mean.
    fn carry_out(
        &self,
        session: &mut CliSession,
        mode: WriteMode,
        fetched: FetchReport,
        detail: ReportDetail,
    ) -> Result<(CommandExit, SyncReport), CliError> {
        if self.parts.project {
            required_version::check(&session.context)?;
        }
        let mut configured = Vec::new();
        for change in self.agent_changes(session)? {
            session.context = session.run(|context, report| {
                agent_config::configure(context.clone(), &change, mode, &mut configured, report)
            })?;
        }
        let is_first_plan = matches!(detail, ReportDetail::Each | ReportDetail::ByAgent);
        if self.allows && self.parts.user && is_first_plan && allowing_agents(&session.context.user_agents()).is_empty()
        {
            session.printer.warning(ALLOWS_NOTHING);
        }
        let has_project = session.context.root().is_some();
        if self.parts.project && !has_project {
            if !self.parts.user {
                return Err(no_project());
            }
            // Shown already, with what would be done.
            if detail == ReportDetail::Each {
                session.printer.note(NO_PROJECT);
            }
        }
        // Who allows them once more wants those rules too that they deleted by hand.
        let rules = if self.allows { RemovedRulePolicy::WriteAgain } else { RemovedRulePolicy::StayRemoved };
        let options = SyncOptions {
            restore: RestoreOptions { skills: &[], rules },
            workspace: self.parts.project && has_project,
            sweep: if self.parts.project { SyncScope::UserAndWorkspace } else { SyncScope::User },
            ..SyncOptions::everything(mode)
        };
        synchronize(session, options, configured, SyncSources::Unread(fetched), detail)
    }

    /// Returns the changes of both configurations: the user's agents, those of the project where some are chosen. Without
    /// a choice they are those that are configured or found.
    fn agent_changes(&self, session: &CliSession) -> Result<Vec<AgentChange>, CliError> {
        let scope = if self.parts.user { Scope::User } else { Scope::Project };
        let mut changes = match &self.choice {
            // A project without agents of its own is one that chooses none.
            AgentChoice::Exactly(agents) if agents.is_empty() && !self.parts.user => Vec::new(),
            AgentChoice::Exactly(agents) => {
                vec![AgentChange { scope, agents: agents.clone(), keeps_others: false, allows_symposium: self.allows }]
            }
            AgentChoice::Adding(agents) => {
                vec![AgentChange { scope, agents: agents.clone(), keeps_others: true, allows_symposium: self.allows }]
            }
            AgentChoice::Usual if self.parts.user => {
                let agents = usual_agents(session, self.writing)?;
                // That none was found is no choice of the person's.
                let change = (!agents.is_empty()).then_some(AgentChange {
                    scope,
                    agents,
                    keeps_others: true,
                    allows_symposium: self.allows,
                });
                change.into_iter().collect()
            }
            AgentChoice::Usual => {
                if session.context.root().is_some() && session.context.project_agents().is_empty() {
                    session.printer.note(
                        "The project names no agents, so each user's own agents are used; pass `--agent NAME` to name \
                         some",
                    );
                }
                Vec::new()
            }
        };
        if self.parts.user && !self.project_agents.is_empty() {
            let agents = self.project_agents.clone();
            changes.push(AgentChange { scope: Scope::Project, agents, keeps_others: false, allows_symposium: false });
        }
        Ok(changes)
    }

    /// Says what to try next.
    fn close(&self, session: &CliSession, synced: &SyncReport) {
        if self.parts.project {
            mention_unserved_agents(session);
        }
        if session.printer.answer == OutputFormat::Human {
            let project = (self.parts.project && session.context.root().is_some()).then_some(&synced.coverage);
            session.printer.aside(&next_steps::text(session, project));
        }
    }
}

/// The sources that are fetched once there is a yes.
fn would_fetch(context: &Context) -> StyledText {
    fetch::due(context, FetchTrigger::Command).iter().fold(StyledText::default(), |text, spec| {
        let Some(address) = spec.kind.shown_address() else { return text };
        text.plain(pad("would fetch", 14)).plain(&spec.name).dim(format!("  from {address}")).end()
    })
}

/// Asks which agents to serve: those of the user, of whom the configured or found ones are selected already, and with
/// `--project` those of the project where it has none yet.
fn ask(
    args: &InitArgs,
    parts: InitParts,
    printer: OutputPrinter,
    global: &GlobalArgs,
) -> Result<InitAnswers, CliError> {
    // Warnings about the configuration are printed once, by the context that is used.
    let silent = OutputPrinter { verbosity: VerbosityLevel::Silent, ..printer };
    let context = Context::load(&call_options(silent, &global.source))?;
    let found = agent_detection::agents(context.home.as_deref());
    let agents_of_project = || {
        if args.project && context.root().is_some() && context.project_agents().is_empty() {
            prompt::project_agents(&found).map(Some)
        } else {
            Ok(None)
        }
    };
    let answers = || {
        if !parts.user {
            return Ok(agents_of_project()?.map_or(AgentChoice::Usual, AgentChoice::Exactly).into());
        }
        let choice = AgentChoice::Exactly(prompt::agents(&preselected(&context), &found)?);
        Ok(InitAnswers { choice, project_agents: agents_of_project()?.unwrap_or_default() })
    };
    answers().map_err(|error: std::io::Error| CliError::unanswered(&error))
}

/// Names the user's agents that have rules by which they use Symposium without asking.
fn allowing_agents(agents: &[AgentId]) -> String {
    let agents = agents.iter().filter(|agent| spec(**agent).allow.is_some());
    join_names(&agents.map(|agent| spec(*agent).title).collect::<Vec<_>>())
}

/// The agents that are configured already, or else found on this machine. To have chosen none is a choice too.
fn preselected(context: &Context) -> Vec<AgentId> {
    if context.user_chose_agents() { context.user_agents() } else { agent_detection::agents(context.home.as_deref()) }
}

fn usual_agents(
    CliSession { context, printer, .. }: &CliSession,
    writing: WritingArgs,
) -> Result<Vec<AgentId>, CliError> {
    let preselected = preselected(context);
    if context.user_chose_agents() {
        if preselected.is_empty() {
            let message = "Your configuration names no agent; run `symposium init --agent NAME` to add one";
            printer.warning(message);
        }
        return Ok(preselected);
    }
    if preselected.is_empty() && !writing.yes {
        let why =
            if writing.dry_run { "a dry run does not ask questions" } else { "there is no terminal for questions" };
        let error = CliError::usage(format!("No agent was found on this machine, and {why}"));
        return Err(error.hint("name one with `--agent`, or pass `--yes` to continue without an agent"));
    }
    if preselected.is_empty() {
        printer.warning("No agent was found on this machine; run `symposium init --agent NAME` to add one later");
    } else {
        let titles: Vec<&str> = preselected.iter().map(|agent| spec(*agent).title).collect();
        let message = format!("Found {}; pass `--agent NAME --only` to select other agents", titles.join(", "));
        printer.note(&message);
    }
    Ok(preselected)
}
