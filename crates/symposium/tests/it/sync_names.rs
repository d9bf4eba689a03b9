//! What `symposium sync` says about names: missing ones, unusable ones, and those that two have.

use crate::{json, with_fixture};

/// A SKILL.md with this frontmatter.
fn skill(frontmatter: &str) -> String {
    format!("---\n{frontmatter}\ndescription: d\n---\nbody\n")
}

#[test]
fn a_skill_without_a_usable_name_is_named_once_with_the_fix() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/nameless/SKILL.md", skill("license: MIT"));
    context.write_config("plugins/Größe/SKILL.md", skill("license: MIT"));
    context.write_config("plugins/slashed/SKILL.md", skill("name: a/b"));
    let output = context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "kiro", "--agent", "codex"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    for (file, said) in [
        (
            "nameless",
            ": the skill has no name, so it is called `nameless`, like its directory; add the line `name: nameless` to it",
        ),
        (
            "Größe",
            ":1:1: Skipped this skill: The skill has no name, and its directory's `Größe` cannot be one: it contains `ö`; add a line `name: …`",
        ),
        (
            "slashed",
            ":2:7: Skipped this skill: `a/b` cannot be the name of a skill: it contains `/`; use lower-case letters",
        ),
    ] {
        let said = format!("warning: $CONFIG_DIR/plugins/{file}/SKILL.md{said}");
        assert_eq!(output.stderr.matches(&said).count(), 1, "{said}\nin\n{}", output.stderr);
    }
    assert!(context.workspace().join(".claude/skills/nameless").exists());
}

#[test]
fn a_source_that_is_a_skill_without_a_name_says_what_is_missing() {
    let context = with_fixture(&["workspace0"]);
    context.write("one/SKILL.md", skill("license: MIT"));
    let output = context.invoke(&["sync", "--source", "one", "--dry-run"]);
    let said =
        "one/SKILL.md:1:1: Skipped this skill: The skill has no name, and no directory to take one from; add a line";
    assert!(output.stderr.contains(said), "{}", output.stderr);
}

#[test]
fn of_two_skills_of_one_name_the_hidden_one_is_named_once() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write_config("plugins/a/SKILL.md", skill("name: twin"));
    context.write_config("plugins/b/SKILL.md", skill("name: twin"));
    context.write_config("plugins/c/symposium.toml", "name = \"serde-plugin\"\nsession-start-context = \"x\"\n");
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"ours\"\npath = \"agents\"\n");
    context.write("agents/mine/SKILL.md", skill("name: serde-basics\ncrates: serde"));
    // One that does not apply hides nothing.
    context.write("agents/other/SKILL.md", skill("name: serde-deep\ncrates: no-such-crate"));
    let args = ["init", "--yes", "--agent", "claude", "--agent", "kiro"];
    let output = context.invoke(&args);
    assert_eq!(output.code, 0, "{}", output.stderr);
    let hidden: Vec<&str> = output.stderr.lines().filter(|line| line.contains("not used, because")).collect();
    let expected = [
        "warning: $CONFIG_DIR/plugins/serde-plugin/symposium.toml: not used, because $CONFIG_DIR/plugins/c/symposium.toml is a plugin called `serde-plugin` too, which comes first; rename one of them to have both",
        "warning: $CONFIG_DIR/plugins/b/SKILL.md: not used, because $CONFIG_DIR/plugins/a/SKILL.md is a skill called `twin` too, which comes first; rename one of them to have both",
    ];
    for line in expected {
        assert_eq!(hidden.iter().filter(|known| **known == line).count(), 1, "{line}\nin\n{hidden:#?}");
    }
    assert_eq!(hidden.len(), 2, "{hidden:#?}");
    std::fs::remove_dir_all(context.config_dir().join("plugins/c")).unwrap();
    let document = json(context.invoke(&["sync", "--json"]));
    let warnings: Vec<&str> =
        document["warnings"].as_array().unwrap().iter().filter_map(|line| line.as_str()).collect();
    let said = "$CONFIG_DIR/plugins/serde-plugin/skills/serde-basics/SKILL.md: not used, because $WORKSPACE/agents/mine/SKILL.md is a skill called `serde-basics` too, of source `ours`, which is more specific; rename one of them to have both";
    assert!(warnings.contains(&said), "{warnings:#?}");
    assert_eq!(warnings.len(), 2, "{warnings:#?}");
}
