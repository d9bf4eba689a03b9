//! A model that says what a scenario scripted, in the words of four APIs, and writes down what it was shown.

mod anthropic;
mod chat;
mod gemini;
mod responses;
mod server;
mod shown;

pub(crate) use server::ModelServer;
pub(crate) use shown::Shown;

use serde_json::Value;

use crate::http::Response;

/// The API an agent speaks with its model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Api {
    Anthropic,
    /// `OpenAI` Responses.
    Responses,
    /// `OpenAI` chat completions.
    Chat,
    /// Gemini `generateContent`.
    Gemini,
}

/// One answer of the model.
#[derive(Clone, Debug)]
pub(crate) enum Turn {
    /// It says something, and its turn ends.
    Say(String),
    Call(ToolCall),
}

/// A call of a tool, in the agent's own words.
#[derive(Clone, Debug)]
pub(crate) struct ToolCall {
    pub(crate) tool: String,
    pub(crate) arguments: Value,
    /// Codex keeps the tools of an MCP server in a namespace of their own.
    pub(crate) namespace: Option<String>,
}

/// What a path of the server means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wish {
    /// An answer of the model, whole.
    Whole(Api),
    /// An answer of the model, as a stream of events.
    Stream(Api),
    /// How long a text is.
    Count,
    Models,
    Unknown,
}

/// What a request asks for, told by its path and body.
fn wish(path: &str, body: &Value) -> Wish {
    let path = path.split('?').next().unwrap_or(path);
    let streaming = |api: Api| match body.get("stream").and_then(Value::as_bool) {
        Some(true) => Wish::Stream(api),
        Some(false) | None => Wish::Whole(api),
    };
    if path.ends_with("/messages") {
        streaming(Api::Anthropic)
    } else if path.ends_with("/responses") {
        streaming(Api::Responses)
    } else if path.ends_with("/chat/completions") {
        streaming(Api::Chat)
    } else if path.ends_with(":streamGenerateContent") {
        Wish::Stream(Api::Gemini)
    } else if path.ends_with(":generateContent") {
        Wish::Whole(Api::Gemini)
    } else if path.ends_with("/count_tokens") || path.ends_with(":countTokens") {
        Wish::Count
    } else if path.ends_with("/models") {
        Wish::Models
    } else {
        Wish::Unknown
    }
}

/// What the model was shown by a request of this API.
fn shown(api: Api, body: &Value) -> Shown {
    match api {
        Api::Anthropic => anthropic::shown(body),
        Api::Responses => responses::shown(body),
        Api::Chat => chat::shown(body),
        Api::Gemini => gemini::shown(body),
    }
}

/// A turn as a stream of events. `number` makes the identifiers unique.
fn stream(api: Api, turn: &Turn, number: usize) -> Response {
    Response::events(match api {
        Api::Anthropic => anthropic::stream(turn, number),
        Api::Responses => responses::stream(turn, number),
        Api::Chat => chat::stream(turn, number),
        Api::Gemini => gemini::stream(turn),
    })
}

/// A turn as one document.
fn whole(api: Api, turn: &Turn, number: usize) -> Response {
    Response::json(&match api {
        Api::Anthropic => anthropic::whole(turn, number),
        Api::Responses => responses::whole(turn, number),
        Api::Chat => chat::whole(turn, number),
        Api::Gemini => gemini::whole(turn),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_tell_the_api() {
        let stream = json!({"stream": true});
        for (path, body, expected) in [
            ("/v1/messages?beta=true", &stream, Wish::Stream(Api::Anthropic)),
            ("/v1/messages", &json!({}), Wish::Whole(Api::Anthropic)),
            ("/v1/messages/count_tokens", &json!({}), Wish::Count),
            ("/v1/responses", &stream, Wish::Stream(Api::Responses)),
            ("/v1/chat/completions", &stream, Wish::Stream(Api::Chat)),
            ("/v1beta/models/m:streamGenerateContent?alt=sse", &json!({}), Wish::Stream(Api::Gemini)),
            ("/v1beta/models/m:generateContent", &json!({}), Wish::Whole(Api::Gemini)),
            ("/v1beta/models/m:countTokens", &json!({}), Wish::Count),
            ("/v1/models", &Value::Null, Wish::Models),
            ("/api/event_logging", &Value::Null, Wish::Unknown),
        ] {
            assert_eq!(wish(path, body), expected, "{path}");
        }
    }
    #[test]
    fn every_api_shows_text_tools_and_results() {
        let function = json!({"name": "ping", "description": "Answers"});
        for (api, body) in [
            (
                Api::Anthropic,
                json!({"system": [{"text": "be good"}], "tools": [function], "messages": [
                    {"role": "user", "content": "hello"},
                    {"role": "user", "content": [{"type": "tool_result", "content": [{"type": "text", "text": "pong"}]}]},
                ]}),
            ),
            (
                Api::Responses,
                json!({"instructions": "be good", "tools": [function], "input": [
                    {"type": "message", "content": [{"text": "hello"}]},
                    {"type": "function_call_output", "output": "pong"},
                ]}),
            ),
            (
                Api::Chat,
                json!({"tools": [{"type": "function", "function": function}], "messages": [
                    {"role": "system", "content": "be good"}, {"role": "user", "content": "hello"},
                    {"role": "tool", "content": "pong"},
                ]}),
            ),
            (
                Api::Gemini,
                json!({"systemInstruction": {"parts": [{"text": "be good"}]}, "tools": [
                    {"functionDeclarations": [function]},
                ], "contents": [
                    {"role": "user", "parts": [{"text": "hello"}]},
                    {"role": "user", "parts": [{"functionResponse": {"response": {"output": "pong"}}}]},
                ]}),
            ),
        ] {
            let shown = shown(api, &body);
            for text in ["be good", "hello", "pong"] {
                assert_eq!(shown.count(text), 1, "{api:?} {text}");
            }
            assert_eq!(shown.tools, ["ping"], "{api:?}");
            assert!(shown.mentions("Answers") && !shown.text.contains("Answers"), "{api:?}");
            assert_eq!(shown.results, ["pong\n"], "{api:?}");
        }
    }
}
