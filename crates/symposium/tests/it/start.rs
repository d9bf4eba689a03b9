//! `symposium start`.

use expect_test::expect;

use crate::{json, with_fixture};

/// What follows the guidance, which has a home and a test of its own.
fn after_guidance(text: &str) -> &str {
    let at = text.find("## Skills for this workspace").expect("the list follows the guidance");
    text.get(at..).unwrap()
}

#[test]
fn guidance_comes_first_then_the_workspaces_skills() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let stdout = context.invoke(&["start"]).expect(0);
    assert!(stdout.starts_with("# "), "{stdout}");
    assert!(stdout.contains("symposium crate"), "the guidance says how to ask about a crate");
    expect![[r#"
        ## Skills for this workspace

        serde 1.0.219
        - serde-basics: Basic guidance for serde
        - serde-deep: Writing a data format for serde

        Before you write code that uses one of these crates, run `symposium crate NAME`.
    "#]]
    .assert_eq(after_guidance(&stdout));
}

#[test]
fn outside_a_workspace_there_is_guidance_alone() {
    let context = with_fixture(&["plugins0"]);
    let stdout = context.invoke(&["start"]).expect(0);
    expect![[r#"
        ## Skills for this workspace

        This directory is not part of a cargo workspace.
    "#]]
    .assert_eq(after_guidance(&stdout));
}

#[test]
fn json_carries_the_same_rows_as_crate_list() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let start = json(context.invoke(&["start", "--json"]));
    let list = json(context.invoke(&["crate", "--list", "--json"]));
    assert_eq!(start["version"], 1);
    assert_eq!(start["crates"], list["crates"]);
    assert!(start["guidance"].as_str().unwrap().starts_with("# "));
}

#[test]
fn cargo_agents_is_the_same_program() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let symposium = context.invoke(&["crate", "--list"]);
    assert_eq!(context.invoke(&["agents", "crate", "--list"]), symposium);
}
