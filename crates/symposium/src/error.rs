//! The end of a command: an exit code, or an error before it is done.

use std::process::ExitCode;

use symposium_model::diagnostic::Diagnostic;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommandExit {
    /// Everything asked for was done.
    Ok,
    No,
    /// The command line is wrong.
    Usage,
    /// Something could not be done; the rest was, and each is named.
    Partial,
}

impl From<CommandExit> for ExitCode {
    fn from(exit: CommandExit) -> Self {
        ExitCode::from(match exit {
            CommandExit::Ok => 0,
            CommandExit::No => 1,
            CommandExit::Usage => 2,
            CommandExit::Partial => 3,
        })
    }
}

/// An error for a person: what failed, on which path or value, and what to do next.
#[derive(Debug)]
pub(crate) struct CliError {
    pub(crate) exit: CommandExit,
    pub(crate) message: String,
    /// Listed below the message, a line each.
    pub(crate) entries: Vec<String>,
    pub(crate) hints: Vec<String>,
}

impl CliError {
    fn new(exit: CommandExit, message: String) -> Self {
        Self { exit, message, entries: Vec::new(), hints: Vec::new() }
    }

    pub(crate) fn no(message: impl Into<String>) -> Self {
        Self::new(CommandExit::No, message.into())
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(CommandExit::Usage, message.into())
    }

    /// It could not be done.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::new(CommandExit::Partial, message.into())
    }

    /// A question without an answer: the person left, or there is no terminal to ask on after all.
    pub(crate) fn unanswered(error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::Interrupted => Self::no("Stopped; nothing was changed"),
            _ => Self::failed(format!("Failed to read the answer: {error}")),
        }
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
}
