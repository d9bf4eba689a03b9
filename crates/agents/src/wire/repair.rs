//! Mends JSON that agents and handlers write and strict readers refuse: half a character in an escape, bytes that are no
//! text, a line break in a text, a number beyond all bounds, more nesting than anybody needs.
//!
//! A model can make an agent or a guard write any of these, and no guard may be out of play because of it.

use serde_json::{Error, Map, Value};

/// What is nested deeper becomes a text. Readers of JSON stop somewhere: ours at 127, `jq` at 256.
const DEEPEST: usize = 100;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairedJson {
    pub text: String,
    /// Whether something that was nested too deeply became a text.
    pub nesting: NestingRepair,
}

/// What became of values that are nested deeply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NestingRepair {
    /// They are as they were.
    Kept,
    /// The deepest are texts now.
    Flattened,
}

/// The object in some bytes, with what had to be mended for it.
pub fn object(raw: &[u8]) -> Result<(Map<String, Value>, Option<RepairedJson>), Error> {
    match serde_json::from_slice(raw) {
        Ok(object) => Ok((object, None)),
        Err(_) => {
            let mended = mended(raw);
            let object = serde_json::from_str(&mended.text)?;
            Ok((object, Some(mended)))
        }
    }
}

/// The value in a text that a handler printed.
pub(crate) fn value(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).or_else(|error| {
        if text.starts_with('{') { serde_json::from_str(&mended(text.as_bytes()).text) } else { Err(error) }
    })
}

/// The same JSON, so that strict readers take it: the replacement character for what is no character, texts for what is
/// too large or too deep. What is no JSON at all does not become any.
pub fn mended(raw: &[u8]) -> RepairedJson {
    let text = String::from_utf8_lossy(raw);
    let mut result = String::with_capacity(text.len());
    let mut nesting = NestingRepair::Kept;
    let mut depth = 0_usize;
    let mut rest = text.as_ref();
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '"' => string(rest, &mut result),
            '{' | '[' if depth >= DEEPEST => {
                nesting = NestingRepair::Flattened;
                let taken = container(rest);
                quote(rest.get(..taken).unwrap_or(rest), &mut result);
                taken
            }
            '-' | '0'..='9' => number(rest, &mut result),
            _ => {
                match first {
                    '{' | '[' => depth += 1,
                    '}' | ']' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                result.push(first);
                first.len_utf8()
            }
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    RepairedJson { text: result, nesting }
}

/// Takes a text, from its first quotation mark to its last. How many bytes that were.
fn string(text: &str, result: &mut String) -> usize {
    result.push('"');
    let mut taken = 1;
    loop {
        let rest = text.get(taken..).unwrap_or_default();
        let Some(first) = rest.chars().next() else { return taken };
        taken += match first {
            '"' => {
                result.push('"');
                return taken + 1;
            }
            '\\' => escape(rest, result),
            control if control < ' ' => {
                escaped(control, result);
                1
            }
            other => {
                result.push(other);
                other.len_utf8()
            }
        };
    }
}

/// Takes an escape, or two that are one character. How many bytes that were.
fn escape(text: &str, result: &mut String) -> usize {
    let taken = match (surrogate(text), text.get(6..).and_then(surrogate)) {
        (Some(SurrogateHalf::High), Some(SurrogateHalf::Low)) => 12,
        (Some(SurrogateHalf::High | SurrogateHalf::Low), _) => {
            result.push_str("\\ufffd");
            return 6;
        }
        // An escaped backslash begins no escape.
        (None, _) => text.char_indices().nth(2).map_or(text.len(), |(end, _)| end),
    };
    result.push_str(text.get(..taken).unwrap_or(text));
    taken
}

/// Half of a pair of escapes that stand for one character.
enum SurrogateHalf {
    High,
    Low,
}

fn surrogate(text: &str) -> Option<SurrogateHalf> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(SurrogateHalf::High),
        0xdc00..=0xdfff => Some(SurrogateHalf::Low),
        _ => None,
    }
}

/// Takes a number; one that nothing can hold becomes a text. How many bytes that were.
fn number(text: &str, result: &mut String) -> usize {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
    let number = text.split(|c: char| !is_part(c)).next().unwrap_or_default();
    match number.parse::<f64>() {
        Ok(value) if value.is_infinite() => quote(number, result),
        Ok(_) | Err(_) => result.push_str(number),
    }
    number.len()
}

/// How long an array or object is, which is looked through without recursion: its depth is somebody else's choice.
fn container(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            b'"' => {
                let mut after_backslash = false;
                for (_, byte) in bytes.by_ref() {
                    match byte {
                        b'"' if !after_backslash => break,
                        b'\\' => after_backslash = !after_backslash,
                        _ => after_backslash = false,
                    }
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// Writes a text as JSON.
fn quote(text: &str, result: &mut String) {
    result.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => result.extend(['\\', c]),
            control if control < ' ' => escaped(control, result),
            other => result.push(other),
        }
    }
    result.push('"');
}

fn escaped(control: char, result: &mut String) {
    result.push_str(&format!("\\u{:04x}", u32::from(control)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_no_reader_takes_is_changed() {
        for (written, mended_to) in [
            (r#"{"a":"x"}"#, r#"{"a":"x"}"#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ud83d x""#, r#""\ufffd x""#),
            (r#""\ude00""#, r#""\ufffd""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\n\"\u00e9\\""#, r#""\n\"\u00e9\\""#),
            (r#""é\ud83dé""#, r#""é\ufffdé""#),
            ("{\"a\":\n\"b\nc\t\"}", "{\"a\":\n\"b\\u000ac\\u0009\"}"),
            ("[1e999, -1e999,1e3,-0,1.5]", r#"["1e999", "-1e999",1e3,-0,1.5]"#),
            (r#""\"#, r#""\"#),
            (r#""\ud8"#, r#""\ud8"#),
            ("\"", "\""),
            ("", ""),
        ] {
            let result = mended(written.as_bytes());
            assert_eq!((result.text.as_str(), result.nesting), (mended_to, NestingRepair::Kept), "{written}");
        }
        assert_eq!(mended(b"\"\xff\"").text, "\"\u{fffd}\"");
    }

    #[test]
    fn what_is_too_deep_becomes_a_text() {
        for depth in [101, 128, 5_000, 1_000_000] {
            for (open, close) in [("[", "]"), ("{\"a]\\\"\":", "}")] {
                let deep = format!("{}\"]}}\\\"\n\"{}", open.repeat(depth), close.repeat(depth));
                let (object, mended) = object(format!("{{\"deep\":{deep},\"b\":1e999}}").as_bytes()).unwrap();
                assert_eq!(object["b"], "1e999");
                assert_eq!(mended.unwrap().nesting, NestingRepair::Flattened);
                let mut value = &object["deep"];
                while let Some(inner) = value.as_array().map(|array| &array[0]).or_else(|| value.get("a]\"")) {
                    value = inner;
                }
                let innermost = value.as_str().unwrap();
                let left = depth - (DEEPEST - 1);
                assert_eq!(innermost, format!("{}\"]}}\\\"\n\"{}", open.repeat(left), close.repeat(left)));
            }
        }
        let unfinished = "[".repeat(5_000);
        assert!(serde_json::from_str::<Value>(&mended(unfinished.as_bytes()).text).is_err());
    }
}
