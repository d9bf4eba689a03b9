//! Cline.

#![expect(clippy::disallowed_methods, reason = "where the model is, Cline learns only from a file")]

use serde_json::json;

use super::{Act, Agent, Existing, Launch, Packaging, Scope, Start, file, strings, tool};
use crate::model::ToolCall;

pub(super) const AGENT: Agent = Agent {
    name: "cline",
    title: "Cline",
    // The program is in the package of its platform; it loads plugins with the help of the others.
    package: "cline",
    version: "3.0.65",
    packaging: Packaging::Installed,
    program: "@cline/cli-linux-x64/bin/cline",
    kept: None,
    defaults: "",
    variants: &["scripted", "gpt-5.5"],
    launch,
    call,
    existing,
};

fn launch(launch: &Launch) -> Start {
    let settings = json!({"provider": "openai-compatible", "apiKey": "dummy", "model": launch.variant,
        "baseUrl": format!("{}/v1", launch.model)});
    let providers = json!({"version": 1, "lastUsedProvider": "openai-compatible", "modes": {}, "providers": {
        "openai-compatible":
            {"settings": settings, "updatedAt": "2026-11-18T00:00:00.000Z", "tokenSource": "manual"},
    }});
    let port = launch.model.rsplit(':').next().unwrap_or_default();
    let path = launch.cache.join(format!("providers-{port}.json"));
    drop(std::fs::write(&path, providers.to_string()));
    Start {
        arguments: strings(&[
            "--json",
            "-P",
            "openai-compatible",
            "-m",
            launch.variant,
            "--auto-approve",
            "true",
            launch.prompt,
        ]),
        environment: vec![
            ("CLINE_PROVIDER_SETTINGS_PATH", path.display().to_string()),
            // It gives plugins four seconds to load, which a busy machine needs.
            ("CLINE_PLUGIN_IMPORT_TIMEOUT_MS", "120000".to_owned()),
            ("CLINE_NO_AUTO_UPDATE", "1".to_owned()),
            ("CLINE_NO_INTERACTIVE", "1".to_owned()),
            ("CLINE_TELEMETRY_DISABLED", "1".to_owned()),
            ("DO_NOT_TRACK", "1".to_owned()),
        ],
    }
}

fn call(act: &Act) -> ToolCall {
    match act {
        Act::Shell(command) => tool("run_commands", json!({"commands": [command]})),
        Act::Read(path) => tool("read_files", json!({"files": [{"path": path}]})),
        Act::Write { path, text } => tool("editor", json!({"path": path, "new_text": text})),
        Act::Edit { path, old, new } => tool("editor", json!({"path": path, "old_text": old, "new_text": new})),
        Act::Delegate(task) => tool("spawn_agent", json!({"systemPrompt": "You help.", "task": task})),
        Act::Patch(patch) => tool("apply_patch", json!({ "input": patch })),
        Act::Skill { name, .. } => tool("skills", json!({"skill": name})),
        Act::Mcp { server, tool: name } => tool(format!("{server}__{name}"), json!({})),
    }
}

/// A hook file, which runs for every tool, and a server; there is no file for the servers of a project.
fn existing(scope: Scope, existing: &Existing) -> Vec<(String, String)> {
    let servers = json!({"mcpServers": {"probe": {"command": existing.server, "args": ["probe-server"]}}});
    let servers = file(".cline/data/settings/cline_mcp_settings.json", &servers);
    let hooks = match scope {
        Scope::User => ".cline/hooks/PreToolUse",
        Scope::Project => "project/.cline/hooks/PreToolUse",
    };
    vec![(hooks.to_owned(), format!("#!/bin/sh\nif grep -q run_commands; then {}; fi\n", existing.hook)), servers]
}
