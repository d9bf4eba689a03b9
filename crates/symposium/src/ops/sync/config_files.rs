//! Our own configuration files: what makes them say something, and that done.

use symposium_model::config::Scope;

use super::WriteMode;
use crate::ops::context::Context;
use crate::ops::ledger_store;
use crate::ops::reconcile::{ChangeSet, ChangeStep, PlannedChange, apply};
use crate::ui::error::CliError;

/// Makes a configuration say this, or finds out what that would mean, and goes on as if it said so. Gives back what was
/// done. Whoever writes holds the lock.
pub(crate) fn configure(
    context: &mut Context,
    scope: Scope,
    text: &str,
    mode: WriteMode,
) -> Result<Option<PlannedChange>, CliError> {
    let Some(action) = configuring(context, scope, text) else { return Ok(None) };
    let done = match mode {
        WriteMode::Write => write(context, action)?,
        WriteMode::DryRun | WriteMode::Check => Some(action),
    };
    context.assume(scope, text);
    Ok(done)
}

/// What makes a configuration say this; `None` when it does, or outside any project.
pub(crate) fn configuring(context: &Context, scope: Scope, text: &str) -> Option<PlannedChange> {
    let (expected, workspace) = match scope {
        Scope::User => (context.user_text(), None),
        Scope::Project => (context.project_text(), context.root().map(std::path::Path::to_owned)),
    };
    if expected.as_deref() == Some(text) {
        return None;
    }
    let path = context.config_file(scope)?;
    let step = ChangeStep::Configure { text: text.to_owned(), expected };
    Some(PlannedChange { path, agents: Vec::new(), extension: None, workspace, step })
}

/// Writes a configuration; `None` when that failed, which is said. Whoever calls holds the lock.
pub(crate) fn write(context: &Context, action: PlannedChange) -> Result<Option<PlannedChange>, CliError> {
    let mut comparison = ChangeSet { actions: vec![action], ..ChangeSet::default() };
    let mut ledger = ledger_store::read_to_write(context)?;
    let failures = apply::apply(context, &mut comparison, &mut ledger)?;
    context.report(&failures);
    Ok(comparison.actions.pop())
}
