//! `symposium self-update`: how this program was installed, and the command that brings a newer one.

use std::io::IsTerminal;

use semver::Version;
use serde::Serialize;
use symposium_model::update::{InstallMethod, UpdateCommand};

use super::args::{GlobalArgs, SelfUpdateArgs};
use super::is_offline;
use crate::error::{CliError, CommandExit};
use crate::ops::context::Context;
use crate::ops::query::update;
use crate::ui::printer::{OutputFormat, OutputPrinter};
use crate::ui::prompt;
use crate::ui::text::StyledText;

const OURS: &str = env!("CARGO_PKG_VERSION");

#[derive(Serialize)]
struct Document {
    version: u32,
    installed: &'static str,
    newest: Option<String>,
    newer: Option<bool>,
    through: &'static str,
    program: String,
    command: Option<String>,
    ran: bool,
}

pub(super) fn run(args: &SelfUpdateArgs, global: &GlobalArgs, printer: OutputPrinter) -> Result<CommandExit, CliError> {
    let directories = Context::load_in_background(None, args.directories.clone().into())?.directories;
    if args.check {
        // The hook starts this once a day, and must not do so more often because it fails.
        let unwritable = |error| CliError::failed(format!("Failed to store the latest version: {error}"));
        update::remember(&directories, None).map_err(unwritable)?;
    }
    let newest = if is_offline(global) { Err("Symposium is offline".to_owned()) } else { update::newest(&directories) };
    if let Ok(newest) = &newest {
        // Only the notice at the next session start depends on it.
        let _ = update::remember(&directories, Some(newest));
    }
    let newer = newest.as_ref().ok().map(is_newer);
    let (program, installation) = update::installation();
    let command = installation.update();
    let mut document = Document {
        version: 1,
        installed: OURS,
        newest: newest.as_ref().ok().map(ToString::to_string),
        newer,
        through: installation.name(),
        program: program.display().to_string(),
        command: command.as_ref().map(ToString::to_string),
        ran: false,
    };
    if printer.answer == OutputFormat::Human {
        printer.text(&text(&document, &installation, newest.as_ref().err().map(String::as_str)));
    }
    let outcome = match (newer, args.check) {
        (Some(newer), true) => Ok(if newer { CommandExit::No } else { CommandExit::Ok }),
        (None, true) => Err(CliError::failed("Failed to find the latest version")),
        (Some(false), false) => Ok(CommandExit::Ok),
        (Some(true) | None, false) if args.writing.dry_run => Ok(CommandExit::Ok),
        (Some(true) | None, false) => bring(args, global, printer, command.as_ref()).inspect(|_| document.ran = true),
    };
    if printer.answer == OutputFormat::Json {
        printer.json(&document);
    }
    outcome
}

fn is_newer(newest: &Version) -> bool {
    Version::parse(OURS).is_ok_and(|ours| *newest > ours)
}

fn text(document: &Document, installation: &InstallMethod, unknown: Option<&str>) -> StyledText {
    let mut text = match installation.describe() {
        Some(with) => {
            StyledText::default().line(format!("This is Symposium {OURS}, installed with {with}: {}", document.program))
        }
        None => StyledText::default()
            .line(format!("This is Symposium {OURS}: {}", document.program))
            .line("The installation method is unknown."),
    };
    text = match (&document.newest, document.newer, unknown) {
        (Some(newest), Some(true), _) => text.line(format!("Symposium {newest} is available.")),
        (Some(newest), _, _) => text.line(format!("The latest version is {newest}; Symposium is up to date.")),
        (None, _, reason) => {
            text.line(format!("The latest version is unknown: {}", reason.unwrap_or("the registry was not queried")))
        }
    };
    match &document.command {
        Some(command) if document.newer != Some(false) => text.line(format!("Update with: {command}")),
        Some(_) | None => text,
    }
}

/// Runs the command, if the person wants it.
fn bring(
    args: &SelfUpdateArgs,
    global: &GlobalArgs,
    printer: OutputPrinter,
    command: Option<&UpdateCommand>,
) -> Result<CommandExit, CliError> {
    let Some(command) = command else {
        return Err(CliError::failed("Nothing was updated, because the installation method is unknown")
            .hint("reinstall it in the way you installed it, or from its repository:")
            .hint(concat!("`cargo install --git ", env!("CARGO_PKG_REPOSITORY"), " --locked symposium`")));
    };
    if is_offline(global) {
        return Err(CliError::failed("Nothing was updated, because Symposium is offline")
            .hint("remove `--offline`, or unset SYMPOSIUM_OFFLINE and CARGO_NET_OFFLINE"));
    }
    if !args.writing.yes {
        if !std::io::stdin().is_terminal() || printer.answer == OutputFormat::Json {
            return Err(CliError::usage("Nothing was updated: the update needs confirmation")
                .hint("pass `--yes` to confirm, or run the command yourself"));
        }
        let asked = prompt::confirm("Run it now?");
        if !asked.map_err(|error| CliError::unanswered(&error))? {
            return Err(CliError::no("Nothing was updated"));
        }
    }
    update::run(command).map(|()| CommandExit::Ok)
}
