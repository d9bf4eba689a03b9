//! Goose.

use serde_json::json;

use super::{Act, Agent, Existing, Launch, Packaging, Scope, Start, file, strings, tool};
use crate::model::ToolCall;

pub(super) const AGENT: Agent = Agent {
    name: "goose",
    title: "Goose",
    package: "@aaif/goose-binary-linux-x64",
    version: "1.52.0",
    packaging: Packaging::Installed,
    program: "@aaif/goose-binary-linux-x64/bin/goose",
    kept: None,
    defaults: "",
    variants: &["usual", "developer,computercontroller,memory", "developer,code_execution"],
    launch,
    call,
    existing,
};

fn launch(launch: &Launch) -> Start {
    let mut arguments = strings(&["run"]);
    if launch.variant != "usual" {
        arguments.extend(strings(&["--with-builtin", launch.variant]));
    }
    arguments.extend(strings(&["-t", launch.prompt]));
    Start {
        arguments,
        environment: vec![
            ("GOOSE_PROVIDER", "openai".to_owned()),
            ("GOOSE_MODEL", "gpt-4o".to_owned()),
            ("OPENAI_API_KEY", "dummy".to_owned()),
            ("OPENAI_HOST", launch.model.to_owned()),
            ("GOOSE_DISABLE_KEYRING", "1".to_owned()),
            ("GOOSE_MODE", "auto".to_owned()),
            ("GOOSE_TELEMETRY_ENABLED", "false".to_owned()),
            ("GOOSE_TELEMETRY_OFF", "1".to_owned()),
        ],
    }
}

fn call(act: &Act) -> ToolCall {
    match act {
        Act::Shell(command) => tool("shell", json!({"command": command})),
        // Goose has no tool that only reads.
        Act::Read(path) => tool("shell", json!({"command": format!("cat '{path}'")})),
        Act::Write { path, text } => tool("write", json!({"path": path, "content": text})),
        Act::Edit { path, old, new } => tool("edit", json!({"path": path, "before": old, "after": new})),
        Act::Delegate(task) => tool("delegate", json!({ "instructions": task })),
        Act::Patch(_) => tool("shell", json!({"command": "true"})),
        Act::Skill { name, .. } => tool("load_skill", json!({"name": name})),
        // A server lives in a plugin; each of ours is in a plugin of the same name.
        Act::Mcp { server, tool: name } => tool(format!("{server}_{server}__{name}"), json!({})),
    }
}

fn existing(scope: Scope, existing: &Existing) -> Vec<(String, String)> {
    let hooks = json!({"hooks": {"PreToolUse": [
        {"matcher": "shell", "hooks": [{"type": "command", "command": existing.hook}]},
    ]}});
    let servers = json!({"mcpServers": {"probe": {"command": existing.server, "args": ["probe-server"]}}});
    let folder = match scope {
        Scope::User => ".agents/plugins/probe",
        Scope::Project => "project/.agents/plugins/probe",
    };
    vec![file(&format!("{folder}/hooks/hooks.json"), &hooks), file(&format!("{folder}/.mcp.json"), &servers)]
}
