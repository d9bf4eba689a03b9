//! The answer of a command: printed for a person, or as one text for a caller without a second stream.

use symposium_model::scan;

use super::printer::OutputPrinter;
use super::text::{StyledText, listed};
use crate::error::{CliError, CommandExit};

#[derive(Debug)]
enum ResponsePart {
    Text(StyledText),
    /// The message of an error, and the list below it.
    Error(String, Vec<String>),
    Warning(String),
    Hint(String),
}

/// An answer with everything said beside it, in order.
#[derive(Debug)]
pub(crate) struct CommandResponse {
    parts: Vec<ResponsePart>,
    pub(crate) exit: CommandExit,
}

impl From<CliError> for CommandResponse {
    fn from(error: CliError) -> Self {
        let response = Self::new(error.exit).error_list(error.message, error.entries);
        error.hints.into_iter().fold(response, Self::hint)
    }
}

impl CommandResponse {
    pub(crate) fn new(exit: CommandExit) -> Self {
        Self { parts: Vec::new(), exit }
    }

    pub(crate) fn text(mut self, text: StyledText) -> Self {
        self.parts.push(ResponsePart::Text(text));
        self
    }

    /// Adds why it is a no.
    pub(crate) fn error(self, message: impl Into<String>) -> Self {
        self.error_list(message, Vec::new())
    }

    /// Adds why it is a no, with a list below it, a line each.
    pub(crate) fn error_list(mut self, message: impl Into<String>, entries: Vec<String>) -> Self {
        self.parts.push(ResponsePart::Error(message.into(), entries));
        self
    }

    pub(crate) fn warning(mut self, message: impl Into<String>) -> Self {
        self.parts.push(ResponsePart::Warning(message.into()));
        self
    }

    /// Adds what to do next.
    pub(crate) fn hint(mut self, message: impl Into<String>) -> Self {
        self.parts.push(ResponsePart::Hint(message.into()));
        self
    }

    /// Prints each part where it belongs.
    pub(crate) fn print(&self, printer: OutputPrinter) -> CommandExit {
        for part in &self.parts {
            match part {
                ResponsePart::Text(text) => printer.text(text),
                ResponsePart::Error(message, entries) => printer.error(message, entries),
                ResponsePart::Warning(message) => printer.warning(message),
                ResponsePart::Hint(message) => printer.hint(message),
            }
        }
        self.exit
    }

    /// Everything as one text without style. Where there is only an answer, it is what goes to stdout.
    pub(crate) fn bare(&self) -> String {
        let parts = self.parts.iter().map(|part| match part {
            ResponsePart::Text(text) => text.bare(),
            ResponsePart::Error(message, entries) => format!("{}\n", listed(message, entries)),
            ResponsePart::Warning(message) => format!("{}\n", scan::one_line(message)),
            ResponsePart::Hint(message) => format!("help: {}\n", scan::one_line(message)),
        });
        parts.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_said_is_in_the_bare_text() {
        let answer =
            CommandResponse::new(CommandExit::Ok).text(StyledText::default().heading("# a").dim("b\u{1b}[31m").end());
        assert_eq!(answer.bare(), "# a\nb[31m\n");
        let no = CommandResponse::new(CommandExit::No)
            .error("`x` is unknown")
            .text(StyledText::default().line("y"))
            .hint("try\u{202e} z");
        assert_eq!(no.warning("odd").bare(), "`x` is unknown\ny\nhelp: try z\nodd\n");
    }

    #[test]
    fn each_entry_of_a_list_is_one_line() {
        let no = CommandResponse::new(CommandExit::No)
            .error_list("these:\nx", vec!["+ a\nb".to_owned(), "- c".to_owned()])
            .hint("d");
        assert_eq!(no.bare(), "these: ⏎ x\n  + a ⏎ b\n  - c\nhelp: d\n");
    }
}
