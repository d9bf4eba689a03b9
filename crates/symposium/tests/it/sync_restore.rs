//! `symposium sync --restore`.

use expect_test::expect;

use crate::{check, json, with_fixture};

#[test]
fn an_edited_skill_is_put_back_wherever_it_is_installed() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "codex"]).expect(0);
    let places = [".claude/skills", ".agents/skills"].map(|parent| context.workspace().join(parent));
    let before = context.tree(context.workspace());
    let original = std::fs::read_to_string(places[0].join("serde/SKILL.md")).unwrap();
    std::fs::write(places[0].join("serde/SKILL.md"), "mine").unwrap();
    std::fs::write(places[1].join("serde/notes.md"), "mine").unwrap();
    std::fs::write(places[0].join("tokio/SKILL.md"), "mine").unwrap();
    check(
        context.invoke(&["sync", "--restore", "serde", "--dry-run"]),
        expect![[r#"
            would restore .claude/skills/serde  for claude
            would restore .agents/skills/serde  for codex
            --- stderr
            warning: $WORKSPACE/.claude/skills/tokio was edited after Symposium wrote it; it is kept unchanged
        "#]],
    );
    assert_eq!(std::fs::read_to_string(places[0].join("serde/SKILL.md")).unwrap(), "mine");
    let document = json(context.invoke(&["sync", "--restore", "serde", "--dry-run", "--json"]));
    assert_eq!(document["actions"][0]["kind"], "install");
    assert_eq!(document["actions"][0]["extension"], "serde");
    check(
        context.invoke(&["sync", "--restore", "serde"]),
        expect![[r#"
            restored      .claude/skills/serde  for claude
            restored      .agents/skills/serde  for codex
            --- stderr
            warning: $WORKSPACE/.claude/skills/tokio was edited after Symposium wrote it; it is kept unchanged
        "#]],
    );
    assert_eq!(std::fs::read_to_string(places[0].join("serde/SKILL.md")).unwrap(), original);
    assert_eq!(std::fs::read_to_string(places[0].join("tokio/SKILL.md")).unwrap(), "mine", "the other is kept");
    check(
        context.invoke(&["sync", "--restore", "serde", "--restore", "tokio"]),
        expect![[r#"
            restored      .claude/skills/tokio  for claude
            --- stderr
            note: skill `serde` is already up to date with its source
        "#]],
    );
    assert_eq!(context.tree(context.workspace()), before);
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
}

#[test]
fn a_skill_that_was_deleted_or_emptied_comes_back() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let before = context.tree(context.workspace());
    let skill = context.workspace().join(".claude/skills/serde");
    std::fs::remove_dir_all(&skill).unwrap();
    check(
        context.invoke(&["sync", "--restore", "serde"]),
        expect![[r#"
            installed     .claude/skills/serde  for claude
        "#]],
    );
    std::fs::remove_dir_all(&skill).unwrap();
    std::fs::create_dir(&skill).unwrap();
    context.invoke(&["sync", "--restore", "serde"]).expect(0);
    std::fs::remove_dir_all(&skill).unwrap();
    std::os::unix::fs::symlink(context.root(), &skill).unwrap();
    context.invoke(&["sync", "--restore", "serde"]).expect(0);
    assert_eq!(context.tree(context.workspace()), before);
    assert!(context.workspace().join("Cargo.toml").exists(), "what a link leads to is left alone");
}

#[test]
fn a_name_that_means_nothing_here_is_a_no_and_nothing_is_done() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    std::fs::remove_dir_all(context.workspace().join(".claude/skills/tokio")).unwrap();
    check(
        context.invoke(&["sync", "--restore", "serd"]),
        expect![[r#"
            --- stderr
            error: skill `serd` is not installed in this workspace
            help: did you mean `serde`?
            --- exit 1
        "#]],
    );
    assert!(!context.workspace().join(".claude/skills/tokio").exists(), "nothing else was done either");
    check(
        context.invoke(&["sync", "--restore", "something-else"]),
        expect![[r#"
            --- stderr
            error: skill `something-else` is not installed in this workspace
            help: run `symposium status` to list extensions
            --- exit 1
        "#]],
    );
}

#[test]
fn what_has_no_source_any_more_cannot_be_put_back() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    std::fs::remove_dir_all(context.config_dir().join("plugins/serde-plugin/skills/serde-deep")).unwrap();
    let output = context.invoke(&["sync", "--restore", "serde-deep"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(context.workspace().join(".claude/skills/serde-deep").exists(), "nothing was done");
}

#[test]
fn a_directory_of_the_users_own_is_never_put_back() {
    let context = with_fixture(&["workspace0"]);
    context.write(".claude/skills/serde/SKILL.md", "the user's");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let skills = context.workspace().join(".claude/skills");
    std::fs::write(skills.join("serde-symposium/SKILL.md"), "edited").unwrap();
    check(
        context.invoke(&["sync", "--restore", "serde"]),
        expect![[r#"
            restored      .claude/skills/serde-symposium  for claude
        "#]],
    );
    assert_eq!(std::fs::read_to_string(skills.join("serde/SKILL.md")).unwrap(), "the user's");
}
