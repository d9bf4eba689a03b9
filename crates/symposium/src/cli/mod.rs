//! From the command line to the answer: one file for each command, none of them with a decision in it.

mod args;
mod change_report;
#[cfg(test)]
mod command_reference;
mod completions;
mod config;
mod crate_info;
mod crate_source;
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
mod plugin_list;
mod plugin_new;
mod plugin_sync;
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
mod usage_error;
mod why;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use anstream::ColorChoice;
use clap::FromArgMatches;
use symposium_io::env;
use symposium_model::agent::AgentId;

use self::args::{CliArgs, CliCommand, ColorMode, GlobalArgs, HookCommand};
use self::hook_test::WithoutCases;

use crate::ops::context::Context;
use crate::ops::load;
use crate::ops::toggles::ToggleTarget;
use crate::ui::error::CliError;
use crate::ui::exit::CommandExit;
use crate::ui::printer::{OutputFormat, Printer, Verbosity};

/// Parses the arguments and runs the command.
pub(crate) fn run(args: Vec<OsString>) -> ExitCode {
    let wants_document = args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json");
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
    let done = person_check::ensure_decides(&cli.command)
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

fn printer(CliArgs { global, command }: &CliArgs) -> Printer {
    let verbosity = match (global.quiet, global.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, 0) => Verbosity::Normal,
        (false, 1) => Verbosity::Verbose,
        (false, _) => Verbosity::WithLog,
    };
    let color = match global.color {
        ColorMode::Auto => ColorChoice::Auto,
        ColorMode::Always => ColorChoice::Always,
        ColorMode::Never => ColorChoice::Never,
    };
    // What the server says to its client is no document.
    let is_answered_otherwise = matches!(command, CliCommand::Mcp { .. });
    let answer = if global.json && !is_answered_otherwise { OutputFormat::Json } else { OutputFormat::Human };
    Printer { verbosity, answer, color }
}

fn dispatch(cli: CliArgs, program: Option<&OsStr>, printer: Printer) -> Result<CommandExit, CliError> {
    let global = cli.global;
    match cli.command {
        CliCommand::Completions { shell } => Ok(completions::completions(shell, program, printer)),
        CliCommand::Man { command } => completions::manual(&command, printer),
        CliCommand::Config(command) => {
            let context = Context::load(printer, &global.source)?;
            Ok(context.closing(config::run(&context, &command)))
        }
        CliCommand::Skill(command) => skill::run(&command, printer),
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
        CliCommand::Status => {
            let context = logged(printer, &global)?;
            Ok(context.closing(status::run(&context)))
        }
        CliCommand::Doctor { names, agent } => {
            let named: Vec<AgentId> = names.into_iter().chain(agent).collect();
            let context = Context::load(printer, &global.source)?;
            let network = if global.offline { doctor::NetworkUse::OffLimits } else { doctor::NetworkUse::Allowed };
            Ok(context.closing(doctor::run(&context, named, network)))
        }
        CliCommand::Trust(args) => trust::run(&args, &global, printer),
        CliCommand::SelfUpdate(args) => self_update::run(&args, &global, printer),
        CliCommand::Uninstall(args) => uninstall::run(&args, &global, printer),
        CliCommand::Start => {
            let context = logged(printer, &global)?;
            Ok(context.closing(start::run(&context)))
        }
        CliCommand::Mcp { directories } => mcp::run(directories.into(), global, printer),
        CliCommand::Crate(args) => {
            let global = GlobalArgs { source: crate_source::plugin_sources(&args), ..global };
            let context = logged(printer, &global)?;
            crate_info::run(&context, &args).map(|exit| context.closing(exit))
        }
        CliCommand::Why { name } => {
            let context = logged(printer, &global)?;
            Ok(context.closing(why::run(&context, &name)))
        }
        CliCommand::Hook(HookCommand::List) => {
            let context = logged(printer, &global)?;
            Ok(context.closing(hook_list::run(&context)))
        }
        CliCommand::Hook(HookCommand::Log { limit }) => hook_log::run(limit, printer),
        CliCommand::Hook(HookCommand::Test { plugin, agent, allow_empty }) => {
            let empty = if allow_empty { WithoutCases::Allowed } else { WithoutCases::Refused };
            hook_test::run(plugin.as_deref(), agent, empty, &global, printer)
        }
        // Answered before there was anything to print with.
        CliCommand::Hook(HookCommand::Event(_)) => Ok(CommandExit::Ok),
        CliCommand::Plugin(command) => plugin::run(&command, &global, printer),
    }
}

/// Whether the person wants no network: for this call, or always.
fn is_offline(global: &GlobalArgs) -> bool {
    global.offline || env::is_offline()
}

/// A context for a command that reads every source and writes nothing.
fn logged(printer: Printer, global: &GlobalArgs) -> Result<Context, CliError> {
    load::logged(printer, &global.source)
}
