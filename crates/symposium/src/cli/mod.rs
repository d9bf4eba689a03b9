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
mod plugin;
mod plugin_list;
mod plugin_sync;
#[cfg(test)]
mod reference;
mod report;
mod self_update;
mod settling;
mod skill;
mod start;
mod status;
pub(crate) mod sync;
mod sync_notes;
mod toggle;
mod trust;
mod uninstall;
mod why;

use std::ffi::OsString;
use std::process::ExitCode;

use anstream::ColorChoice;
use clap::FromArgMatches;
use serde::Serialize;

use self::args::{Cli, Color, Command, Global, HookCommand};
use self::toggle::What;
use symposium_io::env;
use symposium_io::lock::Lock;
use symposium_model::config::Occasion;

use crate::app::context::Context;
use crate::app::lock_file::Pins;
use crate::app::memory::Upkeep;
use crate::app::outcome::{More, Refreshed};
use crate::app::reading::Reading;
use crate::app::refresh;
use crate::app::sync::ledger_file;
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::finding::Row;
use crate::ui::printer::{Answer, Printer, Verbosity};

/// Parses the arguments and runs the command.
pub(crate) fn run(args: Vec<OsString>) -> ExitCode {
    let wants_document = args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json");
    let parsed = help::command().try_get_matches_from(args).and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to stdout with 0, mistakes to stderr with 2.
            let _ = error.print();
            if !error.use_stderr() {
                return Exit::Ok.into();
            }
            if wants_document {
                misuse(&error);
            }
            return Exit::Usage.into();
        }
    };
    if let Command::Hook(HookCommand::Event(words)) = &cli.command {
        return crate::answer_event(words);
    }
    let printer = printer(&cli);
    let exit = dispatch(cli, printer).unwrap_or_else(|error| error.report(printer));
    // However it ended: whoever asked for a document gets one.
    printer.close();
    exit.into()
}

/// A wrong command line, which clap has shown, for programs.
fn misuse(error: &clap::Error) {
    #[derive(Serialize)]
    struct Document {
        version: u32,
        errors: [Row; 1],
    }
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
    let (message, help) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut row = Row::error(message);
    if !help.is_empty() {
        row.add_help(help.trim_start());
    }
    let printer = Printer { verbosity: Verbosity::Normal, answer: Answer::Json, color: ColorChoice::Never };
    printer.json(&Document { version: 1, errors: [row] });
    printer.close();
}

fn printer(Cli { global, command }: &Cli) -> Printer {
    let verbosity = match (global.quiet, global.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, true) => Verbosity::Verbose,
        (false, false) => Verbosity::Normal,
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

fn dispatch(cli: Cli, printer: Printer) -> Result<Exit, CliError> {
    let global = cli.global;
    match cli.command {
        Command::Completions { shell } => Ok(generated::completions(shell, printer)),
        Command::Man => Ok(generated::manual(printer)),
        Command::Config(command) => {
            let context = Context::load(printer, &global.source)?;
            Ok(context.closing(config::run(&context, &command)))
        }
        Command::Skill(command) => skill::run(&command, printer),
        Command::Init(args) => init::run(&args, &global, printer),
        Command::Sync(args) => sync::run(&args, &global, printer),
        Command::On { names, writing } => toggle::run(What::Names(&names), true, writing, &global, printer),
        Command::Off { all: true, writing, .. } => toggle::run(What::All, false, writing, &global, printer),
        Command::Off { names, writing, .. } => toggle::run(What::Names(&names), false, writing, &global, printer),
        Command::Import(args) => import::run(&args, &global, printer),
        Command::Status => {
            let context = logged(printer, &global)?;
            Ok(context.closing(status::run(&context)))
        }
        Command::Doctor { agent } => {
            let context = Context::load(printer, &global.source)?;
            let network = if global.offline { doctor::Network::OffLimits } else { doctor::Network::Allowed };
            doctor::run(&context, &agent, network).map(|exit| context.closing(exit))
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
        Command::Hook(HookCommand::Test { plugin, agent }) => {
            hook_test::run(plugin.as_deref(), &agent, &global, printer)
        }
        // Answered before there was anything to print with.
        Command::Hook(HookCommand::Event(_)) => Ok(Exit::Ok),
        Command::Plugin(command) => plugin::run(&command, &global, printer),
    }
}

/// A context for a command that writes: nobody else of ours does until the lock is dropped, and what is read is what is
/// written to.
fn locked(printer: Printer, global: &Global) -> Result<(Context, Lock), CliError> {
    let lock = ledger_file::lock(&Context::directories_of_call()?)?;
    Ok((logged(printer, global)?, lock))
}

/// What a command that fetches wants of the sources.
#[derive(Debug, Clone, Copy)]
struct Wish {
    /// Why they are asked; without a reason nobody is.
    occasion: Option<Occasion>,
    /// Whether what the lock says of them counts.
    pins: Pins,
}

/// Everything a command that writes goes on from.
struct Ready {
    context: Context,
    held: Lock,
    /// What was read under the lock, if it was.
    reading: Option<Reading>,
}

/// So many times more is fetched because of what was fetched.
const ROUNDS: usize = 4;

/// Like [`locked`], with every source fetched before that is missing or old. Nobody has to wait for the lock meanwhile.
fn refreshed(printer: Printer, global: &Global) -> Result<(Context, Lock), CliError> {
    let wish = Wish { occasion: (!is_offline(global)).then_some(Occasion::Command), pins: Pins::Kept };
    refreshed_for(wish, printer, global).map(|ready| (ready.context, ready.held))
}

/// The same, for a reason of one's own. Which repositories plugins name is known only when everything is read, which is
/// done under the lock; to fetch them it is let go.
fn refreshed_for(wish: Wish, printer: Printer, global: &Global) -> Result<Ready, CliError> {
    // What is odd about the configuration is said once.
    let silent = Printer { verbosity: Verbosity::Silent, ..printer };
    let mut refreshed = Refreshed::default();
    if let Some(occasion) = wish.occasion {
        let context = Context::load(silent, &global.source)?;
        let due = refresh::due(&context, occasion);
        if !due.is_empty() {
            context.start_log();
            refreshed.outcomes = refresh::fetch(&context, &due, printer);
        }
        refreshed.more = More::Allowed(occasion);
    }
    let (mut context, mut held) = locked(printer, global)?;
    (context.refreshed, context.pins) = (refreshed, wish.pins);
    if wish.occasion.is_none() {
        return Ok(Ready { context, held, reading: None });
    }
    for _ in 0..ROUNDS {
        let reading = Reading::of(&mut context, Upkeep::Renew);
        let due = refresh::brought(&context, &reading.catalog, reading.crates());
        if due.is_empty() {
            return Ok(Ready { context, held, reading: Some(reading) });
        }
        drop(held);
        let outcomes = refresh::fetch(&context, &due, printer);
        let mut refreshed = std::mem::take(&mut context.refreshed);
        refreshed.outcomes.extend(outcomes);
        held = ledger_file::lock(&context.directories)?;
        // What others wrote meanwhile counts.
        context = Context::load(silent, &global.source)?;
        (context.printer, context.refreshed, context.pins) = (printer, refreshed, wish.pins);
    }
    Ok(Ready { context, held, reading: None })
}

/// Whether the person wants no network: for this call, or always.
fn is_offline(global: &Global) -> bool {
    global.offline || env::is_offline()
}

/// A context for a command that reads every source, which is worth a log.
fn logged(printer: Printer, global: &Global) -> Result<Context, CliError> {
    let context = Context::load(printer, &global.source)?;
    context.start_log();
    Ok(context)
}
