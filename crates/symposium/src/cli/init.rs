//! `symposium init`: the user part, then the project part.

use std::io::IsTerminal;

use symposium_agents::spec;
use symposium_edit::set_agents;
use symposium_model::agent::AgentId;
use symposium_model::config::Scope;
use symposium_model::nearest::nearest;

use super::args::{Global, InitArgs};
use super::sync::{Extent, Mode, synchronize};
use crate::app::context::Context;
use crate::app::detect;
use crate::app::sync::sweep::Sweep;
use crate::app::sync::{Action, Comparison, Step, apply, ledger_file};
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::printer::{Answer, Printer, Verbosity};
use crate::ui::prompt;

/// Runs the command.
pub(super) fn run(args: &InitArgs, global: &Global, printer: Printer) -> Result<Exit, CliError> {
    let named = parse_agents(&args.agent)?;
    let both = args.user == args.project;
    let mode = if args.writing.dry_run { Mode::DryRun } else { Mode::Write };
    let asks = !args.writing.yes && std::io::stdin().is_terminal() && printer.answer == Answer::Human;
    let user_part = both || args.user;
    // Nobody has to wait for the lock while a person thinks.
    let asked = if asks && user_part && named.is_empty() { Some(ask(printer, global)?) } else { None };
    let (mut context, _held) = match mode {
        Mode::Write => super::refreshed(printer, global).map(|(context, lock)| (context, Some(lock)))?,
        Mode::DryRun | Mode::Check => (super::logged(printer, global)?, None),
    };
    let mut configured = Vec::new();
    if user_part {
        let agents = match asked {
            Some(agents) => agents,
            None => choose(&context, &named, args.writing.yes)?,
        };
        configured.extend(configure(&mut context, Scope::User, &agents, mode)?);
    } else if !named.is_empty() {
        configured.extend(configure(&mut context, Scope::Project, &named, mode)?);
    }
    let project = both || args.project;
    if project && context.root().is_none() {
        let message = "This directory is not part of a cargo workspace, so there is no project to set up";
        if args.project {
            return Err(CliError::failed(message).hint("change to a directory with a Cargo.toml"));
        }
        context.printer.note(message);
    }
    let in_project = project && context.root().is_some();
    let exit = synchronize(
        &mut context,
        Extent {
            workspace: in_project,
            agent: true,
            sweep: if project { Sweep::UserAndWorkspace } else { Sweep::User },
            mode,
            restore: &[],
        },
        configured,
    )?;
    if mode == Mode::Write && printer.answer == Answer::Human {
        let undo = if in_project { "symposium uninstall" } else { "symposium uninstall --user" };
        context.printer.note(&format!("`{undo}` takes all of this back; `symposium status` shows what is installed"));
    }
    Ok(context.closing(exit))
}

pub(super) fn parse_agents(names: &[String]) -> Result<Vec<AgentId>, CliError> {
    let mut agents = Vec::new();
    for name in names {
        let Some(agent) = AgentId::parse(name) else {
            let known = AgentId::names();
            let error = CliError::usage(format!("Unknown agent `{name}`"));
            return Err(match nearest(name, &known) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error.hint(format!("known: {}", known.join(", "))),
            });
        };
        if !agents.contains(&agent) {
            agents.push(agent);
        }
    }
    Ok(agents)
}

/// Asks which agents to serve; those configured, or found on this machine, are selected already.
fn ask(printer: Printer, global: &Global) -> Result<Vec<AgentId>, CliError> {
    // What is odd about the configuration is said once, by the context that is used.
    let silent = Printer { verbosity: Verbosity::Silent, ..printer };
    let preselected = preselected(&Context::load(silent, &global.source)?);
    prompt::agents(&preselected).map_err(|error| CliError::failed(format!("Failed to ask: {error}")))
}

/// The agents that are configured already, or else found on this machine.
fn preselected(context: &Context) -> Vec<AgentId> {
    let configured = context.user_agents();
    if configured.is_empty() { detect::agents(context.home.as_deref()) } else { configured }
}

/// The agents to serve without asking.
fn choose(context: &Context, named: &[AgentId], yes: bool) -> Result<Vec<AgentId>, CliError> {
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    let preselected = preselected(context);
    if preselected.is_empty() && !yes {
        let error = CliError::usage("No agent was found on this machine, and nobody is there to ask");
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
    if context.broken_configs.iter().any(|(broken, _)| *broken == scope) {
        return Err(CliError::failed("The configuration cannot be understood, so it is not written")
            .hint("mend it first; the line is shown above"));
    }
    let (path, current, workspace) = match scope {
        Scope::User => (context.directories.config_file(), context.user_text(), None),
        Scope::Project => {
            let Some(root) = context.root().map(std::path::Path::to_owned) else { return Ok(None) };
            (root.join(".symposium/config.toml"), context.project_text(), Some(root))
        }
    };
    let names: Vec<&str> = agents.iter().map(|agent| agent.name()).collect();
    let start = current.clone().unwrap_or_default();
    let text = set_agents(&start, &names).map_err(|error| {
        CliError::failed(format!("{}: {error}", path.display())).hint("mend the file, and run the command again")
    })?;
    if current.as_deref() == Some(text.as_str()) {
        return Ok(None);
    }
    let step = Step::Configure { text: text.clone(), expected: current };
    let action = Action { path, agents: Vec::new(), extension: None, workspace, step };
    let mut comparison = Comparison { actions: vec![action], ..Comparison::default() };
    if mode == Mode::Write {
        let mut ledger = ledger_file::read_to_write(context)?;
        let failures = apply::apply(context, &mut comparison, &mut ledger)?;
        context.report(&failures);
    }
    context.assume(scope, &text);
    Ok(comparison.actions.pop())
}
