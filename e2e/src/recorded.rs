//! What an agent was once seen to tell a handler, and whether it still tells all of that.

#![expect(clippy::disallowed_methods, reason = "recorded events are files of the repository")]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::Outcome;

/// Where recorded events are: the agents' own, and those that others have too.
const FOLDERS: [&str; 2] = ["native", "payloads"];

/// What is recorded of an event and missing in what was told now, each as the way to it.
pub(crate) fn missing(agent: &str, event: &str, told: &Value) -> Outcome<Vec<String>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests = own.parent().unwrap_or(own).join("crates/agents/tests");
    let files = FOLDERS.map(|folder| tests.join(folder).join(agent).join(format!("{event}.json")));
    let text = files.iter().find_map(|file| fs::read_to_string(file).ok());
    let text = text.ok_or_else(|| format!("`{}` is missing: what does {agent} tell?", files[0].display()))?;
    let recorded = serde_json::from_str(&text).map_err(|error| format!("{agent} {event}: {error}"))?;
    let mut found = Vec::new();
    compare(&recorded, told, "", &mut found);
    Ok(found)
}

/// Values may be others; the names, and what kind of value each has, may not. A list is compared by its first item.
fn compare(recorded: &Value, told: &Value, at: &str, missing: &mut Vec<String>) {
    match (recorded, told) {
        (Value::Object(recorded), Value::Object(told)) => {
            for (name, value) in recorded {
                let at = format!("{at}/{name}");
                match told.get(name) {
                    Some(told) => compare(value, told, &at, missing),
                    None => missing.push(at),
                }
            }
        }
        (Value::Array(recorded), Value::Array(told)) => {
            if let (Some(recorded), Some(told)) = (recorded.first(), told.first()) {
                compare(recorded, told, &format!("{at}/0"), missing);
            }
        }
        (Value::Null, Value::Null)
        | (Value::Bool(_), Value::Bool(_))
        | (Value::Number(_), Value::Number(_))
        | (Value::String(_), Value::String(_)) => {}
        (_, told) => missing.push(format!("{at} (it is `{told:.40}` now)")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_and_kinds_are_compared() {
        let recorded = json!({"cwd": "/home", "request": {"messages": [{"role": "user"}], "count": 1}, "none": null});
        let missing = |told: Value| {
            let mut found = Vec::new();
            compare(&recorded, &told, "", &mut found);
            found
        };
        let same =
            json!({"cwd": "/", "request": {"messages": [{"role": "model"}], "count": 2}, "none": null, "new": 1});
        assert!(missing(same).is_empty());
        let less = json!({"cwd": 1, "request": {"messages": [{}]}, "none": null});
        assert_eq!(missing(less), ["/cwd (it is `1` now)", "/request/count", "/request/messages/0/role"]);
    }
}
