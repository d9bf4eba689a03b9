//! JSON Schemas of the files that users write and of the data that handlers read and write.
//!
//! The keys of a file are learnt from its parser; `key_docs` describes them.

mod file_shape;
mod hook;
mod key_docs;
mod llm;
mod lock;

use serde_json::{Value, json};

use crate::config::{self, Scope};
use crate::manifest;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonSchema {
    UserConfig,
    ProjectConfig,
    Manifest,
    Lock,
    HookInput,
    HookOutput,
    LlmRequest,
    LlmResponse,
    ToolConfig,
}

impl JsonSchema {
    pub const ALL: [Self; 9] = [
        Self::UserConfig,
        Self::ProjectConfig,
        Self::Manifest,
        Self::Lock,
        Self::HookInput,
        Self::HookOutput,
        Self::LlmRequest,
        Self::LlmResponse,
        Self::ToolConfig,
    ];

    /// Returns the name of its file without `.schema.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::UserConfig => "user-config",
            Self::ProjectConfig => "project-config",
            Self::Manifest => "manifest",
            Self::Lock => "lock",
            Self::HookInput => "hook-input",
            Self::HookOutput => "hook-output",
            Self::LlmRequest => "llm-request",
            Self::LlmResponse => "llm-response",
            Self::ToolConfig => "tool-config",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::UserConfig => "Symposium: the user's configuration (config.toml)",
            Self::ProjectConfig => "Symposium: a project's configuration (.symposium/config.toml)",
            Self::Manifest => "Symposium: a plugin's manifest",
            Self::Lock => "Symposium: a project's lockfile (.symposium/symposium.lock)",
            Self::HookInput => "Symposium: the standard input of a hook",
            Self::HookOutput => "Symposium: the standard output of a hook",
            Self::LlmRequest => "Stable model API: LLMRequest",
            Self::LlmResponse => "Stable model API: LLMResponse",
            Self::ToolConfig => "Stable model API: tool configuration",
        }
    }

    pub fn document(self) -> Value {
        let body = match self {
            Self::UserConfig => file_shape::schema(&|text| config::query_keys(text, Scope::User)),
            Self::ProjectConfig => file_shape::schema(&|text| config::query_keys(text, Scope::Project)),
            Self::Manifest => file_shape::schema(&manifest::query_keys),
            Self::Lock => lock::lock(),
            Self::HookInput => hook::input(),
            Self::HookOutput => hook::output(),
            Self::LlmRequest => llm::request(),
            Self::LlmResponse => llm::response(),
            Self::ToolConfig => llm::tool_config(),
        };
        let mut whole = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$id": format!("urn:symposium:schema:{}", self.name()),
            "title": self.title(),
        });
        if let (Value::Object(whole), Value::Object(body)) = (&mut whole, body) {
            whole.extend(body);
        }
        whole
    }

    pub fn text(self) -> String {
        let mut text = serde_json::to_string_pretty(&self.document()).unwrap_or_default();
        text.push('\n');
        text
    }
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
