//! `OpenAI` chat completions.

use serde_json::{Value, json};

use super::shown::{Shown, items, strings, text_of};
use super::{ToolCall, Turn};

pub(super) fn shown(body: &Value) -> Shown {
    let messages = items(body.get("messages"));
    let tools = items(body.get("tools"));
    Shown {
        request: body.clone(),
        text: strings(&json!(messages)),
        tools: tools
            .iter()
            .filter_map(|tool| Some(text_of(tool.get("function").or_else(|| tool.get("custom"))?, "name").to_owned()))
            .collect(),
        definitions: strings(&json!(tools)),
        results: messages
            .iter()
            .filter(|message| text_of(message, "role") == "tool")
            .map(|message| strings(message.get("content").unwrap_or(&Value::Null)))
            .collect(),
    }
}

fn calls(turn: &Turn, number: usize) -> Option<Value> {
    match turn {
        Turn::Say(_) => None,
        // A tool that takes a text of its own instead of JSON.
        Turn::Call(ToolCall { tool, arguments: Value::String(input), namespace: None }) => Some(json!([{
            "index": 0, "id": format!("call_{number}"), "type": "custom", "custom": {"name": tool, "input": input},
        }])),
        Turn::Call(call) => Some(json!([{
            "index": 0, "id": format!("call_{number}"), "type": "function",
            "function": {"name": call.tool, "arguments": call.arguments.to_string()},
        }])),
    }
}

fn message(turn: &Turn, number: usize) -> Value {
    match (turn, calls(turn, number)) {
        (Turn::Say(text), _) => json!({"role": "assistant", "content": text}),
        (Turn::Call(_), calls) => json!({"role": "assistant", "content": null, "tool_calls": calls}),
    }
}

fn finish_reason(turn: &Turn) -> &'static str {
    match turn {
        Turn::Say(_) => "stop",
        Turn::Call(_) => "tool_calls",
    }
}

fn usage() -> Value {
    json!({"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20})
}

/// The answer in one piece.
pub(super) fn whole(turn: &Turn, number: usize) -> Value {
    json!({
        "id": format!("chatcmpl_{number}"), "object": "chat.completion", "created": 1, "model": "scripted",
        "choices": [{"index": 0, "message": message(turn, number), "finish_reason": finish_reason(turn)}],
        "usage": usage(),
    })
}

/// The answer as a stream.
pub(super) fn stream(turn: &Turn, number: usize) -> String {
    let chunk = |choices: Value, usage: Value| {
        json!({
            "id": format!("chatcmpl_{number}"), "object": "chat.completion.chunk", "created": 1, "model": "scripted",
            "choices": choices, "usage": usage,
        })
    };
    let chunks = [
        chunk(json!([{"index": 0, "delta": message(turn, number), "finish_reason": null}]), Value::Null),
        chunk(json!([{"index": 0, "delta": {}, "finish_reason": finish_reason(turn)}]), Value::Null),
        chunk(json!([]), usage()),
    ];
    let events: Vec<String> = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    events.concat() + "data: [DONE]\n\n"
}
