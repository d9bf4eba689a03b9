//! Parses YAML into a JSON value, for settings that are only read.

use serde_json::Value;

pub fn parse(text: &str) -> Result<Value, String> {
    serde_saphyr::from_str(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn settings_are_read() {
        let text = "extensions:\n  srv:\n    enabled: true\n    args: [a, \"1\"]\n    timeout: 300\n    envs: {}\n    x: null\n";
        let value = json!({"extensions": {"srv": {"enabled": true, "args": ["a", "1"], "timeout": 300, "envs": {}, "x": null}}});
        assert_eq!(parse(text), Ok(value));
        assert!(parse("a: [").is_err());
    }
}
