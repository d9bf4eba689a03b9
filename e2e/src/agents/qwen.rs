//! Qwen Code.

use serde_json::json;

use super::{Act, Agent, Existing, Launch, Packaging, Scope, Start, file, strings, tool};
use crate::model::ToolCall;

pub(super) const AGENT: Agent = Agent {
    name: "qwen",
    title: "Qwen Code",
    package: "@qwen-code/qwen-code",
    version: "0.24.4",
    packaging: Packaging::Installed,
    program: "@qwen-code/qwen-code/cli-entry.js",
    kept: None,
    // Otherwise an agent in the background sends requests of its own that offer tools.
    defaults: r#"{"$version": 4, "memory": {"enableManagedAutoMemory": false}}"#,
    variants: &["scripted"],
    launch,
    call,
    existing,
};

fn launch(launch: &Launch) -> Start {
    Start {
        arguments: strings(&["--auth-type", "openai", "--approval-mode", "yolo", "-p", launch.prompt]),
        environment: vec![
            ("OPENAI_API_KEY", "dummy".to_owned()),
            ("OPENAI_BASE_URL", format!("{}/v1", launch.model)),
            ("OPENAI_MODEL", launch.variant.to_owned()),
            ("QWEN_CODE_NO_RELAUNCH", "1".to_owned()),
            ("QWEN_TELEMETRY_ENABLED", "false".to_owned()),
            ("QWEN_USAGE_STATISTICS_ENABLED", "false".to_owned()),
            ("QWEN_CODE_SYSTEM_DEFAULTS_PATH", launch.cache.join("system-defaults.json").display().to_string()),
        ],
    }
}

fn call(act: &Act) -> ToolCall {
    match act {
        Act::Shell(command) => {
            tool("run_shell_command", json!({"command": command, "description": "Run it", "is_background": false}))
        }
        Act::Read(path) => tool("read_file", json!({"file_path": path})),
        Act::Write { path, text } => tool("write_file", json!({"file_path": path, "content": text})),
        Act::Edit { path, old, new } => tool("edit", json!({"file_path": path, "old_string": old, "new_string": new})),
        Act::Delegate(task) => {
            tool("agent", json!({"description": "A task", "prompt": task, "subagent_type": "general-purpose"}))
        }
        Act::Patch(_) => tool("run_shell_command", json!({"command": "true", "is_background": false})),
        Act::Skill { name, .. } => tool("skill", json!({"skill": name})),
        Act::Mcp { server, tool: name } => tool(format!("mcp__{server}__{name}"), json!({})),
    }
}

fn existing(scope: Scope, existing: &Existing) -> Vec<(String, String)> {
    let settings = json!({
        "$version": 4,
        "hooks": {"PreToolUse": [
            {"matcher": "run_shell_command", "hooks": [{"type": "command", "name": "mine", "command": existing.hook}]},
        ]},
        "mcpServers": {"probe": {"command": existing.server, "args": ["probe-server"]}},
    });
    match scope {
        Scope::User => vec![file(".qwen/settings.json", &settings)],
        Scope::Project => vec![file("project/.qwen/settings.json", &settings)],
    }
}
