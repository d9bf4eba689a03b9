//! What is said after a sync besides what was done: what waits, what stays, what the person must do.

use std::path::PathBuf;

use symposium_model::agent::AgentId;
use symposium_model::select::Selection;

use crate::app::context::Context;
use crate::app::guidance;
use crate::app::sync::{Action, Comparison};
use crate::ui::printer::Answer;

/// What dependencies bring and nobody switched on, said when something was written.
pub(super) fn candidates(context: &Context, comparison: &Comparison, selection: &Selection) {
    let waiting = guidance::candidates(selection);
    if context.printer.answer == Answer::Json || comparison.actions.is_empty() || waiting.is_empty() {
        return;
    }
    let names: Vec<String> = waiting.iter().map(|name| format!("`{name}`")).collect();
    let verb = if names.len() == 1 { "brings skills of its own" } else { "bring skills of their own" };
    let message = format!("{} {verb}, which are off until `symposium on` names the crate", names.join(", "));
    context.printer.note(&message);
}

/// Whose executables wait for a person's yes, said when something was written.
pub(super) fn awaiting(context: &Context, comparison: &Comparison, plugins: &[String]) {
    if context.printer.answer == Answer::Json || comparison.actions.is_empty() || plugins.is_empty() {
        return;
    }
    let names: Vec<String> = plugins.iter().map(|name| format!("`{name}`")).collect();
    let message =
        format!("Nobody agreed yet to what {} would run; `symposium trust` shows it, and asks", names.join(", "));
    context.printer.note(&message);
}

/// Which servers of plugins that are off here stay in the user's own settings, said when something was written.
pub(super) fn kept(context: &Context, comparison: &Comparison, servers: &[(String, PathBuf)]) {
    if context.printer.answer == Answer::Json || comparison.actions.is_empty() || context.user_agents().is_empty() {
        return;
    }
    for (server, other) in servers {
        context.printer.note(&format!(
            "MCP server `{server}` stays in your own settings, because {} uses it too",
            other.display()
        ));
    }
}

/// What the person must do, said when something was written for that agent.
pub(super) fn notes(context: &Context, comparison: &Comparison, all: &[(AgentId, String)]) {
    if context.printer.answer == Answer::Json {
        return;
    }
    for (agent, note) in all {
        let touched = comparison
            .actions
            .iter()
            .any(|action: &Action| action.extension.is_none() && action.agents.contains(agent));
        if touched {
            context.printer.note(note);
        }
    }
}
