//! What is secret in a plugin's servers is in the agent's settings, which need it, and in no state of ours.

use std::path::Path;

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::with_fixture;

/// A server with a secret at every place that can have one.
const MANIFEST: &str = r#"name = "tools"
[[mcp_servers]]
name = "local"
command = "tool-mcp"
args = ["--token", "S3CRET-argument"]
[mcp_servers.env]
API_KEY = "S3CRET-variable"

[[mcp_servers]]
name = "remote"
url = "https://example.com/mcp?key=S3CRET-address"
[mcp_servers.headers]
Authorization = "Bearer S3CRET-header"
"#;

const CODEX: &str = "model = \"o\" # mine\n";
const CLAUDE: &str = "{ \"x\": 1 }\n";

/// A user with such servers, registered with agents that write JSON and TOML.
fn registered() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/tools/symposium.toml", MANIFEST);
    std::fs::create_dir_all(context.root().join("home/.codex")).unwrap();
    std::fs::write(context.root().join("home/.codex/config.toml"), CODEX).unwrap();
    std::fs::write(context.root().join("home/.claude.json"), CLAUDE).unwrap();
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "codex"]).expect(0);
    context
}

fn text(context: &TestContext, path: &str) -> String {
    std::fs::read_to_string(context.root().join(path)).unwrap()
}

/// Files below a directory that name a secret, but for the plugin itself.
fn leaks(directory: &Path) -> Vec<String> {
    let mut open = vec![directory.to_owned()];
    let mut found = Vec::new();
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(&directory).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if !path.ends_with("plugins/tools/symposium.toml")
                && std::fs::read(&path).unwrap().windows(6).any(|part| part == b"S3CRET")
            {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

#[track_caller]
fn is_taken_back(context: &TestContext) {
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(
        (text(context, "home/.codex/config.toml"), text(context, "home/.claude.json")),
        (CODEX.into(), CLAUDE.into())
    );
}

#[test]
fn secrets_of_servers_are_in_no_state_of_ours() {
    let context = registered();
    for path in ["home/.claude.json", "home/.codex/config.toml"] {
        assert!(text(&context, path).contains("S3CRET-variable"), "{path}");
    }
    let event = format!(r#"{{"session_id":"s","cwd":"{}","source":"startup"}}"#, context.workspace().display());
    context.invoke_hook("claude", "session-start", &event).expect(0);
    context.invoke(&["trust", "--yes"]).expect(0);
    context.invoke(&["status"]).expect(0);
    assert_eq!(leaks(context.config_dir()), [] as [String; 0]);
    is_taken_back(&context);
}

#[test]
fn a_changed_secret_is_brought_up_to_date_and_an_edited_entry_stays() {
    let context = registered();
    context.write_config("plugins/tools/symposium.toml", MANIFEST.replace("S3CRET-variable", "S3CRET-other"));
    context.invoke(&["sync"]).expect(0);
    for path in ["home/.claude.json", "home/.codex/config.toml"] {
        let text = text(&context, path);
        assert!(text.contains("S3CRET-other") && !text.contains("S3CRET-variable"), "{text}");
    }
    let claude = context.root().join("home/.claude.json");
    std::fs::write(&claude, text(&context, "home/.claude.json").replace("tool-mcp", "mine")).unwrap();
    context.invoke(&["uninstall", "--yes"]).expect(0);
    let left: Value = serde_json::from_str(&text(&context, "home/.claude.json")).unwrap();
    assert_eq!(left["mcpServers"]["local"]["command"], "mine", "the user's by now");
    assert_eq!(left["mcpServers"].get("remote"), None);
    assert_eq!(text(&context, "home/.codex/config.toml"), CODEX);
}

/// Version 0.6.0 recorded the values themselves.
#[test]
fn a_record_with_values_is_used_and_loses_them() {
    for rewritten in [true, false] {
        let context = registered();
        let path = context.config_dir().join("ledger.json");
        let mut ledger: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let mut values = 0;
        for entry in ledger["records"]
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .filter_map(|record| {
                record["written"].get_mut("entries").and_then(|written| written["entries"].as_array_mut())
            })
            .flatten()
        {
            let name = entry["path"][1].as_str().unwrap_or_default().to_owned();
            let agent = if entry["path"][0] == "mcpServers" { "claude" } else { "codex" };
            if let Some(value) =
                as_written(&context, agent, &name).filter(|_| matches!(name.as_str(), "local" | "remote"))
            {
                entry["mark"] = json!({ "exactly": value });
                values += 1;
            }
        }
        assert_eq!(values, 4);
        std::fs::write(&path, serde_json::to_string_pretty(&ledger).unwrap()).unwrap();
        assert_eq!(leaks(context.config_dir()).len(), 1, "as 0.6.0 left it");
        if rewritten {
            assert_eq!(context.invoke(&["sync", "--check"]).code, 0, "it is known to be ours");
            context.invoke(&["sync"]).expect(0);
            assert_eq!(leaks(context.config_dir()), [] as [String; 0]);
        }
        is_taken_back(&context);
    }
}

/// The value of a server as it stands in an agent's settings.
fn as_written(context: &TestContext, agent: &str, name: &str) -> Option<Value> {
    if agent == "claude" {
        let settings: Value = serde_json::from_str(&text(context, "home/.claude.json")).unwrap();
        return settings["mcpServers"].get(name).cloned();
    }
    let settings: toml::Table = text(context, "home/.codex/config.toml").parse().unwrap();
    serde_json::to_value(settings.get("mcp_servers")?.get(name)?).ok()
}
