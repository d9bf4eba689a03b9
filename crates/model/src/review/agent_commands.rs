//! The commands in an agent's settings of any shape, and the files of instructions that they name: a hostile file need
//! not follow the documentation.

use std::collections::BTreeSet;

use serde_json::Value;

use super::change::NOT_REVIEWED;
use super::item::{NamingWords, ReviewItem};
use crate::sync::fingerprint;

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
/// Rules about what an agent may do name files without using them.
const RULE_KEYS: [&str; 1] = ["permissions"];
/// The commands of one file that are shown.
const MOST_COMMANDS: usize = 256;

impl ReviewItem {
    /// Adds the commands, addresses and files of instructions of a settings file, in its order.
    #[must_use]
    pub fn with_settings(mut self, settings: &Value) -> Self {
        let mut found = SettingsWords::default();
        found.collect(settings, &mut Vec::new());
        let mut known = BTreeSet::new();
        found.commands.retain(|command| known.insert(command.command.clone()));
        let rest = found.commands.split_off(found.commands.len().min(MOST_COMMANDS));
        self.names = found.names;
        let shown = found.commands.into_iter();
        let item = shown.fold(self, |item, command| item.with_detail(command.key, command.command));
        if rest.is_empty() {
            return item;
        }
        let texts: Vec<String> = rest.iter().map(|command| format!("{}={}", command.key, command.command)).collect();
        item.with_detail(NOT_REVIEWED, format!("{} more commands", rest.len()))
            .with_detail("sha256 of these", fingerprint(texts.join("\n").as_bytes()).as_str())
    }
}

/// A command in a settings file, or the names of files.
struct SettingCommand {
    /// The keys that lead to it, such as `hooks.PreToolUse.0.hooks.0.command`.
    key: String,
    command: String,
}

#[derive(Default)]
struct SettingsWords {
    commands: Vec<SettingCommand>,
    names: NamingWords,
}

impl SettingsWords {
    fn collect(&mut self, value: &Value, path: &mut Vec<String>) {
        match value {
            Value::Object(entries) => {
                for (key, value) in entries.iter().filter(|(key, _)| !RULE_KEYS.contains(&key.as_str())) {
                    path.push(key.clone());
                    let is_instruction = INSTRUCTION_KEYS.contains(&key.as_str());
                    let is_known = is_instruction || COMMAND_KEYS.contains(&key.as_str());
                    match words_of(value).filter(|words| is_known && !words.is_empty()) {
                        Some(mut words) => {
                            if is_instruction {
                                self.names.instructions.extend(words.iter().cloned());
                            }
                            let arguments = ARGUMENT_KEYS.iter().filter_map(|key| words_of(entries.get(*key)?));
                            words.extend(arguments.flatten());
                            let command = words.join(" ");
                            if !is_instruction {
                                self.names.commands.push(command.clone());
                            }
                            self.commands.push(SettingCommand { key: path.join("."), command });
                        }
                        None => self.collect(value, path),
                    }
                    path.pop();
                }
            }
            Value::Array(values) => {
                for (at, value) in values.iter().enumerate() {
                    path.push(at.to_string());
                    self.collect(value, path);
                    path.pop();
                }
            }
            Value::String(text) if !is_web_address(text) => self.names.others.push(text.clone()),
            Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// A web address names no file of the repository.
fn is_web_address(text: &str) -> bool {
    (text.starts_with("https://") || text.starts_with("http://")) && !text.contains(char::is_whitespace)
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
    use crate::review::ReviewSection;

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
            let mut found = details(&settings);
            found.sort();
            assert_eq!(found, expected, "{settings}");
        }
    }

    fn details(settings: &Value) -> Vec<String> {
        let item = ReviewItem::new(ReviewSection::Run, "agent file", "x").with_settings(settings);
        item.details.iter().map(|one| format!("{}={}", one.label, one.value)).collect()
    }

    #[test]
    fn no_command_is_dropped_without_a_word() {
        let many = |last: &str| {
            let commands = (0..300).map(|number| number.to_string()).chain([last.to_owned()]);
            details(&commands.map(|command| json!({"command": command})).collect())
        };
        let found = many("./evil");
        assert_eq!(found.len(), MOST_COMMANDS + 2);
        assert_eq!(found[MOST_COMMANDS], "not reviewed=45 more commands");
        assert_ne!(found, many("./other"));
        let same: Vec<Value> = (0..300).map(|_| json!({"command": "x"})).chain([json!({"command": "y"})]).collect();
        assert_eq!(details(&Value::Array(same)), ["0.command=x", "300.command=y"]);
    }

    #[test]
    fn every_text_may_name_a_file() {
        let settings = json!({"plugin": ["./tools/p.ts"], "agent": {"a": {"prompt": "{file:./p/b.txt}"}},
            "permissions": {"allow": ["Read(src/lib.rs)"]}, "$schema": "https://example.org/a", "run": "a", "instructions": ["b", "c"]});
        let names = ReviewItem::new(ReviewSection::Run, "agent file", "x").with_settings(&settings).names;
        assert_eq!(names.others, ["{file:./p/b.txt}", "./tools/p.ts"]);
        assert_eq!((names.commands, names.instructions), (vec!["a".to_owned()], vec!["b".to_owned(), "c".to_owned()]));
    }
}
