//! Anthropic Messages.

use serde_json::{Value, json};

use super::Turn;
use super::shown::{Shown, items, strings, text_of};

pub(super) fn shown(body: &Value) -> Shown {
    let messages = body.get("messages").unwrap_or(&Value::Null);
    let tools = items(body.get("tools"));
    let blocks = items(Some(messages)).iter().flat_map(|message| items(message.get("content")));
    Shown {
        request: body.clone(),
        text: strings(body.get("system").unwrap_or(&Value::Null)) + &strings(messages),
        tools: tools.iter().map(|tool| text_of(tool, "name").to_owned()).collect(),
        definitions: strings(&json!(tools)),
        results: blocks
            .filter(|block| text_of(block, "type") == "tool_result")
            .map(|block| strings(block.get("content").unwrap_or(&Value::Null)))
            .collect(),
    }
}

fn content(turn: &Turn, number: usize) -> Value {
    match turn {
        Turn::Say(text) => json!({"type": "text", "text": text}),
        Turn::Call(call) => {
            json!({"type": "tool_use", "id": format!("toolu_{number}"), "name": call.tool, "input": call.arguments})
        }
    }
}

fn stop_reason(turn: &Turn) -> &'static str {
    match turn {
        Turn::Say(_) => "end_turn",
        Turn::Call(_) => "tool_use",
    }
}

/// The answer in one piece.
pub(super) fn whole(turn: &Turn, number: usize) -> Value {
    json!({
        "id": format!("msg_{number}"), "type": "message", "role": "assistant", "model": "scripted",
        "content": [content(turn, number)], "stop_reason": stop_reason(turn), "stop_sequence": null,
        "usage": {"input_tokens": 10, "output_tokens": 10},
    })
}

/// The answer as a stream.
pub(super) fn stream(turn: &Turn, number: usize) -> String {
    let (empty, delta) = match turn {
        Turn::Say(text) => (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text})),
        Turn::Call(call) => (
            json!({"type": "tool_use", "id": format!("toolu_{number}"), "name": call.tool, "input": {}}),
            json!({"type": "input_json_delta", "partial_json": call.arguments.to_string()}),
        ),
    };
    let message = json!({
        "id": format!("msg_{number}"), "type": "message", "role": "assistant", "model": "scripted", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 10, "output_tokens": 1},
    });
    [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": empty}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({
            "type": "message_delta", "delta": {"stop_reason": stop_reason(turn), "stop_sequence": null},
            "usage": {"output_tokens": 10},
        }),
        json!({"type": "message_stop"}),
    ]
    .iter()
    .map(|event| format!("event: {}\ndata: {event}\n\n", text_of(event, "type")))
    .collect::<Vec<_>>()
    .concat()
}
