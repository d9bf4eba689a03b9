//! What one request showed the model, whatever the API: the text, the tools, and what the tools answered.

use serde_json::Value;

/// A request, as far as scenarios ask about it.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Shown {
    /// System text and conversation, without the definitions of tools.
    pub(crate) text: String,
    /// The names of the tools offered.
    pub(crate) tools: Vec<String>,
    /// The definitions of those tools, names and descriptions included.
    pub(crate) definitions: String,
    /// What tools answered, in order.
    pub(crate) results: Vec<String>,
    pub(crate) request: Value,
}

impl Shown {
    /// How often a text stands in the system text and the conversation.
    pub(crate) fn count(&self, text: &str) -> usize {
        self.text.matches(text).count()
    }

    /// Whether the model learns of a name: in the text, as a tool, or in what is said about a tool.
    pub(crate) fn mentions(&self, text: &str) -> bool {
        self.text.contains(text) || self.definitions.contains(text)
    }

    /// Whether a tool answered with this text in it.
    pub(crate) fn answered(&self, text: &str) -> bool {
        self.results.iter().any(|result| result.contains(text))
    }
}

/// Every string of a value but for the names of kinds and roles, each on a line of its own.
pub(super) fn strings(value: &Value) -> String {
    let mut text = String::new();
    collect(value, &mut text);
    text
}

fn collect(value: &Value, text: &mut String) {
    match value {
        Value::String(string) => {
            text.push_str(string);
            text.push('\n');
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, text)),
        Value::Object(fields) => {
            let said = fields.iter().filter(|(name, _)| !matches!(name.as_str(), "type" | "role"));
            said.for_each(|(_, field)| collect(field, text));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The items of a list, none when it is no list.
pub(super) fn items(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A field that holds a text, empty when it does not.
pub(super) fn text_of<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}
