//! What in a text deceives its reader: characters nobody sees, and passages a person should look at.
//!
//! A *blocking* character is one a reviewer cannot see or that changes how text around it is shown. A *notice* is visible
//! text that deserves a second look. [`clean`] removes exactly what [`scan`] calls blocking.

mod characters;
mod finding;
mod hidden;
mod pipes;
mod ranges;

use std::borrow::Cow;

pub use finding::{FindingKind, ScanFinding, ScanSeverity};

/// Everything in `text` that deceives its reader, in order.
pub fn scan(text: &str) -> Vec<ScanFinding> {
    let mut findings = characters::blocking(text);
    findings
        .extend(hidden::passages(text).into_iter().map(|span| ScanFinding::new(FindingKind::HiddenInstruction, span)));
    findings.extend(pipes::downloads(text).into_iter().map(|span| ScanFinding::new(FindingKind::PipeToShell, span)));
    findings.sort_by_key(|finding| finding.span.start);
    findings
}

/// The text without its blocking characters: what may be handed to an agent or a terminal.
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

/// Stands for a line break in a text that has to stay in one line.
const SHOWN_BREAK: &str = " ⏎ ";

/// The text cleaned and in one line, its line breaks shown. A name that others chose must not begin a line of ours.
pub fn one_line(text: &str) -> Cow<'_, str> {
    let text = clean(text);
    if !text.contains(is_line_break) {
        return text;
    }
    let lines: Vec<&str> = text.split(is_line_break).map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    Cow::Owned(lines.join(SHOWN_BREAK))
}

/// The text cleaned, with no other line breaks than `\n`: those that few programs know are shown instead.
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
