//! `OpenAI` Responses.

use serde_json::{Value, json};

use super::shown::{Shown, items, strings, text_of};
use super::{ToolCall, Turn};

pub(super) fn shown(body: &Value) -> Shown {
    let input = items(body.get("input"));
    // Some models get their tools as part of the conversation.
    let added = input.iter().filter(|item| text_of(item, "type") == "additional_tools");
    let tools: Vec<&Value> =
        items(body.get("tools")).iter().chain(added.flat_map(|item| items(item.get("tools")))).collect();
    Shown {
        request: body.clone(),
        text: strings(body.get("instructions").unwrap_or(&Value::Null)) + &strings(&json!(input)),
        tools: tools.iter().map(|tool| tool_name(tool)).collect(),
        definitions: strings(&json!(tools)),
        results: input
            .iter()
            .filter(|item| text_of(item, "type").ends_with("_output"))
            .map(|item| strings(item.get("output").or_else(|| item.get("tools")).unwrap_or(&Value::Null)))
            .collect(),
    }
}

/// Tools of the provider have a type and no name.
fn tool_name(tool: &Value) -> String {
    let name = text_of(tool, "name");
    if name.is_empty() { text_of(tool, "type").to_owned() } else { name.to_owned() }
}

fn item(turn: &Turn, number: usize) -> Value {
    match turn {
        Turn::Say(text) => json!({
            "type": "message", "id": format!("msg_{number}"), "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        }),
        // A tool that takes a text of its own instead of JSON.
        Turn::Call(ToolCall { tool, arguments: Value::String(input), namespace: None }) => json!({
            "type": "custom_tool_call", "id": format!("ctc_{number}"), "call_id": format!("call_{number}"),
            "name": tool, "input": input, "status": "completed",
        }),
        Turn::Call(call) => {
            let mut item = json!({
                "type": "function_call", "id": format!("fc_{number}"), "call_id": format!("call_{number}"),
                "name": call.tool, "arguments": call.arguments.to_string(), "status": "completed",
            });
            if let (Some(namespace), Some(fields)) = (&call.namespace, item.as_object_mut()) {
                fields.insert("namespace".to_owned(), json!(namespace));
            }
            item
        }
    }
}

/// The answer in one piece.
pub(super) fn whole(turn: &Turn, number: usize) -> Value {
    json!({
        "id": format!("resp_{number}"), "object": "response", "status": "completed", "model": "scripted",
        "output": [item(turn, number)],
        "usage": {
            "input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 10,
            "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 20,
        },
    })
}

/// The answer as a stream.
pub(super) fn stream(turn: &Turn, number: usize) -> String {
    let item = item(turn, number);
    [
        json!({"type": "response.created", "response": {"id": format!("resp_{number}")}}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": whole(turn, number)}),
    ]
    .iter()
    .map(|event| format!("event: {}\ndata: {event}\n\n", text_of(event, "type")))
    .collect::<Vec<_>>()
    .concat()
}
