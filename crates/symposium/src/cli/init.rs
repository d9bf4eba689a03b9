//! `symposium init`: the user part, then the project part.

use std::io::IsTerminal;

use symposium_agents::spec;
use symposium_edit::{EditError, add_agents, set_agents};
use symposium_model::agent::AgentId;
use symposium_model::config::{Occasion, Scope, SourceKind};

use super::args::{Global, InitArgs, WritingArgs};
use super::installing;
use super::next_steps;
use super::sync::{Synced, mention_unserved_agents, synchronize};
use crate::app::begin::{self, Wish};
use crate::app::context::{Context, Telling};
use crate::app::detect;
use crate::app::in_step::{self, Extent, Mode};
use crate::app::lock_file::Pins;
use crate::app::sync::Action;
use crate::app::sync::sweep::Sweep;
use crate::app::{refresh, required_version};
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::printer::{Answer, Printer, Verbosity};
use crate::ui::prompt;
use crate::ui::text::{Text, pad};

/// Runs the command.
pub(super) fn run(args: &InitArgs, global: &Global, printer: Printer) -> Result<Exit, CliError> {
    let parts = Parts::new(args);
    let can_ask = std::io::stdin().is_terminal() && printer.answer == Answer::Human;
    let asks = can_ask && !args.writing.yes && !args.writing.dry_run;
    if asks {
        printer.note("Nothing is written or fetched before you have seen it and agreed");
    }
    let Answers { choice, project_agents } = match args.agent.as_slice() {
        [] if asks => ask(parts, printer, global)?,
        [] => Choice::Usual.into(),
        named if args.only => Choice::Exactly(named.to_vec()).into(),
        named => Choice::Adding(named.to_vec()).into(),
    };
    if parts.user && matches!(&choice, Choice::Exactly(agents) if agents.is_empty()) {
        printer.warning("No agent was chosen; `symposium init --agent NAME` adds one later");
    }
    let setup = Setup { parts, choice, project_agents, writing: args.writing };
    if args.writing.dry_run {
        let mut context = super::logged(printer, global)?;
        let synced = setup.carry_out(&mut context, Mode::DryRun)?;
        return Ok(context.closing(synced.exit));
    }
    let telling = match (args.writing.yes, can_ask) {
        (true, _) => Telling::Each,
        (false, true) => match setup.agreed(global, printer)? {
            Agreement::Given => Telling::Counted,
            Agreement::NotNeeded(exit) => return Ok(exit),
        },
        (false, false) => return setup.refuse(global, printer),
    };
    // Nothing is made, not even a lock, for a project that is not there.
    let silent = Printer { verbosity: Verbosity::Silent, ..printer };
    if !parts.user && Context::load(silent, &global.source)?.root().is_none() {
        return Err(no_project());
    }
    let occasion = (!super::is_offline(global)).then_some(Occasion::Command);
    let was_shown = telling == Telling::Counted;
    let wish = Wish { occasion, pins: Pins::Kept, writes_project: parts.project, was_shown };
    let ready = begin::refreshed(wish, printer, &global.source)?;
    let (mut context, _held) = (ready.context, ready.held);
    // What was fetched after the yes may bring more than was shown before it.
    context.telling = if context.refreshed.outcomes.is_empty() { telling } else { Telling::Each };
    let synced = setup.carry_out(&mut context, Mode::Write)?;
    installing::name(&context, &context.unmade);
    setup.close(&context, &synced);
    Ok(context.closing(synced.exit))
}

const NO_PROJECT: &str = "This directory is not part of a cargo workspace, so there is no project to set up";

fn no_project() -> CliError {
    CliError::failed(NO_PROJECT).hint("change to a directory with a Cargo.toml")
}

/// The parts of the set-up that are done.
#[derive(Debug, Clone, Copy)]
struct Parts {
    user: bool,
    project: bool,
}

impl Parts {
    fn new(args: &InitArgs) -> Self {
        let both = args.user == args.project;
        Self { user: both || args.user, project: both || args.project }
    }
}

/// Which agents are set up.
#[derive(Debug, Clone)]
enum Choice {
    /// Those that are configured already, or else found.
    Usual,
    /// These besides those that are configured.
    Adding(Vec<AgentId>),
    /// These and no others.
    Exactly(Vec<AgentId>),
}

/// What was answered, or said beforehand.
struct Answers {
    choice: Choice,
    /// The agents of the project, where they are asked for beside the user's own.
    project_agents: Vec<AgentId>,
}

impl From<Choice> for Answers {
    fn from(choice: Choice) -> Self {
        Self { choice, project_agents: Vec::new() }
    }
}

/// What became of the question whether to go on.
enum Agreement {
    Given,
    /// There was nothing to agree to, or the answer was no.
    NotNeeded(Exit),
}

