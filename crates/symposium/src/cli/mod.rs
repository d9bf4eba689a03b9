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
mod person;
mod plugin;
mod plugin_list;
mod plugin_sync;
#[cfg(test)]
mod reference;
mod report;
mod self_update;
mod skill;
mod start;
mod status;
mod sync;
mod sync_notes;
mod toggle;
mod trust;
mod uninstall;
mod why;

use std::borrow::Cow;
use std::ffi::OsString;
use std::process::ExitCode;

use anstream::ColorChoice;
use clap::FromArgMatches;
use serde::Serialize;

use self::args::{Cli, Color, Command, Global, HookCommand};
use symposium_io::env;
use symposium_model::scan;

use crate::app::begin;
use crate::app::context::Context;
use crate::app::switches::What;
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::finding::Row;
use crate::ui::printer::{Answer, Printer, Verbosity, last_words};

/// Parses the arguments and runs the command.
pub(crate) fn run(args: Vec<OsString>) -> ExitCode {
    let wants_document = args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json");
    let words = args.clone();
    let parsed = help::command().try_get_matches_from(args).and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to stdout with 0, mistakes to stderr with 2.
            if !error.use_stderr() {
                let _ = error.print();
                return Exit::Ok.into();
            }
            match cleaned(&words, &error) {
                Some(message) => last_words(&message),
                None => drop(error.print()),
            }
            if wants_document {
                misuse(&words, &error);
            }
            return Exit::Usage.into();
        }
    };
    if let Command::Hook(HookCommand::Event(words)) = &cli.command {
        return crate::answer_event(words);
    }
    let printer = printer(&cli);
    let exit = person::ensure_decides(&cli.command)
        .and_then(|()| dispatch(cli, printer))
        .unwrap_or_else(|error| error.report(printer));
    // However it ended: whoever asked for a document gets one.
    printer.close();
    exit.into()
}

/// What clap says of a wrong command line, each word of it in one line and without what nobody sees; `None` when that
/// changes nothing.
fn cleaned(words: &[OsString], error: &clap::Error) -> Option<String> {
    let said = error.render().to_string();
    let mut text = said.clone();
    for word in words.iter().filter_map(|word| word.to_str()) {
        if let Cow::Owned(line) = scan::one_line(word) {
            text = text.replace(word, &line);
        }
    }
    let text = scan::plain_lines(&text).into_owned();
    (text != said).then_some(text)
}

/// A wrong command line, which was shown, for programs.
fn misuse(words: &[OsString], error: &clap::Error) {
    #[derive(Serialize)]
    struct Document {
        version: u32,
        errors: [Row; 1],
    }
    let text = cleaned(words, error).unwrap_or_else(|| error.render().to_string());
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

/// Whether the person wants no network: for this call, or always.
fn is_offline(global: &Global) -> bool {
    global.offline || env::is_offline()
}

/// A context for a command that reads every source, which is worth a log.
fn logged(printer: Printer, global: &Global) -> Result<Context, CliError> {
    begin::logged(printer, &global.source)
}
