//! Everything a run has to tell beside its result, in order, for `cli` to print.

use std::collections::BTreeSet;

use symposium_model::diagnostic::{Diagnostic, Severity};

use crate::error::CommandExit;

#[derive(Debug)]
pub(crate) enum ReportLine {
    /// With an excerpt of the file.
    Full(Diagnostic),
    /// In one line.
    Brief(Diagnostic),
    Warning(String),
    Hint(String),
    /// Only with `--verbose`.
    Detail(String),
}

/// Diagnostics of a run, and whether something could not be done because of them.
#[derive(Debug, Default)]
pub(crate) struct RunReport {
    lines: Vec<ReportLine>,
    /// Diagnostics that were added before: a command that reads its sources twice reports a problem once.
    reported: BTreeSet<String>,
    partial: bool,
    unread: bool,
}

impl RunReport {
    /// Adds findings about a configuration, a manifest or a lock. After an error nothing can be said to be gone.
    pub(crate) fn add(&mut self, findings: &[Diagnostic]) {
        log(findings);
        self.add_logged(findings);
    }

    /// The same for findings that are in the log already.
    pub(crate) fn add_logged(&mut self, findings: &[Diagnostic]) {
        self.unread |= has_error(findings);
        self.count(findings);
        let new = self.unreported(findings);
        self.lines.extend(new.into_iter().map(ReportLine::Full));
    }

    /// Adds findings that are told in one line each.
    pub(crate) fn add_briefly(&mut self, findings: &[Diagnostic]) {
        log(findings);
        self.count(findings);
        let new = self.unreported(findings);
        self.lines.extend(new.into_iter().map(ReportLine::Brief));
    }

    fn unreported(&mut self, findings: &[Diagnostic]) -> Vec<Diagnostic> {
        findings.iter().filter(|found| self.reported.insert(found.to_string())).cloned().collect()
    }

    /// Counts findings that are told elsewhere.
    pub(crate) fn count(&mut self, findings: &[Diagnostic]) {
        self.partial |= has_error(findings);
    }

    /// Counts the findings of another run, of which nothing is told.
    pub(crate) fn count_all(&mut self, other: &Self) {
        self.partial |= other.partial;
        self.unread |= other.unread;
    }

    pub(crate) fn push(&mut self, line: ReportLine) {
        self.lines.push(line);
    }

    pub(crate) fn warning(&mut self, message: impl Into<String>) {
        self.push(ReportLine::Warning(message.into()));
    }

    /// Hands over the lines that were not printed yet.
    pub(crate) fn take_lines(&mut self) -> Vec<ReportLine> {
        std::mem::take(&mut self.lines)
    }

    /// Whether something could not be done.
    pub(crate) fn is_partial(&self) -> bool {
        self.partial
    }

    /// Whether a configuration, a manifest or a lock could not be read.
    pub(crate) fn is_unread(&self) -> bool {
        self.unread
    }

    /// Turns a good end into a partial one when something could not be done.
    pub(crate) fn exit(&self, exit: CommandExit) -> CommandExit {
        match exit {
            CommandExit::Ok if self.partial => CommandExit::Partial,
            CommandExit::Ok | CommandExit::No | CommandExit::Usage | CommandExit::Partial => exit,
        }
    }
}

/// Writes findings to the log.
pub(crate) fn log(findings: &[Diagnostic]) {
    for found in findings {
        tracing::warn!("{found}");
    }
}

fn has_error(findings: &[Diagnostic]) -> bool {
    findings.iter().any(|found| found.severity == Severity::Error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_is_reported_once_and_always_counted() {
        let cases: [(&[&[&str]], usize); 4] = [
            (&[&["a.toml"]], 1),
            (&[&["a.toml", "a.toml"]], 1),
            (&[&["a.toml"], &["a.toml"]], 1),
            (&[&["a.toml"], &["b.toml"]], 2),
        ];
        for (readings, expected) in cases {
            let mut report = RunReport::default();
            let mut printed = 0;
            for files in readings {
                let findings: Vec<Diagnostic> =
                    files.iter().map(|file| Diagnostic::error(*file, "Not valid TOML")).collect();
                report.add_briefly(&findings);
                printed += report.take_lines().len();
            }
            assert_eq!(printed, expected, "{readings:?}");
            assert!(report.is_partial(), "{readings:?}");
        }
    }
}
