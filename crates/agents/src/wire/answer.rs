//! The parsing of an answer in an agent's format into a canonical one.

use serde_json::{Map, Value};
use symposium_model::hook::{HookDecision, HookInput, HookOutput};

use super::repair;
use super::vocabulary::changes_to_canonical;
use crate::dialect::AgentDialect;
use crate::wire_format::AllowMeaning;

/// Parses the standard output of a handler in an agent's format; `None` when that agent would ignore it.
pub fn read_answer(dialect: &AgentDialect, input: &HookInput, stdout: &str) -> Option<HookOutput> {
    let event = input.event();
    let text = stdout.trim();
    match repair::value(text) {
        Ok(Value::Object(mut answer)) => {
            answer.retain(|_, value| !value.is_null());
            let mut output = (dialect.wire.read)(event, &mut answer);
            output.updated_input = match (output.updated_input, input.tool()) {
                (Some(changed), Some(tool)) => changes_to_canonical(&dialect.wire, &tool.name, &tool.input, changed),
                (_, None) | (None, _) => None,
            };
            // On another agent the same value could grant a permission that the handler did not intend.
            if output.decision == Some(HookDecision::Allow)
                && dialect.wire.allow == AllowMeaning::NoObjection
                && input.agent != dialect.owner.agent()
            {
                output.decision = None;
                output.reason = None;
            }
            output.other = answer;
            Some(output)
        }
        _ if !text.is_empty() && dialect.wire.plain_text.contains(&event) => {
            Some(HookOutput { additional_context: Some(text.to_owned()), ..HookOutput::default() })
        }
        _ => None,
    }
}

/// Removes the field.
pub(crate) fn text_of(fields: &mut Map<String, Value>, key: &str) -> Option<String> {
    match fields.remove(key) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

pub(crate) fn object_of(fields: &mut Map<String, Value>, key: &str) -> Option<Map<String, Value>> {
    match fields.remove(key) {
        Some(Value::Object(object)) => Some(object),
        _ => None,
    }
}

pub(crate) fn decision_of(fields: &mut Map<String, Value>, key: &str) -> Option<HookDecision> {
    text_of(fields, key).and_then(|word| HookDecision::parse(&word))
}

/// Removes a decision and returns it if it is a deny; the agent ignores any other value under that key.
pub(crate) fn refusal_of(fields: &mut Map<String, Value>, key: &str) -> Option<HookDecision> {
    decision_of(fields, key).filter(|decision| *decision == HookDecision::Deny)
}

pub(crate) fn fields_of<const N: usize>(fields: [(&str, Option<Value>); N]) -> Map<String, Value> {
    fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

/// Removes `continue: false`, which some agents know, and returns its reason.
pub(crate) fn stops(fields: &mut Map<String, Value>) -> Option<StopRequest> {
    if fields.get("continue") != Some(&Value::Bool(false)) {
        return None;
    }
    fields.remove("continue");
    Some(StopRequest { reason: text_of(fields, "stopReason") })
}

pub(crate) struct StopRequest {
    pub(crate) reason: Option<String>,
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
