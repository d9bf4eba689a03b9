//! A session start restores files that are gone, and leaves those that the project commits alone.

use serde_json::json;
use symposium_testkit::TestContext;

use crate::{git, with_fixture};

fn start(context: &TestContext, agent: &str) -> String {
    context.settle();
    let event = json!({"session_id": "s", "source": "startup", "cwd": context.workspace()}).to_string();
    context.invoke_hook(agent, "session-start", &event).expect(0)
}

/// Skills are ignored by git, so `git clean` takes them away.
#[test]
fn what_git_clean_took_away_is_there_again_when_a_session_starts() {
    let context = with_fixture(&["workspace0"]);
    context.write(".symposium/config.toml", "[agent]\nname = [\"claude\", \"gemini\"]\n");
    context.invoke(&["sync"]).expect(0);
    let everything = context.tree(context.workspace());
    git(context.workspace(), &["init", "-q"]);
    git(context.workspace(), &["add", "Cargo.toml", "Cargo.lock", "src", ".symposium"]);
    git(context.workspace(), &["commit", "-qm", "x"]);
    git(context.workspace(), &["clean", "-qfdx"]);
    assert!(!context.workspace().join(".claude").exists());
    let said = start(&context, "claude");
    assert!(said.contains("\"reloadSkills\":true"), "{said}");
    std::fs::remove_dir_all(context.workspace().join(".git")).unwrap();
    assert_eq!(context.tree(context.workspace()), everything);
    context.invoke(&["sync", "--check"]).expect(0);
}

#[test]
fn one_skill_that_is_gone_is_enough() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    start(&context, "claude");
    let skill = context.workspace().join(".claude/skills/serde/SKILL.md");
    std::fs::remove_dir_all(skill.parent().unwrap()).unwrap();
    start(&context, "claude");
    assert!(skill.exists());
}

#[test]
fn without_auto_sync_nothing_is_restored_and_nothing_is_listed_that_is_not_there() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\nauto-sync = false\n");
    let said = start(&context, "claude");
    assert!(!said.contains("(skill "), "nothing was ever installed: {said}");
    context.invoke(&["sync"]).expect(0);
    assert!(start(&context, "claude").contains("(skill serde)"));
    std::fs::remove_dir_all(context.workspace().join(".claude/skills/serde")).unwrap();
    for _ in 0..2 {
        let said = start(&context, "claude");
        assert!(said.contains("(skill tokio)") && !said.contains("(skill serde)"), "{said}");
        assert!(!context.workspace().join(".claude/skills/serde").exists());
    }
    std::fs::remove_dir_all(context.workspace().join(".claude")).unwrap();
    let said = start(&context, "claude");
    assert!(said.contains("symposium start") && !said.contains("(skill "), "{said}");
}

/// A change is for a person to commit, so a person asks for it.
#[test]
fn a_session_start_writes_neither_configuration_nor_lock() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["sync", "--lock"]).expect(0);
    let committed = || context.tree(&context.workspace().join(".symposium"));
    let read = |name: &str| std::fs::read_to_string(context.workspace().join(".symposium").join(name)).unwrap();
    let (files, config, lock) = (committed(), read("config.toml"), read("symposium.lock"));
    let manifest = std::fs::read_to_string(context.workspace().join("Cargo.toml")).unwrap();
    let cargo_lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    context.write("Cargo.toml", format!("{manifest}regex = \"1\"\n"));
    let cargo_lock = cargo_lock.replace(" \"serde\",", " \"regex\",\n \"serde\",");
    let registry = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    context.write(
        "Cargo.lock",
        format!("{cargo_lock}\n[[package]]\nname = \"regex\"\nversion = \"1.11.1\"\n{registry}\n"),
    );
    start(&context, "claude");
    assert!(context.workspace().join(".claude/skills/regex/SKILL.md").exists(), "its skill is there all the same");
    assert_eq!((committed(), read("config.toml"), read("symposium.lock")), (files, config, lock));
    context.invoke(&["sync", "--check"]).expect(1);
    context.invoke(&["sync"]).expect(0);
    assert!(read("config.toml").contains("regex = true") && read("symposium.lock").contains("regex 1.11.1"));
}

/// Skills that a team commits are its files.
#[test]
fn a_session_start_leaves_committed_skills_as_they_are() {
    let context = with_fixture(&["workspace0"]);
    context.write(".symposium/config.toml", "[install]\ncommit = true\n");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    git(context.workspace(), &["init", "-q"]);
    git(context.workspace(), &["add", "-A"]);
    git(context.workspace(), &["commit", "-qm", "x"]);
    start(&context, "claude");
    let skill = context.workspace().join(".claude/skills/serde/SKILL.md");
    std::fs::remove_dir_all(skill.parent().unwrap()).unwrap();
    std::fs::remove_dir_all(context.workspace().join(".claude/skills/tokio")).unwrap();
    git(context.workspace(), &["rm", "-rq", "--cached", ".claude/skills/tokio"]);
    start(&context, "claude");
    assert!(!skill.exists(), "git has it");
    assert!(context.workspace().join(".claude/skills/tokio/SKILL.md").exists(), "nobody else has it");
}
