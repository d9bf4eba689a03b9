//! Why a command ended early.

use symposium_model::diagnostic::Diagnostic;

use super::exit::Exit;
use super::printer::Printer;
use super::reply::Reply;

/// An error for a person: what failed, on which path or value, and what to do next.
#[derive(Debug)]
pub(crate) struct CliError {
    exit: Exit,
    message: String,
    hints: Vec<String>,
}

impl CliError {
    /// The answer is no.
    pub(crate) fn no(message: impl Into<String>) -> Self {
        Self { exit: Exit::No, message: message.into(), hints: Vec::new() }
    }

    /// The command line is wrong.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, message: message.into(), hints: Vec::new() }
    }

    /// It could not be done.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self { exit: Exit::Partial, message: message.into(), hints: Vec::new() }
    }

    /// It could not be done because of this.
    pub(crate) fn because(found: Diagnostic) -> Self {
        let error = Self::failed(found.to_string());
        found.help.into_iter().fold(error, Self::hint)
    }

    /// Adds what to do next.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The error as the answer to a question.
    pub(crate) fn reply(self) -> Reply {
        self.hints.into_iter().fold(Reply::new(self.exit).error(self.message), Reply::hint)
    }

    /// Shows the error and gives the exit code.
    pub(crate) fn report(self, printer: Printer) -> Exit {
        self.reply().print(printer)
    }
}
