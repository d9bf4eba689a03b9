//! `symposium plugin validate`.

use expect_test::expect;

use crate::{check, json, with_fixture};

const THREE_MISTAKES: &str = r#"name = "demo"

[[skills]]
crates = ["serde>="]
source.path = "skills"

[[hooks]]
name = "guard"
event = "PreToolUze"
command = "./check.sh"

[[hooks]]
name = "slow"
event = "Stop"
command = "true"
timeout = "ten"
"#;

#[test]
fn three_mistakes_are_three_excerpts_with_line_caret_and_fix() {
    let context = with_fixture(&["plugins0"]);
    context.write("symposium.toml", THREE_MISTAKES);
    check(
        context.invoke(&["plugin", "validate", "symposium.toml"]),
        expect![[r#"
            error: Version missing in `>=`
             --> symposium.toml:4:17
              |
            4 | crates = ["serde>="]
              |                 ^^
              |
              = help: write a version after the operator, such as `>=1.40` or `=1.0`

            error: Unknown event `PreToolUze`
             --> symposium.toml:9:9
              |
            9 | event = "PreToolUze"
              |         ^^^^^^^^^^^^
              |
              = help: did you mean `PreToolUse`?

            error: `timeout` in `[[hooks]]` must be a whole number, not a string
              --> symposium.toml:16:11
               |
            16 | timeout = "ten"
               |           ^^^^^
               |
               = help: write digits without quotes

            1 file checked: 3 errors, 0 warnings
            --- exit 1
        "#]],
    );
}

#[test]
fn a_directory_of_plugins_is_checked_file_by_file() {
    let context = with_fixture(&["plugins0"]);
    context.write("all/good/symposium.toml", "name = \"good\"\n[[skills]]\nsource.path = \"skills\"\n");
    context.write("all/good/skills/a/SKILL.md", "---\nname: a\ndescription: d\n---\nbody\n");
    context.write("all/bad/symposium.toml", "name = \"good\"\n[[skills]]\nsource.path = \"nowhere\"\n");
    context.write("all/alone/SKILL.md", "---\nname: Alone\ndescription: d\ncrates: a b\n---\nbody\n");
    context.write("all/Cargo.toml", "not for us");
    check(
        context.invoke(&["plugin", "validate", "all"]),
        expect![[r#"
            error: Skill group `nowhere` cannot be read: no such file or directory
             --> all/bad/symposium.toml:3:15
              |
            3 | source.path = "nowhere"
              |               ^^^^^^^^^
              |
              = help: create `all/bad/nowhere`, or correct `source.path`

            warning: all/good/symposium.toml: Another plugin is called `good` too: all/bad/symposium.toml
             |
             = help: give each its own name, unless only one of them can apply at a time

            error: `Alone` cannot be the name of a skill: it is not lower-case letters and digits with single hyphens between them
             --> all/alone/SKILL.md:2:7
              |
            2 | name: Alone
              |       ^^^^^
              |
              = help: write `name: alone`

            error: `b` is not a version
             --> all/alone/SKILL.md:4:9
              |
            4 | crates: a b
              |         ^^^
              |
              = help: write a version after the operator, such as `>=1.40` or `=1.0`

            4 files checked: 3 errors, 1 warning
            --- exit 1
        "#]],
    );
    let document = json(context.invoke(&["plugin", "validate", "all", "--json"]));
    let count = |what: &str| -> Vec<usize> {
        document["items"].as_array().unwrap().iter().map(|item| item[what].as_array().unwrap().len()).collect()
    };
    expect![[r#"
        (
            [
                1,
                0,
                0,
                2,
            ],
            [
                0,
                1,
                0,
                0,
            ],
        )
    "#]]
    .assert_debug_eq(&(count("errors"), count("warnings")));
}

#[test]
fn crates_are_looked_up_only_when_asked_and_offline_is_a_warning() {
    let context = with_fixture(&["plugins0"]);
    context.write("p.toml", "name = \"p\"\ncrates = [\"serde\"]\n");
    check(
        context.invoke(&["plugin", "validate", "p.toml"]),
        expect![[r#"
        1 file checked, nothing to report
    "#]],
    );
    check(
        context.invoke(&["plugin", "validate", "p.toml", "--check-crates", "--offline"]),
        expect![[r#"
            warning: p.toml: Crate `serde` was not looked up: the network is off limits
             |
             = help: run the check again with a network

            1 file checked: 0 errors, 1 warning
        "#]],
    );
}

#[test]
fn what_is_not_there_cannot_be_checked() {
    let context = with_fixture(&["plugins0"]);
    check(
        context.invoke(&["plugin", "validate", "nowhere"]),
        expect![[r#"
        --- stderr
        error: There is nothing at `nowhere`
        hint: check the path
        --- exit 2
    "#]],
    );
    std::fs::create_dir(context.workspace().join("void")).unwrap();
    check(
        context.invoke(&["plugin", "validate", "void"]),
        expect![[r#"
        --- stderr
        error: There is no manifest and no SKILL.md in `void`
        hint: give a manifest, a plugin's directory or a directory of plugins
        --- exit 1
    "#]],
    );
}
