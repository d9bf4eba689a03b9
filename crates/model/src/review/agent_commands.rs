//! The commands in an agent's settings of any shape, and the files of instructions that they name: a hostile file need
//! not follow the documentation.

use serde_json::Value;

/// Keys whose value is run or connected to, in the settings of any agent.
const COMMAND_KEYS: [&str; 15] = [
    "command",
    "bash",
    "powershell",
    "run",
    "cmd",
    "notify",
    "url",
    "httpUrl",
    "serverUrl",
    "apiKeyHelper",
    "awsAuthRefresh",
    "awsCredentialExport",
    "otelHeadersHelper",
    "toolDiscoveryCommand",
    "toolCallCommand",
];
/// Keys whose value names files that are read as instructions.
const INSTRUCTION_KEYS: [&str; 6] = [
    "instructions",
    "fileName",
    "contextFileName",
    "context_paths",
    "project_doc_fallback_filenames",
    "model_instructions_file",
];
/// Keys whose value is an argument of the command beside it.
const ARGUMENT_KEYS: [&str; 1] = ["args"];
/// Values in values, and commands of one file.
const DEEPEST: usize = 32;
const MOST_COMMANDS: usize = 256;

/// A command in a settings file, or the names of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingCommand {
    /// The keys that lead to it, such as `hooks.PreToolUse.0.hooks.0.command`.
    pub key: String,
    pub command: String,
}

/// Tells whether the value at a place in settings is run or connected to.
pub fn is_command_key(place: &str) -> bool {
    place.rsplit('.').next().is_some_and(|key| COMMAND_KEYS.contains(&key))
}

/// Tells whether the value at a place in settings names files of instructions.
pub fn is_instruction_key(place: &str) -> bool {
    place.rsplit('.').next().is_some_and(|key| INSTRUCTION_KEYS.contains(&key))
}

/// Lists the commands, addresses and files of instructions of a settings file, in its order.
pub fn find_commands(settings: &Value) -> Vec<SettingCommand> {
    let mut found = Vec::new();
    collect(settings, &mut Vec::new(), &mut found);
    found
}

fn collect(value: &Value, path: &mut Vec<String>, found: &mut Vec<SettingCommand>) {
    if path.len() > DEEPEST || found.len() >= MOST_COMMANDS {
        return;
    }
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                path.push(key.clone());
                let is_known = COMMAND_KEYS.contains(&key.as_str()) || INSTRUCTION_KEYS.contains(&key.as_str());
                let words = words_of(value).filter(|words| is_known && !words.is_empty());
                match words {
                    Some(mut words) => {
                        let arguments = ARGUMENT_KEYS.iter().filter_map(|key| words_of(entries.get(*key)?));
                        words.extend(arguments.flatten());
                        found.push(SettingCommand { key: path.join("."), command: words.join(" ") });
                    }
                    None => collect(value, path, found),
                }
                path.pop();
            }
        }
        Value::Array(values) => {
            for (at, value) in values.iter().enumerate() {
                path.push(at.to_string());
                collect(value, path, found);
                path.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns a text as one word, or a list of texts as several; `None` for anything else.
fn words_of(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Array(values) => values.iter().map(|value| value.as_str().map(str::to_owned)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_shape_is_read() {
        for (settings, expected) in [
            (json!({}), vec![]),
            (json!({"command": 1, "note": "x"}), vec![]),
            (
                json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x | sh"}]}]}}),
                vec!["hooks.PreToolUse.0.hooks.0.command=x | sh"],
            ),
            (
                json!({"mcpServers": {"a": {"command": "npx", "args": ["-y", "b"]}, "c": {"url": "https://d"}}}),
                vec!["mcpServers.a.command=npx -y b", "mcpServers.c.url=https://d"],
            ),
            (json!({"mcp": {"a": {"type": "local", "command": ["npx", "b"]}}}), vec!["mcp.a.command=npx b"]),
            (json!({"notify": ["x"], "apiKeyHelper": "y"}), vec!["apiKeyHelper=y", "notify=x"]),
            (json!({"command": {"command": "inner"}}), vec!["command.command=inner"]),
            (
                json!({"instructions": ["docs/*.md", "a.md"], "context": {"fileName": "b.md"}}),
                vec!["context.fileName=b.md", "instructions=docs/*.md a.md"],
            ),
        ] {
            let mut found: Vec<String> =
                find_commands(&settings).iter().map(|found| format!("{}={}", found.key, found.command)).collect();
            found.sort();
            assert_eq!(found, expected, "{settings}");
        }
    }

    #[test]
    fn depth_and_number_are_bounded() {
        let mut deep = json!({"command": "x"});
        for _ in 0..100 {
            deep = json!([deep]);
        }
        assert_eq!(find_commands(&deep), []);
        let many: Vec<Value> = (0..1000).map(|_| json!({"command": "x"})).collect();
        assert!(find_commands(&Value::Array(many)).len() <= MOST_COMMANDS);
    }
}
