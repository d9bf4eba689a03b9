//! Mends JSON that agents write and strict readers refuse: half a character in an escape, bytes that are no text.
//!
//! A model can make an agent write either, and a guard must not be out of play because of it.

/// The same JSON with the replacement character for what is no character.
pub(crate) fn mended(raw: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(raw);
    let mut result = String::with_capacity(text.len());
    let mut rest = text.as_ref();
    while let Some(at) = rest.find('\\') {
        let (before, from) = rest.split_at(at);
        result.push_str(before);
        let taken = match (surrogate(from), from.get(6..).and_then(surrogate)) {
            (Some(Half::High), Some(Half::Low)) => 12,
            (Some(Half::High | Half::Low), _) => {
                result.push_str("\\ufffd");
                rest = from.get(6..).unwrap_or_default();
                continue;
            }
            // An escaped backslash begins no escape.
            (None, _) => from.char_indices().nth(2).map_or(from.len(), |(end, _)| end),
        };
        result.push_str(from.get(..taken).unwrap_or(from));
        rest = from.get(taken..).unwrap_or_default();
    }
    result.push_str(rest);
    result.into_bytes()
}

/// Half of a pair of escapes that stand for one character.
enum Half {
    High,
    Low,
}

fn surrogate(text: &str) -> Option<Half> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_halves_are_replaced() {
        for (written, mended_to) in [
            (r#"{"a":"x"}"#, r#"{"a":"x"}"#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ud83d x""#, r#""\ufffd x""#),
            (r#""\ude00""#, r#""\ufffd""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\n\"\u00e9\\""#, r#""\n\"\u00e9\\""#),
            (r#""é\ud83dé""#, r#""é\ufffdé""#),
            (r"\", r"\"),
            (r"\ud8", r"\ud8"),
        ] {
            assert_eq!(String::from_utf8(mended(written.as_bytes())).unwrap(), mended_to, "{written}");
        }
        assert_eq!(mended(b"\"\xff\""), "\"\u{fffd}\"".as_bytes());
    }
}
