//! `symposium init`: the user part, then the project part.

use std::io::IsTerminal;

use symposium_agents::spec;
use symposium_edit::set_agents;
use symposium_io::lock::Lock;
use symposium_model::agent::AgentId;
use symposium_model::config::{Occasion, Scope};
use symposium_model::nearest::advice;

use super::args::{Global, InitArgs, WritingArgs};
use super::installing;
use super::sync::synchronize;
use crate::app::begin::{self, Wish};
use crate::app::context::{Context, Telling};
use crate::app::detect;
use crate::app::in_step::{self, Extent, Mode};
use crate::app::lock_file::Pins;
use crate::app::sync::sweep::Sweep;
use crate::app::sync::{Action, ledger_file};
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::printer::{Answer, Printer, Verbosity};
use crate::ui::prompt;
use crate::ui::text::{Text, pad};

/// Runs the command.
pub(super) fn run(args: &InitArgs, global: &Global, printer: Printer) -> Result<Exit, CliError> {
    let named = parse_agents(&args.agent)?;
    let mode = if args.writing.dry_run { Mode::DryRun } else { Mode::Write };
    let may_ask = !args.writing.yes && mode == Mode::Write;
    let asks = may_ask && std::io::stdin().is_terminal() && printer.answer == Answer::Human;
    if asks {
        printer.note("Nothing is written before you have seen it and agreed");
    }
    // Nobody has to wait for the lock while a person thinks.
    let asked = if asks && named.is_empty() { ask(parts(args), printer, global)? } else { None };
    if parts(args).user && asked.as_ref().is_some_and(Vec::is_empty) {
        printer.warning("No agent was chosen; `symposium init --agent NAME` adds one later");
    }
    let chosen = asked.as_deref().unwrap_or(&named);
    let (mut context, _held) = match mode {
        Mode::Write if asks => match agreed(args, chosen, global, printer)? {
            Some(lock) => {
                // What is odd was said when the actions were shown.
                let mut context = super::logged(Printer { verbosity: Verbosity::Silent, ..printer }, global)?;
                context.printer = printer;
                context.telling = Telling::Counted;
                (context, Some(lock))
            }
            None => return Ok(Exit::Ok),
        },
        Mode::Write => refreshed(printer, global).map(|(context, lock)| (context, Some(lock)))?,
        Mode::DryRun | Mode::Check => (super::logged(printer, global)?, None),
    };
    let exit = carry_out(&mut context, args, asked, &named, mode)?;
    installing::name(&context, &context.unmade);
    if mode == Mode::Write && printer.answer == Answer::Human {
        context.printer.aside(&closing(&context, parts(args)));
    }
    Ok(context.closing(exit))
}

/// Fetches what is missing or old, and takes the lock.
fn refreshed(printer: Printer, global: &Global) -> Result<(Context, Lock), CliError> {
    let occasion = (!super::is_offline(global)).then_some(Occasion::Command);
    let ready = begin::refreshed(Wish { occasion, pins: Pins::Kept }, printer, &global.source)?;
    Ok((ready.context, ready.held))
}

/// A question without an answer: somebody left, or there is no terminal to ask on after all.
fn unanswered(error: &std::io::Error) -> CliError {
    match error.kind() {
        std::io::ErrorKind::Interrupted => CliError::no("Stopped; nothing was changed"),
        _ => CliError::failed(format!("Failed to ask: {error}")),
    }
}

/// What of the two parts is done.
#[derive(Debug, Clone, Copy)]
struct Parts {
    user: bool,
    project: bool,
}

fn parts(args: &InitArgs) -> Parts {
    let both = args.user == args.project;
    Parts { user: both || args.user, project: both || args.project }
}

/// Shows what would be done and asks for it; gives back the lock to do it under, or `None` when nothing is to be done.
fn agreed(args: &InitArgs, chosen: &[AgentId], global: &Global, printer: Printer) -> Result<Option<Lock>, CliError> {
    let (mut context, lock) = refreshed(printer, global)?;
    drop(lock);
    let pending = carry_out(&mut context, args, Some(chosen.to_vec()), chosen, Mode::Check)? == Exit::No;
    if !pending {
        printer.aside(&closing(&context, parts(args)));
        return Ok(None);
    }
    if !prompt::agree("Do this?").map_err(|error| unanswered(&error))? {
        printer.note("Nothing was changed");
        return Ok(None);
    }
    ledger_file::lock(&Context::directories_of_call()?).map(Some)
}

