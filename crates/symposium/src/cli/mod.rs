//! From the command line to the answer: one file for each command, none of them with a decision in it.

mod api;
mod args;
mod cargo;
mod change_report;
mod change_summary;
#[cfg(test)]
mod command_reference;
mod completions;
mod config;
mod context;
mod crate_info;
mod crate_source;
mod diff;
mod doctor;
mod help;
mod hook_list;
mod hook_log;
mod hook_test;
mod import;
mod init;
mod install_step;
mod mcp;
mod next_steps;
mod person_check;
mod plugin;
mod plugin_index;
mod plugin_list;
mod plugin_new;
mod plugin_sync;
mod report;
mod search;
mod self_update;
mod session;
mod skill;
mod start;
mod state_text;
mod status;
mod sync;
mod sync_notes;
mod toggle;
mod trust;
mod uninstall;
mod usage_error;
mod welcome;
mod why;

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use anstream::ColorChoice;
use clap::FromArgMatches;
use symposium_model::agent::AgentId;

use self::args::{CliArgs, CliCommand, ColorMode, GlobalArgs, HookCommand};
use self::hook_test::WithoutCases;

use self::session::CliSession;
use crate::error::{CliError, CommandExit};
use crate::ops::cargo_run::CallName;
use crate::ops::environment;
use crate::ops::toggles::ToggleTarget;
use crate::ui::printer::{OutputFormat, OutputPrinter, VerbosityLevel};
use crate::ui::response::CommandResponse;

/// Runs `symposium cargo`, or this program under cargo's name. The arguments are cargo's, also those that Symposium has
/// itself.
pub(crate) fn run_cargo(arguments: &[OsString], name: CallName) -> ExitCode {
    let printer =
        OutputPrinter { verbosity: VerbosityLevel::Normal, answer: OutputFormat::Human, color: ColorChoice::Auto };
    cargo::run(arguments, name, printer)
}

/// Parses the arguments and runs the command.
pub(crate) fn run(args: Vec<OsString>) -> ExitCode {
    let wants_document = args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json");
    if let [_program] = args.as_slice()
        && let Some(exit) = welcome::run()
    {
        return exit.into();
    }
    let words = args.clone();
    let program = args.first().cloned();
    let parsed = help::command().try_get_matches_from(args).and_then(|matches| CliArgs::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return usage_error::report(error, &words, wants_document).into(),
    };
    if let CliCommand::Hook(HookCommand::Event(words)) = &cli.command {
        return crate::answer_event(words);
    }
    let printer = printer(&cli);
    let placed = person_check::ensure_decides(&cli.command)
        .and_then(|()| cli.global.directory.as_deref().map_or(Ok(()), environment::change_directory));
    if let (Ok(()), CliCommand::Cargo { arguments }) = (&placed, &cli.command) {
        return cargo::run(arguments, CallName::Symposium, printer);
    }
    let done = placed.and_then(|()| dispatch(cli, program.as_deref(), printer));
    let exit = done.unwrap_or_else(|error| CommandResponse::from(error).print(printer));
    // A caller that asked for a document gets one, even after an error.
    printer.close();
    exit.into()
}

fn printer(CliArgs { global, command }: &CliArgs) -> OutputPrinter {
    let verbosity = match (global.quiet, global.verbose) {
        (true, _) => VerbosityLevel::Quiet,
        (false, 0) => VerbosityLevel::Normal,
        (false, 1) => VerbosityLevel::Verbose,
        (false, _) => VerbosityLevel::WithLog,
    };
    let color = match global.color {
        ColorMode::Auto => ColorChoice::Auto,
        ColorMode::Always => ColorChoice::Always,
        ColorMode::Never => ColorChoice::Never,
    };
    // What the server says to its client is no document.
    let is_answered_otherwise = matches!(command, CliCommand::Mcp { .. });
    let answer = if global.json && !is_answered_otherwise { OutputFormat::Json } else { OutputFormat::Human };
    OutputPrinter { verbosity, answer, color }
}

