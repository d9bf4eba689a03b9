//! `[install] agents-md`: the block with the index of guidance in AGENTS.md.

use std::path::PathBuf;

use symposium_testkit::TestContext;

use crate::with_fixture;

/// A workspace that depends on serde, with a plugin of the project for it and one of the user.
fn machine() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.write_config(
        "plugins/secret/SKILL.md",
        "---\nname: secret-tokio\ndescription: Mine alone\ncrates: tokio\n---\nB\n",
    );
    context.write(
        "plugins/shared/SKILL.md",
        "---\nname: serde-rules\ndescription: Rules\ndigest: Derive, do not write by hand.\ncrates: serde\n---\nB\n",
    );
    context.write(".symposium/config.toml", config(true));
    context
}

fn config(on: bool) -> String {
    let defaults = "[defaults]\nbuiltin = false\nsymposium-recommendations = false\n";
    format!("[install]\nagents-md = {on}\n{defaults}[[plugin-source]]\nname = \"ours\"\npath = \"plugins\"\n")
}

fn file(context: &TestContext) -> PathBuf {
    context.workspace().join("AGENTS.md")
}

fn text(context: &TestContext) -> String {
    std::fs::read_to_string(file(context)).unwrap()
}

#[test]
fn the_block_is_written_updated_and_removed() {
    let context = machine();
    assert_eq!(context.invoke(&["sync", "--check"]).code, 1);
    context.invoke(&["sync"]).expect(0);
    expect_test::expect![[r#"
        <!-- symposium:begin (`symposium sync` writes this block; text outside of it stays) -->
        ## Rust guidance

        Before you write code that uses one of these crates, load its skill, or run `symposium crate NAME`.

        The dependencies with guidance:
        - serde 1.0.219: Derive, do not write by hand. (skill serde-rules)
        <!-- symposium:end -->
    "#]]
    .assert_eq(&text(&context));
    assert!(!text(&context).contains("secret") && !text(&context).contains("Mine"), "nothing that only the user has");
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
    let skill = std::fs::read_to_string(context.workspace().join("plugins/shared/SKILL.md")).unwrap();
    context.write("plugins/shared/SKILL.md", skill.replace("by hand", "yourself"));
    assert_eq!(context.invoke(&["sync", "--check"]).code, 1);
    context.invoke(&["sync"]).expect(0);
    assert!(text(&context).contains("do not write yourself"));
    context.write(".symposium/config.toml", config(false));
    context.invoke(&["sync"]).expect(0);
    assert!(!file(&context).exists(), "a file that Symposium made goes");
}

#[test]
fn text_of_the_project_keeps_every_byte_and_uninstall_restores_it() {
    for before in ["# Ours\n\nText", "\u{feff}# Ours\r\n\r\nText\r\n", "", "\n\n\n"] {
        let context = machine();
        context.write("AGENTS.md", before);
        context.invoke(&["sync"]).expect(0);
        assert!(text(&context).starts_with(before) && text(&context).contains("serde"), "{before:?}");
        context.invoke(&["sync", "--check"]).expect(0);
        context.invoke(&["uninstall", "--yes"]).expect(0);
        assert_eq!(text(&context), before);
    }
}

#[test]
fn a_user_may_write_around_the_block_and_broken_marks_are_reported() {
    let context = machine();
    context.invoke(&["sync"]).expect(0);
    context.write("AGENTS.md", format!("# Above\n\n{}\nBelow\n", text(&context)));
    context.invoke(&["sync", "--check"]).expect(0);
    context.write("AGENTS.md", text(&context).replace("Rust guidance", "Edited"));
    context.invoke(&["sync"]).expect(0);
    assert!(text(&context).contains("## Rust guidance") && text(&context).ends_with("\nBelow\n"), "{}", text(&context));
    let broken = text(&context).replace("<!-- symposium:end -->", "");
    context.write("AGENTS.md", &broken);
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 3, "{}", output.stderr);
    assert!(output.stderr.contains("AGENTS.md") && output.stderr.contains("symposium:end"), "{}", output.stderr);
    assert_eq!(text(&context), broken);
}

#[test]
fn a_session_start_does_not_write_it() {
    let context = machine();
    context.write(".symposium/config.toml", config(false));
    context.invoke(&["sync"]).expect(0);
    context.settle();
    context.write(".symposium/config.toml", config(true));
    let event = format!(
        r#"{{"session_id":"s","cwd":{:?},"hook_event_name":"SessionStart","source":"startup"}}"#,
        context.workspace()
    );
    context.invoke_hook("claude", "session-start", &event).expect(0);
    assert!(!file(&context).exists());
}
