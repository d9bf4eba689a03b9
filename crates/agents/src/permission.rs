//! Where a person says which shell commands an agent may run, and how an agent writes such rules.

use serde_json::Value;

use crate::settings_layout::{LayerPath, SettingsFormat};

/// A file with rules about shell commands.
#[derive(Debug)]
pub struct PermissionFile {
    pub at: LayerPath,
    /// How it is written; `None` for a text of its own kind, which is handed over whole.
    pub notation: Option<SettingsFormat>,
    /// Finds the rules in it.
    pub rules: fn(&Value) -> Vec<RuleText>,
}

/// A rule as a file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleText {
    /// What people know it by.
    pub text: String,
    /// The beginning of the commands it is about, with `*` for anything; `None` when it is written in another way.
    pub pattern: Option<String>,
}

/// Rules such as `Bash(git push:*)` in lists of texts. A tool without parentheses is about every command.
pub(crate) fn in_parentheses(value: &Value, lists: &[&[&str]], tools: &[&str]) -> Vec<RuleText> {
    let texts = lists.iter().filter_map(|keys| keys.iter().try_fold(value, |value, key| value.get(key))?.as_array());
    let rule = |text: &str| {
        let (tool, pattern) = text.trim().split_once('(')?;
        let pattern = pattern.strip_suffix(')').unwrap_or(pattern);
        tools.contains(&tool.trim()).then(|| RuleText { text: text.to_owned(), pattern: Some(pattern.to_owned()) })
    };
    texts.flatten().filter_map(Value::as_str).filter_map(rule).collect()
}

/// The same where the text in the parentheses is only how a command begins.
pub(crate) fn beginning_in_parentheses(value: &Value, lists: &[&[&str]], tools: &[&str]) -> Vec<RuleText> {
    let begins = |rule: RuleText| RuleText { pattern: rule.pattern.map(|pattern| begins_with(&pattern)), ..rule };
    in_parentheses(value, lists, tools).into_iter().map(begins).collect()
}

/// The pattern for commands that begin with a text.
pub(crate) fn begins_with(text: &str) -> String {
    format!("{}*", text.trim_end_matches([':', '*', ' ']))
}

#[cfg(test)]
#[path = "permission_tests.rs"]
mod tests;
