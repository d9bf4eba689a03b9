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

pub use finding::{Finding, Kind, Severity};

/// Everything in `text` that deceives its reader, in order.
pub fn scan(text: &str) -> Vec<Finding> {
    let mut findings = characters::blocking(text);
    findings.extend(hidden::passages(text).into_iter().map(|span| Finding::new(Kind::HiddenInstruction, span)));
    findings.extend(pipes::downloads(text).into_iter().map(|span| Finding::new(Kind::PipeToShell, span)));
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

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
