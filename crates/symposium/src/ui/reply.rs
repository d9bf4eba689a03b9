//! The answer to a question: printed for a person, or as one text for whoever has no second stream.

use symposium_model::scan;

use super::exit::Exit;
use super::printer::Printer;
use super::text::{Text, listed};

/// A piece of an answer.
#[derive(Debug)]
enum Part {
    /// The answer itself.
    Text(Text),
    /// Why it is a no, and what is listed below that.
    Error(String, Vec<String>),
    /// Something odd about it.
    Warning(String),
    /// What to do next.
    Hint(String),
}

/// An answer with everything said beside it, in order.
#[derive(Debug)]
pub(crate) struct Reply {
    parts: Vec<Part>,
    /// How the command ends.
    pub(crate) exit: Exit,
}

impl Reply {
    /// An answer of nothing yet.
    pub(crate) fn new(exit: Exit) -> Self {
        Self { parts: Vec::new(), exit }
    }

    /// Adds the answer itself.
    pub(crate) fn text(mut self, text: Text) -> Self {
        self.parts.push(Part::Text(text));
        self
    }

    /// Adds why it is a no.
    pub(crate) fn error(self, message: impl Into<String>) -> Self {
        self.error_list(message, Vec::new())
    }

    /// Adds why it is a no, with a list below it, a line each.
    pub(crate) fn error_list(mut self, message: impl Into<String>, entries: Vec<String>) -> Self {
        self.parts.push(Part::Error(message.into(), entries));
        self
    }

    /// Adds something odd.
    pub(crate) fn warning(mut self, message: impl Into<String>) -> Self {
        self.parts.push(Part::Warning(message.into()));
        self
    }

    /// Adds what to do next.
    pub(crate) fn hint(mut self, message: impl Into<String>) -> Self {
        self.parts.push(Part::Hint(message.into()));
        self
    }

    /// Prints each part where it belongs.
    pub(crate) fn print(&self, printer: Printer) -> Exit {
        for part in &self.parts {
            match part {
                Part::Text(text) => printer.text(text),
                Part::Error(message, entries) => printer.error(message, entries),
                Part::Warning(message) => printer.warning(message),
                Part::Hint(message) => printer.hint(message),
            }
        }
        self.exit
    }

    /// Everything as one text without style. Where there is only an answer, it is what goes to stdout.
    pub(crate) fn bare(&self) -> String {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) => text.bare(),
            Part::Error(message, entries) => format!("{}\n", listed(message, entries)),
            Part::Warning(message) => format!("{}\n", scan::one_line(message)),
            Part::Hint(message) => format!("help: {}\n", scan::one_line(message)),
        });
        parts.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_said_is_in_the_bare_text() {
        let answer = Reply::new(Exit::Ok).text(Text::default().heading("# a").dim("b\u{1b}[31m").end());
        assert_eq!(answer.bare(), "# a\nb[31m\n");
        let no = Reply::new(Exit::No).error("`x` is unknown").text(Text::default().line("y")).hint("try\u{202e} z");
        assert_eq!(no.warning("odd").bare(), "`x` is unknown\ny\nhelp: try z\nodd\n");
    }

    #[test]
    fn each_entry_of_a_list_is_one_line() {
        let no = Reply::new(Exit::No).error_list("these:\nx", vec!["+ a\nb".to_owned(), "- c".to_owned()]).hint("d");
        assert_eq!(no.bare(), "these: ⏎ x\n  + a ⏎ b\n  - c\nhelp: d\n");
    }
}
