//! Writes toggles into the files they belong to.

use std::path::Path;

use symposium_edit::{ToggleEdit, toggles};
use symposium_io::fs;
use symposium_model::config::Scope;

use super::SwitchEdits;
use crate::error::CliError;
use crate::ops::context::Context;
use crate::ops::reconcile::{ChangeStep, PlannedChange};
use crate::ops::sync::{WriteMode, configure};
use crate::ops::user_toggles;
use crate::run_report::RunReport;

/// Makes the choices, or finds out what that would mean. Returns the context with them, and adds to `done` what was done.
pub(crate) fn apply(
    context: Context,
    edits: &SwitchEdits,
    mode: WriteMode,
    done: &mut Vec<PlannedChange>,
    report: &mut RunReport,
) -> Result<Context, CliError> {
    let context = apply_own(context, &edits.own, mode, done)?;
    if edits.project.is_empty() {
        return Ok(context);
    }
    let text = project_text(&context, &edits.project)?;
    configure(context, Scope::Project, &text, mode, done, report)
}

/// Makes the choices about what only the user has.
fn apply_own(
    context: Context,
    edits: &[ToggleEdit],
    mode: WriteMode,
    done: &mut Vec<PlannedChange>,
) -> Result<Context, CliError> {
    let (Some(path), Some(root), false) = (context.own_file(), context.root(), edits.is_empty()) else {
        return Ok(context);
    };
    if context.own_is_broken {
        return Err(unswitched(&path, "is invalid", BROKEN_HELP));
    }
    let before = context.own_text.clone();
    let text = toggled(&path, &before.clone().unwrap_or_else(|| user_toggles::new_text(root)), edits)?;
    if before.as_deref() == Some(&text) {
        return Ok(context);
    }
    if mode == WriteMode::Write {
        user_toggles::write(&path, before.as_deref(), &text)?;
    }
    let context = context.with_own(&text);
    let step = ChangeStep::Configure { text, expected: before };
    done.push(PlannedChange { path, agents: Vec::new(), extension: None, workspace: None, step });
    Ok(context)
}

fn project_text(context: &Context, edits: &[ToggleEdit]) -> Result<String, CliError> {
    let Some(path) = context.config_file(Scope::Project) else {
        let error = CliError::failed("The configuration of this project is ignored, so no toggle was changed");
        return Err(error.hint("the reason is shown above"));
    };
    let current = context.project_text.clone();
    if current.is_none() && fs::exists(&path) {
        return Err(unswitched(&path, "cannot be read", UNREADABLE_HELP));
    }
    if context.is_broken(Scope::Project) {
        return Err(unswitched(&path, "is invalid", BROKEN_HELP));
    }
    toggled(&path, &current.unwrap_or_default(), edits)
}

fn toggled(path: &Path, text: &str, edits: &[ToggleEdit]) -> Result<String, CliError> {
    toggles(text, edits).map_err(|error| {
        CliError::failed(format!("{}: {error}", path.display())).hint("fix the file, and run the command again")
    })
}

const BROKEN_HELP: &str = "fix the errors above, and run the command again";
const UNREADABLE_HELP: &str = "make it a readable text file, and run the command again";

fn unswitched(path: &Path, why: &str, help: &str) -> CliError {
    CliError::failed(format!("{} {why}, so no toggle was changed", path.display())).hint(help)
}
