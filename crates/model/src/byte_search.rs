//! Searches in short texts, eight bytes at a time. On a few dozen bytes they are faster than a search made for long
//! texts, and than a loop over bytes in a program that is compiled for its size.

const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);

/// Marks the bytes that are zero. Those behind the first one may be marked by mistake.
const fn mark_zeros(word: u64) -> u64 {
    word.wrapping_sub(LOW) & !word & HIGH
}

const fn repeat(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// Finds the first byte of a kind.
pub fn find_byte(bytes: &[u8], wanted: u8) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut start = 0;
    for word in words {
        let found = mark_zeros(u64::from_le_bytes(*word) ^ repeat(wanted));
        if found != 0 {
            return Some(start + found.trailing_zeros() as usize / 8);
        }
        start += 8;
    }
    rest.iter().position(|byte| *byte == wanted).map(|at| start + at)
}

/// Returns true if a text is the inside of a TOML string without escapes: no control characters, quotes or backslashes.
pub(crate) fn is_plain_string(text: &str) -> bool {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mut found = 0;
    for word in words {
        let word = u64::from_le_bytes(*word);
        let control = word.wrapping_sub(repeat(0x20)) & !word & HIGH;
        let odd = mark_zeros(word ^ repeat(b'"')) | mark_zeros(word ^ repeat(b'\\')) | mark_zeros(word ^ repeat(0x7f));
        found |= control | odd;
    }
    let odd = |byte: &u8| byte.is_ascii_control() || *byte == b'"' || *byte == b'\\';
    found == 0 && !rest.iter().any(odd)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All bytes, at every place in texts of every small length.
    fn texts() -> impl Iterator<Item = Vec<u8>> {
        (0..=20).flat_map(|length| {
            (0..length.max(1)).flat_map(move |at| {
                (0..=255).map(move |byte| {
                    let mut text = vec![b'a'; length];
                    text.iter_mut().skip(at).take(2).for_each(|place| *place = byte);
                    text
                })
            })
        })
    }

    #[test]
    fn the_first_byte_is_found() {
        for text in texts() {
            for wanted in [0, 1, b'\n', b'\t', b'=', b'a', 0x1f, 0x7f, 0x80, 0xff] {
                let expected = text.iter().position(|byte| *byte == wanted);
                assert_eq!(find_byte(&text, wanted), expected, "{wanted} in {text:?}");
            }
        }
        assert_eq!(find_byte(b"\x01\x00aaaaaa", 0), Some(1));
        assert_eq!(find_byte(b"aa\n\x0b\n\x0baa", b'\n'), Some(2));
    }

    #[test]
    fn only_plain_strings_are_plain() {
        for bytes in texts() {
            let Ok(text) = std::str::from_utf8(&bytes) else { continue };
            let expected = !text.bytes().any(|byte| byte.is_ascii_control() || byte == b'"' || byte == b'\\');
            assert_eq!(is_plain_string(text), expected, "{text:?}");
        }
        assert!(is_plain_string("größe und 日本 in längerem Text"));
    }

    /// Few kinds of bytes, most of which differ by one from a wanted one: such neighbours are what a search in words
    /// can confuse.
    fn near_misses() -> impl Strategy<Value = Vec<u8>> {
        let byte = proptest::sample::select(b"\x00\x01\t\n\x0b\x1f !\"#<=>[\\]a\x7e\x7f\x80\x81\xfe\xff".as_slice());
        proptest::collection::vec(byte, 0..40)
    }

    proptest! {
        #[test]
        fn searches_find_what_a_loop_finds(bytes in near_misses(), start in 0_usize..8, wanted in any::<u8>()) {
            // A text begins at any place in memory.
            let text = bytes.get(start..).unwrap_or_default();
            for wanted in text.iter().copied().chain([wanted]) {
                prop_assert_eq!(find_byte(text, wanted), text.iter().position(|byte| *byte == wanted));
            }
        }

        #[test]
        fn a_string_is_plain_if_a_loop_finds_it_plain(text in "[\\x00\\x01\\x1f-#\\[-\\]~\\x7f\\u{80}\\u{ff}\\u{100}\u{65e5}a-c]{0,40}") {
            let expected = !text.bytes().any(|byte| byte.is_ascii_control() || byte == b'"' || byte == b'\\');
            prop_assert_eq!(is_plain_string(&text), expected);
        }
    }
}
