//! From the command line to the answer: one file for each command, none of them with a decision in it.

mod actions;
mod args;
mod config;
mod crate_info;
mod crate_source;
mod doctor;
mod generated;
mod help;
mod hook_list;
mod hook_log;
mod hook_test;
mod import;
mod init;
mod installing;
mod mcp;
mod misuse;
mod next_steps;
mod person;
mod plugin;
mod plugin_list;
mod plugin_new;
mod plugin_sync;
#[cfg(test)]
mod reference;
mod report;
mod self_update;
mod skill;
mod start;
mod state_text;
mod status;
mod sync;
mod sync_notes;
mod toggle;
mod trust;
mod uninstall;
mod why;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use anstream::ColorChoice;
use clap::FromArgMatches;
use symposium_io::env;
use symposium_model::agent::AgentId;

use self::args::{Cli, Color, Command, Global, HookCommand};
use self::hook_test::WithoutCases;

use crate::app::begin;
use crate::app::context::Context;
use crate::app::switches::What;
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::printer::{Answer, Printer, Verbosity};

/// Parses the arguments and runs the command.
pub(crate) fn run(args: Vec<OsString>) -> ExitCode {
    let wants_document = args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json");
    let words = args.clone();
    let program = args.first().cloned();
    let parsed = help::command().try_get_matches_from(args).and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return misuse::report(error, &words, wants_document).into(),
    };
    if let Command::Hook(HookCommand::Event(words)) = &cli.command {
        return crate::answer_event(words);
    }
    let printer = printer(&cli);
    let done = person::ensure_decides(&cli.command)
        .and_then(|()| cli.global.directory.as_deref().map_or(Ok(()), change_directory))
        .and_then(|()| dispatch(cli, program.as_deref(), printer));
    let exit = done.unwrap_or_else(|error| error.report(printer));
    // However it ended: whoever asked for a document gets one.
    printer.close();
    exit.into()
}

/// Goes where `-C` says.
fn change_directory(directory: &Path) -> Result<(), CliError> {
    env::change_dir(directory).map_err(|error| {
        CliError::usage(format!("Cannot change to the directory `{}`: {error}", directory.display()))
            .hint("give a directory that exists with `-C`")
    })
}

fn printer(Cli { global, command }: &Cli) -> Printer {
    let verbosity = match (global.quiet, global.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, 0) => Verbosity::Normal,
        (false, 1) => Verbosity::Verbose,
        (false, _) => Verbosity::WithLog,
    };
    let color = match global.color {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    // What the server says to its client is no document.
    let is_answered_otherwise = matches!(command, Command::Mcp { .. });
    let answer = if global.json && !is_answered_otherwise { Answer::Json } else { Answer::Human };
    Printer { verbosity, answer, color }
}

fn dispatch(cli: Cli, program: Option<&OsStr>, printer: Printer) -> Result<Exit, CliError> {
    let global = cli.global;
    match cli.command {
        Command::Completions { shell } => Ok(generated::completions(shell, program, printer)),
        Command::Man { command } => generated::manual(&command, printer),
        Command::Config(command) => {
            let context = Context::load(printer, &global.source)?;
            Ok(context.closing(config::run(&context, &command)))
        }
        Command::Skill(command) => skill::run(&command, printer),
        Command::Init(args) => init::run(&args, &global, printer),
        Command::Sync(args) => sync::run(&args, &global, printer),
        Command::On { all: true, writing, .. } => toggle::run(What::All, true, writing, &global, printer),
        Command::On { names, writing, .. } => toggle::run(What::Names(&names), true, writing, &global, printer),
        Command::Off { all: true, writing, .. } => toggle::run(What::All, false, writing, &global, printer),
        Command::Off { names, writing, .. } => toggle::run(What::Names(&names), false, writing, &global, printer),
        Command::Import(args) => import::run(&args, &global, printer),
        Command::Status => {
            let context = logged(printer, &global)?;
            Ok(context.closing(status::run(&context)))
        }
        Command::Doctor { names, agent } => {
            let named: Vec<AgentId> = names.into_iter().chain(agent).collect();
            let context = Context::load(printer, &global.source)?;
            let network = if global.offline { doctor::Network::OffLimits } else { doctor::Network::Allowed };
            Ok(context.closing(doctor::run(&context, named, network)))
        }
        Command::Trust(args) => trust::run(&args, &global, printer),
        Command::SelfUpdate(args) => self_update::run(&args, &global, printer),
        Command::Uninstall(args) => uninstall::run(&args, &global, printer),
        Command::Start => {
            let context = logged(printer, &global)?;
            Ok(context.closing(start::run(&context)))
        }
        Command::Mcp { directories } => mcp::run(directories.into(), global, printer),
        Command::Crate(args) => {
            let global = Global { source: crate_source::plugin_sources(&args), ..global };
            let context = logged(printer, &global)?;
            crate_info::run(&context, &args).map(|exit| context.closing(exit))
        }
        Command::Why { name } => {
            let context = logged(printer, &global)?;
            Ok(context.closing(why::run(&context, &name)))
        }
        Command::Hook(HookCommand::List) => {
            let context = logged(printer, &global)?;
            Ok(context.closing(hook_list::run(&context)))
        }
        Command::Hook(HookCommand::Log { limit }) => hook_log::run(limit, printer),
        Command::Hook(HookCommand::Test { plugin, agent, allow_empty }) => {
            let empty = if allow_empty { WithoutCases::Allowed } else { WithoutCases::Refused };
            hook_test::run(plugin.as_deref(), agent, empty, &global, printer)
        }
        // Answered before there was anything to print with.
        Command::Hook(HookCommand::Event(_)) => Ok(Exit::Ok),
        Command::Plugin(command) => plugin::run(&command, &global, printer),
    }
}

/// Whether the person wants no network: for this call, or always.
fn is_offline(global: &Global) -> bool {
    global.offline || env::is_offline()
}

/// A context for a command that reads every source and writes nothing.
fn logged(printer: Printer, global: &Global) -> Result<Context, CliError> {
    begin::logged(printer, &global.source)
}
