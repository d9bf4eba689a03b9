//! `symposium on` and `symposium off`: the project's choices, or the user's own about what only they have; then a sync.

use std::path::Path;

use symposium_edit::{ToggleEdit, toggles};
use symposium_io::fs;
use symposium_model::config::Scope;

use super::args::{Global, WritingArgs};
use super::installing::{self, Consent};
use super::sync::{mention_missing_agents, synchronize};
use crate::app::begin;
use crate::app::catalog;
use crate::app::context::Context;
use crate::app::in_step::{Extent, Mode, configure, settle_all};
use crate::app::own_choices;
use crate::app::plan::guards::kept_guards;
use crate::app::required_version;
use crate::app::stand_ins;
use crate::app::switches::{Chosen, SwitchEdits, What, edits};
use crate::app::sync::{Action, Step};
use crate::app::trust::Trust;
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
    required_version::check(&context)?;
    let edits = chosen(&context, what, on)?;
    let mut done = own_configured(&mut context, &edits.own, mode)?;
    if !edits.project.is_empty() {
        let text = project_text(&context, &edits.project)?;
        done.extend(configure(&mut context, Scope::Project, &text, mode)?);
    }
    mention_missing_agents(&context);
    let synced = synchronize(&mut context, Extent::everything(mode), done, None)?;
    installing::finish(context, held, Consent::of(writing.yes), global, synced.exit, settle_all)
}

/// The changes that make the choice.
fn chosen(context: &Context, what: What<'_>, on: bool) -> Result<SwitchEdits, CliError> {
    if context.root().is_none() {
        let error = CliError::failed("This directory is not part of a cargo workspace");
        return Err(error.hint("change to a directory with a Cargo.toml"));
    }
    let crates = context.crates();
    let catalog = catalog::read(context, crates.as_ref());
    let selection = stand_ins::select(context, &catalog, crates.as_ref());
    let chosen = Chosen { settings: &context.settings, own: context.own() };
    let trust = Trust::of_granted(context, &catalog, &selection);
    edits(what, on, chosen, (&catalog, &selection), &kept_guards(context, &catalog, &trust))
}

/// Makes the choices about what only the user has, or finds out what that would mean.
fn own_configured(context: &mut Context, edits: &[ToggleEdit], mode: Mode) -> Result<Vec<Action>, CliError> {
    let (Some(path), Some(root), false) = (context.own_file(), context.root(), edits.is_empty()) else {
        return Ok(Vec::new());
    };
    if context.own_is_broken {
        return Err(unswitched(&path, "cannot be understood", BROKEN_HELP));
    }
    let before = context.own_text();
    let text = toggled(&path, &before.clone().unwrap_or_else(|| own_choices::new_text(root)), edits)?;
    if before.as_deref() == Some(&text) {
        return Ok(Vec::new());
    }
    if mode == Mode::Write {
        own_choices::write(&path, before.as_deref(), &text)?;
    }
    context.assume_own(&text);
    let step = Step::Configure { text, expected: before };
    Ok(vec![Action { path, agents: Vec::new(), extension: None, workspace: None, step }])
}

/// What the project's configuration says with the choice made.
fn project_text(context: &Context, edits: &[ToggleEdit]) -> Result<String, CliError> {
    let Some(path) = context.config_file(Scope::Project) else {
        let error = CliError::failed("The configuration of this project is ignored, so nothing is switched in it");
        return Err(error.hint("the reason is named above"));
    };
    let current = context.project_text();
    if current.is_none() && fs::exists(&path) {
        return Err(unswitched(&path, "cannot be read", UNREADABLE_HELP));
    }
    if context.is_broken(Scope::Project) {
        return Err(unswitched(&path, "cannot be understood", BROKEN_HELP));
    }
    toggled(&path, &current.unwrap_or_default(), edits)
}

fn toggled(path: &Path, text: &str, edits: &[ToggleEdit]) -> Result<String, CliError> {
    toggles(text, edits).map_err(|error| {
        CliError::failed(format!("{}: {error}", path.display())).hint("fix the file, and run the command again")
    })
}

const BROKEN_HELP: &str = "fix what is named above, and run the command again";
const UNREADABLE_HELP: &str = "make it a readable text file, and run the command again";

fn unswitched(path: &Path, why: &str, help: &str) -> CliError {
    CliError::failed(format!("{} {why}, so nothing is switched", path.display())).hint(help)
}
