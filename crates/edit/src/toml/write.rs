//! New TOML text.

use serde_json::Value;

use crate::order::in_reading_order;

pub(crate) fn key(name: &str) -> String {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !name.is_empty() && name.bytes().all(bare) { name.to_owned() } else { string(name) }
}

pub(super) fn path(path: &[String]) -> String {
    path.iter().map(|name| key(name)).collect::<Vec<_>>().join(".")
}

/// Removes nulls, which TOML cannot express.
pub(super) fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().filter(|element| !element.is_null()).map(without_nulls).collect(),
        Value::Object(members) => members
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name.clone(), without_nulls(value)))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

/// Writes a value on one line; it must contain no null.
pub(crate) fn value(value: &Value) -> String {
    match value {
        Value::Null => string(""),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => string(text),
        Value::Array(elements) => {
            let elements: Vec<_> = elements.iter().map(self::value).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Object(members) => {
            let members = pairs(in_reading_order(members));
            if members.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", members.join(", ")) }
        }
    }
}

pub(super) fn pairs(members: Vec<(&String, &Value)>) -> Vec<String> {
    members.into_iter().map(|(name, value)| pair(name, value)).collect()
}

pub(super) fn pair(name: &str, value: &Value) -> String {
    format!("{} = {}", key(name), self::value(value))
}

fn string(text: &str) -> String {
    let mut written = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => written.push_str("\\\""),
            '\\' => written.push_str("\\\\"),
            '\n' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\t' => written.push_str("\\t"),
            control if control.is_control() => written.push_str(&format!("\\u{:04X}", u32::from(control))),
            other => written.push(other),
        }
    }
    written.push('"');
    written
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_and_values_are_toml() {
        for (name, written) in [
            ("serde", "serde"),
            ("rand/rand-0-8", "\"rand/rand-0-8\""),
            ("", "\"\""),
            ("a.b", "\"a.b\""),
            ("é", "\"é\""),
        ] {
            assert_eq!(key(name), written);
        }
        for (json, written) in [
            (json!("a\"b\\c\n\u{1}\u{7f}é"), "\"a\\\"b\\\\c\\n\\u0001\\u007Fé\""),
            (json!(["mcp", 1, 1.5, true, null]), "[\"mcp\", 1, 1.5, true]"),
            (json!({"A b": "x", "n": null, "o": {}}), "{ \"A b\" = \"x\", o = {} }"),
            (json!([]), "[]"),
        ] {
            assert_eq!(value(&without_nulls(&json)), written);
        }
    }
}
