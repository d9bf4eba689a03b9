//! Writes a text as a one-line YAML scalar that strict parsers, lenient parsers and line readers understand alike.
//!
//! A reader that only strips quotes must see the text unescaped if possible, so the order is: plain, double quotes,
//! single quotes, and escapes in double quotes last.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Words that some YAML parser does not take for text.
const NOT_TEXT: &[&str] = &["true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan", "inf", "infinity"];

/// Returns the text as a YAML value. It never contains `---`, which two readers take for the end of the frontmatter.
pub(super) fn value(text: &str) -> Cow<'_, str> {
    if reads_as_plain_text(text) {
        return Cow::Borrowed(text);
    }
    if text.chars().all(is_harmless) && !text.contains("---") {
        if !text.contains(['"', '\\']) {
            return Cow::Owned(format!("\"{text}\""));
        }
        if !text.contains('\'') {
            return Cow::Owned(format!("'{text}'"));
        }
    }
    Cow::Owned(escaped(text))
}

/// Returns the text as a key of a nested mapping. Names of top-level keys are quoted, so that a reader that ignores
/// indentation does not confuse the two.
pub(super) fn nested_key(text: &str) -> Cow<'_, str> {
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
        && !text.contains("---")
        && !NOT_TEXT.contains(&text.to_ascii_lowercase().as_str())
        && !["name", "description"].contains(&text);
    if plain { Cow::Borrowed(text) } else { Cow::Owned(escaped(text)) }
}

/// Returns true for texts that are far from all the exceptions of plain YAML scalars.
fn reads_as_plain_text(text: &str) -> bool {
    let marks = [':', '#', '"', '\'', '\\', '`', '{', '}', '[', ']', '&', '*', '!', '|', '>', '<', '%', '@', '='];
    text.starts_with(char::is_alphabetic)
        && !text.ends_with(char::is_whitespace)
        && !text.contains(marks)
        && !text.contains("---")
        && text.chars().all(is_harmless)
        && !NOT_TEXT.contains(&text.to_lowercase().as_str())
}

/// Returns true for characters that YAML 1.1 and 1.2 allow unescaped on one line.
fn is_harmless(c: char) -> bool {
    match c {
        '\u{2028}' | '\u{2029}' | '\u{feff}' => false,
        c if c.is_control() => false,
        // Noncharacters: the last two of every plane, and a block of 32.
        c => u32::from(c) & 0xfffe != 0xfffe && !('\u{fdd0}'..='\u{fdef}').contains(&c),
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut hyphens = 0;
    for c in text.chars() {
        hyphens = if c == '-' { hyphens + 1 } else { 0 };
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '-' if hyphens == 3 => {
                out.push_str("\\x2d");
                hyphens = 0;
            }
            c if is_harmless(c) => out.push(c),
            c => push_escape(&mut out, c),
        }
    }
    out.push('"');
    out
}

fn push_escape(out: &mut String, c: char) {
    let code = u32::from(c);
    // Writing to a string cannot fail.
    let _ = match code {
        0..=0xff => write!(out, "\\x{code:02x}"),
        0x100..=0xffff => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_quoting_that_is_safe_is_used() {
        for (text, wanted) in [
            ("Prüft schnell ✅, gut (sehr) - ja.", "Prüft schnell ✅, gut (sehr) - ja."),
            ("", "\"\""),
            ("123", "\"123\""),
            ("2024-01-01", "\"2024-01-01\""),
            ("true", "\"true\""),
            ("No", "\"No\""),
            ("use when: building", "\"use when: building\""),
            ("@State patterns", "\"@State patterns\""),
            ("- item", "\"- item\""),
            ("it's fine", "\"it's fine\""),
            (" padded ", "\" padded \""),
            (r#"say "hi""#, r#"'say "hi"'"#),
            (r"C:\x", r"'C:\x'"),
            (r#"it's "x""#, r#""it's \"x\"""#),
            ("a\nb\tc", r#""a\nb\tc""#),
            ("a\u{1b}\u{85}\u{2028}\u{1fffe}", r#""a\x1b\x85\u2028\U0001fffe""#),
            ("a --- b", r#""a --\x2d b""#),
            ("-------", r#""--\x2d--\x2d-""#),
        ] {
            assert_eq!(value(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn nested_keys_are_quoted_when_they_could_mislead() {
        for (text, wanted) in [
            ("version", "version"),
            ("argument-hint", "argument-hint"),
            ("name", "\"name\""),
            ("description", "\"description\""),
            ("yes", "\"yes\""),
            ("a b", "\"a b\""),
            ("1", "\"1\""),
            ("a---b", r#""a--\x2db""#),
            ("", "\"\""),
        ] {
            assert_eq!(nested_key(text), wanted, "{text:?}");
        }
    }
}
