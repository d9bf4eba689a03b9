//! Tokens as text, spaced as rustdoc and rustfmt do.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Begins the name that stands for `$crate` in code made by a macro of another crate.
pub(crate) const CRATE_MARK: &str = "__crate_";

/// A piece of text that is never broken.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TextPiece {
    Word(String),
    Sign(&'static str),
    /// Any sign without rules of its own.
    Odd(char),
    Open(char),
    Close(char),
}

const SIGNS: [&str; 32] = [
    "...", "..=", "::", "->", "=>", "..", "==", "!=", "<=", ">=", "||", "+", "-", "*", "/", "%", "^", "!", "&", "|",
    "=", "<", ">", "@", ".", ",", ";", ":", "#", "$", "?", "~",
];

/// Words after which a bracket is not that of a call.
const KEYWORDS: [&str; 18] = [
    "as", "async", "await", "const", "dyn", "extern", "for", "impl", "in", "let", "mut", "move", "ref", "return",
    "static", "unsafe", "use", "where",
];

/// Prints tokens on one line.
pub(crate) fn print_tokens(tokens: &TokenStream) -> String {
    let mut pieces = Vec::new();
    flatten(tokens.clone(), &mut pieces);
    let mut text = String::new();
    let mut is_prefix = false;
    for (at, piece) in pieces.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| pieces.get(at));
        if before.is_some_and(|before| needs_space(before, piece, is_prefix)) {
            text.push(' ');
        }
        is_prefix = stands_before(before, piece);
        match piece {
            TextPiece::Word(word) => text.push_str(word),
            TextPiece::Sign(sign) => text.push_str(sign),
            TextPiece::Odd(sign) | TextPiece::Open(sign) | TextPiece::Close(sign) => text.push(*sign),
        }
    }
    text
}

/// Says whether a sign belongs to what follows it, as in `&T`, `*const T`, `-1` and `?Sized`.
fn stands_before(before: Option<&TextPiece>, piece: &TextPiece) -> bool {
    let TextPiece::Sign("&" | "*" | "-" | "!" | "?" | "~" | "::") = piece else { return false };
    match before {
        Some(TextPiece::Word(word)) => is_keyword(word),
        // In types, as in `for<'a> &'a T`.
        Some(TextPiece::Sign(">")) => matches!(piece, TextPiece::Sign("&")),
        None | Some(TextPiece::Open(_) | TextPiece::Odd(_) | TextPiece::Sign(_)) => true,
        Some(TextPiece::Close(_)) => false,
    }
}

fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word) || word.starts_with('\'')
}

#[expect(clippy::match_same_arms, reason = "rules in the order in which they count")]
fn needs_space(before: &TextPiece, piece: &TextPiece, is_prefix: bool) -> bool {
    match (before, piece) {
        (TextPiece::Open('{'), _) | (_, TextPiece::Close('}') | TextPiece::Open('{')) => true,
        (TextPiece::Open(_), _) | (_, TextPiece::Close(_) | TextPiece::Sign("," | ";" | ":" | "." | ">")) => false,
        (TextPiece::Sign("," | ";" | ":"), _) => true,
        (TextPiece::Sign("<" | "#" | "$" | "." | "@"), _) => false,
        (TextPiece::Sign("&" | "*" | "-" | "?" | "~" | "::"), _) if is_prefix => false,
        (TextPiece::Sign("!"), TextPiece::Sign("+" | "=")) => true,
        (TextPiece::Sign("!"), TextPiece::Word(_)) => !is_prefix,
        (TextPiece::Sign("!"), _) => false,
        (TextPiece::Sign("::"), _) => false,
        (TextPiece::Word(word), TextPiece::Sign("::")) => is_keyword(word),
        (TextPiece::Close(_) | TextPiece::Sign(">"), TextPiece::Sign("::" | "?")) => false,
        (TextPiece::Word(word), TextPiece::Sign("<")) => matches!(word.as_str(), "as" | "dyn" | "mut"),
        (_, TextPiece::Sign("<")) => matches!(before, TextPiece::Sign("->" | "=" | "+" | "=>")),
        (TextPiece::Word(_), TextPiece::Sign("!" | "?")) => false,
        (TextPiece::Word(word), TextPiece::Open('(')) => is_keyword(word),
        (TextPiece::Sign(">") | TextPiece::Close(_), TextPiece::Open('(')) => false,
        _ => true,
    }
}

fn flatten(tokens: TokenStream, pieces: &mut Vec<TextPiece>) {
    let mut signs = String::new();
    for token in tokens {
        match token {
            TokenTree::Punct(sign) => {
                signs.push(sign.as_char());
                if sign.spacing() == Spacing::Alone {
                    push_signs(&mut signs, pieces);
                }
            }
            TokenTree::Ident(name) => {
                let is_lifetime = signs.ends_with('\'');
                signs.truncate(signs.trim_end_matches('\'').len());
                push_signs(&mut signs, pieces);
                let name = plain_name(&name.to_string());
                // `&'_ T` is `&T`.
                if !is_lifetime || name != "_" || pieces.last() != Some(&TextPiece::Sign("&")) {
                    pieces.push(TextPiece::Word(if is_lifetime { format!("'{name}") } else { name }));
                }
            }
            TokenTree::Literal(literal) => {
                push_signs(&mut signs, pieces);
                pieces.push(TextPiece::Word(literal.to_string()));
            }
            TokenTree::Group(group) => {
                push_signs(&mut signs, pieces);
                flatten_group(&group, pieces);
            }
        }
    }
    push_signs(&mut signs, pieces);
}

