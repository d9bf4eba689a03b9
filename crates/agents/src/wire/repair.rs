//! Repairs JSON that agents and handlers write and strict parsers refuse: half a surrogate pair, bytes that are not
//! UTF-8, a line break in a string, a number out of range, excessive nesting.
//!
//! A model can make an agent or a guard write any of these, and none of them may disable a guard.

use serde_json::{Error, Map, Value};

/// Values nested deeper become strings. Parsers of JSON have limits: serde_json 127, `jq` 256.
const DEEPEST: usize = 100;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairedJson {
    pub text: String,
    pub nesting: NestingRepair,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NestingRepair {
    Kept,
    Flattened,
}

/// Parses an object, and returns the repaired JSON if a repair was needed.
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

pub(crate) fn value(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).or_else(|error| {
        if text.starts_with('{') { serde_json::from_str(&mended(text.as_bytes()).text) } else { Err(error) }
    })
}

/// Returns the same JSON in a form that strict parsers accept: the replacement character for invalid ones, strings for
/// values that are too large or too deep. Text that is not JSON does not become JSON.
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

/// Copies a string, from its opening to its closing quotation mark. Returns its length in bytes.
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

/// Copies an escape, or two that form one character. Returns the length in bytes.
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

/// Copies a number; one that is out of range becomes a string. Returns its length in bytes.
fn number(text: &str, result: &mut String) -> usize {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
    let number = text.split(|c: char| !is_part(c)).next().unwrap_or_default();
    match number.parse::<f64>() {
        Ok(value) if value.is_infinite() => quote(number, result),
        Ok(_) | Err(_) => result.push_str(number),
    }
    number.len()
}

/// Returns the length of an array or object. It does not recurse, since the input decides the depth.
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
