//! What is said after a sync besides what was done: what waits, what stays, what the person must do.

use crate::ops::fetch;
use crate::ops::sync::SyncReport;
use crate::ui::printer::{OutputFormat, Printer};

/// Says all of it to people, when something was written.
pub(super) fn all(printer: Printer, done: &SyncReport) {
    if printer.answer == OutputFormat::Json || done.comparison.actions.is_empty() {
        return;
    }
    to_do(printer, done);
    candidates(printer, done);
    kept(printer, done);
    awaiting(printer, done);
}

/// Which sources were read, for the curious.
pub(super) fn sources(printer: Printer, done: &SyncReport) {
    if let Some(note) =
        fetch::recommendations_note(&done.context, &done.fetched).filter(|_| printer.answer == OutputFormat::Human)
    {
        printer.note(&note);
    }
    for source in &done.sources {
        printer.detail(&format!("source {source}"));
    }
}

/// What the person must do, when something was written for that agent.
fn to_do(printer: Printer, done: &SyncReport) {
    let written = done.comparison.actions.iter().filter(|action| action.extension.is_none());
    for (agent, note) in &done.notes {
        if written.clone().any(|action| action.agents.contains(agent)) {
            printer.note(note);
        }
    }
}

fn candidates(printer: Printer, done: &SyncReport) {
    let names: Vec<String> = done.candidates.iter().map(|name| format!("`{name}`")).collect();
    let verb = match names.as_slice() {
        [] => return,
        [_] => "ships skills",
        _ => "ship skills",
    };
    let message = format!("{} {verb} that are off; run `symposium on CRATE` to switch them on", names.join(", "));
    printer.note(&message);
}

fn awaiting(printer: Printer, done: &SyncReport) {
    if done.awaiting.is_empty() {
        return;
    }
    let names: Vec<String> = done.awaiting.iter().map(|name| format!("`{name}`")).collect();
    let message = format!("Not trusted yet: {}. Run `symposium trust` to review", names.join(", "));
    printer.note(&message);
}

/// Which servers of plugins that are off here stay in the user's own settings.
fn kept(printer: Printer, done: &SyncReport) {
    let has_settings = !done.context.user_agents().is_empty();
    for (server, other) in done.kept.iter().filter(|_| has_settings) {
        printer.note(&format!(
            "MCP server `{server}` stays in your user settings, because {} uses it too",
            other.display()
        ));
    }
}
