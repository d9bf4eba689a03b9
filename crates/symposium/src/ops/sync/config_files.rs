//! Our own configuration files: what makes them say something, and that done.

use symposium_io::fs;
use symposium_io::git_tracking::is_in_work_tree;
use symposium_model::config::{ATTRIBUTES_FILE, Scope};
use symposium_model::diagnostic::Diagnostic;

use super::WriteMode;
use crate::error::CliError;
use crate::ops::context::Context;
use crate::ops::ledger_store;
use crate::ops::reconcile::{ChangeSet, ChangeStep, PlannedChange, apply};
use crate::run_report::RunReport;

/// The text of a project's `.symposium/.gitattributes`.
const ATTRIBUTES: &str = "\
# If two branches change neighbouring lines of config.toml, git keeps the lines of both instead of a conflict.
config.toml merge=union
";

/// Makes a configuration say this, or finds out what that would mean. Returns the context with that configuration, and
/// adds to `done` what was done. To write, the caller holds the lock.
pub(crate) fn configure(
    context: Context,
    scope: Scope,
    text: &str,
    mode: WriteMode,
    done: &mut Vec<PlannedChange>,
    report: &mut RunReport,
) -> Result<Context, CliError> {
    let actions = configuring(&context, scope, text);
    if actions.is_empty() {
        return Ok(context);
    }
    done.extend(match mode {
        WriteMode::Write => {
            let (written, failures) = write_all(&context, actions, report)?;
            let path = context.config_file(scope).map(|path| path.display().to_string());
            // What would follow relies on the choice.
            if let Some(failure) = failures.iter().find(|failure| Some(&failure.path) == path.as_ref()) {
                return Err(unwritten(failure));
            }
            report.add(&failures);
            written
        }
        WriteMode::DryRun | WriteMode::Check => actions,
    });
    Ok(context.with_config(scope, text))
}

/// Returns the changes that give a configuration this text; none if it has it already, or outside any project.
pub(crate) fn configuring(context: &Context, scope: Scope, text: &str) -> Vec<PlannedChange> {
    let config = config_change(context, scope, text);
    let attributes = config.as_ref().and_then(merge_attributes);
    config.into_iter().chain(attributes).collect()
}

fn config_change(context: &Context, scope: Scope, text: &str) -> Option<PlannedChange> {
    let (expected, workspace) = match scope {
        Scope::User => (context.user_text.clone(), None),
        Scope::Project => (context.project_text.clone(), context.root().map(std::path::Path::to_owned)),
    };
    if expected.as_deref() == Some(text) {
        return None;
    }
    let path = context.config_file(scope)?;
    let step = ChangeStep::Configure { text: text.to_owned(), expected };
    Some(PlannedChange { path, agents: Vec::new(), extension: None, workspace, step })
}

/// Returns the change that makes git keep the lines of both sides in a project's configuration that is about to be
/// created. A file that is there already is the user's.
fn merge_attributes(config: &PlannedChange) -> Option<PlannedChange> {
    let path = config.path.with_file_name(ATTRIBUTES_FILE);
    let is_wanted = config.workspace.is_some() && config.creates_file() && is_in_work_tree(&path);
    let step = ChangeStep::Write { text: ATTRIBUTES.to_owned(), expected: None };
    (is_wanted && !fs::exists(&path) && !fs::is_link(&path)).then(|| PlannedChange { path, step, ..config.clone() })
}

fn unwritten(failure: &Diagnostic) -> CliError {
    let reason = failure.message.strip_prefix("Skipped: ").unwrap_or(&failure.message);
    let error = CliError::failed(format!("Cannot write {}: {reason}", failure.path));
    failure.help.iter().fold(error, CliError::hint)
}

/// Writes a configuration, and returns what was done; what failed is reported. The caller holds the lock.
pub(crate) fn write(
    context: &Context,
    actions: Vec<PlannedChange>,
    report: &mut RunReport,
) -> Result<Vec<PlannedChange>, CliError> {
    let (done, failures) = write_all(context, actions, report)?;
    report.add(&failures);
    Ok(done)
}

fn write_all(
    context: &Context,
    actions: Vec<PlannedChange>,
    report: &mut RunReport,
) -> Result<(Vec<PlannedChange>, Vec<Diagnostic>), CliError> {
    let mut comparison = ChangeSet { actions, ..ChangeSet::default() };
    let mut ledger = ledger_store::read_to_write(&context.directories, report)?;
    let failures = apply::apply(context, &mut comparison, &mut ledger)?;
    Ok((comparison.actions, failures))
}
