//! Test cases of hooks: the input, and the expected outcome.

use std::ops::Range;

use serde_json::{Map, Value};

use crate::agent::AgentId;
use crate::hook::{Decision, HookInput, Outcome, shortened};

const MAX_SHOWN: usize = 160;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCase {
    pub name: String,
    pub agent: Option<AgentId>,
    pub input: TestInput,
    pub expected: ExpectedOutcome,
    /// The bytes of its declaration in the manifest.
    pub place: Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestInput {
    Canonical(Box<HookInput>),
    Native(Map<String, Value>),
}

/// The expected outcome of a hook; absent fields are not checked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExpectedOutcome {
    pub decision: Option<ExpectedDecision>,
    pub reason: Option<String>,
    pub context: Option<String>,
    pub rewrite: Option<Map<String, Value>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedDecision {
    /// The hook has no opinion.
    Nothing,
    Is(Decision),
}

impl ExpectedDecision {
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "none",
            Self::Is(decision) => decision.name(),
        }
    }
}

impl ExpectedOutcome {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub fn differences(&self, said: &Outcome) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(expected) = self.decision {
            let seen = said.decision.map_or(ExpectedDecision::Nothing, ExpectedDecision::Is);
            if seen != expected {
                let why = said.reason.as_deref().map(|reason| format!(" ({})", shown(reason))).unwrap_or_default();
                found.push(format!("expected the decision `{}`, got `{}`{why}", expected.name(), seen.name()));
            }
        }
        let texts = [("a reason", &self.reason, &said.reason), ("context", &self.context, &said.context)];
        for (what, expected, seen) in texts {
            match (expected, seen) {
                (None, _) => {}
                (Some(expected), Some(seen)) if seen.contains(expected.as_str()) => {}
                (Some(expected), Some(seen)) => {
                    found.push(format!("expected {what} with `{}`, got `{}`", shown(expected), shown(seen)));
                }
                (Some(expected), None) => found.push(format!("expected {what} with `{}`, got none", shown(expected))),
            }
        }
        for (key, expected) in self.rewrite.iter().flatten() {
            let seen = said.updated_input.as_ref().and_then(|changed| changed.get(key));
            if seen != Some(expected) {
                let seen = seen.map_or_else(|| "no change".to_owned(), |seen| format!("`{}`", value(seen)));
                found.push(format!("expected `{key}` to become `{}`, got {seen}", value(expected)));
            }
        }
        found
    }
}

fn value(value: &Value) -> String {
    shown(&match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    })
}

/// Shortens a text to one line.
fn shown(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    let head = shortened(&line, MAX_SHOWN);
    if head.len() < line.len() { format!("{head}…") } else { line }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        let Value::Object(object) = value else { panic!("an object") };
        object
    }

    #[test]
    fn what_was_said_is_held_against_what_was_expected() {
        let deny = Outcome {
            decision: Some(Decision::Deny),
            reason: Some("Not\n  here".to_owned()),
            context: Some("use --release".to_owned()),
            updated_input: Some(object(json!({"command": "ls -l", "timeout": 5}))),
            ..Outcome::default()
        };
        let nothing = Outcome::default();
        let deny_word = Some(ExpectedDecision::Is(Decision::Deny));
        let none = || ExpectedOutcome { decision: Some(ExpectedDecision::Nothing), ..ExpectedOutcome::default() };
        let all = || ExpectedOutcome {
            decision: deny_word,
            reason: Some("Not".to_owned()),
            context: Some("release".to_owned()),
            rewrite: Some(object(json!({"command": "ls -l"}))),
        };
        let rewrite = |value| ExpectedOutcome { rewrite: Some(object(value)), ..ExpectedOutcome::default() };
        for (expected, said, differences) in [
            (ExpectedOutcome::default(), &deny, vec![]),
            (all(), &deny, vec![]),
            (none(), &nothing, vec![]),
            (none(), &deny, vec!["expected the decision `none`, got `deny` (Not here)"]),
            (
                all(),
                &nothing,
                vec![
                    "expected the decision `deny`, got `none`",
                    "expected a reason with `Not`, got none",
                    "expected context with `release`, got none",
                    "expected `command` to become `ls -l`, got no change",
                ],
            ),
            (
                ExpectedOutcome { reason: Some("never".to_owned()), ..ExpectedOutcome::default() },
                &deny,
                vec!["expected a reason with `never`, got `Not here`"],
            ),
            (
                rewrite(json!({"command": "ls", "timeout": 5})),
                &deny,
                vec!["expected `command` to become `ls`, got `ls -l`"],
            ),
            (rewrite(json!({"timeout": "5"})), &deny, vec!["expected `timeout` to become `5`, got `5`"]),
        ] {
            assert_eq!(expected.differences(said), differences, "{expected:?}");
        }
    }

    #[test]
    fn long_texts_are_not_shown_whole() {
        assert_eq!(shown(&"é".repeat(100)), format!("{}…", "é".repeat(80)));
    }
}
