//! Fingerprints of content: equal content has equal fingerprints, and different content does not.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// SHA-256 in hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentFingerprint(String);

impl ContentFingerprint {
    /// Parses 64 hexadecimal digits in lower case.
    pub fn parse(digits: &str) -> Option<Self> {
        let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        (digits.len() == 64 && digits.chars().all(is_digit)).then(|| Self(digits.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

pub fn fingerprint(bytes: &[u8]) -> ContentFingerprint {
    of_parts([bytes])
}

/// Returns the fingerprint of a value, independent of its formatting. A null member counts as absent: TOML has no null.
pub(crate) fn value_fingerprint(value: &Value) -> ContentFingerprint {
    let mut text = String::new();
    write_sorted(value, &mut text);
    fingerprint(text.as_bytes())
}

fn write_sorted(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().filter(|(_, value)| !value.is_null()).collect();
            members.sort_by_key(|(key, _)| *key);
            text.push('{');
            for (key, value) in members {
                // Quoted, so that no key can be taken for the end of another; writing to a string cannot fail.
                let _ = write!(text, "{}:", Value::from(key.as_str()));
                write_sorted(value, text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(elements) => {
            text.push('[');
            for element in elements {
                write_sorted(element, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => _ = write!(text, "{value}"),
    }
}

/// Returns the fingerprint of the concatenated parts.
pub(crate) fn of_parts<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> ContentFingerprint {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    let mut digits = String::with_capacity(64);
    for byte in hasher.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    ContentFingerprint(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_say_the_same_have_one_fingerprint() {
        let of = |text: &str| value_fingerprint(&serde_json::from_str(text).unwrap());
        assert_eq!(of(r#"{"a": 1, "b": ["x", null]}"#), of(r#"{"b":["x",null],"a":1,"c":null}"#));
        let texts = ["{}", "[]", "null", r#""{}""#, r#"{"a":"b"}"#, r#"{"a":{"b":{}}}"#, r#"["a","b"]"#, r#"["a,b"]"#];
        for (index, text) in texts.iter().enumerate() {
            assert!(texts.iter().skip(index + 1).all(|other| of(text) != of(other)), "{text}");
        }
    }

    #[test]
    fn known_digest() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(fingerprint(b"").as_str(), empty);
        assert_eq!(of_parts([&b"a"[..], b"b"]), fingerprint(b"ab"));
        assert_eq!(ContentFingerprint::parse(empty), Some(fingerprint(b"")));
        for bad in ["", "e3b0", &empty.to_uppercase(), &"g".repeat(64), &"é".repeat(32)] {
            assert_eq!(ContentFingerprint::parse(bad), None, "{bad}");
        }
    }
}
