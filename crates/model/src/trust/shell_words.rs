//! Splits a line for a shell into tokens, as far as their meaning is known without running a shell.

use std::iter::Peekable;
use std::str::Chars;

/// The placeholder in a word for the plugin's directory.
pub(super) const PLUGIN: char = '\u{1}';
pub(super) const WORKSPACE: char = '\u{2}';
/// The placeholder for files of an installation, which are in the user's own directories.
pub(super) const INSTALLED: char = '\u{3}';
/// The placeholder for a value of Symposium that is no path: the name of the agent or the event.
pub(super) const PLAIN: char = '\u{4}';

/// A word of a line, with variables that Symposium sets replaced by the characters above.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ShellWord {
    pub(super) text: String,
    /// Set if the word contains a quote or a backslash, so that it is no shell keyword.
    pub(super) is_quoted: bool,
}

impl ShellWord {
    pub(super) fn literal(text: String) -> Self {
        Self { text, is_quoted: true }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum ShellToken {
    Word(ShellWord),
    /// `&&`
    And,
    /// `&`
    Background,
    /// `|`, `||`, `;` or a line end.
    Next,
    /// `(` or `)`
    Group,
    Input,
    Output,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ShellLine {
    pub(super) tokens: Vec<ShellToken>,
    /// Set if a directory occurs outside quotes, so that blanks in its path would end the word.
    pub(super) splits: bool,
}

/// Splits a line. `value_of` returns the placeholder of a variable that Symposium sets. The error names the part of the
/// line that only a shell could interpret.
pub(super) fn tokens(line: &str, value_of: &dyn Fn(&str) -> Option<char>) -> Result<ShellLine, String> {
    if line.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\r')) {
        return Err("it contains a control character".to_owned());
    }
    // The shell of Windows gives these signs another meaning.
    if cfg!(windows) && line.contains(['%', '^']) {
        return Err("`%` and `^` have another meaning in the Windows shell".to_owned());
    }
    let mut reader =
        ShellLexer { rest: line.chars().peekable(), value_of, word: None, braces: None, line: ShellLine::default() };
    while let Some(character) = reader.rest.next() {
        reader.take(character)?;
    }
    reader.end_word();
    Ok(reader.line)
}

struct ShellLexer<'r> {
    rest: Peekable<Chars<'r>>,
    value_of: &'r dyn Fn(&str) -> Option<char>,
    word: Option<ShellWord>,
    /// `Some` while a `{` outside quotes is open in the word; true once a `,` or `..` follows it.
    braces: Option<bool>,
    line: ShellLine,
}

impl ShellLexer<'_> {
    fn take(&mut self, character: char) -> Result<(), String> {
        match character {
            ' ' | '\t' | '\r' => self.end_word(),
            '#' if self.word.is_none() => while self.rest.next_if(|c| *c != '\n').is_some() {},
            '\'' => self.single_quotes()?,
            '"' => self.double_quotes()?,
            '\\' => match self.rest.next() {
                Some('\n') | None => {}
                Some(escaped) => self.quoted(escaped),
            },
            '$' => self.expansion(false)?,
            '`' => return Err("a backquote inserts the output of another command".to_owned()),
            '*' | '?' => return Err(format!("`{character}` matches files that are not named")),
            '[' if !self.is_test() => return Err("`[` matches files that are not named".to_owned()),
            '~' if self.begins_path() => return Err("`~` is a directory that is not named".to_owned()),
            '\n' | ';' => self.operator(ShellToken::Next),
            '(' | ')' => self.operator(ShellToken::Group),
            '|' => {
                self.rest.next_if(|c| matches!(c, '|' | '&'));
                self.operator(ShellToken::Next);
            }
            '&' if self.rest.next_if_eq(&'&').is_some() => self.operator(ShellToken::And),
            '&' => self.operator(ShellToken::Background),
            '<' | '>' => self.redirection(character)?,
            plain => self.plain(plain)?,
        }
        Ok(())
    }

    fn current(&mut self) -> &mut ShellWord {
        self.word.get_or_insert_default()
    }

    fn quoted(&mut self, character: char) {
        let word = self.current();
        word.text.push(character);
        word.is_quoted = true;
    }

