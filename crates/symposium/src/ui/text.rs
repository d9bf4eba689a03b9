//! Text with a little style, safe to show whatever it quotes.

use std::borrow::Cow;
use std::fmt::Write;
pub(crate) use symposium_io::clock::{text as time_text, timestamp};
pub(crate) use symposium_io::terminal::output_columns;

use anstyle::Style;
use symposium_agents::spec;
use symposium_model::agent::AgentId;
use symposium_model::scan;

use super::palette;

/// The emphasis of a piece of text. The text must be understandable without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextEmphasis {
    Plain,
    Strong,
    Dim,
    Error,
    Warning,
    Good,
    Action,
}

/// The number of blanks that stand for a tab in a quoted file.
const TAB_WIDTH: usize = 4;

/// A piece of output. Characters that could mislead a reader or drive a terminal are removed as it is built, and line
/// breaks are shown: whatever a piece quotes, it stays in its line. Only [`StyledText::end`] and
/// [`StyledText::block`] end lines.
#[derive(Debug, Clone, Default)]
pub(crate) struct StyledText {
    pieces: Vec<(TextEmphasis, String)>,
}

impl StyledText {
    pub(crate) fn plain(mut self, text: impl AsRef<str>) -> Self {
        self.push(TextEmphasis::Plain, text.as_ref());
        self
    }

    pub(crate) fn strong(mut self, text: impl AsRef<str>) -> Self {
        self.push(TextEmphasis::Strong, text.as_ref());
        self
    }

    pub(crate) fn dim(mut self, text: impl AsRef<str>) -> Self {
        self.push(TextEmphasis::Dim, text.as_ref());
        self
    }

    pub(crate) fn error(mut self, text: impl AsRef<str>) -> Self {
        self.push(TextEmphasis::Error, text.as_ref());
        self
    }

    pub(crate) fn warning(mut self, text: impl AsRef<str>) -> Self {
        self.push(TextEmphasis::Warning, text.as_ref());
        self
    }

    /// A word that says something is as it should be.
    pub(crate) fn good(mut self, text: impl AsRef<str>) -> Self {
        self.push(TextEmphasis::Good, text.as_ref());
        self
    }

    /// A word that says something can be done.
    pub(crate) fn action(mut self, text: impl AsRef<str>) -> Self {
        self.push(TextEmphasis::Action, text.as_ref());
        self
    }

    pub(crate) fn end(mut self) -> Self {
        self.pieces.push((TextEmphasis::Plain, "\n".to_owned()));
        self
    }

    /// A text of several lines, which ends a line.
    pub(crate) fn block(mut self, text: impl AsRef<str>) -> Self {
        self.pieces.push((TextEmphasis::Plain, scan::plain_lines(text.as_ref()).into_owned()));
        self.end()
    }

    pub(crate) fn line(self, text: impl AsRef<str>) -> Self {
        self.plain(text).end()
    }

    pub(crate) fn heading(self, text: impl AsRef<str>) -> Self {
        self.strong(text).end()
    }

    fn push(&mut self, emphasis: TextEmphasis, text: &str) {
        self.pieces.push((emphasis, scan::one_line(text).into_owned()));
    }

    /// The same with lines of at most `width` characters, as far as there are blanks to break at. What goes on below
    /// begins two further to the right; in a list, where the item's text does.
    pub(crate) fn fitted(&self, width: usize) -> Self {
        let mut fitted = Self::default();
        let mut line: Vec<(TextEmphasis, char)> = Vec::new();
        for (emphasis, character) in
            self.pieces.iter().flat_map(|(emphasis, text)| text.chars().map(|c| (*emphasis, c)))
        {
            if character == '\n' {
                fitted.add_broken(&line, width);
                fitted.pieces.push((TextEmphasis::Plain, "\n".to_owned()));
                line.clear();
            } else {
                line.push((emphasis, character));
            }
        }
        fitted.add_broken(&line, width);
        fitted
    }

    fn add_broken(&mut self, line: &[(TextEmphasis, char)], width: usize) {
        if let Some(gutter) = gutter_of(line) {
            return self.add_quoted(line, gutter, width);
        }
        let is_marker = |c: char| matches!(c, '-' | '*');
        let own = line.iter().take_while(|(_, c)| *c == ' ' || is_marker(*c)).count();
        let in_list = line.iter().take(own).any(|(_, c)| is_marker(*c));
        let indent = (if in_list { own } else { own + 2 }).min(width / 2);
        let quoted = quoted(line, width - indent);
        let mut rest = line;
        let mut room = width;
        while rest.len() > room {
            let begins = line.len() - rest.len();
            let is_gap = |at: usize| {
                rest.get(at).is_some_and(|(_, c)| *c == ' ')
                    && !quoted.iter().any(|range| range.contains(&(begins + at)))
            };
            let fits = (own + 1..=room).rev().find(|at| is_gap(*at));
            // A word that is longer than the line stays whole.
            let Some(at) = fits.or_else(|| (room + 1..rest.len()).find(|at| is_gap(*at))) else {
                break;
            };
            let (head, tail) = rest.split_at(at);
            self.add(head);
            self.pieces.push((TextEmphasis::Plain, format!("\n{}", " ".repeat(indent))));
            let blanks = tail.iter().take_while(|(_, c)| *c == ' ').count();
            rest = tail.split_at(blanks).1;
            room = width - indent;
        }
        self.add(rest);
    }

