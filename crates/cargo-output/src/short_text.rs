//! Puts the short text together: lines, diagnostics, and blank lines where they still separate something.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::diagnostic_group::{DiagnosticGroup, has_place};

/// The short text while it is made.
#[derive(Debug, Default)]
pub(crate) struct ShortText<'o> {
    pieces: Vec<ShortPiece<'o>>,
    groups: Vec<DiagnosticGroup<'o>>,
    /// The group for a first line, of diagnostics that have a place.
    placed: HashMap<&'o str, usize>,
    /// The group for a whole diagnostic that has none.
    unplaced: HashMap<Vec<&'o str>, usize>,
    blanks: usize,
    left_out: bool,
}

#[derive(Debug)]
enum ShortPiece<'o> {
    Line(Cow<'o, str>),
    Group(usize),
}

impl<'o> ShortText<'o> {
    /// Adds a line, after the blank lines before it unless something was left out there.
    pub(crate) fn add_line(&mut self, line: impl Into<Cow<'o, str>>) {
        if !self.left_out && matches!(self.pieces.last(), Some(ShortPiece::Line(_))) {
            for _ in 0..self.blanks {
                self.pieces.push(ShortPiece::Line(Cow::Borrowed("")));
            }
        }
        self.pieces.push(ShortPiece::Line(line.into()));
        self.blanks = 0;
        self.left_out = false;
    }

    pub(crate) fn add_blank(&mut self) {
        self.blanks += 1;
    }

    /// Records that a line was left out here.
    pub(crate) fn leave_out(&mut self) {
        self.left_out = true;
    }

    /// Adds a diagnostic, beside those it has its first line or all lines in common with.
    pub(crate) fn add_diagnostic(&mut self, header: &'o str, body: &[&'o str]) {
        let next = self.groups.len();
        let at = if has_place(body) {
            *self.placed.entry(header).or_insert(next)
        } else {
            let whole: Vec<&'o str> = std::iter::once(header).chain(body.iter().copied()).collect();
            *self.unplaced.entry(whole).or_insert(next)
        };
        if at == next {
            self.groups.push(DiagnosticGroup::new(header));
            self.pieces.push(ShortPiece::Group(at));
        }
        if let Some(group) = self.groups.get_mut(at) {
            group.add(body);
        }
        self.blanks = 0;
        self.left_out = true;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    pub(crate) fn finish(self) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                ShortPiece::Line(line) => {
                    text.push_str(line);
                    text.push('\n');
                }
                ShortPiece::Group(at) => {
                    if let Some(group) = self.groups.get(*at) {
                        group.write(&mut text);
                    }
                }
            }
        }
        text
    }
}
