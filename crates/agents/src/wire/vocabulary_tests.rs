use serde_json::json;
use symposium_model::agent::AgentId;

use super::*;
use crate::dialect;

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("an object") };
    object
}

fn canonical(agent: AgentId, name: &str, input: &Value, payload: Value) -> (String, Value) {
    let servers = ["symposium".to_owned(), "my-srv".to_owned(), "my".to_owned()];
    let (name, input) = to_canonical(&dialect(agent).wire, name, input, &object(payload), &servers);
    (name, Value::Object(input))
}

#[test]
fn tools_and_keys_get_canonical_names() {
    for (agent, name, input, expected, fields) in [
        (AgentId::Copilot, "view", json!({"path": "a", "x": 1}), "Read", json!({"file_path": "a", "x": 1})),
        (
            AgentId::Copilot,
            "create",
            json!({"path": "a", "file_text": "t"}),
            "Write",
            json!({"file_path": "a", "content": "t"}),
        ),
        (AgentId::Gemini, "search_file_content", json!({"pattern": "p"}), "Grep", json!({"pattern": "p"})),
        (AgentId::Gemini, "activate_skill", json!({"name": "s"}), "Skill", json!({"skill": "s"})),
        (
            AgentId::OpenCode,
            "edit",
            json!({"filePath": "a", "newString": "n"}),
            "Edit",
            json!({"file_path": "a", "new_string": "n"}),
        ),
        (
            AgentId::Kiro,
            "fs_write",
            json!({"command": "create", "path": "a"}),
            "Write",
            json!({"command": "create", "file_path": "a"}),
        ),
        (
            AgentId::Kiro,
            "fs_write",
            json!({"command": "str_replace", "path": "a"}),
            "Edit",
            json!({"command": "str_replace", "file_path": "a"}),
        ),
        (AgentId::Goose, "shell", json!({"command": "ls"}), "Bash", json!({"command": "ls"})),
        (
            AgentId::Goose,
            "edit",
            json!({"path": "a", "before": "o", "after": "n"}),
            "Edit",
            json!({"file_path": "a", "old_string": "o", "new_string": "n"}),
        ),
        (
            AgentId::Kiro,
            "fs_write",
            json!({"command": "append", "path": "a", "new_str": "n"}),
            "Edit",
            json!({"command": "append", "file_path": "a", "new_string": "n"}),
        ),
        (AgentId::Kiro, "write", json!({"path": "a"}), "Write", json!({"file_path": "a"})),
        (AgentId::Claude, "Nobody", json!({"x": null}), "Nobody", json!({"x": null})),
        (
            AgentId::Codex,
            "apply_patch",
            json!({"command": "*** Add File: a.rs\n+x\n"}),
            "Patch",
            json!({"patch": "*** Add File: a.rs\n+x\n", "files": ["a.rs"]}),
        ),
    ] {
        assert_eq!(canonical(agent, name, &input, json!({})), (expected.to_owned(), fields), "{agent} {name}");
    }
}

#[test]
fn tools_of_servers_are_told_apart_where_they_can_be() {
    let context = json!({"mcp_context": {"server_name": "a_b", "tool_name": "c"}});
    for (agent, name, payload, expected) in [
        (AgentId::Claude, "mcp__s__t", json!({}), "mcp__s__t"),
        (AgentId::Gemini, "mcp_a_b_c", context, "mcp__a_b__c"),
        (AgentId::Gemini, "mcp_symposium_list", json!({}), "mcp__symposium__list"),
        (AgentId::Copilot, "symposium-list", json!({}), "mcp__symposium__list"),
        // Both `my-srv` and `my` fit.
        (AgentId::Copilot, "my-srv-tool", json!({}), "my-srv-tool"),
        (AgentId::OpenCode, "symposium_list", json!({}), "mcp__symposium__list"),
        (AgentId::OpenCode, "other_list", json!({}), "other_list"),
        (AgentId::Goose, "symposium_symposium__list", json!({}), "mcp__symposium__list"),
        (AgentId::Goose, "ext__tool", json!({}), "mcp__ext__tool"),
        (AgentId::Kiro, "@s/t", json!({}), "mcp__s__t"),
        (AgentId::Cursor, "MCP:t", json!({}), "MCP:t"),
        (AgentId::Cursor, "MCP:t", json!({"mcp_server": {"name": "s"}}), "mcp__s__t"),
    ] {
        assert_eq!(canonical(agent, name, &json!({}), payload).0, expected, "{agent} {name}");
    }
}

