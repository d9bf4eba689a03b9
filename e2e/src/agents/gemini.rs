//! Gemini CLI.

use serde_json::json;

use super::{Act, Agent, Existing, Launch, Packaging, Scope, Start, file, strings, tool};
use crate::model::ToolCall;

pub(super) const AGENT: Agent = Agent {
    name: "gemini",
    title: "Gemini CLI",
    package: "@google/gemini-cli",
    version: "0.61.0",
    packaging: Packaging::Installed,
    program: "@google/gemini-cli/bundle/gemini.js",
    kept: None,
    defaults: DEFAULTS,
    variants: &["gemini-2.5-pro", "gemini-3-pro-preview"],
    launch,
    call,
    existing,
};

/// Settings below the user's: without this method Gemini CLI refuses a model that is not Google's, and it would report.
const DEFAULTS: &str = r#"{"security": {"auth": {"selectedType": "gemini-api-key"}},
"privacy": {"usageStatisticsEnabled": false}}"#;

fn launch(launch: &Launch) -> Start {
    Start {
        arguments: strings(&["-m", launch.variant, "--approval-mode", "yolo", "-p", launch.prompt]),
        environment: vec![
            ("GEMINI_API_KEY", "dummy".to_owned()),
            ("GOOGLE_GEMINI_BASE_URL", launch.model.to_owned()),
            ("GEMINI_TELEMETRY_ENABLED", "false".to_owned()),
            ("GEMINI_CLI_NO_RELAUNCH", "true".to_owned()),
            ("GEMINI_CLI_TRUST_WORKSPACE", "true".to_owned()),
            ("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", launch.cache.join("system-defaults.json").display().to_string()),
        ],
    }
}

fn call(act: &Act) -> ToolCall {
    match act {
        Act::Shell(command) => tool("run_shell_command", json!({"command": command, "description": "Run it"})),
        Act::Read(path) => tool("read_file", json!({"file_path": path})),
        Act::Write { path, text } => tool("write_file", json!({"file_path": path, "content": text})),
        Act::Edit { path, old, new } => {
            let what = json!({"file_path": path, "instruction": "Change it", "old_string": old, "new_string": new});
            tool("replace", what)
        }
        Act::Delegate(task) => tool("invoke_agent", json!({"agent_name": "generalist", "prompt": task})),
        Act::Patch(_) => tool("run_shell_command", json!({"command": "true", "description": "There are no patches"})),
        Act::Skill { name, .. } => tool("activate_skill", json!({"name": name})),
        Act::Mcp { server, tool: name } => tool(format!("mcp_{server}_{name}"), json!({})),
    }
}

fn existing(scope: Scope, existing: &Existing) -> Vec<(String, String)> {
    let settings = json!({
        "hooks": {"BeforeTool": [
            {"matcher": "run_shell_command", "hooks": [{"type": "command", "name": "mine", "command": existing.hook}]},
        ]},
        "mcpServers": {"probe": {"command": existing.server, "args": ["probe-server"]}},
    });
    match scope {
        Scope::User => vec![file(".gemini/settings.json", &settings)],
        Scope::Project => vec![file("project/.gemini/settings.json", &settings)],
    }
}
