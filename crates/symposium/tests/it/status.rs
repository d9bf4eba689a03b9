//! `symposium status`.

use expect_test::expect;

use crate::{check, json, with_fixture};

#[test]
fn every_extension_with_its_state_and_agents() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write(".symposium/config.toml", "[skills]\n\"serde/serde-deep\" = false\n");
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "kiro"]).expect(0);
    check(
        context.invoke(&["status"]),
        expect![[r#"
        EXTENSION     CRATE          SOURCE        STATE  AGENTS
        serde-basics  serde 1.0.219  user-plugins  on     claude, kiro
        serde-deep    serde 1.0.219  user-plugins  off    -
        serde-plugin  -              user-plugins  on     -
    "#]],
    );
    let document = json(context.invoke(&["status", "--json"]));
    let first = &document["extensions"][0];
    for field in ["name", "kind", "crate", "crate_version", "source", "state", "agents", "reason"] {
        assert!(first.get(field).is_some(), "{field} in {first}");
    }
}

#[test]
fn what_nothing_asks_for_any_more_is_orphaned() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    std::fs::remove_dir_all(context.config_dir().join("plugins/serde-plugin/skills/serde-deep")).unwrap();
    let document = json(context.invoke(&["status", "--json"]));
    let orphan = document["extensions"].as_array().unwrap().iter().find(|row| row["name"] == "serde-deep").unwrap();
    assert_eq!(orphan["state"], "orphaned");
    context.invoke(&["sync"]).expect(0);
    assert!(!context.workspace().join(".claude/skills/serde-deep").exists());
}

#[test]
fn an_orphan_that_was_edited_is_said_to_be_kept_and_is() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "codex"]).expect(0);
    std::fs::remove_dir_all(context.config_dir().join("plugins/serde-plugin/skills/serde-deep")).unwrap();
    let row = || {
        let document = json(context.invoke(&["status", "--json"]));
        document["extensions"].as_array().unwrap().iter().find(|row| row["name"] == "serde-deep").cloned()
    };
    let found = row().unwrap();
    assert_eq!(found["reason"], "nothing asks for it any more; `symposium sync` removes it");
    assert_eq!(found["agents"], serde_json::json!(["claude", "codex"]));
    let skill = context.workspace().join(".claude/skills/serde-deep/SKILL.md");
    std::fs::write(&skill, "mine").unwrap();
    let reason =
        "nothing asks for it any more; `symposium sync` removes it where it was not edited, and keeps the rest";
    assert_eq!(row().unwrap()["reason"], reason);
    context.invoke(&["sync"]).expect(0);
    assert!(skill.exists() && !context.workspace().join(".agents/skills/serde-deep").exists());
    let found = row().unwrap();
    assert_eq!((found["state"].as_str(), &found["agents"]), (Some("orphaned"), &serde_json::json!(["claude"])));
    assert_eq!(found["reason"], "nothing asks for it any more; it was edited since it was installed, so it is kept");
    std::fs::remove_dir_all(skill.parent().unwrap()).unwrap();
    assert_eq!(row(), None, "what is not there is not installed");
}
