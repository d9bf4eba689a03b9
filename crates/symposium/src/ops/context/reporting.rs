//! What goes wrong on the way is said when it is found, and remembered for the exit code.

use symposium_model::diagnostic::{Diagnostic, Severity};

use super::Context;
use crate::ui::exit::CommandExit;

impl Context {
    /// Shows findings in full; an error among them means that something could not be done.
    pub(crate) fn report(&self, findings: &[Diagnostic]) {
        self.note(findings);
        if findings.iter().any(|found| found.severity == Severity::Error) {
            self.unread.set(true);
        }
        for found in findings {
            tracing::warn!("{found}");
        }
        self.printer.diagnostics(findings);
    }

    /// Remembers that something could not be done, if an error is among the findings.
    pub(crate) fn note(&self, findings: &[Diagnostic]) {
        if findings.iter().any(|found| found.severity == Severity::Error) {
            self.partial.set(true);
        }
    }

    /// Whether a configuration, a manifest or a lock could not be read.
    pub(crate) fn is_unread(&self) -> bool {
        self.unread.get()
    }

    /// Says in one line each what a source lost; an error among them means that something could not be done.
    pub(crate) fn report_briefly(&self, faults: &[Diagnostic]) {
        self.note(faults);
        for found in faults {
            tracing::warn!("{found}");
            self.printer.briefly(found);
        }
    }

    /// The exit code of the call: a good end still tells when something could not be done on the way.
    pub(crate) fn closing(&self, exit: CommandExit) -> CommandExit {
        match exit {
            CommandExit::Ok if self.partial.get() => CommandExit::Partial,
            CommandExit::Ok | CommandExit::No | CommandExit::Usage | CommandExit::Partial => exit,
        }
    }
}
