//! `symposium skill check`.

use expect_test::expect;

use crate::{check, json, with_fixture};

#[test]
fn a_good_skill_passes_as_file_directory_and_tree() {
    let context = with_fixture(&["plugins0"]);
    context.write("s/good/SKILL.md", "---\nname: good\ndescription: Use when testing.\n---\nbody\n");
    for path in ["s/good/SKILL.md", "s/good", "s"] {
        assert_eq!(context.invoke(&["skill", "check", path]).expect(0), "1 file checked, nothing to report\n");
    }
}

#[test]
fn faults_are_shown_with_their_line() {
    let context = with_fixture(&["plugins0"]);
    context
        .write("s/bad/SKILL.md", "---\nname: Bad Name\ndescription: Use when: testing\ncrates: serde>=\n---\nbody\n");
    check(
        context.invoke(&["skill", "check", "s"]),
        expect![[r#"
            error: The frontmatter is not valid YAML: a value that is not in quotes contains `: `
             --> s/bad/SKILL.md:3:22
              |
            3 | description: Use when: testing
              |                      ^
              |
              = help: write `description: "Use when: testing"`

            error: `Bad Name` cannot be the name of a skill: it is not lower-case letters and digits with single hyphens between them
             --> s/bad/SKILL.md:2:7
              |
            2 | name: Bad Name
              |       ^^^^^^^^
              |
              = help: write `name: bad-name`

            error: Version missing in `>=`
             --> s/bad/SKILL.md:4:9
              |
            4 | crates: serde>=
              |         ^^^^^^^
              |
              = help: write a version after the operator, such as `>=1.40` or `=1.0`

            1 file checked: 3 errors, 0 warnings
            --- exit 1
        "#]],
    );
    let document = json(context.invoke(&["skill", "check", "s", "--json"]));
    assert!(!document["items"][0]["errors"].as_array().unwrap().is_empty());
}

#[test]
fn what_is_no_skill_is_said_so() {
    let context = with_fixture(&["plugins0"]);
    context.write("s/README.md", "");
    check(
        context.invoke(&["skill", "check", "s"]),
        expect![[r#"
        --- stderr
        error: There is no SKILL.md in `s` or below it
        hint: put each skill into a directory of its own, as `my-skill/SKILL.md`
        --- exit 1
    "#]],
    );
    check(
        context.invoke(&["skill", "check", "s/README.md"]),
        expect![[r#"
            --- stderr
            error: `s/README.md` is not a SKILL.md
            hint: skills are files called SKILL.md in a directory of their own
            --- exit 2
        "#]],
    );
}

#[test]
fn a_condition_nobody_answers_is_a_warning_here_as_in_a_manifest() {
    let context = with_fixture(&["plugins0"]);
    context.write("p/s/SKILL.md", "---\nname: s\ndescription: d\npredicates: shell(true)\n---\nbody\n");
    let expected = expect![[r#"
        warning: `shell(…)` is not supported, so this condition never holds
         --> p/s/SKILL.md:4:13
          |
        4 | predicates: shell(true)
          |             ^^^^^^^^^^^
          |
          = help: Symposium runs nothing to answer a condition; use `path_exists` or `env`

        1 file checked: 0 errors, 1 warning
    "#]];
    let shown = context.invoke(&["skill", "check", "p"]).transcript();
    assert_eq!(shown, context.invoke(&["plugin", "validate", "p"]).transcript());
    expected.assert_eq(&shown);
}
