//! Rust text as names and signs.

/// A name or a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextToken<'a> {
    pub(crate) text: &'a str,
    pub(crate) line: usize,
}

/// Says whether a token is a name.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Splits Rust text into names and signs, without comments, strings, numbers and lifetimes. Broken text is no error.
pub(crate) fn split_tokens(text: &str) -> Vec<TextToken<'_>> {
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let width = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => comment_width(rest),
            '"' => string_width(rest),
            // The name behind it is what counts.
            'r' if is_raw_name(rest) => 2,
            'r' | 'b' | 'c' if raw_hashes(rest).is_some() => raw_width(rest),
            'b' | 'c' if rest.get(1..2) == Some("\"") => 1 + rest.get(1..).map_or(0, string_width),
            '\'' => quote_width(rest),
            letter if letter.is_alphabetic() || letter == '_' => {
                let width = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
                tokens.extend(rest.get(..width).map(|text| TextToken { text, line }));
                width
            }
            letter if letter.is_ascii_digit() => {
                rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len())
            }
            letter if letter.is_whitespace() => letter.len_utf8(),
            letter => {
                tokens.extend(rest.get(..letter.len_utf8()).map(|text| TextToken { text, line }));
                letter.len_utf8()
            }
        };
        let (passed, after) = rest.split_at_checked(width.max(1)).unwrap_or((rest, ""));
        line += passed.matches('\n').count();
        rest = after;
    }
    tokens
}

fn comment_width(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth = depth.saturating_sub(1);
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

fn string_width(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn is_raw_name(text: &str) -> bool {
    let name = text.strip_prefix("r#").and_then(|rest| rest.chars().next());
    name.is_some_and(|first| first.is_alphabetic() || first == '_')
}

/// Counts the `#` of a raw string that begins here.
fn raw_hashes(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("br").or_else(|| text.strip_prefix("cr")).or_else(|| text.strip_prefix('r'))?;
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    rest.get(hashes..)?.starts_with('"').then_some(hashes)
}

fn raw_width(text: &str) -> usize {
    let end = format!("\"{}", "#".repeat(raw_hashes(text).unwrap_or(0)));
    let start = text.find('"').map_or(text.len(), |at| at + 1);
    let found = text.get(start..).and_then(|rest| rest.find(&end));
    found.map_or(text.len(), |at| start + at + end.len())
}

/// The width of a character, or of the quote of a lifetime.
fn quote_width(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    match (letters.next(), letters.next()) {
        (Some((_, '\\')), Some(_)) => {
            text.get(2..).and_then(|rest| rest.get(1..)?.find('\'')).map_or(text.len(), |at| at + 4)
        }
        (Some(_), Some((at, '\''))) => at + 1,
        _ => {
            let rest = text.get(1..).unwrap_or_default();
            1 + rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len())
        }
    }
}
