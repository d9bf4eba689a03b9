//! `symposium on` and `symposium off`: the project's choices, then a sync.

use symposium_edit::toggles;
use symposium_io::fs;
use symposium_model::config::Scope;

use super::args::{Global, WritingArgs};
use super::installing::{self, Consent};
use super::sync::{mention_missing_agents, synchronize};
use crate::app::begin;
use crate::app::catalog;
use crate::app::context::Context;
use crate::app::in_step::{Extent, Mode, configure, settle_all};
use crate::app::switches::{What, edits};
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::printer::Printer;

/// Runs the command.
pub(super) fn run(
    what: What<'_>,
    on: bool,
    writing: WritingArgs,
    global: &Global,
    printer: Printer,
) -> Result<Exit, CliError> {
    let mode = if writing.dry_run { Mode::DryRun } else { Mode::Write };
    let (mut context, held) = match mode {
        Mode::Write => begin::locked(printer, &global.source).map(|(context, lock)| (context, Some(lock)))?,
        Mode::DryRun | Mode::Check => (super::logged(printer, global)?, None),
    };
    let text = switched(&context, what, on)?;
    let configured = configure(&mut context, Scope::Project, &text, mode)?;
    mention_missing_agents(&context);
    let exit = synchronize(&mut context, Extent::everything(mode), configured.into_iter().collect(), None)?;
    installing::finish(context, held, Consent::of(writing.yes), global, exit, settle_all)
}

/// What the project's configuration says with the choice made.
fn switched(context: &Context, what: What<'_>, on: bool) -> Result<String, CliError> {
    let Some(path) = context.config_file(Scope::Project) else {
        let error = CliError::failed("This directory is not part of a cargo workspace");
        return Err(error.hint("change to a directory with a Cargo.toml"));
    };
    let crates = context.crates();
    let catalog = catalog::read(context, crates.as_ref());
    let selection = catalog::select_for(context, &catalog, crates.as_ref());
    let edits = edits(what, on, &context.settings, (&catalog, &selection))?;
    let current = context.project_text();
    if current.is_none() && fs::exists(&path) {
        let error = CliError::failed(format!("{} cannot be read, so nothing is switched", path.display()));
        return Err(error.hint("make it a readable text file, and run the command again"));
    }
    if context.is_broken(Scope::Project) {
        let error = CliError::failed(format!("{} cannot be understood, so nothing is switched", path.display()));
        return Err(error.hint("mend what is named above, and run the command again"));
    }
    toggles(&current.unwrap_or_default(), &edits).map_err(|error| {
        CliError::failed(format!("{}: {error}", path.display())).hint("mend the file, and run the command again")
    })
}
