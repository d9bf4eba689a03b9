//! `symposium sync`.

use expect_test::expect;

use crate::{check, with_fixture};

#[test]
fn a_new_dependency_is_something_to_do_and_then_nothing_is() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
    let manifest = std::fs::read_to_string(context.workspace().join("Cargo.toml")).unwrap();
    context.write("Cargo.toml", format!("{manifest}regex = \"1\"\n"));
    let lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    let lock = lock.replace(" \"serde\",\n", " \"regex\",\n \"serde\",\n");
    let package = "\n[[package]]\nname = \"regex\"\nversion = \"1.11.1\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
    context.write("Cargo.lock", format!("{lock}{package}"));
    check(
        context.invoke(&["sync", "--check"]),
        expect![[r#"
            would write   .symposium/config.toml
            would install .claude/skills/regex  for claude
            --- exit 1
        "#]],
    );
    check(
        context.invoke(&["sync"]),
        expect![[r#"
            wrote         .symposium/config.toml
            installed     .claude/skills/regex  for claude
        "#]],
    );
    check(
        context.invoke(&["sync", "--check"]),
        expect![[r#"
            Everything is in step; nothing to do.
        "#]],
    );
}

#[test]
fn choices_and_comments_in_the_project_configuration_stay() {
    let context = with_fixture(&["workspace0"]);
    context.write(
        ".symposium/config.toml",
        "# ours\r\n[skills]\r\ngone = true # nobody\r\ntokio = false   # not here\r\n\r\n[workflows]\r\n",
    );
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync"]).expect(0);
    let text = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    expect![[r#"
        # ours␍
        [skills]␍
        tokio = false   # not here␍
        serde = true␍
        ␍
        [workflows]␍
    "#]]
    .assert_eq(&text.replace('\r', "\u{240d}"));
    assert!(!context.workspace().join(".claude/skills/tokio").exists());
    assert!(context.workspace().join(".claude/skills/serde").exists());
}

#[test]
fn new_extensions_take_the_default_that_is_set() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\nsync-default = false\n");
    context.invoke(&["sync"]).expect(0);
    let text = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    assert!(text.contains("serde = false"), "{text}");
    assert!(!context.workspace().join(".claude").exists());
}

#[test]
fn without_any_agent_the_project_alone_is_kept_in_step() {
    let context = with_fixture(&["workspace0"]);
    check(
        context.invoke(&["sync"]),
        expect![[r#"
        wrote         .symposium/config.toml
        --- stderr
        warning: No agent is configured, so only the project's own file is kept in step
        hint: `symposium init` sets up the agents you use
    "#]],
    );
}

#[test]
fn the_two_halves_can_be_run_alone() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync", "--agent"]).expect(0);
    assert!(context.workspace().join(".claude/skills/serde/SKILL.md").exists());
    assert!(!context.workspace().join(".symposium").exists());
    context.invoke(&["sync", "--workspace"]).expect(0);
    assert!(context.workspace().join(".symposium/config.toml").exists());
}

#[test]
fn committed_skills_have_no_ignore_file() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync"]).expect(0);
    assert!(context.workspace().join(".claude/skills/serde/.gitignore").exists());
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n[install]\ncommit = true\n");
    context.invoke(&["sync"]).expect(0);
    assert!(!context.workspace().join(".claude/skills/serde/.gitignore").exists());
    assert!(context.workspace().join(".claude/skills/serde/SKILL.md").exists());
}
