//! Diagnostics about a file that is being parsed.

use std::ops::Range;

use super::key_query::{KeyQuery, ValueKind};
use crate::diagnostic::{Diagnostic, Severity};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpannedValue<T> {
    pub value: T,
    pub span: Range<usize>,
}

impl<T> SpannedValue<T> {
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> SpannedValue<U> {
        SpannedValue { value: f(self.value), span: self.span }
    }
}

/// The file that is being parsed, with the diagnostics so far.
#[derive(Debug)]
pub struct ParseReport<'t> {
    path: &'t str,
    text: &'t str,
    diagnostics: Vec<Diagnostic>,
    /// The queries of parsers, if they are recorded.
    asked: Option<Vec<KeyQuery>>,
    /// The help for an unknown key that may be a toggle, in a file with toggles.
    stray_toggle_help: Option<&'static str>,
    has_toggles: bool,
}

impl<'t> ParseReport<'t> {
    pub fn new(path: &'t str, text: &'t str) -> Self {
        Self { path, text, diagnostics: Vec::new(), asked: None, stray_toggle_help: None, has_toggles: false }
    }

    /// Starts a report that records the queries of parsers.
    pub fn asking(path: &'t str, text: &'t str) -> Self {
        Self { asked: Some(Vec::new()), ..Self::new(path, text) }
    }

    /// Says that the file has toggles, which a merge may leave twice.
    #[must_use]
    pub fn with_toggles(self) -> Self {
        Self { has_toggles: true, ..self }
    }

    pub(super) fn has_toggles(&self) -> bool {
        self.has_toggles
    }

    /// Sets the help for an unknown key that is `true` or `false`.
    #[must_use]
    pub fn with_stray_toggle_help(self, help: &'static str) -> Self {
        Self { stray_toggle_help: Some(help), ..self }
    }

    pub(super) fn stray_toggle_help(&self) -> Option<&'static str> {
        self.stray_toggle_help
    }

    pub fn into_asked(self) -> Vec<KeyQuery> {
        self.asked.unwrap_or_default()
    }

    /// Returns the path of a table below another; empty unless queries are recorded.
    pub(super) fn below(&self, path: &str, key: &str) -> String {
        match path {
            _ if self.asked.is_none() => String::new(),
            "" => key.to_owned(),
            path => format!("{path}.{key}"),
        }
    }

    /// Returns the path of a table in an array; empty unless queries are recorded.
    pub(super) fn item(&self, path: &str, key: &str) -> String {
        if self.asked.is_some() { format!("{}[]", self.below(path, key)) } else { String::new() }
    }

    pub(super) fn asked(&mut self, table: &str, key: &'static str, kind: ValueKind) {
        if let Some(asked) = &mut self.asked {
            asked.push(KeyQuery { table: table.to_owned(), key, kind });
        }
    }

    pub fn error(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        let found = Diagnostic::error(self.path, message).at(self.text, span).help(help);
        self.diagnostics.push(found);
    }

    pub fn warning(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        let found = Diagnostic::warning(self.path, message).at(self.text, span).help(help);
        self.diagnostics.push(found);
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the line of a span, from 1.
    pub fn line(&self, span: &Range<usize>) -> usize {
        self.text.bytes().take(span.start).filter(|byte| *byte == b'\n').count() + 1
    }

    /// Returns the number of errors so far; an entry whose parsing increased it is invalid.
    pub fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|found| found.severity == Severity::Error).count()
    }

    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|found| found.location.as_ref().map(|at| (at.line, at.column)));
        self.diagnostics
    }
}
