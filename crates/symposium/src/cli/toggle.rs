//! `symposium on` and `symposium off`: the project's choices, or the user's own about what only they have; then a sync.

use std::path::Path;

use symposium_edit::{ToggleEdit, toggles};
use symposium_io::fs;
use symposium_model::config::Scope;

use super::args::{GlobalArgs, WritingArgs};
use super::install_step::{self, InstallConsent};
use super::sync::{mention_missing_agents, synchronize};
use crate::ops::context::Context;
use crate::ops::hook_plan::kept_guards::kept_guards;
use crate::ops::load;
use crate::ops::reconcile::{ChangeStep, PlannedChange};
use crate::ops::required_version;
use crate::ops::resolve::{Resolution, ResolutionDetail};
use crate::ops::sync::{SyncOptions, WriteMode, configure, settle_all};
use crate::ops::toggles::{CurrentChoices, SwitchEdits, ToggleTarget, edits};
use crate::ops::trust::TrustDetail;
use crate::ops::user_toggles;
use crate::ui::error::CliError;
use crate::ui::exit::CommandExit;
use crate::ui::printer::Printer;

pub(super) fn run(
    what: ToggleTarget<'_>,
    on: bool,
    writing: WritingArgs,
    global: &GlobalArgs,
    printer: Printer,
) -> Result<CommandExit, CliError> {
    let mode = if writing.dry_run { WriteMode::DryRun } else { WriteMode::Write };
    let (mut context, held) = match mode {
        WriteMode::Write => load::locked(printer, &global.source).map(|(context, lock)| (context, Some(lock)))?,
        WriteMode::DryRun | WriteMode::Check => (super::logged(printer, global)?, None),
    };
    required_version::check(&context)?;
    let edits = chosen(&context, what, on)?;
    let mut done = own_configured(&mut context, &edits.own, mode)?;
    if !edits.project.is_empty() {
        let text = project_text(&context, &edits.project)?;
        done.extend(configure(&mut context, Scope::Project, &text, mode)?);
    }
    mention_missing_agents(&context);
    let synced = synchronize(&mut context, SyncOptions::everything(mode), done, None)?;
    install_step::finish(context, held, InstallConsent::from_call(writing.yes), global, synced.exit, settle_all)
}

/// The changes that make the choice.
fn chosen(context: &Context, what: ToggleTarget<'_>, on: bool) -> Result<SwitchEdits, CliError> {
    if context.root().is_none() {
        let error = CliError::failed("This directory is not part of a cargo workspace");
        return Err(error.hint("change to a directory with a Cargo.toml"));
    }
    let resolution = Resolution::load(context, ResolutionDetail::SOURCES.with_trust(TrustDetail::Granted));
    resolution.report(context);
    let chosen = CurrentChoices { settings: &context.settings, own: context.own() };
    edits(what, on, chosen, &resolution, &kept_guards(context, &resolution))
}

/// Makes the choices about what only the user has, or finds out what that would mean.
fn own_configured(
    context: &mut Context,
    edits: &[ToggleEdit],
    mode: WriteMode,
) -> Result<Vec<PlannedChange>, CliError> {
    let (Some(path), Some(root), false) = (context.own_file(), context.root(), edits.is_empty()) else {
        return Ok(Vec::new());
    };
    if context.own_is_broken {
        return Err(unswitched(&path, "cannot be understood", BROKEN_HELP));
    }
    let before = context.own_text();
    let text = toggled(&path, &before.clone().unwrap_or_else(|| user_toggles::new_text(root)), edits)?;
    if before.as_deref() == Some(&text) {
        return Ok(Vec::new());
    }
    if mode == WriteMode::Write {
        user_toggles::write(&path, before.as_deref(), &text)?;
    }
    context.assume_own(&text);
    let step = ChangeStep::Configure { text, expected: before };
    Ok(vec![PlannedChange { path, agents: Vec::new(), extension: None, workspace: None, step }])
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
