//! The streams of the program: data goes to stdout, messages to stderr.

use std::borrow::Cow;
use std::io::Write;

use anstream::{AutoStream, ColorChoice};
use anstyle::Style;
use serde::Serialize;
use serde_json::Value;
use symposium_io::terminal;
use symposium_model::config::redact;
use symposium_model::diagnostic::{Diagnostic, Severity};
use symposium_model::scan;

use super::diagnostic_row::DiagnosticRow;
use super::text::{StyledText, begin_lower, listed};
use super::{diagnostic, json_document, palette};
use crate::run_report::ReportLine;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum VerbosityLevel {
    /// Nothing is printed, not even the answer: if the caller does not read the pipe, a full one would block this
    /// process.
    Silent,
    Quiet,
    Normal,
    Verbose,
    /// Everything, and the log of the run.
    WithLog,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    Human,
    Json,
}

/// The one place that writes to stdout and stderr.
///
/// A reader that goes away (`symposium man | head`) is not an error: what cannot be written is dropped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OutputPrinter {
    pub(crate) verbosity: VerbosityLevel,
    pub(crate) answer: OutputFormat,
    pub(crate) color: ColorChoice,
}

impl OutputPrinter {
    pub(crate) fn silent() -> Self {
        Self { verbosity: VerbosityLevel::Silent, answer: OutputFormat::Human, color: ColorChoice::Never }
    }

    /// Prints the answer as text.
    pub(crate) fn text(self, text: &StyledText) {
        if self.verbosity == VerbosityLevel::Silent {
            return;
        }
        let mut out = AutoStream::new(std::io::stdout().lock(), self.color);
        let text = for_columns(text, terminal::output_columns());
        let _ = out.write_all(text.styled().as_bytes()).and_then(|()| out.flush());
    }

    /// Prints text that is no answer, for the person beside it.
    pub(crate) fn aside(self, text: &StyledText) {
        if self.verbosity >= VerbosityLevel::Normal {
            let mut err = AutoStream::new(std::io::stderr().lock(), self.color);
            let text = for_columns(text, terminal::error_columns());
            let _ = err.write_all(text.styled().as_bytes()).and_then(|()| err.flush());
        }
    }

    /// Answers with one JSON document, which [`OutputPrinter::close`] prints.
    pub(crate) fn json(self, document: &impl Serialize) {
        if self.verbosity == VerbosityLevel::Silent {
            return;
        }
        // A document that cannot be made is a bug of ours, and our own types always can.
        if let Ok(document) = serde_json::to_value(document) {
            json_document::hold(document);
        }
    }

    /// Ends the call: where a document was asked for, prints it, with everything that could not be done.
    pub(crate) fn close(self) {
        let Some(mut document) = (self.answer == OutputFormat::Json).then(json_document::take).flatten() else {
            return;
        };
        clean(&mut document);
        let mut out = std::io::stdout().lock();
        if serde_json::to_writer_pretty(&mut out, &document).is_ok() {
            let _ = out.write_all(b"\n").and_then(|()| out.flush());
        }
    }

    /// Prints bytes made for another program.
    pub(crate) fn raw(self, bytes: &[u8]) {
        if self.verbosity == VerbosityLevel::Silent {
            return;
        }
        json_document::hold_nothing();
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(bytes).and_then(|()| out.flush());
    }

    /// Says something failed, with a list below it, a line each.
    pub(crate) fn error(self, message: &str, entries: &[String]) {
        if self.is_documenting() {
            json_document::add_error(DiagnosticRow::error(&redact(&listed(message, entries))));
        }
        self.talk_lines("error", palette::ERROR, &listed(message, entries));
    }

    /// Shows text that says what is wrong with the command line, styled already.
    pub(crate) fn complain(self, styled: &str) {
        let mut err = AutoStream::new(std::io::stderr().lock(), self.color);
        let _ = err.write_all(styled.as_bytes()).and_then(|()| err.flush());
    }

    /// Says in one line what a finding is about, and what to do.
    pub(crate) fn briefly(self, finding: &Diagnostic) {
        let message = begin_lower(&finding.message).into_owned();
        let shown = Diagnostic { message, ..finding.clone() }.to_string();
        match finding.severity {
            Severity::Error => {
                self.document(finding);
                self.talk("error", palette::ERROR, &shown);
                if let Some(help) = &finding.help {
                    self.talk("help", palette::HELP, help);
                }
            }
            Severity::Warning => {
                let help = finding.help.iter().map(|help| format!("; {help}"));
                self.warning(&std::iter::once(shown).chain(help).collect::<String>());
            }
        }
    }

