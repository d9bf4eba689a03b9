//! The key and the hash by which Codex CLI remembers the hooks that the user trusts.

use serde_json::{Value, json};

use crate::spec::HandlerPlace;

/// Returns `<file>:<event_in_snake_case>:<group>:<handler>`.
pub(super) fn trust_key(place: &HandlerPlace<'_>) -> String {
    format!("{}:{}:{}:{}", place.file, snake_case(place.event), place.group, place.handler)
}

/// Returns compact JSON with sorted keys and the defaults filled in; checked against the hashes the real program shows.
pub(super) fn trusted_text(event: &str, group: &Value, handler: &Value) -> Option<String> {
    let mut hashed = json!({ "async": false, "timeout": 600, "type": "command" });
    for (key, value) in handler.as_object()? {
        match (key.as_str(), value) {
            ("type" | "command" | "statusMessage", Value::String(_)) | ("async", Value::Bool(_)) => {}
            ("timeout", Value::Number(seconds)) if seconds.as_u64().is_some_and(|seconds| seconds > 0) => {}
            _ => return None,
        }
        hashed.as_object_mut()?.insert(key.clone(), value.clone());
    }
    let mut identity = json!({ "event_name": snake_case(event), "hooks": [hashed] });
    for (key, value) in group.as_object()? {
        match (key.as_str(), value) {
            ("hooks", _) | ("matcher", Value::Null) => {}
            // These two have nothing to be matched.
            ("matcher", _) if matches!(event, "UserPromptSubmit" | "Stop") => {}
            ("matcher", Value::String(_)) => {
                identity.as_object_mut()?.insert(key.clone(), value.clone());
            }
            _ => return None,
        }
    }
    Some(identity.to_string())
}

fn snake_case(event: &str) -> String {
    let mut snake = String::new();
    for letter in event.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_trusted_is_the_handler_with_what_it_leaves_out() {
        let check = |event, group: Value, wanted: Option<&str>| {
            let handler = group.pointer("/hooks/0").cloned().unwrap_or_default();
            assert_eq!(trusted_text(event, &group, &handler).as_deref(), wanted, "{group}");
        };
        let plain = json!({ "hooks": [{ "type": "command", "command": "true" }] });
        let text = r#"{"event_name":"pre_tool_use","hooks":[{"async":false,"command":"true","timeout":600,"type":"command"}]}"#;
        check("PreToolUse", plain, Some(text));
        let full = json!({ "matcher": "Bash", "hooks": [
            { "type": "command", "command": "x", "timeout": 60, "statusMessage": "s", "async": true }
        ] });
        let text = r#"{"event_name":"pre_tool_use","hooks":[{"async":true,"command":"x","statusMessage":"s","timeout":60,"type":"command"}],"matcher":"Bash"}"#;
        check("PreToolUse", full.clone(), Some(text));
        let text = r#"{"event_name":"stop","hooks":[{"async":true,"command":"x","statusMessage":"s","timeout":60,"type":"command"}]}"#;
        check("Stop", full, Some(text));
        check("Stop", json!({ "hooks": [{ "type": "command", "command": "x", "limit": 1 }] }), None);
    }

    #[test]
    fn an_entry_is_found_by_file_event_and_position() {
        let place = HandlerPlace { file: "/h/hooks.json", event: "UserPromptSubmit", group: 1, handler: 0 };
        assert_eq!(trust_key(&place), "/h/hooks.json:user_prompt_submit:1:0");
    }
}
