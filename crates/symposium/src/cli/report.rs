//! Findings as the answer to a command: with excerpts for people, as rows for programs.

use serde::Serialize;
use symposium_model::diagnostic::Severity;

use crate::app::hook_check::Note;
use crate::app::validate::Item;
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::finding::Row;
use crate::ui::printer::{Answer, Printer};
use crate::ui::text::{Text, count_of};

#[derive(Serialize)]
struct Document {
    version: u32,
    items: Vec<ItemRow>,
}

#[derive(Serialize)]
struct ItemRow {
    path: String,
    name: Option<String>,
    errors: Vec<Row>,
    warnings: Vec<Row>,
    notes: Vec<NoteRow>,
}

#[derive(Serialize)]
struct NoteRow {
    hook: String,
    line: usize,
    message: String,
}

/// What makes the answer of a check no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bar {
    /// Errors.
    Errors,
    /// Warnings too.
    Warnings,
}

impl Bar {
    /// The one that `--strict` asks for.
    pub(super) fn strict(is_strict: bool) -> Self {
        if is_strict { Self::Warnings } else { Self::Errors }
    }
}

/// Shows what a check found; having found nothing to check makes the answer no.
pub(super) fn items(items: &[Item], bar: Bar, printer: Printer, nothing: &str, hint: &str) -> Result<Exit, CliError> {
    let count = |severity| items.iter().map(|item| item.of(severity).count()).sum::<usize>();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let notes: usize = items.iter().map(|item| item.notes.len()).sum();
    match printer.answer {
        Answer::Json => {
            let items = items.iter().map(|item| ItemRow {
                path: item.path.clone(),
                name: item.name.clone(),
                errors: item.of(Severity::Error).map(Row::of).collect(),
                warnings: item.of(Severity::Warning).map(Row::of).collect(),
                notes: item.notes.iter().map(note_row).collect(),
            });
            printer.json(&Document { version: 1, items: items.collect() });
        }
        Answer::Human if items.is_empty() => {}
        Answer::Human => {
            printer.findings(items.iter().flat_map(|item| &item.findings));
            printer.text(&notes_text(items));
            let files = count_of(items.len(), "file");
            let counted = || format!("{}, {}", count_of(errors, "error"), count_of(warnings, "warning"));
            let summary = match (errors, warnings, notes) {
                (0, 0, 0) => format!("{files} checked, nothing to report"),
                (_, _, 0) => format!("{files} checked: {}", counted()),
                (_, _, notes) => format!("{files} checked: {}, {}", counted(), count_of(notes, "note")),
            };
            printer.text(&Text::default().line(summary));
        }
    }
    if items.is_empty() {
        return Err(CliError::no(nothing).hint(hint));
    }
    let too_many = match bar {
        Bar::Errors => errors,
        Bar::Warnings => errors + warnings,
    };
    Ok(if too_many == 0 { Exit::Ok } else { Exit::No })
}

fn note_row(note: &Note) -> NoteRow {
    NoteRow { hook: note.hook.clone(), line: note.line, message: note.message.clone() }
}

/// One line for each note, and an empty one behind them.
fn notes_text(items: &[Item]) -> Text {
    let mut text = Text::default();
    for item in items {
        for note in &item.notes {
            text = text.strong("note").line(format!(": {}:{}: {}", item.path, note.line, note.message));
        }
    }
    if items.iter().any(|item| !item.notes.is_empty()) { text.end() } else { text }
}
