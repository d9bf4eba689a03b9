//! Scans a text for anything that deceives its reader: invisible characters, and passages the user should look at.
//!
//! A *blocking* character is one a reviewer cannot see or that changes how text around it is shown. A *notice* is
//! visible text that deserves a second look. [`clean`] removes exactly what [`scan`] calls blocking.

mod characters;
mod finding;
mod hidden;
mod pipes;
mod ranges;

use std::borrow::Cow;

pub use finding::{FindingKind, ScanFinding, ScanSeverity};

/// Returns all findings in `text`, in order.
pub fn scan(text: &str) -> Vec<ScanFinding> {
    let mut findings = characters::blocking(text);
    findings
        .extend(hidden::passages(text).into_iter().map(|span| ScanFinding::new(FindingKind::HiddenInstruction, span)));
    findings.extend(pipes::downloads(text).into_iter().map(|span| ScanFinding::new(FindingKind::PipeToShell, span)));
    findings.sort_by_key(|finding| finding.span.start);
    findings
}

/// Removes blocking characters, so that the text may be passed to an agent or a terminal.
pub fn clean(text: &str) -> Cow<'_, str> {
    let blocking = characters::blocking(text);
    if blocking.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for finding in blocking {
        kept.push_str(text.get(from..finding.span.start).unwrap_or_default());
        from = finding.span.end;
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(kept)
}

const SHOWN_BREAK: &str = " ⏎ ";

/// Cleans the text and puts it on one line with visible line breaks. A name chosen by another author must not begin a
/// line of Symposium's output.
pub fn one_line(text: &str) -> Cow<'_, str> {
    let text = clean(text);
    if !text.contains(is_line_break) {
        return text;
    }
    let lines: Vec<&str> = text.split(is_line_break).map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    Cow::Owned(lines.join(SHOWN_BREAK))
}

/// Cleans the text and keeps only `\n` as line break: rare ones are made visible instead.
pub fn plain_lines(text: &str) -> Cow<'_, str> {
    let text = clean(text);
    if !text.contains(is_odd_break) {
        return text;
    }
    Cow::Owned(text.split(is_odd_break).collect::<Vec<_>>().join(SHOWN_BREAK))
}

fn is_line_break(c: char) -> bool {
    c == '\n' || is_odd_break(c)
}

fn is_odd_break(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
