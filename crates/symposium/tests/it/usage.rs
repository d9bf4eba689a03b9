//! How often skills were loaded: counted by the hook, shown by `status` and `why`.

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::{json as document, with_fixture};

/// An agent loads a skill.
fn load(context: &TestContext, agent: &str, name: &str) {
    let event = json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default",
        "cwd": context.workspace(), "tool_name": "Skill", "tool_input": {"skill": name}, "tool_response": {}});
    context.invoke_hook(agent, "post-tool-use", &event.to_string()).expect(0);
}

fn used(context: &TestContext, name: &str) -> Value {
    let found = document(context.invoke(&["status", "--json"]));
    let rows = found["extensions"].as_array().unwrap();
    rows.iter().find(|row| row["name"] == name).unwrap()["used"].clone()
}

#[test]
fn loads_are_counted_and_shown() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    assert_eq!(used(&context, "serde-basics"), Value::Null);
    load(&context, "claude", "serde-basics");
    load(&context, "claude", "serde-basics");
    load(&context, "codex", "serde-basics");
    let found = used(&context, "serde-basics");
    assert_eq!((&found["count"], &found["agent"]), (&json!(3), &json!("codex")), "{found}");
    assert!(found["last"].as_str().unwrap().ends_with('Z'), "{found}");
    assert_eq!(used(&context, "serde-deep"), Value::Null);
    let shown = context.invoke(&["status"]).expect(0);
    assert!(shown.contains("USED") && shown.contains("3x, just now"), "{shown}");
    let why = context.invoke(&["why", "serde-basics"]).expect(0);
    assert!(why.contains("  - agents loaded it 3 times here, last just now with codex\n"), "{why}");
    // Another workspace has counts of its own.
    let other = context.root().join("other");
    std::fs::create_dir_all(other.join("src")).unwrap();
    for file in ["Cargo.toml", "Cargo.lock", "src/lib.rs"] {
        std::fs::copy(context.workspace().join(file), other.join(file)).unwrap();
    }
    let found = context.invoke_in(&other, &["status", "--json"]).expect(0);
    assert!(!found.contains("\"count\""), "{found}");
}

#[test]
fn what_is_kept_is_a_name_and_a_count_and_goes_with_everything_else() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    load(&context, "claude", "serde-basics");
    let file = context.config_dir().join("usage");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.ends_with(" s serde-basics\n") && !text.contains(context.workspace().to_str().unwrap()), "{text}");
    for name in ["", "../x", "a b", "a\nb"] {
        load(&context, "claude", name);
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "what is no name is not kept");
    std::fs::write(&file, "what is this\n\u{0}\n").unwrap();
    assert_eq!(used(&context, "serde-basics"), Value::Null);
    load(&context, "claude", "serde-basics");
    assert_eq!(used(&context, "serde-basics")["count"], 1);
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(!file.exists() && !context.config_dir().join("usage.lock").exists());
}

#[test]
fn either_the_user_or_the_project_can_switch_it_off() {
    for (user, project, counts) in [
        ("", "[usage]\nrecord = false\n", false),
        ("[usage]\nrecord = false\n", "", false),
        ("[usage]\nrecord = false\n", "[usage]\nrecord = true\n", false),
        ("[usage]\nrecord = true\n", "", true),
    ] {
        let context = with_fixture(&["workspace0"]);
        context.write_config("config.toml", format!("[agent]\nname = \"claude\"\n{user}"));
        context.write(".symposium/config.toml", project);
        load(&context, "claude", "serde");
        assert_eq!(context.config_dir().join("usage").exists(), counts, "{user}{project}");
    }
}
