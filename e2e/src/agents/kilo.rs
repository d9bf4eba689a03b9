//! Kilo. It comes from OpenCode and takes the same settings, in variables and places of its own.

use serde_json::json;

use super::{Agent, Existing, Launch, Scope, Start, file, opencode};

pub(super) const AGENT: Agent = Agent {
    name: "kilo",
    title: "Kilo",
    package: "@kilocode/cli-linux-x64",
    version: "7.7.9",
    program: "@kilocode/cli-linux-x64/bin/kilo",
    launch,
    existing,
    ..opencode::AGENT
};

fn launch(launch: &Launch) -> Start {
    Start {
        arguments: opencode::arguments(launch),
        environment: vec![
            ("KILO_CONFIG_CONTENT", opencode::config(launch).to_string()),
            ("KILO_DISABLE_MODELS_FETCH", "1".to_owned()),
            ("KILO_DISABLE_AUTOUPDATE", "1".to_owned()),
            ("KILO_DISABLE_SHARE", "1".to_owned()),
            ("KILO_DISABLE_LSP_DOWNLOAD", "1".to_owned()),
            ("KILO_DISABLE_SESSION_INGEST", "1".to_owned()),
            ("KILO_TELEMETRY_LEVEL", "off".to_owned()),
            ("npm_config_fetch_retries", "0".to_owned()),
        ],
    }
}

fn existing(scope: Scope, existing: &Existing) -> Vec<(String, String)> {
    let config = json!({
        "$schema": "https://app.kilo.ai/config.json",
        "mcp": {"probe": {"type": "local", "command": [existing.server, "probe-server"], "enabled": true}},
    });
    let (plugins, settings) = match scope {
        Scope::User => (".config/kilo/plugins/mine.js", ".config/kilo/kilo.json"),
        Scope::Project => ("project/.kilo/plugins/mine.js", "project/kilo.json"),
    };
    vec![(plugins.to_owned(), opencode::plugin(existing)), file(settings, &config)]
}