fn dispatch(cli: CliArgs, program: Option<&OsStr>, printer: OutputPrinter) -> Result<CommandExit, CliError> {
    let global = cli.global;
    match cli.command {
        CliCommand::Completions { shell } => Ok(completions::completions(shell, program, printer)),
        CliCommand::Man { command } => completions::manual(&command, printer),
        CliCommand::Config(command) => {
            CliSession::load(printer, &global).map(|session| session.answer(|session| config::run(session, &command)))
        }
        CliCommand::Skill(command) => skill::run(&command, &global, printer),
        CliCommand::Init(args) => init::run(&args, &global, printer),
        CliCommand::Sync(args) => sync::run(&args, &global, printer),
        CliCommand::On { all: true, writing, .. } => toggle::run(ToggleTarget::All, true, writing, &global, printer),
        CliCommand::On { names, writing, .. } => {
            toggle::run(ToggleTarget::Names(&names), true, writing, &global, printer)
        }
        CliCommand::Off { all: true, writing, .. } => toggle::run(ToggleTarget::All, false, writing, &global, printer),
        CliCommand::Off { names, writing, .. } => {
            toggle::run(ToggleTarget::Names(&names), false, writing, &global, printer)
        }
        CliCommand::Import(args) => import::run(&args, &global, printer),
        CliCommand::Status => CliSession::logged(printer, &global).map(|session| session.answer(status::run)),
        CliCommand::Doctor { names, agent } => {
            let named: Vec<AgentId> = names.into_iter().chain(agent).collect();
            let network = if global.offline { doctor::NetworkUse::OffLimits } else { doctor::NetworkUse::Allowed };
            CliSession::load(printer, &global)
                .map(|session| session.answer(|session| doctor::run(session, named, network)))
        }
        CliCommand::Context { agent } => {
            CliSession::logged(printer, &global).map(|session| session.answer(|session| context::run(session, agent)))
        }
        CliCommand::Diff(args) => {
            let mut session = CliSession::unreported(printer, &global)?;
            diff::run(&mut session, &args).map(|exit| session.exit(exit))
        }
        CliCommand::Trust(args) => trust::run(&args, &global, printer),
        CliCommand::SelfUpdate(args) => self_update::run(&args, &global, printer),
        CliCommand::Uninstall(args) => uninstall::run(&args, &global, printer),
        CliCommand::Start => CliSession::logged(printer, &global).map(|session| session.answer(start::run)),
        CliCommand::Mcp { directories } => mcp::run(directories.into(), global, printer),
        CliCommand::Crate(args) => {
            let global = GlobalArgs { source: crate_source::plugin_sources(&args), ..global };
            let mut session = CliSession::logged(printer, &global)?;
            crate_info::run(&mut session, &args).map(|exit| session.exit(exit))
        }
        CliCommand::Api(args) => {
            let mut session = CliSession::logged(printer, &global)?;
            api::run(&mut session, &args).map(|exit| session.exit(exit))
        }
        CliCommand::Search { words } => {
            let mut session = CliSession::logged(printer, &global)?;
            search::run(&mut session, &words).map(|exit| session.exit(exit))
        }
        CliCommand::Why { name } => {
            CliSession::logged(printer, &global).map(|session| session.answer(|session| why::run(session, &name)))
        }
        CliCommand::Hook(HookCommand::List) => {
            CliSession::logged(printer, &global).map(|session| session.answer(hook_list::run))
        }
        CliCommand::Hook(HookCommand::Log { limit }) => hook_log::run(limit, printer),
        CliCommand::Hook(HookCommand::Test { plugin, agent, allow_empty }) => {
            let empty = if allow_empty { WithoutCases::Allowed } else { WithoutCases::Refused };
            hook_test::run(plugin.as_deref(), agent, empty, &global, printer)
        }
        // Answered before: the first by the hook, the other with cargo's own exit code.
        CliCommand::Hook(HookCommand::Event(_)) | CliCommand::Cargo { .. } => Ok(CommandExit::Ok),
        CliCommand::Plugin(command) => plugin::run(&command, &global, printer),
    }
}

/// Whether the person wants no network: for this call, or always.
fn is_offline(global: &GlobalArgs) -> bool {
    global.offline || environment::is_offline()
}
