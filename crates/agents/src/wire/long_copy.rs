//! Leaves out the copy of a whole file that some agents put into the event of an edit, for readers that do not need it.

use std::borrow::Cow;

use crate::dialect::AgentDialect;

/// A shorter event is not worth a search.
const SHORT: usize = 4 * 1024;
/// The key stands near the beginning; an event without it there stays as it is.
const SEARCHED: usize = 8 * 1024;

/// Returns an event with the copy of the file replaced by an empty text. The rest of its JSON stays as it is.
pub fn without_copy<'r>(dialect: &AgentDialect, raw: &'r [u8]) -> Cow<'r, [u8]> {
    let cut = || {
        let key = dialect.wire.fields.file_copy.filter(|_| raw.len() > SHORT)?;
        // Inside a text every quote follows a backslash, so this is the key itself and the beginning of its value.
        let mark = format!("\"{key}\":\"");
        let head = raw.get(..SEARCHED.min(raw.len()))?;
        let [quote, first, ..] = *mark.as_bytes() else { return None };
        // Two bytes are compared in place, and only few windows begin with them.
        let is_key = |window: &[u8]| window.starts_with(&[quote, first]) && window == mark.as_bytes();
        let at = head.windows(mark.len()).position(is_key)?;
        let is_escaped = at > 0 && raw.get(at - 1) == Some(&b'\\');
        let start = at + mark.len();
        let end = end_of_text(raw, start).filter(|_| !is_escaped)?;
        Some([raw.get(..start)?, raw.get(end..)?].concat())
    };
    cut().map_or(Cow::Borrowed(raw), Cow::Owned)
}

/// Finds the quote that ends a text.
fn end_of_text(raw: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += find_quote(raw.get(at..)?)?;
        let text = raw.get(start..at)?;
        let slashes = text.iter().rev().take_while(|byte| **byte == b'\\').count();
        if slashes % 2 == 0 {
            return Some(at);
        }
        at += 1;
    }
}

/// Finds a quote, eight bytes at a time.
fn find_quote(bytes: &[u8]) -> Option<usize> {
    const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    const QUOTES: u64 = u64::from_ne_bytes([b'"'; 8]);
    let (chunks, _) = bytes.as_chunks::<8>();
    let has_quote = |chunk: &[u8; 8]| {
        let zeros = u64::from_ne_bytes(*chunk) ^ QUOTES;
        zeros.wrapping_sub(LOW) & !zeros & HIGH != 0
    };
    let skipped = 8 * chunks.iter().take_while(|chunk| !has_quote(chunk)).count();
    Some(skipped + bytes.get(skipped..)?.iter().position(|byte| *byte == b'"')?)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{claude, codex};

    fn event(copy: &str) -> Value {
        json!({"a": "x \"originalFile\":\"y", "tool_response": {"originalFile": copy, "z": 1}})
    }

    #[test]
    fn the_copy_of_a_file_is_left_out_and_nothing_else() {
        for copy in ["plain ", "quo\"te\n", "slash \\", "\\\\\" ", "é\u{1f600}", "\"originalFile\":\""] {
            let long = copy.repeat(5000);
            let raw = event(&long).to_string();
            let cut = without_copy(&claude::DIALECT, raw.as_bytes());
            assert_eq!(serde_json::from_slice::<Value>(&cut).unwrap(), event(""), "{copy}");
            assert_eq!(without_copy(&codex::DIALECT, raw.as_bytes()), raw.as_bytes(), "another agent");
        }
    }

    #[test]
    fn short_and_broken_events_stay_as_they_are() {
        let short = event("short").to_string();
        assert_eq!(without_copy(&claude::DIALECT, short.as_bytes()), short.as_bytes());
        for broken in ["{\"originalFile\":\"", "{\"originalFile\":\"\\", "\"originalFile\":1,"] {
            let long = format!("{broken}{}", "x".repeat(2 * SEARCHED));
            assert_eq!(without_copy(&claude::DIALECT, long.as_bytes()), long.as_bytes(), "{broken}");
        }
    }
}
