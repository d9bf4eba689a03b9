//! The tables against the tools that agents really offer: `tests/tools/AGENT.json`, which `cargo xtask e2e
//! --record-tools --scenario tools` writes. A tool that is neither translated nor known to be harmless fails, so that a
//! maintainer looks at it.

use std::path::PathBuf;

use serde_json::{Map, Value, json};
use symposium_agents::wire::{EventPeek, decode, speaker};
use symposium_agents::{AgentDialect, AgentEvent, dialect};
use symposium_model::agent::AgentId;
use symposium_model::hook::Event;

/// Returns the dialect of a list. VS Code reads the settings of Claude Code.
fn dialect_of(name: &str) -> &'static AgentDialect {
    match AgentId::parse(name) {
        Some(agent) => dialect(agent),
        None => {
            let event = json!({"timestamp": "t", "hookEventName": "PreToolUse"}).to_string();
            let peek: EventPeek<'_> = serde_json::from_str(&event).unwrap();
            let guest = speaker(dialect(AgentId::Claude), &peek);
            assert_eq!(guest.owner.name(), name);
            guest
        }
    }
}

fn recorded(name: &str) -> Map<String, Value> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/tools/{name}.json"));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let list: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(list["agent"], name);
    assert!(list["seen-in"].is_string(), "{name}: who says so?");
    list["tools"].as_object().unwrap().clone()
}

fn names() -> impl Iterator<Item = &'static str> {
    AgentId::ALL.into_iter().map(AgentId::name).chain(["vscode"])
}

fn unknown(dialect: &AgentDialect, tools: &Map<String, Value>) -> Vec<String> {
    let wire = &dialect.wire;
    let is_known =
        |name: &str| wire.harmless.contains(&name) || wire.tools.iter().any(|tool| tool.native.contains(&name));
    tools.keys().filter(|name| !is_known(name)).cloned().collect()
}

#[test]
fn every_tool_an_agent_offers_is_translated_or_does_no_harm() {
    for name in names() {
        let unknown = unknown(dialect_of(name), &recorded(name));
        assert!(
            unknown.is_empty(),
            "{name} offers {unknown:?}: give them a canonical name, or list them as harmless and say why"
        );
    }
    let new = Map::from_iter([("BrandNew".to_owned(), json!({}))]);
    assert_eq!(unknown(dialect(AgentId::Claude), &new), ["BrandNew"]);
}

/// Checks that a tool which is given a command, or a path and a text, has a canonical name, since guards are for such
/// tools.
#[test]
fn what_is_given_a_command_or_a_text_for_a_file_has_a_canonical_name() {
    const COMMANDS: [&str; 6] = ["command", "cmd", "chars", "script", "code", "patchText"];
    const PATHS: [&str; 4] = ["path", "file_path", "filePath", "notebook_path"];
    const TEXTS: [&str; 7] = ["content", "file_text", "new_string", "new_str", "newString", "new_source", "newCode"];
    // Each of these starts agents or calls tools that raise events of their own, or has a label called `command`.
    const EXCEPTIONS: [(&str, &str); 5] =
        [("claude", "Workflow"), ("codex", "exec_command"), ("opencode", "task"), ("kilo", "task"), ("pi", "codemode")];
    for name in names() {
        for (tool, about) in recorded(name) {
            let has =
                |keys: &[&str]| about["keys"].as_array().unwrap().iter().any(|key| keys.iter().any(|of| key == of));
            let reaches = has(&COMMANDS) || (has(&PATHS) && has(&TEXTS));
            if !reaches || EXCEPTIONS.contains(&(name, &tool)) {
                continue;
            }
            let wire = &dialect_of(name).wire;
            let canonical: Vec<&str> =
                wire.tools.iter().filter(|row| row.native.contains(&tool.as_str())).map(|row| row.canonical).collect();
            let guarded = ["Bash", "Edit", "Write", "Patch"];
            assert!(canonical.iter().any(|name| guarded.contains(name)), "{name} {tool}: {canonical:?}");
        }
    }
}

/// Checks that no name is in a table twice for the same input: the second row would never count.
#[test]
fn every_row_of_a_table_can_be_reached() {
    for name in names() {
        let dialect = dialect_of(name);
        let fields = &dialect.wire.fields;
        for tool in dialect.wire.tools {
            for native in tool.native {
                let input = match (tool.only_with, tool.input) {
                    (Some((key, values)), _) => json!({key: values.first().copied().unwrap_or("x")}),
                    (None, symposium_agents::wire::ToolInput::Text(_)) => json!("text"),
                    (None, _) => json!({}),
                };
                let payload = json!({fields.tool_name[0]: native, fields.tool_input[0]: input});
                let Value::Object(payload) = payload else { panic!("an object") };
                let decoded = decode(dialect, AgentEvent::Canonical(Event::PreToolUse), payload, &[]).unwrap();
                assert_eq!(decoded.tool().unwrap().name, tool.canonical, "{name} {native} {input}");
            }
        }
    }
}
