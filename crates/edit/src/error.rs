//! Why a text was not edited, where, and what its owner can do.

use std::ops::Range;

use symposium_model::diagnostic::{Diagnostic, TextLocation};

/// A refusal; the text was left alone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EditError {
    pub kind: EditErrorKind,
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// Where, in bytes from the start of the text.
    pub offset: usize,
    pub location: Box<TextLocation>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditErrorKind {
    /// Not JSON, or not TOML.
    Syntax,
    /// Arrays or objects inside each other beyond any real file.
    TooDeep,
    /// More than one value at the top.
    SeveralValues,
    /// The top of the file, or a step of a path, is of a kind that cannot hold the entry.
    Shape,
    /// A key of a path is there twice.
    DuplicateKey,
    /// Legal, but written in a way we do not edit.
    Unsupported,
    /// The edited text failed its own check; a fault of ours.
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

    /// The edited text is not what it should be, so the old one stays.
    pub(crate) fn unsafe_result(text: &str) -> Self {
        Self::new(
            EditErrorKind::Unsafe,
            text,
            0..0,
            "This file could not be edited safely and was skipped",
            "this is a fault of Symposium; please report it together with the file",
        )
    }

    pub(crate) fn moved_by(mut self, bytes: usize) -> Self {
        self.offset += bytes;
        self
    }

    /// The line, from 1.
    pub fn line(&self) -> usize {
        self.location.line
    }

    /// The finding about the file at `path`.
    pub fn diagnostic(&self, path: impl Into<String>) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(path, self.message.clone()).help(self.help.clone());
        diagnostic.location = Some((*self.location).clone());
        diagnostic
    }
}
