//! `symposium init`: the user part, then the project part.

use std::io::IsTerminal;

use symposium_agents::spec;
use symposium_edit::{EditError, add_agents, set_agents};
use symposium_model::agent::AgentId;
use symposium_model::config::{FetchTrigger, Scope, SourceKind};
use symposium_model::sync::SyncScope;

use super::args::{GlobalArgs, InitArgs, WritingArgs};
use super::install_step;
use super::next_steps;
use super::sync::{SyncResult, mention_unserved_agents, synchronize};
use crate::ops::agent_detection;
use crate::ops::context::{Context, ReportDetail};
use crate::ops::load::{self, FetchWish};
use crate::ops::lockfile_state::PinPolicy;
use crate::ops::reconcile::PlannedChange;
use crate::ops::sync::{self, SyncOptions, WriteMode};
use crate::ops::{fetch, required_version};
use crate::ui::error::CliError;
use crate::ui::exit::CommandExit;
use crate::ui::printer::{OutputFormat, Printer, Verbosity};
use crate::ui::prompt;
use crate::ui::text::{StyledText, pad};

pub(super) fn run(args: &InitArgs, global: &GlobalArgs, printer: Printer) -> Result<CommandExit, CliError> {
    let parts = InitParts::new(args);
    let can_ask = std::io::stdin().is_terminal() && printer.answer == OutputFormat::Human;
    let asks = can_ask && !args.writing.yes && !args.writing.dry_run;
    if asks {
        printer.note("Nothing is written or fetched before you have seen it and agreed");
    }
    let Answers { choice, project_agents } = match args.agent.as_slice() {
        [] if asks => ask(parts, printer, global)?,
        [] => AgentChoice::Usual.into(),
        named if args.only => AgentChoice::Exactly(named.to_vec()).into(),
        named => AgentChoice::Adding(named.to_vec()).into(),
    };
    if parts.user && matches!(&choice, AgentChoice::Exactly(agents) if agents.is_empty()) {
        printer.warning("No agent was chosen; `symposium init --agent NAME` adds one later");
    }
    let setup = InitOptions { parts, choice, project_agents, writing: args.writing };
    if args.writing.dry_run {
        let mut context = super::logged(printer, global)?;
        let synced = setup.carry_out(&mut context, WriteMode::DryRun)?;
        return Ok(context.closing(synced.exit));
    }
    let telling = match (args.writing.yes, can_ask) {
        (true, _) => ReportDetail::Each,
        (false, true) => match setup.agreed(global, printer)? {
            InitConsent::Given => ReportDetail::Counted,
            InitConsent::NotNeeded(exit) => return Ok(exit),
        },
        (false, false) => return setup.refuse(global, printer),
    };
    // Nothing is made, not even a lock, for a project that is not there.
    let silent = Printer { verbosity: Verbosity::Silent, ..printer };
    if !parts.user && Context::load(silent, &global.source)?.root().is_none() {
        return Err(no_project());
    }
    let occasion = (!super::is_offline(global)).then_some(FetchTrigger::Command);
    let was_shown = telling == ReportDetail::Counted;
    let wish = FetchWish { occasion, pins: PinPolicy::Kept, writes_project: parts.project, was_shown };
    let ready = load::refreshed(wish, printer, &global.source)?;
    let (mut context, _held) = (ready.context, ready.held);
    // What was fetched after the yes may bring more than was shown before it.
    context.telling = if context.refreshed.outcomes.is_empty() { telling } else { ReportDetail::Each };
    let synced = setup.carry_out(&mut context, WriteMode::Write)?;
    install_step::name(&context, &context.unmade);
    setup.close(&context, &synced);
    Ok(context.closing(synced.exit))
}

const NO_PROJECT: &str = "This directory is not part of a cargo workspace, so there is no project to set up";

