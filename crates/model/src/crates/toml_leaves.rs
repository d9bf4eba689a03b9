//! Reads a TOML text as a list of keys with their values, for callers that must not link a TOML parser.
//!
//! Anything that is not understood makes the whole text unreadable: a caller then has no opinion.

/// A key, with the tables it is in, and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TomlLeaf {
    pub(crate) path: Vec<String>,
    pub(crate) value: LeafValue,
}

/// A value, as far as a manifest's dependencies need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LeafValue {
    Text(String),
    Flag(bool),
    /// A list of texts.
    List(Vec<String>),
    /// A table without a key, or a list with something else than texts.
    Compound,
    /// A number or a date.
    Bare(String),
}

/// The deepest nesting of lists and tables that is read.
const DEEPEST: usize = 32;

/// Reads all keys of a text in its order; none if it is not understood.
pub(crate) fn read_leaves(text: &str) -> Option<Vec<TomlLeaf>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = TomlReader { rest: text, leaves: Vec::new() };
    reader.read_document()?;
    Some(reader.leaves)
}

struct TomlReader<'t> {
    rest: &'t str,
    leaves: Vec<TomlLeaf>,
}

impl TomlReader<'_> {
    fn read_document(&mut self) -> Option<()> {
        let mut table: Vec<String> = Vec::new();
        loop {
            self.skip_lines();
            if self.rest.is_empty() {
                return Some(());
            }
            if self.take("[[") {
                table = self.read_path()?;
                self.expect("]]")?;
            } else if self.take("[") {
                table = self.read_path()?;
                self.expect("]")?;
                self.leaves.push(TomlLeaf { path: table.clone(), value: LeafValue::Compound });
            } else {
                self.read_pair(&table, 0)?;
            }
            self.skip_blanks();
            self.skip_comment();
            if !(self.rest.is_empty() || self.rest.starts_with('\n') || self.rest.starts_with("\r\n")) {
                return None;
            }
        }
    }

    fn take(&mut self, start: &str) -> bool {
        let rest = self.rest.strip_prefix(start);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, start: &str) -> Option<()> {
        self.skip_blanks();
        self.take(start).then_some(())
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    fn skip_comment(&mut self) {
        if self.rest.starts_with('#') {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.rest = self.rest.get(end..).unwrap_or_default();
        }
    }

    /// Skips blanks, ends of lines and comments.
    fn skip_lines(&mut self) {
        loop {
            let before = self.rest.len();
            self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
            self.skip_comment();
            if self.rest.len() == before {
                return;
            }
        }
    }

    fn read_path(&mut self) -> Option<Vec<String>> {
        let mut path = Vec::new();
        loop {
            self.skip_blanks();
            path.push(self.read_key()?);
            self.skip_blanks();
            if !self.take(".") {
                return Some(path);
            }
        }
    }

    fn read_key(&mut self) -> Option<String> {
        if self.rest.starts_with(['"', '\'']) {
            return self.read_text();
        }
        let is_bare = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
        let end = self.rest.find(|letter| !is_bare(letter)).unwrap_or(self.rest.len());
        let (key, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        (!key.is_empty()).then(|| key.to_owned())
    }

    fn read_pair(&mut self, table: &[String], depth: usize) -> Option<()> {
        let mut path = table.to_vec();
        path.extend(self.read_path()?);
        self.expect("=")?;
        self.skip_blanks();
        if self.take("{") {
            return self.read_inline_table(&path, depth);
        }
        let value = self.read_value(depth)?;
        self.leaves.push(TomlLeaf { path, value });
        Some(())
    }

    fn read_inline_table(&mut self, path: &[String], depth: usize) -> Option<()> {
        if depth >= DEEPEST {
            return None;
        }
        self.leaves.push(TomlLeaf { path: path.to_vec(), value: LeafValue::Compound });
        loop {
            self.skip_lines();
            if self.take("}") {
                return Some(());
            }
            self.read_pair(path, depth + 1)?;
            self.skip_lines();
            if !self.take(",") {
                self.skip_lines();
                return self.take("}").then_some(());
            }
        }
    }

    fn read_value(&mut self, depth: usize) -> Option<LeafValue> {
        if self.rest.starts_with(['"', '\'']) {
            return self.read_text().map(LeafValue::Text);
        }
        if self.take("[") {
            return self.read_list(depth);
        }
        let end = self.rest.find([',', ']', '}', '\n', '\r', '#']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        match word.trim_end() {
            "true" => Some(LeafValue::Flag(true)),
            "false" => Some(LeafValue::Flag(false)),
            word if word
                .starts_with(|letter: char| letter.is_ascii_digit() || matches!(letter, '+' | '-' | 'i' | 'n')) =>
            {
                let is_usual = |letter: char| {
                    letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.' | ':' | '_' | ' ')
                };
                word.chars().all(is_usual).then(|| LeafValue::Bare(word.to_owned()))
            }
            _ => None,
        }
    }

    fn read_list(&mut self, depth: usize) -> Option<LeafValue> {
        if depth >= DEEPEST {
            return None;
        }
        let mut texts = Some(Vec::new());
        loop {
            self.skip_lines();
            if self.take("]") {
                break;
            }
            if self.take("{") {
                // The keys of tables in lists are no leaves.
                let known = self.leaves.len();
                self.read_inline_table(&[], depth + 1)?;
                self.leaves.truncate(known);
                texts = None;
            } else {
                match (self.read_value(depth + 1)?, &mut texts) {
                    (LeafValue::Text(text), Some(texts)) => texts.push(text),
                    _ => texts = None,
                }
            }
            self.skip_lines();
            if !self.take(",") {
                self.skip_lines();
                self.take("]").then_some(())?;
                break;
            }
        }
        Some(texts.map_or(LeafValue::Compound, LeafValue::List))
    }

    fn read_text(&mut self) -> Option<String> {
        if self.take("\"\"\"") {
            return self.read_long_text("\"\"\"");
        }
        if self.take("'''") {
            return self.read_long_text("'''");
        }
        if self.take("'") {
            let (text, rest) = self.rest.split_once('\'')?;
            self.rest = rest;
            return (!text.contains('\n')).then(|| text.to_owned());
        }
        self.take("\"").then_some(())?;
        let mut text = String::new();
        let mut letters = self.rest.chars();
        loop {
            match letters.next()? {
                '"' => break,
                '\n' => return None,
                '\\' => text.push(read_escape(&mut letters)?),
                letter => text.push(letter),
            }
        }
        self.rest = letters.as_str();
        Some(text)
    }

    /// Skips a text of several lines: no requirement, name or feature is written so, and none that is can be judged.
    fn read_long_text(&mut self, end: &str) -> Option<String> {
        let mut at = 0;
        let bytes = self.rest.as_bytes();
        while !self.rest.get(at..)?.starts_with(end) {
            let is_escape = end.starts_with('"') && bytes.get(at) == Some(&b'\\');
            at += if is_escape { 2 } else { 1 };
            // Past the end there is no boundary, and the next look ends the loop.
            while at < bytes.len() && !self.rest.is_char_boundary(at) {
                at += 1;
            }
        }
        // Up to two more quotes may stand before the end.
        let quote = end.chars().next()?;
        let after = self.rest.get(at + end.len()..)?;
        let more = after.chars().take(2).take_while(|letter| *letter == quote).count();
        let text = self.rest.get(..at + more)?.to_owned();
        self.rest = after.get(more..)?;
        Some(text)
    }
}

fn read_escape(letters: &mut std::str::Chars<'_>) -> Option<char> {
    let code = |letters: &mut std::str::Chars<'_>, length: usize| {
        let digits: String = letters.take(length).collect();
        u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == length).and_then(char::from_u32)
    };
    match letters.next()? {
        'b' => Some('\u{8}'),
        't' => Some('\t'),
        'n' => Some('\n'),
        'f' => Some('\u{c}'),
        'r' => Some('\r'),
        'e' => Some('\u{1b}'),
        '"' => Some('"'),
        '\\' => Some('\\'),
        'x' => code(letters, 2),
        'u' => code(letters, 4),
        'U' => code(letters, 8),
        _ => None,
    }
}

#[cfg(test)]
#[path = "toml_leaves_tests.rs"]
mod tests;