    /// Adds a line of a quoted file. It is broken anywhere, and each part stands behind the gutter, so that no part of it
    /// can pass for a line of Symposium.
    fn add_quoted(&mut self, line: &[(TextEmphasis, char)], gutter: usize, width: usize) {
        let (before, quoted) = line.split_at(gutter.min(line.len()));
        let expand = |(emphasis, c): &(TextEmphasis, char)| match c {
            '\t' => vec![(*emphasis, ' '); TAB_WIDTH],
            _ => vec![(*emphasis, *c)],
        };
        let expanded: Vec<(TextEmphasis, char)> = quoted.iter().flat_map(expand).collect();
        let mut rest = expanded.as_slice();
        let columns = width.saturating_sub(gutter).max(8);
        loop {
            let mut taken = 0;
            let fits = |(_, c): &&(TextEmphasis, char)| {
                // Some characters are two columns wide.
                taken += if c.is_ascii() { 1 } else { 2 };
                taken <= columns
            };
            let (part, left) = rest.split_at(rest.iter().take_while(fits).count().max(1).min(rest.len()));
            self.add(before);
            self.add(part);
            if left.is_empty() {
                return;
            }
            self.pieces.push((TextEmphasis::Plain, "\n".to_owned()));
            rest = left;
        }
    }

    fn add(&mut self, characters: &[(TextEmphasis, char)]) {
        for (emphasis, character) in characters {
            match self.pieces.last_mut() {
                Some((last, text)) if last == emphasis => text.push(*character),
                Some(_) | None => self.pieces.push((*emphasis, character.to_string())),
            }
        }
    }

    /// The text with escape sequences for its styles.
    pub(crate) fn styled(&self) -> String {
        let mut out = String::new();
        for (emphasis, text) in &self.pieces {
            let style = match emphasis {
                TextEmphasis::Plain => Style::new(),
                TextEmphasis::Strong => palette::STRONG,
                TextEmphasis::Dim => palette::DIM,
                TextEmphasis::Error => palette::ERROR,
                TextEmphasis::Warning => palette::WARNING,
                TextEmphasis::Good => palette::GOOD,
                TextEmphasis::Action => palette::HELP,
            };
            // Writing to a string cannot fail.
            let _ = write!(out, "{style}{text}{style:#}");
        }
        out
    }

    pub(crate) fn bare(&self) -> String {
        self.pieces.iter().map(|(_, text)| text.as_str()).collect()
    }
}

/// Returns the length of the gutter before a line of a quoted file: blanks, and `| `.
fn gutter_of(line: &[(TextEmphasis, char)]) -> Option<usize> {
    let blanks = line.iter().take_while(|(_, c)| *c == ' ').count();
    let is_gutter =
        blanks > 0 && line.get(blanks..blanks + 2).is_some_and(|two| two.iter().map(|(_, c)| c).eq(&['|', ' ']));
    is_gutter.then_some(blanks + 2)
}

/// Finds the quoted parts that fit into a line, including their backticks. They are not wrapped, because a wrapped
/// command is hard to copy.
fn quoted(line: &[(TextEmphasis, char)], width: usize) -> Vec<std::ops::Range<usize>> {
    let ticks: Vec<usize> = line.iter().enumerate().filter(|(_, (_, c))| *c == '`').map(|(at, _)| at).collect();
    let pairs = ticks.chunks_exact(2).filter_map(|pair| Some(*pair.first()?..*pair.last()? + 1));
    pairs.filter(|range| range.len() <= width).collect()
}

/// Pads a column by characters.
pub(crate) fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(missing))
}

/// A text as lines of at most `width` characters, broken between words; a longer word has a line of its own.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words(text, width) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            Some(_) | None => lines.push(word),
        }
    }
    lines
}

/// The words of a text; what stands between backticks is one, as long as it fits into a line.
fn words(text: &str, width: usize) -> Vec<String> {
    let is_open = |word: &str| word.matches('`').count() % 2 == 1;
    let plain: Vec<&str> = text.split_whitespace().collect();
    let mut words = Vec::new();
    let mut rest = plain.as_slice();
    while let Some((first, others)) = rest.split_first() {
        let end = if is_open(first) { others.iter().position(|word| is_open(word)) } else { None };
        let whole = end.and_then(|end| others.get(..=end)).map(|others| format!("{first} {}", others.join(" ")));
        match whole.filter(|whole| whole.chars().count() <= width) {
            Some(whole) => {
                words.push(whole);
                rest = others.get(end.map_or(0, |end| end + 1)..).unwrap_or_default();
            }
            None => {
                words.push((*first).to_owned());
                rest = others;
            }
        }
    }
    words
}

