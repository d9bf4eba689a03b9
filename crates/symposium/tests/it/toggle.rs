//! `symposium on` and `symposium off`.

use expect_test::expect;

use crate::{check, with_fixture};

#[test]
fn off_takes_skills_away_and_on_brings_them_back() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    check(
        context.invoke(&["off", "serde"]),
        expect![[r#"
            wrote         .symposium/config.toml
            removed       .claude/skills/serde  for claude
        "#]],
    );
    assert!(!context.workspace().join(".claude/skills/serde").exists());
    context.invoke(&["on", "serde"]).expect(0);
    assert!(context.workspace().join(".claude/skills/serde/SKILL.md").exists());
    context.invoke(&["off", "--all"]).expect(0);
    assert!(!context.workspace().join(".claude").exists());
    let text = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    assert!(text.contains("serde = false") && text.contains("tokio = false"), "{text}");
}

#[test]
fn one_skill_can_be_switched_by_itself() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["off", "serde/serde-deep"]).expect(0);
    let skills = context.workspace().join(".claude/skills");
    assert!(skills.join("serde-basics").exists() && !skills.join("serde-deep").exists());
    let output = context.invoke(&["off", "serde/serde-depe"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stderr.contains("did you mean `serde/serde-deep`?"), "{}", output.stderr);
}

#[test]
fn a_name_that_means_nothing_here_is_a_no() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    check(
        context.invoke(&["off", "serd"]),
        expect![[r#"
        --- stderr
        error: Nothing called `serd` applies in this workspace
        hint: did you mean `serde`?
        --- exit 1
    "#]],
    );
}