/// What a call sets up.
struct Setup {
    parts: Parts,
    choice: Choice,
    project_agents: Vec<AgentId>,
    writing: WritingArgs,
}

impl Setup {
    /// Shows what would be done and asks for it.
    fn agreed(&self, global: &Global, printer: Printer) -> Result<Agreement, CliError> {
        let mut context = super::logged(printer, global)?;
        let synced = self.carry_out(&mut context, Mode::Check)?;
        if synced.exit != Exit::No {
            self.close(&context, &synced);
            return Ok(Agreement::NotNeeded(context.closing(Exit::Ok)));
        }
        if !super::is_offline(global) {
            printer.text(&would_fetch(&context));
        }
        if prompt::agree("Do this?").map_err(|error| unanswered(&error))? {
            return Ok(Agreement::Given);
        }
        printer.note("Nothing was changed");
        Ok(Agreement::NotNeeded(Exit::Ok))
    }

    /// Ends a call that can ask no one: it is an error when there is anything to do.
    fn refuse(&self, global: &Global, printer: Printer) -> Result<Exit, CliError> {
        let silent = Printer { verbosity: Verbosity::Silent, ..printer };
        if self.carry_out(&mut super::logged(silent, global)?, Mode::Check)?.exit == Exit::No {
            return Err(CliError::usage("Nothing was changed: setting up needs a yes")
                .hint("pass `--yes`; `--dry-run` shows what would be done"));
        }
        let mut context = super::logged(printer, global)?;
        let synced = self.carry_out(&mut context, Mode::Check)?;
        self.close(&context, &synced);
        Ok(context.closing(Exit::Ok))
    }

    /// Does both parts, or shows what that would mean.
    fn carry_out(&self, context: &mut Context, mode: Mode) -> Result<Synced, CliError> {
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
            if context.telling == Telling::Each {
                context.printer.note(NO_PROJECT);
            }
        }
        let extent = Extent {
            workspace: self.parts.project && context.root().is_some(),
            sweep: if self.parts.project { Sweep::UserAndWorkspace } else { Sweep::User },
            ..Extent::everything(mode)
        };
        synchronize(context, extent, configured, None)
    }

    /// Writes the user's agents; without a choice, those that are configured or found.
    fn configure_user(&self, context: &mut Context, mode: Mode) -> Result<Option<Action>, CliError> {
        match &self.choice {
            Choice::Exactly(agents) => configure(context, Scope::User, agents, set_agents, mode),
            Choice::Adding(agents) => configure(context, Scope::User, agents, add_agents, mode),
            Choice::Usual => {
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
    fn configure_project(&self, context: &mut Context, mode: Mode) -> Result<Option<Action>, CliError> {
        match &self.choice {
            Choice::Exactly(agents) if agents.is_empty() => Ok(None),
            Choice::Exactly(agents) => configure(context, Scope::Project, agents, set_agents, mode),
            Choice::Adding(agents) => configure(context, Scope::Project, agents, add_agents, mode),
            Choice::Usual => {
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
    fn close(&self, context: &Context, synced: &Synced) {
        if self.parts.project {
            mention_unserved_agents(context);
        }
        if context.printer.answer == Answer::Human {
            let project = (self.parts.project && context.root().is_some()).then_some(&synced.coverage);
            context.printer.aside(&next_steps::text(context, project));
        }
    }
}

/// The sources that are fetched once there is a yes.
fn would_fetch(context: &Context) -> Text {
    refresh::due(context, Occasion::Command).iter().fold(Text::default(), |text, spec| match &spec.kind {
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
fn ask(parts: Parts, printer: Printer, global: &Global) -> Result<Answers, CliError> {
    // What is odd about the configuration is said once, by the context that is used.
    let silent = Printer { verbosity: Verbosity::Silent, ..printer };
    let context = Context::load(silent, &global.source)?;
    let found = detect::agents(context.home.as_deref());
    let agents_of_project = || {
        if parts.project && context.root().is_some() && context.project_agents().is_empty() {
            prompt::project_agents(&found).map(Some)
        } else {
            Ok(None)
        }
    };
    let answers = || {
        if !parts.user {
            return Ok(agents_of_project()?.map_or(Choice::Usual, Choice::Exactly).into());
        }
        let choice = Choice::Exactly(prompt::agents(&preselected(&context), &found)?);
        Ok(Answers { choice, project_agents: agents_of_project()?.unwrap_or_default() })
    };
    answers().map_err(|error: std::io::Error| unanswered(&error))
}

/// The agents that are configured already, or else found on this machine. To have chosen none is a choice too.
fn preselected(context: &Context) -> Vec<AgentId> {
    if context.user_chose_agents() { context.user_agents() } else { detect::agents(context.home.as_deref()) }
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
    mode: Mode,
) -> Result<Option<Action>, CliError> {
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
    in_step::configure(context, scope, &text, mode)
}
