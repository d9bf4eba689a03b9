//! What was found in a file so far, and where.

use std::ops::Range;

use super::key_query::{KeyQuery, ValueKind};
use crate::diagnostic::{Diagnostic, Severity};

/// A value and the bytes of the file it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpannedValue<T> {
    pub value: T,
    pub span: Range<usize>,
}

impl<T> SpannedValue<T> {
    /// The same place with another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> SpannedValue<U> {
        SpannedValue { value: f(self.value), span: self.span }
    }
}

/// The file being read and what was found in it so far.
#[derive(Debug)]
pub struct ParseReport<'t> {
    path: &'t str,
    text: &'t str,
    diagnostics: Vec<Diagnostic>,
    /// What readers ask for, when somebody wants to know.
    asked: Option<Vec<KeyQuery>>,
}

impl<'t> ParseReport<'t> {
    /// Starts a report on the file at `path`.
    pub fn new(path: &'t str, text: &'t str) -> Self {
        Self { path, text, diagnostics: Vec::new(), asked: None }
    }

    /// The same, with a record of what readers ask for.
    pub fn asking(path: &'t str, text: &'t str) -> Self {
        Self { asked: Some(Vec::new()), ..Self::new(path, text) }
    }

    pub fn into_asked(self) -> Vec<KeyQuery> {
        self.asked.unwrap_or_default()
    }

    /// The path of a table below another; nothing is made when nobody asks.
    pub(super) fn below(&self, path: &str, key: &str) -> String {
        match path {
            _ if self.asked.is_none() => String::new(),
            "" => key.to_owned(),
            path => format!("{path}.{key}"),
        }
    }

    /// The same for a table in an array.
    pub(super) fn item(&self, path: &str, key: &str) -> String {
        if self.asked.is_some() { format!("{}[]", self.below(path, key)) } else { String::new() }
    }

    pub(super) fn asked(&mut self, table: &str, key: &'static str, kind: ValueKind) {
        if let Some(asked) = &mut self.asked {
            asked.push(KeyQuery { table: table.to_owned(), key, kind });
        }
    }

    /// Something at `span` cannot be used.
    pub fn error(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        let found = Diagnostic::error(self.path, message).at(self.text, span).help(help);
        self.diagnostics.push(found);
    }

    /// Something at `span` is probably not what its author meant.
    pub fn warning(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        let found = Diagnostic::warning(self.path, message).at(self.text, span).help(help);
        self.diagnostics.push(found);
    }

    /// The text of the file.
    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// The line a span starts on, from 1.
    pub fn line(&self, span: &Range<usize>) -> usize {
        self.text.bytes().take(span.start).filter(|byte| *byte == b'\n').count() + 1
    }

    /// How many errors there are so far; an entry during whose reading the number grew cannot be used.
    pub fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|found| found.severity == Severity::Error).count()
    }

    /// Everything found, in the order of the file.
    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|found| found.location.as_ref().map(|at| (at.line, at.column)));
        self.diagnostics
    }
}
