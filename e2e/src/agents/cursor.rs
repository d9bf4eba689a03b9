//! Cursor, of which only the hook engine can be run: it is inside the SDK, while the agent itself needs an account.

use super::{Act, Agent, Existing, Launch, Packaging, Scope, Start, tool};
use crate::model::ToolCall;

/// The SDK. It is no agent that could be started, so it is not in the table of agents.
pub(crate) const ENGINE: Agent = Agent {
    name: "cursor",
    title: "Cursor",
    package: "@cursor/sdk",
    version: "1.0.32",
    packaging: Packaging::Installed,
    program: "@cursor/sdk/dist/esm",
    kept: None,
    defaults: "",
    variants: &["usual"],
    launch,
    call,
    existing,
};

fn launch(_: &Launch) -> Start {
    Start { arguments: Vec::new(), environment: Vec::new() }
}

fn call(_: &Act) -> ToolCall {
    tool("Shell", serde_json::Value::Null)
}

fn existing(_: Scope, _: &Existing) -> Vec<(String, String)> {
    Vec::new()
}
