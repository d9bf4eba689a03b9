//! Source text before it is parsed: without the bodies of functions and the values of constants, which no item shows, and
//! in pieces where a file is long.

use std::cell::Cell;
use std::ops::Range;

/// Files up to this size are one piece.
const PIECE_BYTES: usize = 512 * 1024;
/// A piece with more tokens is not parsed: that takes up to 250 bytes for each.
const MOST_TOKENS: usize = 800_000;
/// Scanning in vain ends after this many times the length of the text.
const MOST_WASTE: usize = 4;

/// Words without which a body has nothing that can be seen from outside.
const INSIDE_WORDS: [&[u8]; 2] = [b"impl", b"macro_export"];

/// A text in pieces that can be parsed one by one.
pub(crate) struct SplitText {
    pub(crate) pieces: Vec<String>,
    /// Says that an item is missing because it is too large.
    pub(crate) is_cut: bool,
}

/// Removes the bodies of functions and the values of constants; lines keep their numbers. Rules of macros, and the input of
/// macros that may take anything, stay as they are, and so does a text that does not end where it should.
pub(crate) fn trim_bodies(text: &str) -> String {
    let scanner = TextScanner::new(text);
    let removed = scanner.find_removable().unwrap_or_default();
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for range in removed {
        kept.push_str(text.get(from..range.start).unwrap_or_default());
        let inside = text.as_bytes().get(range.clone()).unwrap_or_default();
        kept.extend(inside.iter().filter(|byte| **byte == b'\n').map(|_| '\n'));
        from = range.end;
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    kept
}

/// Splits a long text between items. Each piece begins with as many empty lines as the others before it have.
pub(crate) fn split_items(text: String) -> SplitText {
    if text.len() <= PIECE_BYTES {
        return SplitText { pieces: vec![text], is_cut: false };
    }
    let scanner = TextScanner::new(&text);
    let mut split = SplitText { pieces: Vec::new(), is_cut: false };
    let (mut from, mut lines) = (0, 0);
    while from < text.len() {
        let end = scanner.piece_end(from);
        if scanner.has_tokens(from..end, MOST_TOKENS) {
            split.is_cut = true;
        } else {
            split.pieces.push("\n".repeat(lines) + text.get(from..end).unwrap_or_default());
        }
        lines += text.get(from..end).unwrap_or_default().matches('\n').count();
        from = end;
    }
    split
}

/// Goes through source text without parsing it. Places are offsets in bytes.
struct TextScanner<'a> {
    bytes: &'a [u8],
    /// The bytes that were scanned in vain, and will be scanned again.
    wasted: Cell<usize>,
}

