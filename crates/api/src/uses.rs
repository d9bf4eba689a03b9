//! Uses of names in Rust text: where a file still says what a crate no longer has.

use std::collections::{HashMap, HashSet};

use crate::changes::ApiChange;
use crate::index::ItemKind;

/// A place where a name is used.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameUse {
    /// The path of the item, without the crate.
    pub path: String,
    /// Line number, from 1.
    pub line: usize,
}

/// Finds uses of changed items of a crate in the text of a file. Comments and strings do not count, and a file that
/// never names the crate has none. `crate_name` is the name that code uses.
pub fn find_uses(text: &str, crate_name: &str, changes: &[&ApiChange]) -> Vec<NameUse> {
    let tokens = split_tokens(text);
    if !(0..tokens.len()).any(|at| names_crate(&tokens, at, crate_name)) {
        return Vec::new();
    }
    let mut wanted: HashMap<&str, Vec<&ApiChange>> = HashMap::new();
    for change in changes {
        let name = change.path.rsplit("::").next().unwrap_or_default();
        wanted.entry(name).or_default().push(change);
    }
    let mut uses = HashSet::new();
    for (at, token) in tokens.iter().enumerate() {
        for change in wanted.get(token.text).into_iter().flatten() {
            if is_use(&tokens, at, change) {
                uses.insert(NameUse { path: change.path.clone(), line: token.line });
            }
        }
    }
    let mut uses: Vec<NameUse> = uses.into_iter().collect();
    uses.sort_by(|one, other| (one.line, &one.path).cmp(&(other.line, &other.path)));
    uses
}

fn text_at<'t>(tokens: &[TextToken<'t>], at: Option<usize>) -> &'t str {
    at.and_then(|at| tokens.get(at)).map(|token| token.text).unwrap_or_default()
}

/// Says whether a crate is named here: at the beginning of a path, or in an import.
fn names_crate(tokens: &[TextToken<'_>], at: usize, crate_name: &str) -> bool {
    let text = |at: Option<usize>| text_at(tokens, at);
    text(Some(at)) == crate_name
        && (text(Some(at + 1)) == ":" && text(Some(at + 2)) == ":"
            || matches!(text(at.checked_sub(1)), "use" | "crate"))
}

/// Says whether a name stands where one of its kind is used: a method behind a dot or a path, a field behind a dot.
fn is_use(tokens: &[TextToken<'_>], at: usize, change: &ApiChange) -> bool {
    let text = |at: Option<usize>| text_at(tokens, at);
    let before = text(at.checked_sub(1));
    let after = text(Some(at + 1));
    let is_behind_dot = before == "." && text(at.checked_sub(2)) != ".";
    // A declaration of the same name is another item.
    if matches!(
        before,
        "fn" | "struct" | "enum" | "trait" | "mod" | "type" | "const" | "static" | "let" | "macro_rules"
    ) {
        return false;
    }
    match change.kind {
        ItemKind::Method if before == ":" => {
            // A module or a primitive type, as in `str::replace`, has no methods of a crate.
            let owner = text(at.checked_sub(3));
            matches!(after, "(" | ":") && !owner.starts_with(char::is_lowercase)
        }
        ItemKind::Method => is_behind_dot && matches!(after, "(" | ":"),
        ItemKind::Field => is_behind_dot && after != "(",
        ItemKind::Variant => {
            let mut parts = change.path.rsplit("::");
            let owner = parts.nth(1).unwrap_or_default();
            before == ":" && text(at.checked_sub(3)) == owner
        }
        ItemKind::Macro => after == "!" || before == ":",
        ItemKind::Const | ItemKind::Type if change.path.contains("::") => before == ":",
        _ => before != ".",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TextToken<'a> {
    text: &'a str,
    line: usize,
}

/// Splits Rust text into names and signs, without comments, strings, numbers and lifetimes. Broken text is no error.
fn split_tokens(text: &str) -> Vec<TextToken<'_>> {
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

#[cfg(test)]
#[path = "uses_tests.rs"]
mod tests;
