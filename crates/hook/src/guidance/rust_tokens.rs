//! Splits Rust text into the few kinds of tokens that tell which crates it names. Comments and literals are skipped.

/// A token, with its place where its text matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RustToken<'t> {
    /// An identifier or keyword, without the `r#` of a raw one.
    Name(&'t [u8]),
    /// `::`
    PathSeparator,
    /// `..`, which is no field access.
    Range,
    Mark(u8),
    /// A string, character, number or lifetime.
    Literal,
}

/// Reads tokens one after the other, in time proportional to the text.
pub(super) struct TokenReader<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> TokenReader<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the offset behind the last token.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Returns the next token without moving.
    pub(super) fn peek(&self) -> Option<RustToken<'t>> {
        TokenReader { text: self.text, at: self.at }.next_token()
    }

    /// Returns the next two tokens without moving.
    pub(super) fn peek_two(&self) -> (Option<RustToken<'t>>, Option<RustToken<'t>>) {
        let mut ahead = TokenReader { text: self.text, at: self.at };
        (ahead.next_token(), ahead.next_token())
    }

    pub(super) fn next_token(&mut self) -> Option<RustToken<'t>> {
        loop {
            let byte = self.byte(0)?;
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b'/' if self.byte(1) == Some(b'/') => self.skip_line(),
                b'/' if self.byte(1) == Some(b'*') => self.skip_block_comment(),
                _ => return Some(self.token(byte)),
            }
        }
    }

    fn token(&mut self, byte: u8) -> RustToken<'t> {
        match byte {
            b'"' => self.string(1),
            b'\'' => self.quote(),
            b'0'..=b'9' => self.number(),
            b':' if self.byte(1) == Some(b':') => self.mark(2, RustToken::PathSeparator),
            b'.' if self.byte(1) == Some(b'.') => self.mark(2, RustToken::Range),
            // An arrow ends no type, unlike `>`.
            b'-' | b'=' if self.byte(1) == Some(b'>') => self.mark(2, RustToken::Mark(byte)),
            _ if is_name_byte(byte) => self.name_or_prefixed_literal(byte),
            _ => self.mark(1, RustToken::Mark(byte)),
        }
    }

    fn mark(&mut self, length: usize, token: RustToken<'t>) -> RustToken<'t> {
        self.at += length;
        token
    }

    fn name_or_prefixed_literal(&mut self, byte: u8) -> RustToken<'t> {
        if matches!(byte, b'r' | b'b' | b'c')
            && let Some(literal) = self.prefixed_literal(byte)
        {
            return literal;
        }
        RustToken::Name(self.name())
    }

    /// Reads `r"…"`, `r#"…"#`, `b"…"`, `br#"…"#`, `c"…"`, `cr"…"`, `b'…'` and `r#name`.
    fn prefixed_literal(&mut self, byte: u8) -> Option<RustToken<'t>> {
        let raw_at = usize::from(byte != b'r');
        if self.byte(raw_at) == Some(b'r') {
            let hashes = self.rest(raw_at + 1).iter().take_while(|byte| **byte == b'#').count();
            return match self.byte(raw_at + 1 + hashes) {
                Some(b'"') => Some(self.raw_string(raw_at + 2 + hashes, hashes)),
                Some(next) if hashes == 1 && raw_at == 0 && is_name_start(next) => {
                    self.at += 2;
                    Some(RustToken::Name(self.name()))
                }
                _ => None,
            };
        }
        match self.byte(1) {
            Some(b'"') => Some(self.string(2)),
            Some(b'\'') if byte == b'b' => {
                self.at += 1;
                Some(self.quote())
            }
            _ => None,
        }
    }

    fn name(&mut self) -> &'t [u8] {
        let rest = self.rest(0);
        let length = rest.iter().position(|byte| !is_name_byte(*byte)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    fn number(&mut self) -> RustToken<'t> {
        loop {
            self.name();
            let has_fraction = self.byte(0) == Some(b'.') && self.byte(1).is_some_and(|byte| byte.is_ascii_digit());
            if !has_fraction {
                return RustToken::Literal;
            }
            self.at += 1;
        }
    }

    /// Reads a character or a lifetime.
    fn quote(&mut self) -> RustToken<'t> {
        match self.byte(1) {
            Some(b'\\') => {
                self.at += 3;
                let rest = self.rest(0);
                let end = rest.iter().position(|byte| matches!(byte, b'\'' | b'\n')).map_or(rest.len(), |end| end + 1);
                self.at += end;
            }
            Some(byte) => {
                let length = character_length(byte);
                if self.byte(1 + length) == Some(b'\'') {
                    self.at += length + 2;
                } else {
                    self.at += 1;
                    self.name();
                }
            }
            None => self.at += 1,
        }
        RustToken::Literal
    }

    fn string(&mut self, opening: usize) -> RustToken<'t> {
        self.at += opening;
        while let Some(byte) = self.byte(0) {
            self.at += match byte {
                b'\\' => 2,
                _ => 1,
            };
            if byte == b'"' {
                break;
            }
        }
        RustToken::Literal
    }

    fn raw_string(&mut self, opening: usize, hashes: usize) -> RustToken<'t> {
        self.at += opening;
        while let Some(quote) = self.rest(0).iter().position(|byte| *byte == b'"') {
            self.at += quote + 1;
            let closing = self.rest(0).iter().take(hashes).take_while(|byte| **byte == b'#').count();
            self.at += closing;
            if closing == hashes {
                return RustToken::Literal;
            }
        }
        self.at = self.text.len();
        RustToken::Literal
    }

    fn skip_line(&mut self) {
        let rest = self.rest(0);
        self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    }

    fn skip_block_comment(&mut self) {
        let mut depth = 0_usize;
        while let Some(byte) = self.byte(0) {
            match (byte, self.byte(1)) {
                (b'/', Some(b'*')) => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', Some(b'/')) => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    fn rest(&self, ahead: usize) -> &'t [u8] {
        self.text.get(self.at + ahead..).unwrap_or_default()
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn is_name_start(byte: u8) -> bool {
    is_name_byte(byte) && !byte.is_ascii_digit()
}

/// Returns how many bytes a character takes whose first byte this is.
fn character_length(first: u8) -> usize {
    match first {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    }
}
