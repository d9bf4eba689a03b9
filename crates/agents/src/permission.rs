//! The user's rules about the shell commands an agent may run, and the notations of such rules.

use serde_json::Value;

use crate::settings_layout::{LayerPath, SettingsFormat};

#[derive(Debug, Clone, Copy)]
pub struct PermissionFile {
    pub at: LayerPath,
    /// `None` for a text in a format of its own, which is passed on whole.
    pub notation: Option<SettingsFormat>,
    pub rules: fn(&Value) -> Vec<RuleText>,
}

impl PermissionFile {
    pub(crate) const fn json(at: LayerPath, rules: fn(&Value) -> Vec<RuleText>) -> Self {
        Self { at, notation: Some(SettingsFormat::Json), rules }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleText {
    pub text: String,
    /// The beginning of the commands it is about, with `*` for anything; `None` when it is written in another way.
    pub pattern: Option<String>,
}

/// Finds rules such as `Bash(git push:*)` in lists of strings.
pub(crate) fn in_parentheses(value: &Value, lists: &[&[&str]], tools: &[&str]) -> Vec<RuleText> {
    let texts = lists.iter().filter_map(|keys| keys.iter().try_fold(value, |value, key| value.get(key))?.as_array());
    let rule = |text: &str| {
        let (tool, pattern) = text.trim().split_once('(')?;
        let pattern = pattern.strip_suffix(')').unwrap_or(pattern);
        tools.contains(&tool.trim()).then(|| RuleText { text: text.to_owned(), pattern: Some(pattern.to_owned()) })
    };
    texts.flatten().filter_map(Value::as_str).filter_map(rule).collect()
}

/// Finds rules as [`in_parentheses`] does, where the text in the parentheses is a prefix of the command.
pub(crate) fn beginning_in_parentheses(value: &Value, lists: &[&[&str]], tools: &[&str]) -> Vec<RuleText> {
    let begins = |rule: RuleText| RuleText { pattern: rule.pattern.map(|pattern| begins_with(&pattern)), ..rule };
    in_parentheses(value, lists, tools).into_iter().map(begins).collect()
}

pub(crate) fn begins_with(text: &str) -> String {
    format!("{}*", text.trim_end_matches([':', '*', ' ']))
}

#[cfg(test)]
#[path = "permission_tests.rs"]
mod tests;
