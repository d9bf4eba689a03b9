//! The prose of a Markdown text: paragraphs with sentences, and tables of two columns.

use std::ops::Range;

use super::blocks::{closes, split_fence};

/// Lines that belong together: a paragraph, an item of a list, or a line of the frontmatter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ProsePart {
    Paragraph(Range<usize>),
    /// A line of a table with two columns: its heading, and the cells.
    Row {
        heading: Range<usize>,
        left: Range<usize>,
        right: Range<usize>,
    },
}

/// Splits a text into parts, without code blocks.
pub(super) fn split_prose(text: &str) -> Vec<ProsePart> {
    let mut parts = Vec::new();
    let mut paragraph: Option<Range<usize>> = None;
    let mut fence: Option<&str> = None;
    let mut heading: Option<Range<usize>> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let span = at..at + line.trim_end().len();
        at += line.len();
        if let Some(marker) = fence {
            fence = Some(marker).filter(|marker| !closes(line, marker));
            continue;
        }
        let start = line.trim_start();
        let is_row = start.starts_with('|');
        fence = split_fence(line).map(|(marker, _)| marker);
        if is_row || fence.is_some() || begins_part(start) {
            parts.extend(paragraph.take().map(ProsePart::Paragraph));
        }
        if !is_row {
            heading = None;
        }
        match (is_row, &heading) {
            (true, None) => heading = Some(span),
            (true, Some(heading)) => match cells(text, span.clone()).as_slice() {
                [left, right] if !is_rule(start) => {
                    parts.push(ProsePart::Row { heading: heading.clone(), left: left.clone(), right: right.clone() });
                }
                [_, _] => {}
                _ if is_rule(start) => {}
                // A row about several versions has names of each.
                _ if text
                    .get(heading.clone())
                    .is_some_and(|heading| heading.contains(|c: char| c.is_ascii_digit())) => {}
                _ => parts.push(ProsePart::Paragraph(span)),
            },
            (false, _) if fence.is_some() || start.trim().is_empty() => {}
            // A heading is a line of its own.
            (false, _) if start.starts_with('#') => parts.push(ProsePart::Paragraph(span)),
            (false, _) => paragraph = Some(paragraph.map_or(span.start, |open| open.start)..span.end),
        }
    }
    parts.extend(paragraph.map(ProsePart::Paragraph));
    parts
}

fn begins_part(line: &str) -> bool {
    let is_item = |line: &str| line.starts_with("- ") || line.starts_with("* ") || line.starts_with('#');
    let digits = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    line.trim().is_empty() || is_item(line) || (digits.len() < line.len() && digits.starts_with(". "))
}

fn is_rule(line: &str) -> bool {
    line.trim().chars().all(|letter| matches!(letter, '|' | '-' | ':' | ' '))
}

/// Finds the cells of a row; a bar in backticks or behind a backslash separates none.
pub(super) fn cells(text: &str, row: Range<usize>) -> Vec<Range<usize>> {
    let line = text.get(row.clone()).unwrap_or_default();
    let mut bars = Vec::new();
    let mut is_code = false;
    let mut before = ' ';
    for (at, letter) in line.char_indices() {
        match letter {
            '`' => is_code = !is_code,
            '|' if !is_code && before != '\\' => bars.push(row.start + at),
            _ => {}
        }
        before = letter;
    }
    bars.windows(2).filter_map(|pair| Some(pair.first()? + 1..*pair.get(1)?)).collect()
}

/// Finds the text between single backticks.
pub(super) fn code_spans(text: &str, within: Range<usize>) -> Vec<Range<usize>> {
    let part = text.get(within.clone()).unwrap_or_default();
    let mut marks = part.match_indices('`').map(|(at, _)| within.start + at);
    let mut spans = Vec::new();
    while let (Some(open), Some(close)) = (marks.next(), marks.next()) {
        spans.push(open + 1..close);
    }
    spans
}

/// Splits a paragraph at full stops outside of code.
pub(super) fn sentences(text: &str, paragraph: Range<usize>) -> Vec<Range<usize>> {
    let part = text.get(paragraph.clone()).unwrap_or_default();
    let mut found = Vec::new();
    let mut start = paragraph.start;
    let mut is_code = false;
    for (at, letter) in part.char_indices() {
        if letter == '`' {
            is_code = !is_code;
        }
        let rest = part.get(at + letter.len_utf8()..).unwrap_or_default();
        if !is_code && matches!(letter, '.' | '!' | '?') && rest.starts_with(char::is_whitespace) {
            found.push(start..paragraph.start + at + 1);
            start = paragraph.start + at + 1;
        }
    }
    found.push(start..paragraph.end);
    found
}
