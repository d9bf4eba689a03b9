//! A finding as a row of a JSON document.

use serde::Serialize;
use symposium_model::diagnostic::{Diagnostic, Severity};

#[derive(Debug, Serialize)]
pub(crate) struct DiagnosticRow {
    severity: String,
    path: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    message: String,
    help: Option<String>,
}

impl DiagnosticRow {
    pub(crate) fn from_diagnostic(found: &Diagnostic) -> Self {
        Self {
            severity: found.severity.to_string(),
            path: Some(found.path.clone()),
            line: found.location.as_ref().map(|at| at.line),
            column: found.location.as_ref().map(|at| at.column),
            message: found.message.clone(),
            help: found.help.clone(),
        }
    }

    pub(crate) fn error(message: &str) -> Self {
        Self {
            severity: Severity::Error.to_string(),
            path: None,
            line: None,
            column: None,
            message: message.to_owned(),
            help: None,
        }
    }

    /// The same with one more thing to do about it.
    pub(crate) fn add_help(&mut self, help: &str) {
        match &mut self.help {
            Some(known) => {
                known.push('\n');
                known.push_str(help);
            }
            none @ None => *none = Some(help.to_owned()),
        }
    }

    pub(crate) fn line_text(&self) -> String {
        let line = self.line.map(|line| format!(" (line {line})")).unwrap_or_default();
        format!("{}: {}{line}", self.severity, self.message)
    }

    /// Applies a change to every text.
    pub(crate) fn map(self, change: impl Fn(&str) -> String) -> Self {
        let optional = |text: Option<String>| text.map(|text| change(&text));
        Self { path: optional(self.path), message: change(&self.message), help: optional(self.help), ..self }
    }
}
