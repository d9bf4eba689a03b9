//! `symposium uninstall`.

use expect_test::expect;

use crate::{check, with_fixture};

#[test]
fn it_asks_first_shows_what_it_would_do_and_does_it() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    check(
        context.invoke(&["uninstall"]),
        expect![[r#"
        --- stderr
        error: Nothing was changed: uninstalling needs a yes
        hint: pass `--yes`; `--dry-run` shows what would be done
        --- exit 2
    "#]],
    );
    check(
        context.invoke(&["uninstall", "--dry-run"]),
        expect![[r#"
        would remove  ~/.symposium/config.toml
        would remove  .symposium/config.toml
        would restore ~/.claude/settings.json  for claude
        would restore ~/.claude.json  for claude
        would remove  .claude/skills/serde  for claude
        would remove  .claude/skills/tokio  for claude
    "#]],
    );
    check(
        context.invoke(&["uninstall", "--yes"]),
        expect![[r#"
        removed       ~/.symposium/config.toml
        removed       .symposium/config.toml
        restored      ~/.claude/settings.json  for claude
        restored      ~/.claude.json  for claude
        removed       .claude/skills/serde  for claude
        removed       .claude/skills/tokio  for claude
    "#]],
    );
    check(
        context.invoke(&["uninstall", "--yes"]),
        expect![[r#"
        Everything is in step; nothing to do.
    "#]],
    );
}

#[test]
fn the_project_alone_leaves_the_user_set_up() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["uninstall", "--project", "--yes"]).expect(0);
    assert!(!context.workspace().join(".symposium").exists() && !context.workspace().join(".claude").exists());
    assert!(context.root().join("home/.claude/settings.json").exists());
    assert!(context.config_dir().join("config.toml").exists());
}

#[test]
fn other_workspaces_are_named_and_cleaned_on_request() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let other = context.root().join("other");
    std::fs::create_dir_all(other.join("src")).unwrap();
    for file in ["Cargo.toml", "Cargo.lock"] {
        std::fs::copy(context.workspace().join(file), other.join(file)).unwrap();
    }
    context.invoke_in(&other, &["sync"]).expect(0);
    assert!(other.join(".claude/skills/serde").exists());
    let output = context.invoke(&["uninstall", "--project", "--yes"]);
    assert!(output.stderr.contains("Still set up elsewhere: $ROOT/other"), "{output:?}");
    context.invoke(&["uninstall", "--all", "--yes"]).expect(0);
    assert!(!other.join(".claude").exists() && !other.join(".symposium").exists());
    assert!(!context.config_dir().exists());
}

#[test]
fn a_users_plugins_stay() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.write_config("plugins/mine/SKILL.md", "---\nname: mine\ndescription: d\n---\n");
    let output = context.invoke(&["uninstall", "--yes"]);
    assert!(output.stderr.contains("$CONFIG_DIR/plugins is yours, and stays"), "{output:?}");
    assert!(context.config_dir().join("plugins/mine/SKILL.md").exists());
    assert!(!context.config_dir().join("config.toml").exists());
}
