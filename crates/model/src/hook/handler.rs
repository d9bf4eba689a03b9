//! Manifest settings for running a handler.

use serde::{Deserialize, Serialize};

use crate::agent::AgentId;

/// The JSON a hook reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PayloadFormat {
    #[default]
    Symposium,
    Agent(AgentId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HookOrder {
    /// First: guards.
    Policy,
    Normal,
    /// Last: hooks that change the input.
    Rewrite,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnFailure {
    #[default]
    Allow,
    Block,
}
