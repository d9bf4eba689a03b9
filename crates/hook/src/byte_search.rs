//! Search in the bytes of an event, before anything of it is parsed.

/// Returns true if `word` is anywhere in `bytes`. Most bytes differ from the first one of the word.
pub(crate) fn contains(bytes: &[u8], word: &[u8]) -> bool {
    let Some((first, others)) = word.split_first() else { return true };
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| byte == first) {
        rest = rest.get(at + 1..).unwrap_or_default();
        if rest.starts_with(others) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_bytes() {
        for (bytes, word, expected) in [
            ("a cargo test", "cargo", true),
            ("ccargo", "cargo", true),
            ("cargcargo", "cargo", true),
            ("carg", "cargo", false),
            ("", "cargo", false),
            ("", "", true),
            ("x", "", true),
            ("Cargo", "cargo", false),
        ] {
            assert_eq!(contains(bytes.as_bytes(), word.as_bytes()), expected, "{bytes:?} {word:?}");
        }
    }
}