/// Does both parts, or shows what that would mean.
fn carry_out(
    context: &mut Context,
    args: &InitArgs,
    asked: Option<Vec<AgentId>>,
    named: &[AgentId],
    mode: Mode,
) -> Result<Exit, CliError> {
    let parts = parts(args);
    let mut configured = Vec::new();
    if parts.user {
        let agents = match asked {
            Some(agents) => agents,
            None => choose(context, named, args.writing)?,
        };
        configured.extend(configure(context, Scope::User, &agents, mode)?);
    } else {
        let agents = asked.as_deref().unwrap_or(named);
        if !agents.is_empty() {
            configured.extend(configure(context, Scope::Project, agents, mode)?);
        } else if asked.is_none() && context.root().is_some() && context.project_agents().is_empty() {
            context
                .printer
                .note("The project chooses no agents, so everybody's own count; `--agent NAME` chooses some");
        }
    }
    if parts.project && context.root().is_none() {
        let message = "This directory is not part of a cargo workspace, so there is no project to set up";
        if args.project {
            return Err(CliError::failed(message).hint("change to a directory with a Cargo.toml"));
        }
        // Shown already, with what would be done.
        if context.telling == Telling::Each {
            context.printer.note(message);
        }
    }
    let extent = Extent {
        workspace: parts.project && context.root().is_some(),
        sweep: if parts.project { Sweep::UserAndWorkspace } else { Sweep::User },
        ..Extent::everything(mode)
    };
    synchronize(context, extent, configured, None)
}

/// What to try next, and how to take it back.
fn closing(context: &Context, parts: Parts) -> Text {
    let in_project = parts.project && context.root().is_some();
    let mut text = Text::default().end().heading("Next");
    if in_project && !context.agents().is_empty() && !context.is_partial() {
        text = text.line("  start your agent in this directory; it knows the skills of your crates");
    }
    let undo = if in_project { "symposium uninstall" } else { "symposium uninstall --user" };
    for (command, what) in [
        ("symposium status", "what is on, where it comes from, who has it"),
        ("symposium doctor", "whether each agent will read it"),
        (undo, "everything as it was before"),
    ] {
        text = text.strong(format!("  {}", pad(command, 28))).line(what);
    }
    text
}

pub(super) fn parse_agents(names: &[String]) -> Result<Vec<AgentId>, CliError> {
    let mut agents = Vec::new();
    for name in names {
        let Some(agent) = AgentId::parse(name) else {
            let known = AgentId::names();
            let help = advice(name, &known, || format!("known: {}", known.join(", ")));
            return Err(CliError::usage(format!("Unknown agent `{name}`")).hint(help));
        };
        if !agents.contains(&agent) {
            agents.push(agent);
        }
    }
    Ok(agents)
}

/// Asks which agents to serve: those of the user, of whom the configured or found ones are selected already, or those of
/// the project where it has none yet.
fn ask(parts: Parts, printer: Printer, global: &Global) -> Result<Option<Vec<AgentId>>, CliError> {
    // What is odd about the configuration is said once, by the context that is used.
    let silent = Printer { verbosity: Verbosity::Silent, ..printer };
    let context = Context::load(silent, &global.source)?;
    let found = detect::agents(context.home.as_deref());
    let answer = if parts.user {
        prompt::agents(&preselected(&context), &found)
    } else if context.root().is_some() && context.project_agents().is_empty() {
        prompt::project_agents(&found)
    } else {
        return Ok(None);
    };
    answer.map(Some).map_err(|error| unanswered(&error))
}

/// The agents that are configured already, or else found on this machine.
fn preselected(context: &Context) -> Vec<AgentId> {
    let configured = context.user_agents();
    if configured.is_empty() { detect::agents(context.home.as_deref()) } else { configured }
}

/// The agents to serve without asking.
fn choose(context: &Context, named: &[AgentId], writing: WritingArgs) -> Result<Vec<AgentId>, CliError> {
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    let preselected = preselected(context);
    if preselected.is_empty() && !writing.yes {
        let why = if writing.dry_run { "a dry run does not ask" } else { "nobody is there to ask" };
        let error = CliError::usage(format!("No agent was found on this machine, and {why}"));
        return Err(error.hint("name one with `--agent`, or pass `--yes` to go on without any"));
    }
    if preselected.is_empty() {
        context.printer.warning("No agent was found on this machine; `symposium init --agent NAME` adds one later");
    } else if context.user_agents().is_empty() {
        let titles: Vec<&str> = preselected.iter().map(|agent| spec(*agent).title).collect();
        context.printer.note(&format!("Found {}; `--agent NAME` chooses otherwise", titles.join(", ")));
    }
    Ok(preselected)
}

/// Writes the agents into a configuration file, if they are not there already; gives back what was done.
fn configure(context: &mut Context, scope: Scope, agents: &[AgentId], mode: Mode) -> Result<Option<Action>, CliError> {
    if context.is_broken(scope) {
        return Err(CliError::failed("The configuration cannot be understood, so it is not written")
            .hint("mend it first; the line is shown above"));
    }
    let Some(path) = context.config_file(scope) else { return Ok(None) };
    let current = match scope {
        Scope::User => context.user_text(),
        Scope::Project => context.project_text(),
    };
    let names: Vec<&str> = agents.iter().map(|agent| agent.name()).collect();
    let text = set_agents(&current.unwrap_or_default(), &names).map_err(|error| {
        CliError::failed(format!("{}: {error}", path.display())).hint("mend the file, and run the command again")
    })?;
    in_step::configure(context, scope, &text, mode)
}