fn flatten_group(group: &proc_macro2::Group, pieces: &mut Vec<TextPiece>) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ('(', ')'),
        Delimiter::Bracket => ('[', ']'),
        Delimiter::Brace => ('{', '}'),
        Delimiter::None => return flatten(group.stream(), pieces),
    };
    let is_list = matches!(pieces.last(), Some(TextPiece::Word(word)) if !is_keyword(word))
        || matches!(pieces.last(), Some(TextPiece::Sign(">" | "!")));
    pieces.push(TextPiece::Open(open));
    let start = pieces.len();
    flatten(group.stream(), pieces);
    let is_tuple_of_one = open == '(' && !is_list && count_commas(pieces.get(start..).unwrap_or_default()) == 1;
    if pieces.last() == Some(&TextPiece::Sign(",")) && !is_tuple_of_one {
        pieces.pop();
    }
    pieces.push(TextPiece::Close(close));
}

/// Counts the commas outside brackets.
fn count_commas(pieces: &[TextPiece]) -> usize {
    let mut depth = 0_i32;
    let mut count = 0;
    for piece in pieces {
        match piece {
            TextPiece::Open(_) | TextPiece::Sign("<") => depth += 1,
            TextPiece::Close(_) | TextPiece::Sign(">") => depth -= 1,
            TextPiece::Sign(",") if depth == 0 => count += 1,
            TextPiece::Word(_) | TextPiece::Sign(_) | TextPiece::Odd(_) => {}
        }
    }
    count
}

fn push_signs(signs: &mut String, pieces: &mut Vec<TextPiece>) {
    let mut rest = signs.as_str();
    while let Some(first) = rest.chars().next() {
        let found = SIGNS.iter().find(|sign| rest.starts_with(**sign));
        if found == Some(&">") && pieces.last() == Some(&TextPiece::Sign(",")) {
            pieces.pop();
        }
        pieces.push(found.map_or(TextPiece::Odd(first), |sign| TextPiece::Sign(sign)));
        let width = found.map_or(first.len_utf8(), |sign| sign.len());
        rest = rest.get(width..).unwrap_or_default();
    }
    signs.clear();
}

/// Gives a crate that `$crate` stands for its own name.
fn plain_name(name: &str) -> String {
    match name.strip_prefix(CRATE_MARK).and_then(|rest| rest.split_once('_')) {
        Some((_, name)) => name.to_owned(),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every text is spaced as expected already, so that printing gives it back.
    #[test]
    fn spacing_is_that_of_rustfmt() {
        for text in [
            "pub fn new<T: Into<String> + 'static>(name: T) -> Self",
            "pub async unsafe fn f(&mut self, x: &'a mut [u8; 4]) -> Result<(), Box<dyn Error + Send>>",
            "fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output>",
            "fn f<F>(f: F) where F: FnOnce(&str, u8) -> io::Result<T> + Send, T: ?Sized",
            "fn f(x: impl for<'a> Fn(&'a str) -> &'a str) -> !",
            "fn f(x: *const u8, y: *mut c_void, z: (u8,), w: ())",
            "type Item = <I as Iterator>::Item",
            "fn f() -> <Self as Trait>::X",
            "fn f(x: Option<<T as A>::B>) -> [T; N]",
            "pub const fn f<const N: usize>() -> [u8; { N + 1 }]",
            "const X: &'static str",
            "fn f(&self) -> &dyn Fn() -> bool",
            "pub extern \"C\" fn f(x: ::std::os::raw::c_int, ...)",
            "unsafe impl<T> Send for X<T>",
            "fn f(x: dyn ::std::error::Error)",
            "fn f(r: RangeInclusive<u8>) -> impl Iterator<Item = (u8, u8)> + '_",
            "fn f(x: vec!(A)) where for<'a> &'a T: Add",
        ] {
            assert_eq!(print_tokens(&text.parse().expect(text)), text);
        }
    }

    #[test]
    fn trailing_commas_and_crate_marks_go() {
        for (tokens, expected) in [
            ("fn f(a: A, b: B,)", "fn f(a: A, b: B)"),
            ("X<A, B,>", "X<A, B>"),
            ("fn f(x: (A, B,))", "fn f(x: (A, B))"),
            ("fn f(x: (Y<A, B>,))", "fn f(x: (Y<A, B>,))"),
            ("__crate_3_http::Uri", "http::Uri"),
        ] {
            assert_eq!(print_tokens(&tokens.parse().expect(tokens)), expected);
        }
    }
}
