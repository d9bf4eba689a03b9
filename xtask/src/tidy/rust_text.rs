//! The tokens and comments of a Rust file, and which of them belong to tests.
//!
//! Macros are not expanded, and `cfg` is understood only where it says `test`.

use std::ops::Range;

use proc_macro2::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree};

/// A word, sign or literal of the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// An identifier, a literal, `::`, or one character.
    pub(super) text: String,
    /// Line number, from 1.
    pub(super) line: usize,
}

/// A Rust file taken apart. A file that is not Rust has no tokens: that is the compiler's complaint to make.
#[derive(Debug, Default)]
pub(super) struct RustText {
    /// The code without test items.
    pub(super) code: Vec<Token>,
    /// The code with test items.
    pub(super) code_with_tests: Vec<Token>,
    /// Comments outside test items, on the lines of the original, with spaces for what is left out.
    pub(super) comments: String,
    /// The bytes of items that exist only in tests, with their attributes.
    pub(super) tests: Vec<Range<usize>>,
    /// How many lines are not part of a test item.
    pub(super) shipped_lines: usize,
}

impl RustText {
    pub(super) fn of(text: &str) -> Self {
        let Ok(stream) = text.parse::<TokenStream>() else {
            return Self { shipped_lines: text.lines().count(), ..Self::default() };
        };
        let mut reader = Reader { text, tokens: Vec::new(), tests: Vec::new() };
        reader.read(stream);
        let Reader { tokens, tests, .. } = reader;
        // Every position is known now, and looking one up takes longer the more files there are.
        proc_macro2::extra::invalidate_current_thread_spans();
        let is_shipped = |range: &Range<usize>| !tests.iter().any(|test| test.contains(&range.start));
        let code = tokens.iter().filter(|(_, range)| is_shipped(range)).map(|(token, _)| token.clone()).collect();
        let outside_comments = tokens.iter().map(|(_, range)| range.clone());
        Self {
            code,
            comments: blank(text, outside_comments.chain(tests.iter().cloned())),
            shipped_lines: shipped_lines(text, &tests),
            tests,
            code_with_tests: tokens.into_iter().map(|(token, _)| token).collect(),
        }
    }
}

/// The number of the line, from 1, that holds byte `at`.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

/// Whether a byte can be part of an identifier; bytes of other alphabets count as such.
pub(super) fn is_ident_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

struct Reader<'a> {
    text: &'a str,
    tokens: Vec<(Token, Range<usize>)>,
    tests: Vec<Range<usize>>,
}

impl Reader<'_> {
    fn read(&mut self, stream: TokenStream) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let mut rest = trees.as_slice();
        while let Some((tree, after)) = rest.split_first() {
            if let Some((attribute, length)) = attribute(rest) {
                if self.text.as_bytes().get(attribute.span().byte_range().start) == Some(&b'/') {
                    // A documentation comment.
                    rest = rest.get(length..).unwrap_or_default();
                    continue;
                }
                if is_test_only(attribute) {
                    let inner = length > 2;
                    let end = rest.get(item_length(rest).saturating_sub(1));
                    let end = end.map_or(self.text.len(), |last| last.span().byte_range().end);
                    let start = tree.span().byte_range().start;
                    self.tests.push(if inner { 0..self.text.len() } else { start..end });
                }
            }
            rest = after;
            match tree {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.push(open.to_owned(), group.span_open());
                    self.read(group.stream());
                    self.push(close.to_owned(), group.span_close());
                }
                TokenTree::Ident(ident) => {
                    let name = ident.to_string();
                    self.push(name.strip_prefix("r#").unwrap_or(&name).to_owned(), ident.span());
                }
                TokenTree::Literal(literal) => self.push(literal.to_string(), literal.span()),
                TokenTree::Punct(sign) => {
                    self.push(sign.as_char().to_string(), sign.span());
                    if let (':', Spacing::Joint, [TokenTree::Punct(next), behind @ ..]) =
                        (sign.as_char(), sign.spacing(), rest)
                        && let Some((token, range)) = self.tokens.last_mut()
                    {
                        token.text.push(next.as_char());
                        range.end = next.span().byte_range().end;
                        rest = behind;
                    }
                }
            }
        }
    }

    fn push(&mut self, text: String, span: Span) {
        self.tokens.push((Token { text, line: span.start().line }, span.byte_range()));
    }
}

fn is_sign(tree: &TokenTree, sign: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// The attribute at the beginning, in its brackets, and how many tokens it takes.
fn attribute(trees: &[TokenTree]) -> Option<(&Group, usize)> {
    match trees {
        [hash, TokenTree::Group(group), ..] if is_sign(hash, '#') => Some((group, 2)),
        [hash, not, TokenTree::Group(group), ..] if is_sign(hash, '#') && is_sign(not, '!') => Some((group, 3)),
        _ => None,
    }
}

/// Whether an attribute is a `cfg` that holds in tests only.
fn is_test_only(attribute: &Group) -> bool {
    let words: Vec<String> = attribute
        .stream()
        .to_string()
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '"')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["cfg", "test"] => true,
        ["cfg", "all", rest @ ..] => rest.contains(&"test") && !rest.contains(&"any") && !rest.contains(&"not"),
        _ => false,
    }
}

/// How many tokens the item takes that begins with an attribute.
fn item_length(trees: &[TokenTree]) -> usize {
    let mut start = 0;
    while let Some((_, length)) = trees.get(start..).and_then(attribute) {
        start += length;
    }
    let item = trees.get(start..).unwrap_or_default();
    let first_word = item.first().map(ToString::to_string).unwrap_or_default();
    let ends_at_brace = first_word != "use";
    // A field, a variant or a match arm ends at its comma; an item may have commas in its generics.
    let ends_at_comma = !matches!(
        first_word.as_str(),
        "pub" | "mod" | "fn" | "impl" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "unsafe" | "async"
    ) && ends_at_brace;
    let is_end = |tree: &TokenTree| match tree {
        TokenTree::Group(group) => ends_at_brace && group.delimiter() == Delimiter::Brace,
        tree => is_sign(tree, ';') || (ends_at_comma && is_sign(tree, ',')),
    };
    start + item.iter().position(is_end).map_or(item.len(), |at| at + 1)
}

/// The text with spaces in place of these bytes.
fn blank(text: &str, ranges: impl Iterator<Item = Range<usize>>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for range in ranges {
        for byte in bytes.get_mut(range).into_iter().flatten().filter(|byte| **byte != b'\n') {
            *byte = b' ';
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

fn shipped_lines(text: &str, tests: &[Range<usize>]) -> usize {
    let mut start = 0;
    let mut count = 0;
    for line in text.split_inclusive('\n') {
        let first = start + (line.len() - line.trim_start().len()).min(line.trim_end_matches(['\r', '\n']).len());
        if !tests.iter().any(|range| range.contains(&first)) {
            count += 1;
        }
        start += line.len();
    }
    count
}

#[cfg(test)]
#[path = "rust_text_tests.rs"]
mod tests;