    pub(crate) fn warning(self, message: &str) {
        json_document::close_error();
        if self.verbosity >= VerbosityLevel::Normal {
            self.talk("warning", palette::WARNING, message);
        }
    }

    pub(crate) fn hint(self, message: &str) {
        if self.is_documenting() {
            json_document::add_help(&redact(message));
        }
        self.talk("help", palette::HELP, message);
    }

    /// Says something the person should know.
    pub(crate) fn note(self, message: &str) {
        if self.verbosity >= VerbosityLevel::Normal {
            self.talk("note", palette::STRONG, message);
        }
    }

    /// Says something only the curious want to know.
    pub(crate) fn detail(self, message: &str) {
        if self.verbosity >= VerbosityLevel::Verbose {
            self.talk("note", palette::STRONG, message);
        }
    }

    /// Prints findings with their excerpts as the answer.
    pub(crate) fn findings<'d>(self, findings: impl IntoIterator<Item = &'d Diagnostic>) {
        if self.verbosity == VerbosityLevel::Silent {
            return;
        }
        let mut out = AutoStream::new(std::io::stdout().lock(), self.color);
        for finding in findings {
            let _ = writeln!(out, "{}", diagnostic::render(finding));
        }
    }

    /// Shows findings with their excerpts.
    pub(crate) fn diagnostics<'d>(self, findings: impl IntoIterator<Item = &'d Diagnostic>) {
        let mut err = AutoStream::new(std::io::stderr().lock(), self.color);
        for finding in findings {
            let wanted = match finding.severity {
                Severity::Error => VerbosityLevel::Quiet,
                Severity::Warning => VerbosityLevel::Normal,
            };
            self.document(finding);
            if self.verbosity >= wanted {
                let _ = writeln!(err, "{}", redact(&diagnostic::render(finding)));
            }
        }
    }

    /// Prints the lines of a report.
    pub(crate) fn lines(self, lines: Vec<ReportLine>) {
        for line in lines {
            match line {
                ReportLine::Full(finding) => self.diagnostics([&finding]),
                ReportLine::Brief(finding) => self.briefly(&finding),
                ReportLine::Warning(message) => self.warning(&message),
                ReportLine::Hint(message) => self.hint(&message),
                ReportLine::Detail(message) => self.detail(&message),
            }
        }
    }

    /// Adds an error to the JSON document too.
    fn document(self, finding: &Diagnostic) {
        if self.is_documenting() && finding.severity == Severity::Error {
            json_document::add_error(DiagnosticRow::from_diagnostic(finding).map(|text| redact(text).into_owned()));
        }
    }

    /// Whether what is said is also for a document.
    fn is_documenting(self) -> bool {
        self.answer == OutputFormat::Json && self.verbosity != VerbosityLevel::Silent
    }

    fn talk(self, label: &str, style: Style, message: &str) {
        self.talk_lines(label, style, &scan::one_line(message));
    }

    /// Says a text whose lines are as they should be.
    fn talk_lines(self, label: &str, style: Style, text: &str) {
        if self.verbosity == VerbosityLevel::Silent {
            return;
        }
        let mut err = AutoStream::new(std::io::stderr().lock(), self.color);
        // The label is not part of what is broken into lines, but of the first line's length.
        let text = redact(text).into_owned();
        let message = StyledText::default().block(format!("{label}: {}", begin_lower(&text)));
        let message = for_columns(&message, terminal::error_columns()).bare();
        let message = message.strip_prefix(label).unwrap_or(&message);
        let _ = write!(err, "{style}{label}{style:#}{message}");
    }
}

/// A terminal breaks long lines in the middle of a word, so there they are broken before.
fn for_columns(text: &StyledText, columns: Option<usize>) -> Cow<'_, StyledText> {
    columns.map_or(Cow::Borrowed(text), |columns| Cow::Owned(text.fitted(columns)))
}

/// Removes from every text what hides something: agents read the JSON too.
fn clean(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(cleaned) = scan::plain_lines(text) {
                *text = cleaned;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(clean),
        Value::Object(entries) => entries.values_mut().for_each(clean),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Writes a piece of the log to stderr, without what could drive a terminal.
pub(crate) fn show_log(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = std::io::stderr().lock().write_all(scan::plain_lines(&text).as_bytes());
}

/// Writes to stderr when nothing else works any more.
pub(crate) fn last_words(message: &str) {
    let _ = std::io::stderr().lock().write_all(message.as_bytes());
}
