//! Prints the notes after the changes of a sync: pending grants, kept files, and manual steps.

use crate::ops::fetch;
use crate::ops::sync::SyncReport;
use crate::ui::printer::{OutputFormat, OutputPrinter};

/// Says all of it to people, when something was written.
pub(super) fn all(printer: OutputPrinter, done: &SyncReport) {
    if printer.answer == OutputFormat::Json || done.comparison.actions.is_empty() {
        return;
    }
    to_do(printer, done);
    candidates(printer, done);
    kept(printer, done);
    awaiting(printer, done);
}

/// Lists the sources that were read, in the verbose output.
pub(super) fn sources(printer: OutputPrinter, done: &SyncReport) {
    if let Some(note) =
        fetch::recommendations_note(&done.context, &done.fetched).filter(|_| printer.answer == OutputFormat::Human)
    {
        printer.note(&note);
    }
    for source in &done.sources {
        printer.detail(&format!("source {source}"));
    }
}

/// Prints the manual steps for every agent whose registration was written.
fn to_do(printer: OutputPrinter, done: &SyncReport) {
    let written = done.comparison.actions.iter().filter(|action| action.extension.is_none());
    for (agent, note) in &done.notes {
        if written.clone().any(|action| action.agents.contains(agent)) {
            printer.note(note);
        }
    }
}

fn candidates(printer: OutputPrinter, done: &SyncReport) {
    let names: Vec<String> = done.candidates.iter().map(|name| format!("`{name}`")).collect();
    let verb = match names.as_slice() {
        [] => return,
        [_] => "ships skills",
        _ => "ship skills",
    };
    let (named, switched) = (names.join(", "), done.candidates.join(" "));
    printer.note(&format!("{named} {verb} that are off; run `symposium on {switched}` to switch them on"));
}

fn awaiting(printer: OutputPrinter, done: &SyncReport) {
    if done.awaiting.is_empty() {
        return;
    }
    let names: Vec<String> = done.awaiting.iter().map(|name| format!("`{name}`")).collect();
    let message = format!("Not trusted yet: {}. Run `symposium trust` to review", names.join(", "));
    printer.note(&message);
}

/// Names the servers of plugins that are off here and stay in the user's own settings.
fn kept(printer: OutputPrinter, done: &SyncReport) {
    let has_settings = !done.context.user_agents().is_empty();
    for (server, other) in done.kept.iter().filter(|_| has_settings) {
        printer.note(&format!(
            "MCP server `{server}` stays in your user settings, because {} uses it too",
            other.display()
        ));
    }
}
