//! Writes the chosen agents into a configuration.

use symposium_edit::{add_agents, allow_symposium, set_agents};
use symposium_model::agent::AgentId;
use symposium_model::config::Scope;

use super::context::Context;
use super::reconcile::PlannedChange;
use super::sync::{self, WriteMode};
use crate::error::CliError;
use crate::run_report::RunReport;

#[derive(Debug)]
pub(crate) struct AgentChange {
    pub(crate) scope: Scope,
    pub(crate) agents: Vec<AgentId>,
    /// Whether those that are configured stay.
    pub(crate) keeps_others: bool,
    /// Whether agents may use Symposium's read-only commands without asking.
    pub(crate) allows_symposium: bool,
}

/// Makes the choice, or finds out what that would mean. Returns the context with it, and adds to `done` what was done.
pub(crate) fn configure(
    context: Context,
    change: &AgentChange,
    mode: WriteMode,
    done: &mut Vec<PlannedChange>,
    report: &mut RunReport,
) -> Result<Context, CliError> {
    let scope = change.scope;
    if context.is_broken(scope) {
        return Err(CliError::failed("The configuration is invalid, so it was not changed")
            .hint("fix it first; the line is shown above"));
    }
    let Some(path) = context.config_file(scope) else { return Ok(context) };
    let current = match scope {
        Scope::User => context.user_text.clone(),
        Scope::Project => context.project_text.clone(),
    };
    let names: Vec<&str> = change.agents.iter().map(|agent| agent.name()).collect();
    let edit = if change.keeps_others { add_agents } else { set_agents };
    let named = edit(&current.unwrap_or_default(), &names);
    let edited = if change.allows_symposium { named.and_then(|text| allow_symposium(&text)) } else { named };
    let text = edited.map_err(|error| {
        CliError::failed(format!("{}: {error}", path.display())).hint("fix the file, and run the command again")
    })?;
    sync::configure(context, scope, &text, mode, done, report)
}
