//! Merges the answers of all handlers into one outcome: deny beats ask beats allow, and a deny ends the event.

use serde_json::{Map, Value};

use super::event::Event;
use super::output::{HookDecision, HookOutput};

/// The longest reason handed to an agent, in bytes.
const MAX_REASON: usize = 8 * 1024;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// The strictest decision; `None` when no handler had an opinion.
    pub decision: Option<HookDecision>,
    pub reason: Option<String>,
    /// Text for the model.
    pub context: Option<String>,
    /// Text for the user, which the model does not read.
    pub message: Option<String>,
    /// The tool input to use instead, under canonical names: only the changed keys.
    pub updated_input: Option<Map<String, Value>>,
    /// The text that the model reads instead of the tool's output; a later handler overwrites an earlier one.
    pub updated_output: Option<String>,
    /// Keys without a canonical meaning; a later handler overwrites an earlier one.
    pub other: Map<String, Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandlerFlow {
    Continue,
    /// A handler denied, so no further one runs.
    Stop,
}

impl Outcome {
    /// Adds the answer of the next handler; `who` names the handler in a deny without a reason.
    pub fn absorb(&mut self, output: HookOutput, who: &str) -> HandlerFlow {
        let HookOutput { decision, reason, additional_context, updated_input, updated_output, other } = output;
        if let Some(context) = additional_context {
            self.add_context(&context);
        }
        self.other.extend(other);
        self.updated_output = updated_output.or(self.updated_output.take());
        if let Some(changed) = updated_input.filter(|changed| !changed.is_empty()) {
            self.updated_input.get_or_insert_default().extend(changed);
            // The allow was for the unchanged input.
            if self.decision == Some(HookDecision::Allow) {
                self.decision = None;
                self.reason = None;
            }
        }
        if let Some(decision) = decision
            && self.decision.is_none_or(|known| decision > known)
        {
            self.decision = Some(decision);
            self.reason = match (decision, reason.filter(|reason| !reason.trim().is_empty())) {
                (HookDecision::Deny, reason) => Some(refusal_reason(&reason.unwrap_or_default(), who)),
                (HookDecision::Ask | HookDecision::Allow, reason) => reason.map(|reason| bounded_reason(&reason)),
            };
        }
        match self.decision {
            Some(HookDecision::Deny) => HandlerFlow::Stop,
            Some(HookDecision::Allow | HookDecision::Ask) | None => HandlerFlow::Continue,
        }
    }

    pub fn add_context(&mut self, text: &str) {
        add_paragraph(&mut self.context, text);
    }

    pub fn add_message(&mut self, text: &str) {
        add_paragraph(&mut self.message, text);
    }

    pub fn is_neutral(&self) -> bool {
        self.decision.is_none()
            && self.context.is_none()
            && self.message.is_none()
            && self.updated_input.is_none()
            && self.updated_output.is_none()
            && self.other.is_empty()
    }

    /// Returns the canonical form, as `hook symposium EVENT` prints it.
    pub fn to_json(&self, event: Event) -> Value {
        let mut fields = Map::new();
        if let Some(decision) = self.decision {
            fields.insert("decision".to_owned(), decision.name().into());
        }
        if let Some(reason) = &self.reason {
            fields.insert("reason".to_owned(), reason.as_str().into());
        }
        if let Some(context) = &self.context {
            fields.insert("additionalContext".to_owned(), context.as_str().into());
        }
        if let Some(message) = &self.message {
            fields.insert("systemMessage".to_owned(), message.as_str().into());
        }
        if let Some(input) = &self.updated_input {
            fields.insert("updatedInput".to_owned(), Value::Object(input.clone()));
        }
        if let Some(output) = &self.updated_output {
            fields.insert("updatedOutput".to_owned(), output.as_str().into());
        }
        for (key, value) in &self.other {
            fields.entry(key.clone()).or_insert_with(|| value.clone());
        }
        Value::Object(Map::from_iter([(event.name().to_owned(), Value::Object(fields))]))
    }
}

fn add_paragraph(paragraphs: &mut Option<String>, text: &str) {
    let text = text.trim_matches(['\n', '\r']);
    if text.trim().is_empty() {
        return;
    }
    match paragraphs {
        Some(known) => {
            known.push_str("\n\n");
            known.push_str(text);
        }
        None => *paragraphs = Some(text.to_owned()),
    }
}

/// Returns the reason of a deny by `who`, never empty: some agents ignore a deny without a reason.
pub fn refusal_reason(reason: &str, who: &str) -> String {
    if reason.trim().is_empty() { format!("Blocked by {who}") } else { bounded_reason(reason) }
}

fn bounded_reason(reason: &str) -> String {
    shortened(reason.trim(), MAX_REASON).to_owned()
}

/// Returns the longest prefix of at most `limit` bytes that ends between characters.
pub fn shortened(text: &str, limit: usize) -> &str {
    let end = (0..=limit.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
#[path = "outcome_tests.rs"]
mod tests;
