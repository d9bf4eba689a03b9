//! The errors of edits, with their location and a hint for the user.

use std::ops::Range;

use symposium_model::diagnostic::{Diagnostic, TextLocation};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EditError {
    pub kind: EditErrorKind,
    pub message: String,
    pub help: String,
    /// In bytes from the start of the text.
    pub offset: usize,
    pub location: Box<TextLocation>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditErrorKind {
    Syntax,
    TooDeep,
    SeveralValues,
    /// The top of the file, or a step of a path, is of a type that cannot hold the entry.
    Shape,
    DuplicateKey,
    /// Valid, but written in a form that is not edited.
    Unsupported,
    /// The edited text failed its own check; a bug of Symposium.
    Unsafe,
}

impl EditError {
    pub(crate) fn new(
        kind: EditErrorKind,
        text: &str,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let offset = span.start;
        let location = Box::new(TextLocation::from_span(text, span));
        Self { kind, message: message.into(), help: help.into(), offset, location }
    }

    pub(crate) fn unsafe_result(text: &str) -> Self {
        Self::new(
            EditErrorKind::Unsafe,
            text,
            0..0,
            "This file could not be edited safely and was skipped",
            "this is a bug in Symposium; please report it with the file",
        )
    }

    pub(crate) fn moved_by(mut self, bytes: usize) -> Self {
        self.offset += bytes;
        self
    }

    pub fn line(&self) -> usize {
        self.location.line
    }

    pub fn diagnostic(&self, path: impl Into<String>) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(path, self.message.clone()).help(self.help.clone());
        diagnostic.location = Some((*self.location).clone());
        diagnostic
    }
}
