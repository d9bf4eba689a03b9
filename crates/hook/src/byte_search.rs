//! Searches in events and files, which are read on every call.

/// Tells whether bytes contain one of several texts.
pub(crate) fn contains_any(bytes: &[u8], signs: &[&str]) -> bool {
    // The search in text compares many bytes at once, that in bytes one after the other.
    match str::from_utf8(bytes) {
        Ok(text) => signs.iter().any(|sign| text.contains(sign)),
        Err(_) => signs.iter().any(|sign| bytes.windows(sign.len()).any(|window| window == sign.as_bytes())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_searched_too() {
        for (bytes, is_found) in [
            (&b"a Cargo.toml"[..], true),
            (b"\xff\xfe Cargo.toml", true),
            (b"Cargo.tom", false),
            (b"\xff", false),
            (b"", false),
            (b"x.rs", true),
        ] {
            assert_eq!(contains_any(bytes, &["Cargo.toml", ".rs"]), is_found, "{bytes:?}");
        }
    }
}
