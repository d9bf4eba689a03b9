//! OpenCode.

use serde_json::json;

use super::{Act, Agent, Existing, Launch, Packaging, Scope, Session, Start, file, strings, tool};
use crate::model::ToolCall;

pub(super) const AGENT: Agent = Agent {
    name: "opencode",
    title: "OpenCode",
    package: "opencode-ai",
    version: "1.18.33",
    packaging: Packaging::Installed,
    // The package's own entry is a stub until its install script ran; the program is in the platform's package.
    program: "opencode-linux-x64/bin/opencode",
    kept: None,
    defaults: "",
    variants: &["scripted", "gpt-5"],
    launch,
    call,
    existing,
};

fn launch(launch: &Launch) -> Start {
    Start {
        arguments: arguments(launch),
        environment: vec![
            ("OPENCODE_CONFIG_CONTENT", config(launch).to_string()),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1".to_owned()),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1".to_owned()),
            ("OPENCODE_DISABLE_SHARE", "1".to_owned()),
            ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1".to_owned()),
            // It installs a package before it loads plugins; without a network that takes over a minute.
            ("npm_config_fetch_retries", "0".to_owned()),
        ],
    }
}

pub(super) fn config(launch: &Launch) -> serde_json::Value {
    json!({
        "model": format!("scripted/{}", launch.variant), "small_model": format!("scripted/{}", launch.variant),
        // Copies of the project before every step cost it a quarter of its time.
        "snapshot": false,
        // It gives a server five seconds, which a busy machine needs.
        "experimental": {"mcp_timeout": 120_000},
        "provider": {"scripted": {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": format!("{}/v1", launch.model), "apiKey": "dummy"},
            "models": {launch.variant: {}},
        }},
    })
}

pub(super) fn arguments(launch: &Launch) -> Vec<String> {
    let mut arguments = strings(&["run", "--model", &format!("scripted/{}", launch.variant), "--auto"]);
    match launch.session {
        Session::New => {}
        Session::Last => arguments.push("--continue".to_owned()),
    }
    arguments.push(launch.prompt.to_owned());
    arguments
}

fn call(act: &Act) -> ToolCall {
    match act {
        Act::Shell(command) => tool("bash", json!({"command": command, "description": "Run it"})),
        Act::Read(path) => tool("read", json!({"filePath": path})),
        Act::Write { path, text } => tool("write", json!({"filePath": path, "content": text})),
        Act::Edit { path, old, new } => tool("edit", json!({"filePath": path, "oldString": old, "newString": new})),
        Act::Delegate(task) => {
            tool("task", json!({"description": "A task", "prompt": task, "subagent_type": "general"}))
        }
        Act::Patch(patch) => tool("apply_patch", json!({ "patchText": patch })),
        Act::Skill { name, .. } => tool("skill", json!({"name": name})),
        Act::Mcp { server, tool: name } => tool(format!("{server}_{name}"), json!({})),
    }
}

/// A module that runs a hook before every command.
pub(super) fn plugin(existing: &Existing) -> String {
    format!(
        "import {{ execSync }} from \"node:child_process\";\n\nexport const Mine = async () => ({{\n  \
         \"tool.execute.before\": async (input) => {{\n    if (input.tool === \"bash\") execSync({});\n  }},\n}});\n",
        json!(existing.hook)
    )
}

fn existing(scope: Scope, existing: &Existing) -> Vec<(String, String)> {
    let config = json!({
        "$schema": "https://opencode.ai/config.json",
        "mcp": {"probe": {"type": "local", "command": [existing.server, "probe-server"], "enabled": true}},
    });
    let (plugins, settings) = match scope {
        Scope::User => (".config/opencode/plugins/mine.js", ".config/opencode/opencode.json"),
        Scope::Project => ("project/.opencode/plugins/mine.js", "project/opencode.json"),
    };
    vec![(plugins.to_owned(), plugin(existing)), file(settings, &config)]
}
