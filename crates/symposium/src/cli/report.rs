//! Findings as the answer to a command: with excerpts for people, as rows for programs.

use std::path::{Path, PathBuf};

use serde::Serialize;
use symposium_model::diagnostic::Severity;

use crate::error::{CliError, CommandExit};
use crate::ops::author::hook_check::HookNote;
use crate::ops::author::validate::CheckedFile;
use crate::ui::diagnostic_row::DiagnosticRow;
use crate::ui::printer::{OutputFormat, OutputPrinter};
use crate::ui::text::{StyledText, count_of};

#[derive(Serialize)]
struct Document {
    version: u32,
    items: Vec<ItemRow>,
}

#[derive(Serialize)]
struct ItemRow {
    path: String,
    name: Option<String>,
    errors: Vec<DiagnosticRow>,
    warnings: Vec<DiagnosticRow>,
    notes: Vec<NoteRow>,
}

#[derive(Serialize)]
struct NoteRow {
    hook: String,
    line: usize,
    message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailureBar {
    Errors,
    Warnings,
}

impl FailureBar {
    /// The one that `--strict` asks for.
    pub(super) fn strict(is_strict: bool) -> Self {
        if is_strict { Self::Warnings } else { Self::Errors }
    }
}

/// Checks each path, and names the first that has nothing to check.
pub(super) fn check_each(
    paths: &[PathBuf],
    check: impl Fn(&Path) -> Result<Vec<CheckedFile>, CliError>,
) -> Result<(Vec<CheckedFile>, Option<&Path>), CliError> {
    let mut items = Vec::new();
    let mut empty = None;
    for path in paths {
        let found = check(path)?;
        if found.is_empty() {
            empty = empty.or(Some(path.as_path()));
        }
        items.extend(found);
    }
    Ok((items, empty))
}

/// Shows what a check found; `nothing` says of a path that it has nothing to check, which makes the answer no.
pub(super) fn items(
    items: &[CheckedFile],
    bar: FailureBar,
    printer: OutputPrinter,
    nothing: Option<&str>,
    hint: &str,
) -> Result<CommandExit, CliError> {
    let count = |severity| items.iter().map(|item| item.with_severity(severity).count()).sum::<usize>();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let notes: usize = items.iter().map(|item| item.notes.len()).sum();
    match printer.answer {
        OutputFormat::Json => {
            let items = items.iter().map(|item| ItemRow {
                path: item.path.clone(),
                name: item.name.clone(),
                errors: item.with_severity(Severity::Error).map(DiagnosticRow::from_diagnostic).collect(),
                warnings: item.with_severity(Severity::Warning).map(DiagnosticRow::from_diagnostic).collect(),
                notes: item.notes.iter().map(note_row).collect(),
            });
            printer.json(&Document { version: 1, items: items.collect() });
        }
        OutputFormat::Human if items.is_empty() => {}
        OutputFormat::Human => {
            printer.findings(items.iter().flat_map(|item| &item.findings));
            printer.text(&notes_text(items));
            let files = count_of(items.len(), "file");
            let counted = || format!("{}, {}", count_of(errors, "error"), count_of(warnings, "warning"));
            let summary = match (errors, warnings, notes) {
                (0, 0, 0) => format!("{files} checked, no problems found"),
                (_, _, 0) => format!("{files} checked: {}", counted()),
                (_, _, notes) => format!("{files} checked: {}, {}", counted(), count_of(notes, "note")),
            };
            printer.text(&StyledText::default().line(summary));
        }
    }
    if let Some(nothing) = nothing {
        return Err(CliError::no(nothing).hint(hint));
    }
    let too_many = match bar {
        FailureBar::Errors => errors,
        FailureBar::Warnings => errors + warnings,
    };
    Ok(if too_many == 0 { CommandExit::Ok } else { CommandExit::No })
}

fn note_row(note: &HookNote) -> NoteRow {
    NoteRow { hook: note.hook.clone(), line: note.line, message: note.message.clone() }
}

/// One line for each note, and an empty one behind them.
fn notes_text(items: &[CheckedFile]) -> StyledText {
    let mut text = StyledText::default();
    for item in items {
        for note in &item.notes {
            text = text.strong("note").line(format!(": {}:{}: {}", item.path, note.line, note.message));
        }
    }
    if items.iter().any(|item| !item.notes.is_empty()) { text.end() } else { text }
}