/// Names that stay as they are where a message begins with them.
const NAMES: [&str; 2] = ["Symposium", "Windows"];

/// A message with a list below it: each in its line, whatever it says.
pub(super) fn listed(message: &str, entries: &[String]) -> String {
    let entries = entries.iter().map(|entry| format!("\n  {}", scan::one_line(entry)));
    std::iter::once(scan::one_line(message).into_owned()).chain(entries).collect()
}

/// A message the way it goes on after `error: `, in lower case as cargo and clap write it. Names keep their capitals:
/// those of programs, and words with more than one capital, a digit or a sign in them.
pub(crate) fn begin_lower(message: &str) -> Cow<'_, str> {
    let word: &str = message.split([' ', ',', ';', ':']).next().unwrap_or_default().trim_end_matches('.');
    let is_title = |agent: AgentId| spec(agent).title.split(' ').next() == Some(word);
    let is_plain = word.chars().skip(1).all(|c| c.is_lowercase() || matches!(c, '-' | '\''));
    let is_name = NAMES.contains(&word) || AgentId::ALL.into_iter().any(is_title);
    let mut letters = message.chars();
    match letters.next() {
        Some(first) if first.is_uppercase() && is_plain && !is_name => {
            Cow::Owned(first.to_lowercase().chain(letters).collect())
        }
        Some(_) | None => Cow::Borrowed(message),
    }
}

/// Lists names as in a sentence: `a, b and c`.
pub(crate) fn join_names(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// "1 event", "2 events".
pub(crate) fn count_of(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_go_on_below() {
        let fitted = |text: &str| StyledText::default().plain(text).fitted(12).bare();
        assert_eq!(fitted("short"), "short");
        let block = StyledText::default().block("note: one two three four\nx").fitted(12).bare();
        assert_eq!(block, "note: one\n  two three\n  four\nx\n");
        assert_eq!(fitted("  - one two three"), "  - one two\n    three");
        assert_eq!(fitted("  one two three"), "  one two\n    three");
        assert_eq!(fitted("a/very/long/path and more"), "a/very/long/path\n  and more");
        assert_eq!(fitted("exactly twelve"), "exactly\n  twelve");
        assert_eq!(fitted("aaaa `b c d` e"), "aaaa `b c d`\n  e");
        assert_eq!(fitted("aaaaaa `b c d` e"), "aaaaaa\n  `b c d` e", "a command stays whole");
        assert_eq!(fitted("a `b c d e f g h` i"), "a `b c d e f\n  g h` i", "unless it is longer than the line");
        assert_eq!(fitted("it's `open and long"), "it's `open\n  and long");
        assert_eq!(fitted("  | ab cd"), "  | ab cd");
        assert_eq!(fitted("  | one two three fo"), "  | one two \n  | three fo", "a quoted file");
        assert_eq!(fitted("  | \tab\terror"), "  |     ab  \n  |   error", "a tab takes more than one column");
        assert_eq!(fitted("    | aaaaaaaaaaérror: x"), "    | aaaaaaaa\n    | aaérror\n    | : x", "not even one word");
        let styled = StyledText::default().strong("one").plain(" two three four").fitted(8);
        assert_eq!(styled.bare(), "one two\n  three\n  four");
        assert!(styled.styled().contains("\u{1b}[1mone\u{1b}[0m"));
    }

    #[test]
    fn messages_begin_in_lower_case_and_names_do_not() {
        for (message, shown) in [
            ("Unknown agent `x`", "unknown agent `x`"),
            ("A file", "a file"),
            ("Nothing; really", "nothing; really"),
            ("Claude Code is not configured", "Claude Code is not configured"),
            ("Symposium 1.0 is out", "Symposium 1.0 is out"),
            ("MCP server `x` stays", "MCP server `x` stays"),
            ("SYMPOSIUM_HOME is not absolute", "SYMPOSIUM_HOME is not absolute"),
            ("`Serde` is off", "`Serde` is off"),
            ("Cargo.lock has `0.8.5`", "Cargo.lock has `0.8.5`"),
            ("", ""),
        ] {
            assert_eq!(begin_lower(message), shown);
        }
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("a bc  def\n ghijklmn o", 4), ["a bc", "def", "ghijklmn", "o"]);
        assert!(wrap(" ", 4).is_empty());
        assert_eq!(wrap("ab `c d e` f", 9), ["ab", "`c d e` f"]);
        assert_eq!(wrap("a `b c d e` f", 6), ["a `b c", "d e` f"]);
    }
}
