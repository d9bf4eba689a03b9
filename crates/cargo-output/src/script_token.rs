//! Splits a shell command into words and operators, as far as that can be done without running it.

/// A part of a shell command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ScriptToken {
    Word(ScriptWord),
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|` and `|&`
    Pipe,
    /// `;` and the end of a line
    Next,
    /// `&`
    Background,
    /// A parenthesis.
    Group,
    Redirect(ScriptRedirect),
}

/// A word without its quotes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ScriptWord {
    pub(crate) text: String,
    /// Whether the word holds a variable, a substitution or a pattern, so that its text is not known.
    pub(crate) is_expanded: bool,
    /// Whether any of it was quoted.
    pub(crate) is_quoted: bool,
}

/// A redirection such as `2>&1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScriptRedirect {
    /// The number before it and the sign: `2>&`.
    pub(crate) sign: String,
    pub(crate) target: ScriptWord,
}

/// Splits a command; none if a quote or a substitution does not end.
pub(crate) fn split_shell(command: &str) -> Option<Vec<ScriptToken>> {
    let letters: Vec<char> = command.chars().collect();
    let mut splitter = ShellSplitter { letters, at: 0, tokens: Vec::new(), documents: Vec::new() };
    splitter.read_all()?;
    Some(splitter.tokens)
}

struct ShellSplitter {
    letters: Vec<char>,
    at: usize,
    tokens: Vec<ScriptToken>,
    /// Words that end here-documents which begin on the next line.
    documents: Vec<String>,
}

