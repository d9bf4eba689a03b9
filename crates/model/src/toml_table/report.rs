//! What was found in a file so far, and where.

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Severity};

/// A value and the bytes of the file it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Range<usize>,
}

impl<T> Located<T> {
    /// The same place with another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Located<U> {
        Located { value: f(self.value), span: self.span }
    }
}

/// The file being read and what was found in it so far.
#[derive(Debug)]
pub struct Report<'t> {
    path: &'t str,
    text: &'t str,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Report<'t> {
    /// Starts a report on the file at `path`.
    pub fn new(path: &'t str, text: &'t str) -> Self {
        Self { path, text, diagnostics: Vec::new() }
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