#[test]
fn only_what_was_changed_is_mapped_back() {
    let native = json!({"path": "a", "file_text": "t", "unknown": [1]});
    let changed = object(json!({"content": "new", "added": true}));
    let back = to_native(&dialect(AgentId::Copilot).wire, "create", &native, &changed);
    assert_eq!(back, Some(json!({"path": "a", "file_text": "new", "unknown": [1], "added": true})));
    let patch = to_native(
        &dialect(AgentId::Codex).wire,
        "apply_patch",
        &json!({"command": "p"}),
        &object(json!({"patch": "q", "files": []})),
    );
    assert_eq!(patch, Some(json!({"command": "q"})));
    let text = to_native(
        &dialect(AgentId::Copilot).wire,
        "apply_patch",
        &json!("p"),
        &object(json!({"patch": "q", "files": []})),
    );
    assert_eq!(text, Some(json!("q")));
}

#[test]
fn canonical_tools_are_named_as_the_agent_would() {
    let given = object(json!({"file_path": "a", "content": "t"}));
    for (agent, name, expected) in [
        (AgentId::Copilot, "Write", Some(("create", json!({"path": "a", "file_text": "t"})))),
        (AgentId::Claude, "Write", Some(("Write", json!({"file_path": "a", "content": "t"})))),
        (AgentId::Gemini, "mcp__s__t", Some(("mcp_s_t", json!({"file_path": "a", "content": "t"})))),
        (AgentId::Codex, "Write", None),
    ] {
        let found = from_canonical(&dialect(agent).wire, name, &given);
        assert_eq!(found, expected.map(|(name, input)| (name.to_owned(), input)), "{agent} {name}");
    }
}

#[test]
fn a_tool_for_several_is_matched_by_all_their_names() {
    let patch = ["Patch", "apply_patch", "Edit", "Write"].as_slice();
    for (agent, name, native, names) in [
        (Some(AgentId::Codex), "Patch", Some("apply_patch"), patch),
        (None, "Patch", None, &["Patch", "Edit", "Write"]),
        (Some(AgentId::Claude), "Bash", Some("Bash"), &["Bash"]),
        (Some(AgentId::Goose), "Bash", Some("shell"), &["Bash", "shell"]),
        (Some(AgentId::Claude), "Write", Some("Write"), &["Write"]),
        (Some(AgentId::Cursor), "Write", Some("Write"), &["Write", "Edit"]),
    ] {
        let native = native.map(|name| NativeUse { name: name.to_owned(), input: json!({}) });
        let tool = ToolUse { name: name.to_owned(), input: Map::new(), native };
        assert_eq!(names_to_match(agent.map(dialect), &tool, &[]), names, "{agent:?} {name}");
    }
}

#[test]
fn a_tool_of_one_of_several_servers_is_matched_as_of_each() {
    let servers = ["hub", "hub-create", "other"].map(str::to_owned);
    let native = NativeUse { name: "hub-create-issue".to_owned(), input: json!({}) };
    let tool = ToolUse { name: native.name.clone(), input: Map::new(), native: Some(native) };
    let names = names_to_match(Some(dialect(AgentId::Copilot)), &tool, &servers);
    assert_eq!(names, ["hub-create-issue", "mcp__hub__create-issue", "mcp__hub-create__issue"]);
}

#[test]
fn what_an_unknown_tool_reaches_is_told_by_its_keys() {
    for (agent, name, input, key) in [
        (AgentId::Claude, "Brand", json!({"command": "x"}), Some("command")),
        (AgentId::OpenCode, "brand", json!({"filePath": "x"}), Some("filePath")),
        (AgentId::Claude, "Brand", json!({"zone": "x"}), None),
        (AgentId::Claude, "Bash", json!({"command": "x"}), None),
        (AgentId::Claude, "Workflow", json!({"script": "x"}), None),
        (AgentId::Claude, "mcp__s__t", json!({"path": "x"}), None),
        (AgentId::Claude, "Brand", json!("x"), None),
    ] {
        let native = NativeUse { name: name.to_owned(), input };
        let tool = ToolUse { name: name.to_owned(), input: Map::new(), native: Some(native) };
        assert_eq!(unknown_reach(dialect(agent), &tool), key, "{agent} {name}");
    }
}
