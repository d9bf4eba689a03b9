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
    /// Listed below the message, a line each.
    entries: Vec<String>,
    hints: Vec<String>,
}

impl CliError {
    fn new(exit: Exit, message: String) -> Self {
        Self { exit, message, entries: Vec::new(), hints: Vec::new() }
    }

    /// The answer is no.
    pub(crate) fn no(message: impl Into<String>) -> Self {
        Self::new(Exit::No, message.into())
    }

    /// The command line is wrong.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message.into())
    }

    /// It could not be done.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::new(Exit::Partial, message.into())
    }

    /// It could not be done because of this.
    pub(crate) fn because(found: Diagnostic) -> Self {
        let error = Self::failed(found.to_string());
        found.help.into_iter().fold(error, Self::hint)
    }

    /// Lists something below the message, a line each.
    pub(crate) fn list(mut self, entries: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.entries.extend(entries.into_iter().map(Into::into));
        self
    }

    /// Adds what to do next.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The error as the answer to a question.
    pub(crate) fn reply(self) -> Reply {
        self.hints.into_iter().fold(Reply::new(self.exit).error_list(self.message, self.entries), Reply::hint)
    }

    /// Shows the error and gives the exit code.
    pub(crate) fn report(self, printer: Printer) -> Exit {
        self.reply().print(printer)
    }
}
