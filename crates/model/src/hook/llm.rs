//! The stable model API of Gemini CLI: the requests and responses its model events carry.
//!
//! A handler gets a whole [`LlmRequest`] or [`LlmResponse`] and may answer with only the part it changes, so every
//! field may be missing. Unknown fields are kept in `other`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

/// A request on its way to a model: `llm_request` of `BeforeModel`, `BeforeToolSelection` and `AfterModel`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LlmRequest {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The conversation; only its text, tool calls and results are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<LlmMessage>>,
    /// The sampling settings. In an answer, settings that are not repeated here fall back to the model's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<LlmConfig>,
    /// The tools that the model may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_config: Option<ToolConfig>,
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LlmMessage {
    /// `user`, `model` or `system`.
    pub role: String,
    /// A text, or a list of parts with a `type`.
    pub content: Value,
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LlmConfig {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<Number>,
    /// The longest answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<Number>,
    /// The share of likely words it chooses from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<Number>,
    /// The number of likely words it chooses from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_k: Option<Number>,
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The tools a model may use: `toolConfig` of an answer to `BeforeToolSelection`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolConfig {
    /// Whether it may, must or must not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<ToolMode>,
    /// The tools it may use; all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_function_names: Option<Vec<String>>,
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ToolMode {
    /// The model decides.
    Auto,
    Any,
    None,
    #[serde(untagged)]
    Other(String),
}

/// A response of a model, or a piece of one: `llm_response` of `AfterModel`, and of an answer to `BeforeModel`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LlmResponse {
    /// All of its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The answers to choose from; there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Vec<LlmCandidate>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage_metadata: Option<LlmUsage>,
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LlmCandidate {
    pub content: LlmContent,
    /// The cause of the end: `STOP`, `MAX_TOKENS`, `SAFETY`, `RECITATION` or `OTHER`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub safety_ratings: Option<Vec<SafetyRating>>,
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LlmContent {
    /// Always `model`.
    pub role: String,
    /// Its texts; calls of tools are not among them.
    pub parts: Vec<String>,
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SafetyRating {
    pub category: String,
    pub probability: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<bool>,
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LlmUsage {
    /// Tokens of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_token_count: Option<Number>,
    /// Tokens of the answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates_token_count: Option<Number>,
    /// Both together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_token_count: Option<Number>,
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;
    use serde_json::json;

    use super::*;

    fn round_trip<T: Serialize + DeserializeOwned>(value: &Value) -> T {
        let typed: T = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(serde_json::to_value(&typed).unwrap(), *value);
        typed
    }

    #[test]
    fn nothing_is_lost_on_the_way_through() {
        let request: LlmRequest = round_trip(&json!({
            "model": "m",
            "messages": [{"role": "user", "content": "hi"}, {"role": "model", "content": [{"type": "image", "x": 1}], "id": 7}],
            "config": {"temperature": 1, "maxOutputTokens": 8, "topP": 0.95, "topK": 64, "seed": 3},
            "toolConfig": {"mode": "ANY", "allowedFunctionNames": ["read_file"], "new": true},
            "new": {"a": []},
        }));
        assert_eq!(request.tool_config.unwrap().mode, Some(ToolMode::Any));
        assert_eq!(request.config.unwrap().other.len(), 1);
        let response: LlmResponse = round_trip(&json!({
            "text": "hi",
            "candidates": [{
                "content": {"role": "model", "parts": ["hi"]}, "finishReason": "STOP", "index": 0,
                "safetyRatings": [{"category": "c", "probability": "LOW", "blocked": false}],
            }],
            "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15, "cached": 2},
        }));
        assert_eq!(response.candidates.unwrap().len(), 1);
        for mode in ["AUTO", "ANY", "NONE", "VALIDATED"] {
            round_trip::<ToolMode>(&json!(mode));
        }
    }

    #[test]
    fn an_answer_may_say_only_what_it_changes() {
        round_trip::<LlmRequest>(&json!({}));
        round_trip::<LlmRequest>(&json!({"config": {"temperature": 0.5}}));
        round_trip::<LlmResponse>(&json!({"text": "***"}));
        round_trip::<ToolConfig>(&json!({"mode": "NONE"}));
    }
}