impl<'a> TextScanner<'a> {
    fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), wasted: Cell::new(0) }
    }

    /// Lists the insides of bodies and values, in order; nothing if something does not end.
    fn find_removable(&self) -> Option<Vec<Range<usize>>> {
        let mut found = Vec::new();
        let mut at = 0;
        let mut before = 0;
        while at < self.bytes.len() {
            at = self.skip_attributes(at)?;
            let end = self.skip_token(at)?;
            let token = self.bytes.get(at..end)?;
            let next = match token {
                b"fn" => self.scan_function(end, &mut found)?,
                // Behind these it is a parameter.
                b"const" | b"static" if !matches!(before, b'<' | b',') => self.scan_value(end, &mut found)?,
                word if is_word(word) => self.skip_call(word, end)?,
                _ => end,
            };
            if !self.byte(at).is_ascii_whitespace() && !self.is_comment(at) {
                before = self.byte(at);
            }
            at = next;
        }
        Some(found)
    }

    /// Goes behind the attributes that begin here; nothing if one does not end.
    fn skip_attributes(&self, start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            let bracket = if self.byte(at + 1) == b'!' { at + 2 } else { at + 1 };
            if self.byte(at) != b'#' || self.byte(bracket) != b'[' {
                return Some(at);
            }
            at = self.skip_group(bracket)?;
        }
    }

    /// Finds the end of the items that make a piece.
    fn piece_end(&self, start: usize) -> usize {
        let mut end = start;
        // An item that would make the piece much longer begins the next one.
        while end - start < PIECE_BYTES {
            match self.item_end(end) {
                Some(next) if next - start <= 2 * PIECE_BYTES || end == start => end = next,
                Some(_) => return end,
                None => return self.bytes.len(),
            }
        }
        end
    }

    /// Says whether there are more tokens than that.
    fn has_tokens(&self, range: Range<usize>, most: usize) -> bool {
        let (mut at, mut count) = (range.start, 0);
        while at < range.end && count <= most {
            let is_counted = !self.byte(at).is_ascii_whitespace() && !self.is_comment(at);
            count += usize::from(is_counted && !matches!(self.byte(at), b')' | b']' | b'}'));
            let Some(next) = self.skip_token(at) else { break };
            at = next;
        }
        count > most
    }

    /// Finds the end of the item that begins at a place: a semicolon or a block in braces.
    fn item_end(&self, start: usize) -> Option<usize> {
        let mut at = start;
        while at < self.bytes.len() {
            match self.byte(at) {
                b';' => return Some(at + 1),
                b'{' => {
                    let end = self.skip_group(at)?;
                    let next = self.skip_blanks(end)?;
                    return Some(if self.byte(next) == b';' { next + 1 } else { end });
                }
                b'(' | b'[' => at = self.skip_group(at)?,
                b')' | b']' | b'}' => return None,
                _ => at = self.skip_token(at)?,
            }
        }
        None
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// Goes behind blanks and comments.
    fn skip_blanks(&self, start: usize) -> Option<usize> {
        let mut at = start;
        while self.byte(at).is_ascii_whitespace() || self.is_comment(at) {
            at = self.skip_token(at)?;
        }
        Some(at)
    }

    fn is_comment(&self, at: usize) -> bool {
        self.byte(at) == b'/' && matches!(self.byte(at + 1), b'/' | b'*')
    }

    /// Goes behind a word, a literal, a comment, a blank or a sign.
    fn skip_token(&self, at: usize) -> Option<usize> {
        match self.byte(at) {
            b'/' if self.byte(at + 1) == b'/' => Some(self.find_byte(at, b'\n').unwrap_or(self.bytes.len())),
            b'/' if self.byte(at + 1) == b'*' => self.skip_comment(at),
            b'"' => self.skip_string(at + 1),
            b'\'' => Some(self.skip_quote(at)),
            byte if is_letter(byte) => {
                let end = self.skip_word(at);
                match (self.bytes.get(at..end)?, self.byte(end)) {
                    (b"r" | b"br" | b"cr", b'"' | b'#') => self.skip_raw(end),
                    (b"b" | b"c", b'"') => self.skip_string(end + 1),
                    (b"b", b'\'') => Some(self.skip_quote(end)),
                    _ => Some(end),
                }
            }
            _ => Some(at + 1),
        }
    }

    fn find_byte(&self, from: usize, wanted: u8) -> Option<usize> {
        self.bytes.get(from..)?.iter().position(|byte| *byte == wanted).map(|found| from + found)
    }

    fn skip_word(&self, start: usize) -> usize {
        let rest = self.bytes.get(start..).unwrap_or_default();
        start + rest.iter().position(|byte| !is_letter(*byte)).unwrap_or(rest.len())
    }

    fn skip_comment(&self, start: usize) -> Option<usize> {
        let (mut at, mut depth) = (start + 2, 1_usize);
        while depth > 0 {
            match (self.bytes.get(at)?, self.byte(at + 1)) {
                (b'/', b'*') => (at, depth) = (at + 2, depth + 1),
                (b'*', b'/') => (at, depth) = (at + 2, depth - 1),
                _ => at += 1,
            }
        }
        Some(at)
    }

    fn skip_string(&self, start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            match self.bytes.get(at)? {
                b'\\' => at += 2,
                b'"' => return Some(at + 1),
                _ => at += 1,
            }
        }
    }

    /// Goes behind `#"…"#`, or behind `#name` of a name that is a keyword.
    fn skip_raw(&self, start: usize) -> Option<usize> {
        let rest = self.bytes.get(start..)?;
        let count = rest.iter().position(|byte| *byte != b'#')?;
        if rest.get(count) != Some(&b'"') {
            return Some(self.skip_word(start + count));
        }
        let mut at = start + count + 1;
        loop {
            at = self.find_byte(at, b'"')? + 1;
            if self.bytes.get(at..at + count)?.iter().all(|byte| *byte == b'#') {
                return Some(at + count);
            }
        }
    }

    /// Goes behind a character, or the quote of a lifetime.
    fn skip_quote(&self, at: usize) -> usize {
        const MOST_CHARACTER: usize = 12;
        let is_escape = self.byte(at + 1) == b'\\';
        let first = at + if is_escape { 3 } else { 2 };
        let width = match self.byte(at + 1) {
            0x00..0x80 => 0,
            0x80..0xe0 => 1,
            0xe0..0xf0 => 2,
            0xf0.. => 3,
        };
        let last = if is_escape { first + MOST_CHARACTER } else { first + width };
        let from = if is_escape { first } else { last };
        let end = (from..=last).find(|place| self.byte(*place) == b'\'');
        end.map_or_else(|| self.skip_word(at + 1), |end| end + 1)
    }

    /// Goes behind a group with everything in it.
    fn skip_group(&self, start: usize) -> Option<usize> {
        let mut open = Vec::new();
        let mut at = start;
        loop {
            let end = self.skip_token(at).filter(|_| at < self.bytes.len())?;
            match self.byte(at) {
                b'(' => open.push(b')'),
                b'[' => open.push(b']'),
                b'{' => open.push(b'}'),
                byte @ (b')' | b']' | b'}') => {
                    if open.pop() != Some(byte) {
                        return None;
                    }
                    if open.is_empty() {
                        return Some(end);
                    }
                }
                _ => {}
            }
            at = end;
        }
    }

    /// Looks for the body of a function, from behind `fn`.
    fn scan_function(&self, start: usize, found: &mut Vec<Range<usize>>) -> Option<usize> {
        let mut at = self.skip_blanks(start)?;
        if !is_letter(self.byte(at)) {
            return Some(start);
        }
        while at < self.bytes.len() {
            match self.byte(at) {
                b';' | b')' | b']' | b'}' => return Some(at),
                b'(' | b'[' => at = self.skip_group(at)?,
                b'{' => {
                    let end = self.skip_group(at)?;
                    // Elsewhere it is the value of a parameter.
                    if !matches!(self.byte(self.skip_blanks(end)?), b'>' | b',') {
                        if self.has_items(at + 1, end - 1) {
                            self.wasted.set(self.wasted.get() + end - at);
                            // Bodies in each other are left to the parser, which refuses them.
                            return Some(if self.may_scan_again() { at + 1 } else { end });
                        }
                        found.push(at + 1..end - 1);
                        return Some(end);
                    }
                    at = end;
                }
                _ => at = self.skip_token(at)?,
            }
        }
        Some(at)
    }

    fn may_scan_again(&self) -> bool {
        self.wasted.get() <= MOST_WASTE * self.bytes.len()
    }

    /// Says whether a body may hold what can be seen from outside: an `impl` block or an exported macro.
    fn has_items(&self, start: usize, end: usize) -> bool {
        let inside = self.bytes.get(start..end).unwrap_or_default();
        if !INSIDE_WORDS.iter().any(|word| has_word(inside, word)) {
            return false;
        }
        let (mut at, mut before) = (start, b';');
        while at < end {
            let Some(next) = self.skip_token(at) else { return false };
            let word = self.bytes.get(at..next).unwrap_or_default();
            match word {
                b"macro_export" if matches!(before, b'[' | b',') => return true,
                // Elsewhere it is a type.
                b"impl" if matches!(before, b';' | b'{' | b'}' | b']') => return true,
                b"unsafe" | b"default" => {}
                _ if self.byte(at).is_ascii_whitespace() || self.is_comment(at) => {}
                _ => before = self.byte(next - 1),
            }
            at = next;
        }
        false
    }

    /// Looks for groups in the value of a constant, from behind `const` or `static`.
    fn scan_value(&self, start: usize, found: &mut Vec<Range<usize>>) -> Option<usize> {
        let name = self.skip_blanks(start)?;
        let after = self.skip_blanks(self.skip_word(name))?;
        // `const _` may hold items, and `const fn` is a function.
        if !is_letter(self.byte(name)) || self.byte(name) == b'_' || self.byte(after) != b':' {
            return Some(start);
        }
        // Values that never end, one in the other, would be scanned once for each of them.
        if !self.may_scan_again() {
            return Some(start);
        }
        let before = found.len();
        let (mut at, mut angles, mut is_value) = (after, 0_usize, false);
        while at < self.bytes.len() {
            let end = match self.byte(at) {
                b';' => return Some(at),
                byte @ (b'(' | b'[' | b'{') => {
                    let end = self.skip_group(at)?;
                    if is_value {
                        found.push(at + 1..end - 1);
                    } else if byte == b'{' && angles == 0 {
                        // No value, but a block of something else.
                        break;
                    }
                    end
                }
                b'=' if angles == 0 && self.byte(at + 1) != b'>' => {
                    is_value = true;
                    at + 1
                }
                b'-' if self.byte(at + 1) == b'>' => at + 2,
                b'<' if !is_value => {
                    angles += 1;
                    at + 1
                }
                b'>' if !is_value => match angles.checked_sub(1) {
                    Some(left) => {
                        angles = left;
                        at + 1
                    }
                    None => break,
                },
                b')' | b']' | b'}' => break,
                _ => self.skip_token(at)?,
            };
            at = end;
        }
        found.truncate(before);
        self.wasted.set(self.wasted.get() + at - start);
        Some(start)
    }

    /// Goes behind the call of a macro, unless what it takes are plainly items.
    fn skip_call(&self, word: &[u8], start: usize) -> Option<usize> {
        let sign = self.skip_blanks(start)?;
        if self.byte(sign) != b'!' {
            return Some(start);
        }
        let mut at = self.skip_blanks(sign + 1)?;
        if word == b"macro_rules" {
            at = self.skip_blanks(self.skip_word(at))?;
        }
        match self.byte(at) {
            b'(' | b'[' | b'{' if !word.starts_with(b"cfg") => self.skip_group(at),
            _ => Some(start),
        }
    }
}

fn has_word(text: &[u8], word: &[u8]) -> bool {
    let Some((first, _)) = word.split_first() else { return false };
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| byte == first) {
        rest = rest.get(at..).unwrap_or_default();
        if rest.starts_with(word) {
            return true;
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    false
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn is_word(token: &[u8]) -> bool {
    token.first().is_some_and(|byte| is_letter(*byte) && !byte.is_ascii_digit())
}

#[cfg(test)]
#[path = "trim_tests.rs"]
mod tests;
