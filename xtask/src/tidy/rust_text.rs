//! Which bytes of a Rust file are code, comment or literal, and which belong to tests.
//!
//! This reads text, it does not compile: macros are not expanded and `cfg` is understood only where it says `test`.

use std::ops::Range;

/// A Rust file taken apart. All texts have the length and the lines of the original, with spaces for what is left out.
#[derive(Debug)]
pub(super) struct RustText {
    /// Code without comments, literals and test items.
    pub(super) code: String,
    /// Code without comments and literals, test items included.
    pub(super) code_with_tests: String,
    /// Comments outside test items.
    pub(super) comments: String,
    /// How many lines are not part of a test item.
    pub(super) shipped_lines: usize,
}

impl RustText {
    /// Takes a file apart.
    pub(super) fn of(text: &str) -> Self {
        let (comments, literals) = comments_and_literals(text);
        let code_with_tests = blank(&blank(text, &comments), &literals);
        let tests = test_items(&code_with_tests);
        let outside_comments = between(&comments, text.len());
        Self {
            code: blank(&code_with_tests, &tests),
            comments: blank(&blank(text, &outside_comments), &tests),
            shipped_lines: shipped_lines(text, &tests),
            code_with_tests,
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

fn blank(text: &str, ranges: &[Range<usize>]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for range in ranges {
        result.push_str(text.get(done..range.start).unwrap_or_default());
        for byte in text.get(range.clone()).unwrap_or_default().bytes() {
            result.push(if byte == b'\n' { '\n' } else { ' ' });
        }
        done = range.end;
    }
    result.push_str(text.get(done..).unwrap_or_default());
    result
}

fn between(ranges: &[Range<usize>], end: usize) -> Vec<Range<usize>> {
    let mut gaps = Vec::new();
    let mut done = 0;
    for range in ranges {
        gaps.push(done..range.start);
        done = range.end;
    }
    gaps.push(done..end);
    gaps
}

fn comments_and_literals(text: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let (mut comments, mut literals) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        let length = if rest.starts_with(b"//") {
            let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            comments.push(at..at + length);
            length
        } else if rest.starts_with(b"/*") {
            let length = block_comment(rest);
            comments.push(at..at + length);
            length
        } else if byte == b'"' {
            let length = quoted(rest, b'"');
            literals.push(at..at + length);
            length
        } else if byte == b'\'' {
            let length = character(text.get(at..).unwrap_or_default());
            if length > 1 {
                literals.push(at..at + length);
            }
            length
        } else if is_ident_byte(byte) {
            let word = rest.iter().take_while(|byte| is_ident_byte(**byte)).count();
            let raw = if matches!(rest.get(..word), Some(b"r" | b"br" | b"cr")) {
                raw_string(rest.get(word..).unwrap_or_default())
            } else {
                0
            };
            if raw > 0 {
                literals.push(at + word..at + word + raw);
            }
            word + raw
        } else {
            1
        };
        at += length;
    }
    (comments, literals)
}

fn block_comment(rest: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        let pair = rest.get(at..at + 2).unwrap_or_default();
        if pair == b"/*" {
            depth += 1;
            at += 2;
        } else if pair == b"*/" {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        if byte == quote {
            return at + 1;
        }
        at += if byte == b'\\' { 2 } else { 1 };
    }
    rest.len()
}

/// The length of a character literal, or 1 for the tick of a lifetime.
fn character(rest: &str) -> usize {
    let mut chars = rest.chars().skip(1);
    match (chars.next(), chars.next()) {
        (Some('\\'), _) => quoted(rest.as_bytes(), b'\''),
        (Some(first), Some('\'')) => first.len_utf8() + 2,
        _ => 1,
    }
}

/// The length of `#"…"#` with any number of `#`, or 0 where there is none.
fn raw_string(rest: &[u8]) -> usize {
    let hashes = rest.iter().take_while(|byte| **byte == b'#').count();
    if rest.get(hashes) != Some(&b'"') {
        return 0;
    }
    let mut end = vec![b'"'];
    end.resize(hashes + 1, b'#');
    let body = rest.get(hashes + 1..).unwrap_or_default();
    body.windows(end.len()).position(|window| window == end).map_or(rest.len(), |at| hashes + 1 + at + end.len())
}

/// The items that exist only in tests, with their attributes.
fn test_items(code: &str) -> Vec<Range<usize>> {
    let mut items: Vec<Range<usize>> = Vec::new();
    for (at, _) in code.match_indices("cfg(") {
        let Some(start) = attribute_start(code, at) else { continue };
        if items.last().is_some_and(|item| start < item.end) || !is_test_only(code.get(at + 3..).unwrap_or_default()) {
            continue;
        }
        if code.get(start..).is_some_and(|rest| rest.starts_with("#!")) {
            return std::iter::once(0..code.len()).collect();
        }
        items.push(start..item_end(code, start));
    }
    items
}

/// Where the attribute begins whose name stands at `at`.
fn attribute_start(code: &str, at: usize) -> Option<usize> {
    let before = code.get(..at)?.trim_end().strip_suffix('[')?.trim_end();
    let before = before.strip_suffix('!').unwrap_or(before).trim_end();
    before.ends_with('#').then(|| before.len() - 1)
}

/// Whether a `cfg` predicate, given from its opening parenthesis on, holds in tests only.
fn is_test_only(rest: &str) -> bool {
    let predicate = rest.get(..group_length(rest)).unwrap_or_default();
    let words: Vec<&str> = predicate.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    predicate.trim_matches(['(', ')', ' ']) == "test"
        || (predicate.starts_with("(all(")
            && words.contains(&"test")
            && !words.contains(&"any")
            && !words.contains(&"not"))
}

/// The length of the bracketed group that `rest` begins with.
fn group_length(rest: &str) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    rest.len()
}

/// Where the item ends whose first attribute begins at `start`.
fn item_end(code: &str, start: usize) -> usize {
    let mut at = start;
    loop {
        let rest = code.get(at..).unwrap_or_default();
        at += rest.len() - rest.trim_start().len();
        let rest = code.get(at..).unwrap_or_default();
        if !rest.starts_with('#') {
            break;
        }
        at += 1 + group_length(rest.get(1..).unwrap_or_default());
    }
    let item = code.get(at..).unwrap_or_default();
    let first_word = item.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let ends_at_brace = first_word != "use";
    // A field, a variant or a match arm ends at its comma; an item may have commas in its generics.
    let ends_at_comma = !matches!(
        first_word,
        "pub" | "mod" | "fn" | "impl" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "unsafe" | "async"
    ) && ends_at_brace;
    let mut depth = 0_usize;
    for (offset, byte) in item.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return at + offset,
            b')' | b']' | b'}' => {
                depth -= 1;
                if depth == 0 && byte == b'}' && ends_at_brace {
                    return at + offset + 1;
                }
            }
            b';' if depth == 0 => return at + offset + 1,
            b',' if depth == 0 && ends_at_comma => return at + offset + 1,
            _ => {}
        }
    }
    code.len()
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
