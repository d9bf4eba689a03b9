//! The schema of Gemini CLI's stable model API. A handler may answer with only the part it wants changed, so nothing is
//! required at the top; unknown keys are allowed everywhere.

use serde_json::{Value, json};

pub(super) fn request() -> Value {
    json!({
        "type": "object",
        "properties": {
            "model": {"type": "string", "description": "The model."},
            "messages": {
                "type": "array",
                "description": "The conversation; only its text, tool calls and results are left out.",
                "items": {
                    "type": "object",
                    "required": ["role", "content"],
                    "properties": {
                        "role": {"type": "string", "description": "`user`, `model` or `system`."},
                        "content": {
                            "description": "A text, or a list of parts with a `type`.",
                            "anyOf": [
                                {"type": "string"},
                                {"type": "array", "items": {
                                    "type": "object",
                                    "required": ["type"],
                                    "properties": {"type": {"type": "string"}},
                                }},
                            ],
                        },
                    },
                },
            },
            "config": {
                "type": "object",
                "description": "Settings of the model. Settings that are missing in an answer fall back to the \
                                model's defaults.",
                "properties": {
                    "temperature": {"type": "number", "description": "How freely it chooses words."},
                    "maxOutputTokens": {"type": "number", "description": "The longest answer."},
                    "topP": {"type": "number", "description": "The share of likely words it chooses from."},
                    "topK": {"type": "number", "description": "The number of likely words it chooses from."},
                },
            },
            "toolConfig": tool_config(),
        },
    })
}

pub(super) fn tool_config() -> Value {
    json!({
        "type": "object",
        "description": "Which tools the model may use.",
        "properties": {
            "mode": {
                "description": "Whether it may, must or must not use tools; a newer agent may know more words.",
                "anyOf": [{"enum": ["AUTO", "ANY", "NONE"]}, {"type": "string"}],
            },
            "allowedFunctionNames": {
                "type": "array",
                "items": {"type": "string"},
                "description": "The tools it may use; all when absent.",
            },
        },
    })
}

pub(super) fn response() -> Value {
    json!({
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "All of its text."},
            "candidates": {
                "type": "array",
                "description": "The answers to choose from; there is one.",
                "items": {
                    "type": "object",
                    "required": ["content"],
                    "properties": {
                        "content": {
                            "type": "object",
                            "required": ["role", "parts"],
                            "properties": {
                                "role": {"type": "string", "description": "`model`."},
                                "parts": {
                                    "type": "array",
                                    "items": {"type": "string"},
                                    "description": "Its texts; calls of tools are not among them.",
                                },
                            },
                        },
                        "finishReason": {
                            "type": "string",
                            "description": "`STOP`, `MAX_TOKENS`, `SAFETY`, `RECITATION` or `OTHER`.",
                        },
                        "index": {"type": "number", "description": "Which of the answers it is."},
                        "safetyRatings": {
                            "type": "array",
                            "description": "How harmful it was found to be.",
                            "items": {
                                "type": "object",
                                "required": ["category", "probability"],
                                "properties": {
                                    "category": {"type": "string"},
                                    "probability": {"type": "string"},
                                    "blocked": {"type": "boolean"},
                                },
                            },
                        },
                    },
                },
            },
            "usageMetadata": {
                "type": "object",
                "description": "The token usage.",
                "properties": {
                    "promptTokenCount": {"type": "number", "description": "Tokens of the request."},
                    "candidatesTokenCount": {"type": "number", "description": "Tokens of the answers."},
                    "totalTokenCount": {"type": "number", "description": "Both together."},
                },
            },
        },
    })
}
