//! Findings as the answer to a command: with excerpts for people, as rows for programs.

use serde::Serialize;
use symposium_model::diagnostic::{Diagnostic, Severity};

use crate::app::validate::Item;
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::printer::{Answer, Printer};
use crate::ui::text::Text;

/// A finding in JSON.
#[derive(Serialize)]
pub(super) struct Row {
    severity: String,
    path: String,
    line: Option<usize>,
    column: Option<usize>,
    message: String,
    help: Option<String>,
}

impl Row {
    /// The finding in one line.
    pub(super) fn line_text(&self) -> String {
        let line = self.line.map(|line| format!(" (line {line})")).unwrap_or_default();
        format!("{}: {}{line}", self.severity, self.message)
    }
}

/// A finding for JSON.
pub(super) fn row(found: &Diagnostic) -> Row {
    Row {
        severity: found.severity.to_string(),
        path: found.path.clone(),
        line: found.location.as_ref().map(|at| at.line),
        column: found.location.as_ref().map(|at| at.column),
        message: found.message.clone(),
        help: found.help.clone(),
    }
}

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
}

/// Shows what a check found; errors make the answer no, and so does having found nothing to check.
pub(super) fn items(items: &[Item], printer: Printer, nothing: &str, hint: &str) -> Result<Exit, CliError> {
    let count = |severity| items.iter().map(|item| item.of(severity).count()).sum::<usize>();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    match printer.answer {
        Answer::Json => {
            let items = items.iter().map(|item| ItemRow {
                path: item.path.clone(),
                name: item.name.clone(),
                errors: item.of(Severity::Error).map(row).collect(),
                warnings: item.of(Severity::Warning).map(row).collect(),
            });
            printer.json(&Document { version: 1, items: items.collect() });
        }
        Answer::Human if items.is_empty() => {}
        Answer::Human => {
            printer.findings(items.iter().flat_map(|item| &item.findings));
            let files = plural(items.len(), "file");
            let summary = match (errors, warnings) {
                (0, 0) => format!("{files} checked, nothing to report"),
                _ => format!("{files} checked: {}, {}", plural(errors, "error"), plural(warnings, "warning")),
            };
            printer.text(&Text::default().line(summary));
        }
    }
    if items.is_empty() {
        return Err(CliError::no(nothing).hint(hint));
    }
    Ok(if errors == 0 { Exit::Ok } else { Exit::No })
}

fn plural(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}
