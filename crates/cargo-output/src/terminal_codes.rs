//! Removes the codes that colour text or move the cursor.

use std::borrow::Cow;

const ESCAPE: char = '\u{1b}';
const BELL: char = '\u{7}';

/// Removes escape sequences, and ends a line at every carriage return: programs overwrite a progress bar that way.
pub(crate) fn strip_terminal_codes(text: &str) -> Cow<'_, str> {
    if !text.contains([ESCAPE, '\r']) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find([ESCAPE, '\r']) {
        let (before, from) = rest.split_at(at);
        clean.push_str(before);
        let mut letters = from.chars();
        rest = if letters.next() == Some(ESCAPE) {
            skip_sequence(letters.as_str())
        } else {
            let rest = letters.as_str();
            if !rest.starts_with('\n') {
                clean.push('\n');
            }
            rest
        };
    }
    clean.push_str(rest);
    Cow::Owned(clean)
}

/// Skips the part of a sequence after its escape character.
fn skip_sequence(text: &str) -> &str {
    let mut letters = text.chars();
    match letters.next() {
        // Control sequence: parameters, then one letter. A sequence that was cut ends with its line.
        Some('[') => {
            let text = letters.as_str();
            let end = text.find(|letter: char| !matches!(letter, '0'..='9' | ';' | ':' | '?' | '<' | '=' | '>' | ' '));
            let rest = end.and_then(|end| text.get(end..)).unwrap_or_default();
            rest.strip_prefix(|letter: char| letter.is_ascii_alphabetic() || letter == '@').unwrap_or(rest)
        }
        // Operating system command, such as a link: ends with a bell or an escape and a backslash.
        Some(']') => {
            let text = letters.as_str();
            let end = text.find([BELL, ESCAPE, '\n']).unwrap_or(text.len());
            let rest = text.get(end..).unwrap_or_default();
            let bell = rest.strip_prefix(BELL);
            bell.or_else(|| rest.strip_prefix("\u{1b}\\")).unwrap_or(rest)
        }
        Some('(' | ')') => {
            letters.next();
            letters.as_str()
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_go_and_text_stays() {
        for (text, expected) in [
            ("plain", "plain"),
            ("\u{1b}[1m\u{1b}[92m   Compiling\u{1b}[0m a", "   Compiling a"),
            ("\u{1b}[38;5;9merror\u{1b}[0m", "error"),
            ("\u{1b}]8;;file:///x\u{1b}\\x\u{1b}]8;;\u{1b}\\", "x"),
            ("\u{1b}]0;title\u{7}x", "x"),
            ("a\r\nb", "a\nb"),
            ("10 %\r20 %\rdone\n", "10 %\n20 %\ndone\n"),
            ("\u{1b}[Kx", "x"),
            ("\u{1b}(Bx", "x"),
            ("cut \u{1b}[1", "cut "),
            ("cut \u{1b}", "cut "),
            ("cut \u{1b}]8;;file\nnext", "cut \nnext"),
            ("ü\u{1b}[0mß", "üß"),
        ] {
            assert_eq!(strip_terminal_codes(text), expected, "{text:?}");
        }
    }
}
