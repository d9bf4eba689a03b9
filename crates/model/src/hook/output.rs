//! The canonical form of one handler's answer.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::event::Event;

/// The permission to go on with an event. The order is by strictness: `max` of two decisions is the one that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HookDecision {
    Allow,
    Ask,
    Deny,
}

impl HookDecision {
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }

    /// Parses the JSON word; `block` and `approve` are some agents' words for deny and allow.
    pub fn parse(word: &str) -> Option<Self> {
        match word.trim().to_ascii_lowercase().as_str() {
            "allow" | "approve" => Some(Self::Allow),
            "ask" => Some(Self::Ask),
            "deny" | "block" => Some(Self::Deny),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct HookOutput {
    pub decision: Option<HookDecision>,
    pub reason: Option<String>,
    /// Text for the model.
    pub additional_context: Option<String>,
    /// The tool input to use instead, under canonical names.
    pub updated_input: Option<Map<String, Value>>,
    /// The text that the model reads instead of the tool's output.
    pub updated_output: Option<String>,
    /// Keys without a canonical meaning, passed through.
    pub other: Map<String, Value>,
}

const KEYS: [&str; 5] = ["decision", "reason", "additionalContext", "updatedInput", "updatedOutput"];

impl HookOutput {
    /// Parses a handler's answer: the fields under the name of the event and, since a deny must not be lost for want of
    /// a wrapper, those beside it. Returns `None` if there are neither, or if the decision is an unknown word.
    pub fn from_json(event: Event, mut whole: Map<String, Value>) -> Option<Self> {
        let inner = match whole.remove(event.name()) {
            Some(Value::Object(fields)) => Some(fields),
            Some(Value::Null) => Some(Map::new()),
            None if whole.is_empty() || KEYS.iter().any(|key| whole.contains_key(*key)) => None,
            Some(_) | None => return None,
        };
        let Some(inner) = inner else { return Self::from_fields(whole) };
        whole.retain(|key, _| KEYS.contains(&key.as_str()));
        let (mut inner, beside) = (Self::from_fields(inner)?, Self::from_fields(whole)?);
        let other = std::mem::take(&mut inner.other);
        let (strict, lax) = if beside.decision > inner.decision { (beside, inner) } else { (inner, beside) };
        // A reason belongs to its own decision only.
        let spare = lax.reason.filter(|_| lax.decision.is_none());
        Some(Self {
            decision: strict.decision,
            reason: strict.reason.or(spare),
            additional_context: strict.additional_context.or(lax.additional_context),
            updated_input: strict.updated_input.or(lax.updated_input),
            updated_output: strict.updated_output.or(lax.updated_output),
            other,
        })
    }

    fn from_fields(mut fields: Map<String, Value>) -> Option<Self> {
        fields.retain(|_, value| !value.is_null());
        let decision = match fields.remove("decision") {
            Some(Value::String(word)) => Some(HookDecision::parse(&word)?),
            Some(_) => return None,
            None => None,
        };
        let updated_input = match fields.remove("updatedInput") {
            Some(Value::Object(input)) => Some(input),
            _ => None,
        };
        Some(Self {
            decision,
            reason: text(&mut fields, "reason"),
            additional_context: text(&mut fields, "additionalContext").filter(|text| !text.trim().is_empty()),
            updated_input,
            updated_output: text(&mut fields, "updatedOutput"),
            other: fields,
        })
    }
}

fn text(fields: &mut Map<String, Value>, key: &str) -> Option<String> {
    match fields.remove(key) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: Value) -> Option<HookOutput> {
        let Value::Object(whole) = value else { panic!("an object") };
        HookOutput::from_json(Event::PreToolUse, whole)
    }

    #[test]
    fn answers_are_read_with_and_without_their_wrapper() {
        let deny =
            HookOutput { decision: Some(HookDecision::Deny), reason: Some("no".to_owned()), ..HookOutput::default() };
        for value in [
            json!({"PreToolUse": {"decision": "deny", "reason": "no", "additionalContext": null}}),
            json!({"decision": "deny", "reason": "no"}),
            json!({"decision": "block", "reason": "no"}),
        ] {
            assert_eq!(read(value), Some(deny.clone()));
        }
        let both = read(json!({"PreToolUse": {"additionalContext": "x"}, "decision": "deny", "reason": "no", "y": 1}));
        assert_eq!(both, Some(HookOutput { additional_context: Some("x".to_owned()), ..deny }));
        let stricter = json!({"PreToolUse": {"decision": "allow", "reason": "fine"}, "decision": "ask"});
        let stricter = read(stricter).unwrap();
        assert_eq!((stricter.decision, stricter.reason), (Some(HookDecision::Ask), None));
        for nothing in [json!({}), json!({"PreToolUse": {}}), json!({"PreToolUse": null})] {
            assert_eq!(read(nothing), Some(HookOutput::default()));
        }
        for foreign in [json!({"x": 1}), json!({"PostToolUse": {"decision": "deny"}}), json!({"PreToolUse": []})] {
            assert_eq!(read(foreign), None);
        }
        for unknown in
            [json!({"PreToolUse": {"decision": "denied"}}), json!({"decision": true}), json!({"decision": ""})]
        {
            assert_eq!(read(unknown), None);
        }
        let odd = read(json!({"PreToolUse": {"updatedInput": [], "additionalContext": " ", "x": 1}}));
        let odd = odd.unwrap();
        assert_eq!((odd.decision, odd.updated_input, odd.additional_context), (None, None, None));
        assert_eq!(odd.other.len(), 1);
        for (value, expected) in
            [(json!("short"), Some("short")), (json!(""), Some("")), (json!({"stdout": "x"}), None)]
        {
            let output = read(json!({"updatedOutput": value})).and_then(|output| output.updated_output);
            assert_eq!(output.as_deref(), expected, "{value}");
        }
    }
}
