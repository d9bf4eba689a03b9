//! Our own configuration files: what makes them say something, and that done.

use symposium_model::config::Scope;

use super::Mode;
use crate::app::context::Context;
use crate::app::sync::{Action, Comparison, Step, apply, ledger_file};
use crate::ui::error::CliError;

/// Makes a configuration say this, or finds out what that would mean, and goes on as if it said so. Gives back what was
/// done. Whoever writes holds the lock.
pub(crate) fn configure(
    context: &mut Context,
    scope: Scope,
    text: &str,
    mode: Mode,
) -> Result<Option<Action>, CliError> {
    let Some(action) = configuring(context, scope, text) else { return Ok(None) };
    let done = match mode {
        Mode::Write => write(context, action)?,
        Mode::DryRun | Mode::Check => Some(action),
    };
    context.assume(scope, text);
    Ok(done)
}

/// What makes a configuration say this; `None` when it does, or outside any project.
pub(crate) fn configuring(context: &Context, scope: Scope, text: &str) -> Option<Action> {
    let (expected, workspace) = match scope {
        Scope::User => (context.user_text(), None),
        Scope::Project => (context.project_text(), context.root().map(std::path::Path::to_owned)),
    };
    if expected.as_deref() == Some(text) {
        return None;
    }
    let path = context.config_file(scope)?;
    let step = Step::Configure { text: text.to_owned(), expected };
    Some(Action { path, agents: Vec::new(), extension: None, workspace, step })
}

/// Writes a configuration; `None` when that failed, which is said. Whoever calls holds the lock.
pub(crate) fn write(context: &Context, action: Action) -> Result<Option<Action>, CliError> {
    let mut comparison = Comparison { actions: vec![action], ..Comparison::default() };
    let mut ledger = ledger_file::read_to_write(context)?;
    let failures = apply::apply(context, &mut comparison, &mut ledger)?;
    context.report(&failures);
    Ok(comparison.actions.pop())
}