impl ShellSplitter {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.letters.get(self.at + ahead).copied()
    }

    fn read_all(&mut self) -> Option<()> {
        while let Some(letter) = self.peek(0) {
            match letter {
                ' ' | '\t' | '\r' => self.at += 1,
                '\\' if self.peek(1) == Some('\n') => self.at += 2,
                '\n' => {
                    self.at += 1;
                    self.tokens.push(ScriptToken::Next);
                    self.skip_documents();
                }
                '#' => self.skip_line(),
                ';' => self.push(ScriptToken::Next, if self.peek(1) == Some(';') { 2 } else { 1 }),
                '&' if self.peek(1) == Some('&') => self.push(ScriptToken::And, 2),
                '&' if self.peek(1) == Some('>') => {
                    self.at += 1;
                    self.read_redirect("&".to_owned())?;
                }
                '&' => self.push(ScriptToken::Background, 1),
                '|' if self.peek(1) == Some('|') => self.push(ScriptToken::Or, 2),
                '|' => self.push(ScriptToken::Pipe, if self.peek(1) == Some('&') { 2 } else { 1 }),
                '(' | ')' => self.push(ScriptToken::Group, 1),
                '<' | '>' => self.read_redirect(String::new())?,
                _ => self.read_word_or_redirect()?,
            }
        }
        Some(())
    }

    fn push(&mut self, token: ScriptToken, length: usize) {
        self.tokens.push(token);
        self.at += length;
    }

    fn skip_line(&mut self) {
        while self.peek(0).is_some_and(|letter| letter != '\n') {
            self.at += 1;
        }
    }

    /// Skips the bodies of here-documents: they are text, not commands.
    fn skip_documents(&mut self) {
        for end in std::mem::take(&mut self.documents) {
            while self.at < self.letters.len() {
                let start = self.at;
                self.skip_line();
                let line: String = self.letters.get(start..self.at).unwrap_or_default().iter().collect();
                self.at += 1;
                if line.trim_start_matches('\t') == end {
                    break;
                }
            }
        }
    }

    fn read_word_or_redirect(&mut self) -> Option<()> {
        let word = self.read_word()?;
        let is_number = !word.text.is_empty() && word.text.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && !word.is_quoted && matches!(self.peek(0), Some('<' | '>')) {
            return self.read_redirect(word.text);
        }
        self.tokens.push(ScriptToken::Word(word));
        Some(())
    }

    fn read_redirect(&mut self, mut sign: String) -> Option<()> {
        while let Some(letter @ ('<' | '>' | '&' | '|' | '-')) = self.peek(0) {
            sign.push(letter);
            self.at += 1;
        }
        if self.peek(0) == Some('(') {
            self.tokens.push(ScriptToken::Group);
            return Some(());
        }
        while matches!(self.peek(0), Some(' ' | '\t')) {
            self.at += 1;
        }
        let target = self.read_word()?;
        let signs = sign.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if matches!(signs, "<<" | "<<-") {
            self.documents.push(target.text.clone());
        }
        self.tokens.push(ScriptToken::Redirect(ScriptRedirect { sign, target }));
        Some(())
    }

    fn read_word(&mut self) -> Option<ScriptWord> {
        let mut word = ScriptWord::default();
        while let Some(letter) = self.peek(0) {
            match letter {
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>' => break,
                '\'' => {
                    word.is_quoted = true;
                    self.at += 1;
                    self.read_quoted(&mut word)?;
                }
                '"' => {
                    word.is_quoted = true;
                    self.at += 1;
                    self.read_double_quoted(&mut word)?;
                }
                '\\' => {
                    let escaped = self.peek(1)?;
                    if escaped != '\n' {
                        word.text.push(escaped);
                        word.is_quoted = true;
                    }
                    self.at += 2;
                }
                '$' | '`' => self.read_expansion(&mut word)?,
                letter => {
                    word.is_expanded |=
                        matches!(letter, '*' | '?' | '[' | '{' | '~' if letter != '~' || word.text.is_empty());
                    word.text.push(letter);
                    self.at += 1;
                }
            }
        }
        Some(word)
    }

    fn read_quoted(&mut self, word: &mut ScriptWord) -> Option<()> {
        loop {
            let letter = self.peek(0)?;
            self.at += 1;
            if letter == '\'' {
                return Some(());
            }
            word.text.push(letter);
        }
    }

    fn read_double_quoted(&mut self, word: &mut ScriptWord) -> Option<()> {
        loop {
            match self.peek(0)? {
                '"' => {
                    self.at += 1;
                    return Some(());
                }
                '\\' if matches!(self.peek(1), Some('"' | '\\' | '$' | '`')) => {
                    word.text.extend(self.peek(1));
                    self.at += 2;
                }
                '$' | '`' => self.read_expansion(word)?,
                letter => {
                    word.text.push(letter);
                    self.at += 1;
                }
            }
        }
    }

    /// Reads a variable or a substitution; its text stays unknown.
    fn read_expansion(&mut self, word: &mut ScriptWord) -> Option<()> {
        word.is_expanded = true;
        let first = self.peek(0)?;
        word.text.push(first);
        self.at += 1;
        if first == '`' {
            while self.peek(0)? != '`' {
                self.at += 1;
            }
            self.at += 1;
        } else if self.peek(0) == Some('(') {
            let mut depth: usize = 0;
            loop {
                match self.peek(0)? {
                    '(' => depth += 1,
                    ')' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                self.at += 1;
                if depth == 0 {
                    break;
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(command: &str) -> String {
        let Some(tokens) = split_shell(command) else { return "none".to_owned() };
        let show = |token: &ScriptToken| match token {
            ScriptToken::Word(word) => format!("{}{}", word.text, if word.is_expanded { "~" } else { "" }),
            ScriptToken::And => "AND".into(),
            ScriptToken::Or => "OR".into(),
            ScriptToken::Pipe => "PIPE".into(),
            ScriptToken::Next => "NEXT".into(),
            ScriptToken::Background => "BACKGROUND".into(),
            ScriptToken::Group => "GROUP".into(),
            ScriptToken::Redirect(redirect) => format!("{}→{}", redirect.sign, redirect.target.text),
        };
        tokens.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn commands_are_split() {
        for (command, expected) in [
            ("cargo test 2>&1", "cargo test 2>&→1"),
            ("cd a && cargo test | tail -3", "cd a AND cargo test PIPE tail -3"),
            ("a || true; b & c", "a OR true NEXT b BACKGROUND c"),
            ("a 'b c' \"d \\\" e\" f\\ g", "a b c d \" e f g"),
            ("a $B \"$C\" `d` $(e (f)) *.rs", "a $B~ $C~ `~ $~ *.rs~"),
            ("a \\\n b", "a b"),
            ("a # b\nc", "a NEXT c"),
            ("a > x 2>>y &>z", "a >→x 2>>→y &>→z"),
            ("cat <<EOF > x\ncargo test\nEOF\nls", "cat <<→EOF >→x NEXT ls"),
            ("cat <<'E O'\ncargo test\nE O", "cat <<→E O NEXT"),
            ("(a)", "GROUP a GROUP"),
            ("a <(b)", "a GROUP GROUP b GROUP"),
            ("a 'b", "none"),
            ("a $(b", "none"),
            ("a \\", "none"),
            ("", ""),
        ] {
            assert_eq!(show(command), expected, "{command:?}");
        }
    }
}
