//! What is said after a sync besides what was done: what waits, what stays, what the person must do.

use crate::ops::context::Context;
use crate::ops::fetch;
use crate::ops::sync::SyncReport;
use crate::ui::printer::OutputFormat;

/// Says all of it to people, when something was written.
pub(super) fn all(context: &Context, done: &SyncReport) {
    if context.printer.answer == OutputFormat::Json || done.comparison.actions.is_empty() {
        return;
    }
    to_do(context, done);
    candidates(context, done);
    kept(context, done);
    awaiting(context, done);
}

/// Which sources were read, for the curious.
pub(super) fn sources(context: &Context, done: &SyncReport) {
    if let Some(note) = fetch::recommendations_note(context).filter(|_| context.printer.answer == OutputFormat::Human) {
        context.printer.note(&note);
    }
    for source in &done.sources {
        context.printer.detail(&format!("source {source}"));
    }
}

/// What the person must do, when something was written for that agent.
fn to_do(context: &Context, done: &SyncReport) {
    let written = done.comparison.actions.iter().filter(|action| action.extension.is_none());
    for (agent, note) in &done.notes {
        if written.clone().any(|action| action.agents.contains(agent)) {
            context.printer.note(note);
        }
    }
}

/// What dependencies bring and nobody switched on.
fn candidates(context: &Context, done: &SyncReport) {
    let names: Vec<String> = done.candidates.iter().map(|name| format!("`{name}`")).collect();
    let verb = match names.as_slice() {
        [] => return,
        [_] => "brings skills of its own",
        _ => "bring skills of their own",
    };
    let message = format!("{} {verb}, which are off until `symposium on` names the crate", names.join(", "));
    context.printer.note(&message);
}

/// Whose executables wait for a person's yes.
fn awaiting(context: &Context, done: &SyncReport) {
    if done.awaiting.is_empty() {
        return;
    }
    let names: Vec<String> = done.awaiting.iter().map(|name| format!("`{name}`")).collect();
    let message =
        format!("Nobody agreed yet to what {} would run; `symposium trust` shows it, and asks", names.join(", "));
    context.printer.note(&message);
}

/// Which servers of plugins that are off here stay in the user's own settings.
fn kept(context: &Context, done: &SyncReport) {
    let has_settings = !context.user_agents().is_empty();
    for (server, other) in done.kept.iter().filter(|_| has_settings) {
        context.printer.note(&format!(
            "MCP server `{server}` stays in your own settings, because {} uses it too",
            other.display()
        ));
    }
}
