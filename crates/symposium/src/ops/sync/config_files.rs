//! Our own configuration files: what makes them say something, and that done.

use symposium_model::config::Scope;

use super::WriteMode;
use crate::error::CliError;
use crate::ops::context::Context;
use crate::ops::ledger_store;
use crate::ops::reconcile::{ChangeSet, ChangeStep, PlannedChange, apply};
use crate::run_report::RunReport;

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
    let Some(action) = configuring(&context, scope, text) else { return Ok(context) };
    done.extend(match mode {
        WriteMode::Write => write(&context, action, report)?,
        WriteMode::DryRun | WriteMode::Check => Some(action),
    });
    Ok(context.with_config(scope, text))
}

/// Returns the change that gives a configuration this text; `None` if it has it already, or outside any project.
pub(crate) fn configuring(context: &Context, scope: Scope, text: &str) -> Option<PlannedChange> {
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

/// Writes a configuration; `None` when that failed, which is reported. The caller holds the lock.
pub(crate) fn write(
    context: &Context,
    action: PlannedChange,
    report: &mut RunReport,
) -> Result<Option<PlannedChange>, CliError> {
    let mut comparison = ChangeSet { actions: vec![action], ..ChangeSet::default() };
    let mut ledger = ledger_store::read_to_write(&context.directories, report)?;
    let failures = apply::apply(context, &mut comparison, &mut ledger)?;
    report.add(&failures);
    Ok(comparison.actions.pop())
}