fn no_project() -> CliError {
    CliError::failed(NO_PROJECT).hint("change to a directory with a Cargo.toml")
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

/// Which agents are set up.
#[derive(Debug, Clone)]
enum AgentChoice {
    /// Those that are configured already, or else found.
    Usual,
    /// These besides those that are configured.
    Adding(Vec<AgentId>),
    Exactly(Vec<AgentId>),
}

/// What was answered, or said beforehand.
struct Answers {
    choice: AgentChoice,
    /// The agents of the project, where they are asked for beside the user's own.
    project_agents: Vec<AgentId>,
}

impl From<AgentChoice> for Answers {
    fn from(choice: AgentChoice) -> Self {
        Self { choice, project_agents: Vec::new() }
    }
}

/// What became of the question whether to go on.
enum InitConsent {
    Given,
    /// There was nothing to agree to, or the answer was no.
    NotNeeded(CommandExit),
}

/// What a call sets up.
struct InitOptions {
    parts: InitParts,
    choice: AgentChoice,
    project_agents: Vec<AgentId>,
    writing: WritingArgs,
}

impl InitOptions {
    /// Shows what would be done and asks for it.
    fn agreed(&self, global: &GlobalArgs, printer: Printer) -> Result<InitConsent, CliError> {
        let mut context = super::logged(printer, global)?;
        let synced = self.carry_out(&mut context, WriteMode::Check)?;
        if synced.exit != CommandExit::No {
            self.close(&context, &synced);
            return Ok(InitConsent::NotNeeded(context.closing(CommandExit::Ok)));
        }
        if !super::is_offline(global) {
            printer.text(&would_fetch(&context));
        }
        if prompt::agree("Do this?").map_err(|error| unanswered(&error))? {
            return Ok(InitConsent::Given);
        }
        printer.note("Nothing was changed");
        Ok(InitConsent::NotNeeded(CommandExit::Ok))
    }

    /// Ends a call that can ask no one: it is an error when there is anything to do.
    fn refuse(&self, global: &GlobalArgs, printer: Printer) -> Result<CommandExit, CliError> {
        let silent = Printer { verbosity: Verbosity::Silent, ..printer };
        if self.carry_out(&mut super::logged(silent, global)?, WriteMode::Check)?.exit == CommandExit::No {
            return Err(CliError::usage("Nothing was changed: setting up needs a yes")
                .hint("pass `--yes`; `--dry-run` shows what would be done"));
        }
        let mut context = super::logged(printer, global)?;
        let synced = self.carry_out(&mut context, WriteMode::Check)?;
        self.close(&context, &synced);
        Ok(context.closing(CommandExit::Ok))
    }

    /// Does both parts, or shows what that would mean.
    fn carry_out(&self, context: &mut Context, mode: WriteMode) -> Result<SyncResult, CliError> {
        if self.parts.project {
            required_version::check(context)?;
        }
        let mut configured = Vec::new();
        if self.parts.user {
            configured.extend(self.configure_user(context, mode)?);
            if !self.project_agents.is_empty() {
                configured.extend(configure(context, Scope::Project, &self.project_agents, set_agents, mode)?);
            }
        } else {
            configured.extend(self.configure_project(context, mode)?);
        }
        if self.parts.project && context.root().is_none() {
            if !self.parts.user {
                return Err(no_project());
            }
            // Shown already, with what would be done.
            if context.telling == ReportDetail::Each {
                context.printer.note(NO_PROJECT);
            }
        }
        let extent = SyncOptions {
            workspace: self.parts.project && context.root().is_some(),
            sweep: if self.parts.project { SyncScope::UserAndWorkspace } else { SyncScope::User },
            ..SyncOptions::everything(mode)
        };
        synchronize(context, extent, configured, None)
    }

    /// Writes the user's agents; without a choice, those that are configured or found.
    fn configure_user(&self, context: &mut Context, mode: WriteMode) -> Result<Option<PlannedChange>, CliError> {
        match &self.choice {
            AgentChoice::Exactly(agents) => configure(context, Scope::User, agents, set_agents, mode),
            AgentChoice::Adding(agents) => configure(context, Scope::User, agents, add_agents, mode),
            AgentChoice::Usual => {
                let agents = usual_agents(context, self.writing)?;
                // That none was found is no choice of the person's.
                if agents.is_empty() {
                    return Ok(None);
                }
                configure(context, Scope::User, &agents, add_agents, mode)
            }
        }
    }

    /// Writes the project's agents, where some are chosen.
    fn configure_project(&self, context: &mut Context, mode: WriteMode) -> Result<Option<PlannedChange>, CliError> {
        match &self.choice {
            AgentChoice::Exactly(agents) if agents.is_empty() => Ok(None),
            AgentChoice::Exactly(agents) => configure(context, Scope::Project, agents, set_agents, mode),
            AgentChoice::Adding(agents) => configure(context, Scope::Project, agents, add_agents, mode),
            AgentChoice::Usual => {
                if context.root().is_some() && context.project_agents().is_empty() {
                    context
                        .printer
                        .note("The project chooses no agents, so each person's own count; `--agent NAME` chooses some");
                }
                Ok(None)
            }
        }
    }

    /// Says what to try next.
    fn close(&self, context: &Context, synced: &SyncResult) {
        if self.parts.project {
            mention_unserved_agents(context);
        }
        if context.printer.answer == OutputFormat::Human {
            let project = (self.parts.project && context.root().is_some()).then_some(&synced.coverage);
            context.printer.aside(&next_steps::text(context, project));
        }
    }
}

/// The sources that are fetched once there is a yes.
fn would_fetch(context: &Context) -> StyledText {
    fetch::due(context, FetchTrigger::Command).iter().fold(StyledText::default(), |text, spec| match &spec.kind {
        SourceKind::Git { address, .. } => {
            text.plain(pad("would fetch", 14)).plain(&spec.name).dim(format!("  from {}", address.shown())).end()
        }
        SourceKind::Embedded | SourceKind::UserPlugins(_) | SourceKind::Path(_) | SourceKind::Crate(_) => text,
    })
}

/// A question without an answer: the person left, or there is no terminal to ask on after all.
fn unanswered(error: &std::io::Error) -> CliError {
    match error.kind() {
        std::io::ErrorKind::Interrupted => CliError::no("Stopped; nothing was changed"),
        _ => CliError::failed(format!("Failed to ask: {error}")),
    }
}

/// Asks which agents to serve: those of the user, of whom the configured or found ones are selected already, and those
/// of the project where it has none yet.
fn ask(parts: InitParts, printer: Printer, global: &GlobalArgs) -> Result<Answers, CliError> {
    // What is odd about the configuration is said once, by the context that is used.
    let silent = Printer { verbosity: Verbosity::Silent, ..printer };
    let context = Context::load(silent, &global.source)?;
    let found = agent_detection::agents(context.home.as_deref());
    let agents_of_project = || {
        if parts.project && context.root().is_some() && context.project_agents().is_empty() {
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
        Ok(Answers { choice, project_agents: agents_of_project()?.unwrap_or_default() })
    };
    answers().map_err(|error: std::io::Error| unanswered(&error))
}

/// The agents that are configured already, or else found on this machine. To have chosen none is a choice too.
fn preselected(context: &Context) -> Vec<AgentId> {
    if context.user_chose_agents() { context.user_agents() } else { agent_detection::agents(context.home.as_deref()) }
}

/// The agents to serve without asking.
fn usual_agents(context: &Context, writing: WritingArgs) -> Result<Vec<AgentId>, CliError> {
    let preselected = preselected(context);
    if context.user_chose_agents() {
        if preselected.is_empty() {
            let message = "Your configuration chooses no agent; `symposium init --agent NAME` adds one";
            context.printer.warning(message);
        }
        return Ok(preselected);
    }
    if preselected.is_empty() && !writing.yes {
        let why = if writing.dry_run { "a dry run does not ask" } else { "there is no terminal to ask on" };
        let error = CliError::usage(format!("No agent was found on this machine, and {why}"));
        return Err(error.hint("name one with `--agent`, or pass `--yes` to go on without any"));
    }
    if preselected.is_empty() {
        context.printer.warning("No agent was found on this machine; `symposium init --agent NAME` adds one later");
    } else {
        let titles: Vec<&str> = preselected.iter().map(|agent| spec(*agent).title).collect();
        let message = format!("Found {}; `--agent NAME --only` chooses otherwise", titles.join(", "));
        context.printer.note(&message);
    }
    Ok(preselected)
}

/// Changes the agents of a configuration file by `edit`; gives back what was done, if anything had to be.
fn configure(
    context: &mut Context,
    scope: Scope,
    agents: &[AgentId],
    edit: fn(&str, &[&str]) -> Result<String, EditError>,
    mode: WriteMode,
) -> Result<Option<PlannedChange>, CliError> {
    if context.is_broken(scope) {
        return Err(CliError::failed("The configuration cannot be understood, so it is not written")
            .hint("fix it first; the line is shown above"));
    }
    let Some(path) = context.config_file(scope) else { return Ok(None) };
    let current = match scope {
        Scope::User => context.user_text(),
        Scope::Project => context.project_text(),
    };
    let names: Vec<&str> = agents.iter().map(|agent| agent.name()).collect();
    let text = edit(&current.unwrap_or_default(), &names).map_err(|error| {
        CliError::failed(format!("{}: {error}", path.display())).hint("fix the file, and run the command again")
    })?;
    sync::configure(context, scope, &text, mode)
}
