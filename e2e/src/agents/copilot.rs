//! GitHub Copilot CLI.

use serde_json::json;

use super::{Act, Agent, Existing, Launch, Packaging, Scope, Start, file, strings, tool};
use crate::model::ToolCall;

pub(super) const AGENT: Agent = Agent {
    name: "copilot",
    title: "GitHub Copilot CLI",
    package: "@github/copilot",
    version: "1.0.102",
    packaging: Packaging::Installed,
    program: "@github/copilot-linux-x64/copilot",
    // It unpacks a quarter of a gigabyte on its first start: once is enough.
    kept: Some("copilot/pkg"),
    defaults: "",
    variants: &["scripted", "gpt-5.1-codex"],
    launch,
    call,
    existing,
};

fn launch(launch: &Launch) -> Start {
    let mut arguments = strings(&["--no-auto-update", "--disable-client-telemetry", "--no-color"]);
    arguments.extend(strings(&["--allow-all-tools", "-p", launch.prompt]));
    Start {
        arguments,
        environment: vec![
            ("COPILOT_OFFLINE", "true".to_owned()),
            ("COPILOT_AUTO_UPDATE", "false".to_owned()),
            ("COPILOT_PROVIDER_BASE_URL", format!("{}/v1", launch.model)),
            ("COPILOT_PROVIDER_TYPE", "openai".to_owned()),
            ("COPILOT_PROVIDER_API_KEY", "dummy".to_owned()),
            ("COPILOT_MODEL", launch.variant.to_owned()),
            // The option to trust a folder is only about the one it is started in; this is about the whole repository.
            ("COPILOT_ALLOW_ALL", "true".to_owned()),
        ],
    }
}

fn call(act: &Act) -> ToolCall {
    match act {
        Act::Shell(command) => tool("bash", json!({"command": command, "description": "Run it"})),
        Act::Read(path) => tool("view", json!({"path": path})),
        Act::Write { path, text } => tool("create", json!({"path": path, "file_text": text})),
        Act::Edit { path, old, new } => tool("edit", json!({"path": path, "old_str": old, "new_str": new})),
        Act::Delegate(task) => tool(
            "task",
            json!({
                "name": "helper", "description": "A task", "prompt": task, "agent_type": "general-purpose",
                "mode": "sync",
            }),
        ),
        // A text of its own, not JSON.
        Act::Patch(patch) => tool("apply_patch", (*patch).into()),
        Act::Skill { name, .. } => tool("skill", json!({"skill": name})),
        Act::Mcp { server, tool: name } => tool(format!("{server}-{name}"), json!({})),
    }
}

fn existing(scope: Scope, existing: &Existing) -> Vec<(String, String)> {
    let hooks = json!({"version": 1, "hooks": {"preToolUse": [
        {"type": "command", "bash": existing.hook, "matcher": "bash"},
    ]}});
    let servers = json!({"mcpServers": {"probe": {"command": existing.server, "args": ["probe-server"]}}});
    match scope {
        Scope::User => vec![file(".copilot/hooks/mine.json", &hooks), file(".copilot/mcp-config.json", &servers)],
        Scope::Project => vec![file("project/.github/hooks/mine.json", &hooks), file("project/.mcp.json", &servers)],
    }
}
