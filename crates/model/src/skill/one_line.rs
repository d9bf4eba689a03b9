//! Puts a text on one line and limits its length.

/// Joins lines and runs of blanks by single blanks; other spaces (no-break, ideographic) stay.
pub(super) fn one_line(text: &str) -> String {
    let breaks = |c: char| matches!(c, ' ' | '\t'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let words: Vec<&str> = text.split(breaks).filter(|word| !word.is_empty()).collect();
    words.join(" ").trim().to_owned()
}

/// Truncates to `longest` characters; a truncated text ends in `…`.
pub(super) fn cut(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let mut kept: String = text.chars().take(longest.saturating_sub(1)).collect();
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_by_single_blanks() {
        for (text, wanted) in [
            ("a\nb", "a b"),
            ("  a \r\n\r\n\tb  \n", "a b"),
            ("a\u{2028}b\u{85}c", "a b c"),
            ("a\u{a0}: b", "a\u{a0}: b"),
            ("\u{a0}\n", ""),
            ("", ""),
        ] {
            assert_eq!(one_line(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöüß", 3), "äö…");
        assert_eq!(cut("ä öüß", 3), "ä…");
        assert_eq!(cut("", 0), "");
    }
}
