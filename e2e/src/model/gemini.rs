//! Gemini `generateContent`.

use serde_json::{Value, json};

use super::Turn;
use super::shown::{Shown, items, strings, text_of};

pub(super) fn shown(body: &Value) -> Shown {
    let contents = items(body.get("contents"));
    let declared: Vec<&Value> =
        items(body.get("tools")).iter().flat_map(|tool| items(tool.get("functionDeclarations"))).collect();
    let parts = contents.iter().flat_map(|content| items(content.get("parts")));
    Shown {
        request: body.clone(),
        text: strings(body.get("systemInstruction").unwrap_or(&Value::Null)) + &strings(&json!(contents)),
        tools: declared.iter().map(|tool| text_of(tool, "name").to_owned()).collect(),
        definitions: strings(&json!(declared)),
        results: parts
            .filter_map(|part| part.get("functionResponse"))
            .map(|answer| strings(answer.get("response").unwrap_or(&Value::Null)))
            .collect(),
    }
}

/// The answer in one piece.
pub(super) fn whole(turn: &Turn) -> Value {
    let part = match turn {
        Turn::Say(text) => json!({"text": text}),
        Turn::Call(call) => json!({"functionCall": {"name": call.tool, "args": call.arguments}}),
    };
    json!({
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20},
        "modelVersion": "scripted",
    })
}

/// The answer as a stream.
pub(super) fn stream(turn: &Turn) -> String {
    format!("data: {}\r\n\r\n", whole(turn))
}
