//! Why a command ended early.

use symposium_model::diagnostic::Diagnostic;

use super::exit::CommandExit;
use super::printer::Printer;
use super::response::CommandResponse;

/// An error for a person: what failed, on which path or value, and what to do next.
#[derive(Debug)]
pub(crate) struct CliError {
    exit: CommandExit,
    message: String,
    /// Listed below the message, a line each.
    entries: Vec<String>,
    hints: Vec<String>,
}

impl CliError {
    fn new(exit: CommandExit, message: String) -> Self {
        Self { exit, message, entries: Vec::new(), hints: Vec::new() }
    }

    pub(crate) fn no(message: impl Into<String>) -> Self {
        Self::new(CommandExit::No, message.into())
    }

    /// The command line is wrong.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(CommandExit::Usage, message.into())
    }

    /// It could not be done.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::new(CommandExit::Partial, message.into())
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
    pub(crate) fn reply(self) -> CommandResponse {
        self.hints
            .into_iter()
            .fold(CommandResponse::new(self.exit).error_list(self.message, self.entries), CommandResponse::hint)
    }

    /// Shows the error and gives the exit code.
    pub(crate) fn report(self, printer: Printer) -> CommandExit {
        self.reply().print(printer)
    }
}