    /// Adds a character outside quotes. Braces with a `,` or `..` in them stand for several words.
    fn plain(&mut self, character: char) -> Result<(), String> {
        let ends_with_dot = self.word.as_ref().is_some_and(|word| word.text.ends_with('.'));
        match (character, self.braces) {
            ('{', _) => self.braces = Some(false),
            (',', Some(_)) => self.braces = Some(true),
            ('.', Some(_)) if ends_with_dot => self.braces = Some(true),
            ('}', Some(true)) => return Err("`{…}` expands to several words".to_owned()),
            _ => {}
        }
        self.current().text.push(character);
        Ok(())
    }

    /// Returns true if a `[` is the program of that name.
    fn is_test(&mut self) -> bool {
        let begins = self.word.as_ref().is_none_or(|word| word.text == "[" && !word.is_quoted);
        begins && self.rest.peek().is_none_or(|next| next.is_whitespace() || *next == '[')
    }

    /// Returns true if a shell would expand a `~` here.
    fn begins_path(&self) -> bool {
        self.word.as_ref().is_none_or(|word| word.text.is_empty() || word.text.ends_with(['=', ':']))
    }

    fn single_quotes(&mut self) -> Result<(), String> {
        self.current().is_quoted = true;
        loop {
            match self.rest.next().ok_or("a quote is not closed")? {
                '\'' => return Ok(()),
                character => self.current().text.push(character),
            }
        }
    }

    fn double_quotes(&mut self) -> Result<(), String> {
        self.current().is_quoted = true;
        loop {
            match self.rest.next().ok_or("a quote is not closed")? {
                '"' => return Ok(()),
                '$' => self.expansion(true)?,
                '`' => return Err("a backquote inserts the output of another command".to_owned()),
                '\\' => match self.rest.next().ok_or("a quote is not closed")? {
                    '\n' => {}
                    escaped @ ('$' | '`' | '"' | '\\') => self.current().text.push(escaped),
                    other => self.current().text.extend(['\\', other]),
                },
                character => self.current().text.push(character),
            }
        }
    }

    fn expansion(&mut self, is_quoted: bool) -> Result<(), String> {
        let is_part = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
        let name = match self.rest.peek() {
            Some('(') => return Err("`$(…)` inserts the output of another command".to_owned()),
            Some('\'' | '"') if !is_quoted => {
                return Err("`$` before a quote has different meanings in different shells".to_owned());
            }
            Some('{') => {
                let inside: String = std::iter::from_fn(|| self.rest.next_if(|c| *c != '}')).skip(1).collect();
                self.rest.next().ok_or("a `${` is not closed")?;
                if inside.is_empty() || !inside.chars().all(|c| is_part(&c)) {
                    return Err(format!("Symposium does not know the value of `${{{inside}}}`"));
                }
                inside
            }
            Some(c) if is_part(c) => std::iter::from_fn(|| self.rest.next_if(is_part)).collect(),
            Some(c) if "@*#?-!$".contains(*c) => return Err(format!("Symposium does not know the value of `${c}`")),
            Some(_) | None => {
                self.current().text.push('$');
                return Ok(());
            }
        };
        let value = (self.value_of)(&name).ok_or_else(|| format!("Symposium does not know the value of `${name}`"))?;
        self.line.splits |= !is_quoted && value != PLAIN;
        self.current().text.push(value);
        Ok(())
    }

    fn redirection(&mut self, sign: char) -> Result<(), String> {
        // The number of a stream is not a word.
        let is_number = |word: &ShellWord| !word.is_quoted && word.text.chars().all(|c| c.is_ascii_digit());
        if self.word.as_ref().is_some_and(is_number) {
            self.word = None;
        }
        self.end_word();
        match self.rest.peek() {
            Some('(') => return Err(format!("`{sign}(…)` inserts the output of another command")),
            Some('<') if sign == '<' => return Err("`<<` passes a text that may be a program".to_owned()),
            _ => {}
        }
        self.rest.next_if(|c| matches!(c, '>' | '|'));
        if self.rest.next_if_eq(&'&').is_some() {
            while self.rest.next_if(|c| c.is_ascii_digit() || *c == '-').is_some() {}
            return Ok(());
        }
        self.line.tokens.push(if sign == '<' { ShellToken::Input } else { ShellToken::Output });
        Ok(())
    }

    fn operator(&mut self, operator: ShellToken) {
        self.end_word();
        self.line.tokens.push(operator);
    }

    fn end_word(&mut self) {
        self.braces = None;
        self.line.tokens.extend(self.word.take().map(ShellToken::Word));
    }
}
