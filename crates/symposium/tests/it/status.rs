//! `symposium status`.

use expect_test::expect;

use symposium_testkit::TestContext;

use crate::{bound_by_modes, check, json, set_mode, with_fixture};

/// The row of a skill.
fn row(context: &TestContext, name: &str) -> serde_json::Value {
    let document = json(context.invoke(&["status", "--json"]));
    let rows = document["extensions"].as_array().unwrap();
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name} in {document}")).clone()
}

#[test]
fn every_extension_with_its_state_and_agents() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write(".symposium/config.toml", "[skills]\n\"serde/serde-deep\" = false\n");
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "kiro"]).expect(0);
    check(
        context.invoke(&["status"]),
        expect![[r#"
            EXTENSION     CRATE          SOURCE        STATE  USED  AGENTS
            serde-basics  serde 1.0.219  user-plugins  on     -     claude, kiro
            serde-deep    serde 1.0.219  user-plugins  off    -     -
            serde-plugin  -              user-plugins  on     -     -
        "#]],
    );
    let document = json(context.invoke(&["status", "--json"]));
    let first = &document["extensions"][0];
    for field in ["name", "kind", "crate", "crate_version", "source", "state", "agents", "reason"] {
        assert!(first.get(field).is_some(), "{field} in {first}");
    }
}

#[test]
fn outside_a_workspace_it_says_so() {
    let context = with_fixture(&["workspace0"]);
    let outside = context.root().join("outside");
    std::fs::create_dir_all(&outside).unwrap();
    let said = "note: this directory is not part of a cargo workspace, so no skill applies; change to a directory with a Cargo.toml\n";
    assert_eq!(context.invoke_in(&outside, &["status"]).stderr, said);
    assert_eq!(context.invoke_in(&outside, &["status", "--json"]).stderr, "");
    assert!(!context.invoke(&["status"]).stderr.contains("cargo workspace"));
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
    assert_eq!(found["reason"], "no longer needed; `symposium sync` removes it");
    assert_eq!(found["agents"], serde_json::json!(["claude", "codex"]));
    let skill = context.workspace().join(".claude/skills/serde-deep/SKILL.md");
    std::fs::write(&skill, "mine").unwrap();
    let reason = "no longer needed; `symposium sync` removes the copies that were not edited";
    assert_eq!(row().unwrap()["reason"], reason);
    context.invoke(&["sync"]).expect(0);
    assert!(skill.exists() && !context.workspace().join(".agents/skills/serde-deep").exists());
    let found = row().unwrap();
    assert_eq!((found["state"].as_str(), &found["agents"]), (Some("orphaned"), &serde_json::json!(["claude"])));
    assert_eq!(found["reason"], "no longer needed; it was edited after installation, so it is kept");
    std::fs::remove_dir_all(skill.parent().unwrap()).unwrap();
    assert_eq!(row(), None, "what is not there is not installed");
}

#[test]
fn a_skill_that_waits_for_sync_says_so() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = [\"claude\", \"kiro\"]\n");
    let found = row(&context, "serde");
    assert_eq!((&found["state"], &found["agents"]), (&"on".into(), &serde_json::json!([])));
    assert_eq!(found["reason"], "not installed for claude, kiro yet; run `symposium sync`");
    let output = context.invoke(&["status"]);
    let said = "note: `serde` and 1 more are not installed for every agent; run `symposium sync`\n";
    assert_eq!(output.stderr, said);
    context.invoke(&["sync"]).expect(0);
    assert_eq!(row(&context, "serde")["reason"], "matches serde 1.0.219");
}

#[test]
fn a_skill_whose_place_is_the_users_is_in_conflict() {
    let context = with_fixture(&["workspace0"]);
    context.write(".claude/skills/serde", "a file of mine");
    context.write(".claude/skills/serde-symposium/SKILL.md", "mine too");
    context.write(".claude/skills/tokio/SKILL.md", "mine");
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "kiro"]).expect(0);
    check(
        context.invoke(&["status"]),
        expect![[r#"
            EXTENSION  CRATE          SOURCE   STATE                USED  AGENTS
            serde      serde 1.0.219  builtin  conflict             -     kiro
                not installed for claude: `.claude/skills/serde` belongs to you and is kept;
                rename it, and run `symposium sync`
            tokio      tokio 1.44.1   builtin  on                   -     claude, kiro
                installed as `tokio-symposium`, because you have your own `tokio`
            autofmt    -              builtin  off                  -     -
            rtk        -              builtin  off (rtk not found)  -     -
        "#]],
    );
    let found = row(&context, "serde");
    assert_eq!((&found["state"], &found["agents"]), (&"conflict".into(), &serde_json::json!(["kiro"])));
}

#[test]
fn a_skill_that_cannot_be_written_is_blocked() {
    let context = with_fixture(&["workspace0"]);
    context.write(".claude", "a file where a directory should be");
    let output = context.invoke(&["init", "--yes", "--agent", "claude"]);
    assert_eq!(output.code, 3);
    assert!(output.stderr.contains("not written: `$WORKSPACE/.claude` is not a directory"), "{}", output.stderr);
    let found = row(&context, "serde");
    assert_eq!(found["state"], "blocked");
    assert_eq!(
        found["reason"],
        "not installed for claude: `$WORKSPACE/.claude` is not a directory; fix that, and run `symposium sync`"
    );
    std::fs::remove_file(context.workspace().join(".claude")).unwrap();
    std::fs::create_dir(context.workspace().join(".claude")).unwrap();
    set_mode(&context.workspace().join(".claude"), 0o555);
    let output = context.invoke_through(bound_by_modes(&context), &["status", "--json"]);
    set_mode(&context.workspace().join(".claude"), 0o755);
    assert!(output.stdout.contains("`$WORKSPACE/.claude` is not writable; fix that"), "{}", output.stdout);
    assert_eq!(row(&context, "serde")["state"], "on");
}

#[test]
fn a_skill_whose_record_is_lost_says_so() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    std::fs::remove_file(context.config_dir().join("ledger.json")).unwrap();
    let reason = "on disk for claude, but not recorded; run `symposium sync`";
    assert_eq!(row(&context, "serde")["reason"], reason);
    context.invoke(&["sync"]).expect(0);
    assert_eq!(row(&context, "serde")["agents"], serde_json::json!(["claude"]));
}

#[test]
fn what_is_odd_about_the_workspace_is_said_once() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    std::fs::remove_file(context.workspace().join("Cargo.lock")).unwrap();
    for command in [&["status"][..], &["why", "serde"], &["plugin", "list"], &["plugin", "show", "serde-plugin"]] {
        let said = context.invoke(command).stderr;
        assert_eq!(said.matches("`Cargo.lock` does not exist").count(), 1, "{command:?}: {said}");
    }
}
