//! Diagnostics: an error or warning about a text, with its location and a help text.

use std::fmt;
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The text it points at is not used.
    Error,
    /// The text is used, but probably not as its author meant.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// A location in a text, with enough of the text to show it.
///
/// The excerpt is taken when the diagnostic is made, so that showing it later does not read the file again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLocation {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// The line, or the part of a very long line around the location.
    pub excerpt: String,
    pub marked: Range<usize>,
}

/// The number of bytes of a line shown on either side of the marked part.
const CONTEXT: usize = 120;

impl TextLocation {
    /// Finds the line that contains the start of `span`, in bytes of `text`.
    pub fn from_span(text: &str, span: Range<usize>) -> Self {
        let start = floor_char(text, span.start);
        let end = floor_char(text, span.end.max(start));
        let before = text.get(..start).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let rest = text.get(line_start..).unwrap_or_default();
        let line_len = rest.find('\n').unwrap_or(rest.len());
        let line = rest.get(..line_len).unwrap_or_default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        let column_start = (start - line_start).min(line.len());
        let column_end = (end - line_start).clamp(column_start, line.len());

        let from = floor_char(line, column_start.saturating_sub(CONTEXT));
        let to = floor_char(line, column_end.min(column_start + CONTEXT) + CONTEXT);
        let excerpt = line.get(from..to).unwrap_or_default().to_owned();
        let marked_start = column_start - from;
        let marked_end = (column_end - from).min(excerpt.len());
        Self {
            line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: line.get(..column_start).unwrap_or_default().chars().count() + 1,
            excerpt,
            marked: marked_start..marked_end,
        }
    }
}

/// Returns the largest character boundary of `text` that is not above `at`.
fn floor_char(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    /// The file, as shown to the user.
    pub path: String,
    pub location: Option<TextLocation>,
    pub message: String,
    pub help: Option<String>,
}

impl Diagnostic {
    /// Makes an error about a whole file.
    pub fn error(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, path.into(), message.into())
    }

    pub fn warning(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, path.into(), message.into())
    }

    fn new(severity: Severity, path: String, message: String) -> Self {
        Self { severity, path, location: None, message, help: None }
    }

    /// Points at `span` (bytes) of the file's `text`.
    #[must_use]
    pub fn at(mut self, text: &str, span: Range<usize>) -> Self {
        self.location = Some(TextLocation::from_span(text, span));
        self
    }

    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Formats one line, without the help: `path:line:column: message`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        if let Some(location) = &self.location {
            write!(f, ":{}:{}", location.line, location.column)?;
        }
        write!(f, ": {}", self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, span: Range<usize>, line: usize, column: usize, marked: &str) {
        let location = TextLocation::from_span(text, span);
        assert_eq!((location.line, location.column), (line, column));
        assert_eq!(location.excerpt.get(location.marked.clone()).unwrap(), marked);
    }

    #[test]
    fn a_span_becomes_line_column_and_marked_text() {
        check("name = 1\ncrates = 2\n", 9..15, 2, 1, "crates");
        check("a\r\nbcd\r\n", 4..6, 2, 2, "cd");
        check("über = 1", 0..5, 1, 1, "über");
        check("", 0..0, 1, 1, "");
        check("abc", 90..99, 1, 4, "");
        // A span over several lines marks the rest of its first line.
        check("[a\nb]", 0..5, 1, 1, "[a");
    }

    #[test]
    fn a_very_long_line_is_cut_around_the_place() {
        let text = format!("{}HERE{}", "é".repeat(5_000), "x".repeat(5_000));
        let location = TextLocation::from_span(&text, 10_000..10_004);
        assert_eq!(location.excerpt.get(location.marked.clone()).unwrap(), "HERE");
        assert!(location.excerpt.len() < 400, "{}", location.excerpt.len());
        assert_eq!(location.column, 5_001);
    }
}
