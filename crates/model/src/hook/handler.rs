//! What a manifest may say about how a handler is run.

use serde::{Deserialize, Serialize};

use crate::agent::AgentId;

/// The JSON a hook reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PayloadFormat {
    /// The canonical one.
    Symposium,
    /// That agent's own.
    Agent(AgentId),
}

/// When a hook runs among the hooks of one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HookOrder {
    /// First: guards.
    Policy,
    /// In between.
    Normal,
    /// Last: what changes the input.
    Rewrite,
}

/// What it means when a hook does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnFailure {
    /// The agent goes on.
    Allow,
    /// The tool call is blocked.
    Block,
}
