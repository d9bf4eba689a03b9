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
            ": the skill has no name, so the directory name `nameless` is used; add the line `name: nameless`",
        ),
        (
            "Größe",
            ":1:1: skipped this skill: the skill has no name, and its directory name `Größe` is not a valid name: it contains `ö`; add a line `name: …`",
        ),
        (
            "slashed",
            ":2:7: skipped this skill: `a/b` is not a valid skill name: it contains `/`; use lower-case letters",
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
    let said = "one/SKILL.md:1:1: skipped this skill: the skill has no name, and is not in a directory with a usable name; add a line";
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
        "warning: $CONFIG_DIR/plugins/serde-plugin/symposium.toml: not used, because the plugin $CONFIG_DIR/plugins/c/symposium.toml has the same name, `serde-plugin`; rename one of them",
        "warning: $CONFIG_DIR/plugins/b/SKILL.md: not used, because the skill $CONFIG_DIR/plugins/a/SKILL.md has the same name, `twin`; rename one of them",
    ];
    for line in expected {
        assert_eq!(hidden.iter().filter(|known| **known == line).count(), 1, "{line}\nin\n{hidden:#?}");
    }
    assert_eq!(hidden.len(), 2, "{hidden:#?}");
    std::fs::remove_dir_all(context.config_dir().join("plugins/c")).unwrap();
    let document = json(context.invoke(&["sync", "--json"]));
    let warnings: Vec<&str> =
        document["warnings"].as_array().unwrap().iter().filter_map(|line| line.as_str()).collect();
    let said = "The skill `serde-basics` of source `user-plugins` is not used: source `ours` has one of that name and takes precedence";
    assert_eq!(warnings, [said], "what was said before is not said again");
    assert_eq!(json(context.invoke(&["sync", "--json"]))["warnings"], serde_json::json!([]));
    // One that came back is new.
    context.write_config("plugins/c/symposium.toml", "name = \"serde-plugin\"\nsession-start-context = \"x\"\n");
    assert!(context.invoke(&["sync"]).stderr.contains("has the same name, `serde-plugin`"));
    assert!(!context.invoke(&["sync"]).stderr.contains("has the same name, `serde-plugin`"));
}

/// Two groups, or two sources, may lead to one file.
#[test]
fn one_skill_that_is_found_twice_gives_way_to_nothing() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/p/skills/once/SKILL.md", skill("name: once"));
    let groups = "[[skills]]\ncrates = [\"serde\"]\nsource.path = \"skills\"\n[[skills]]\ncrates = [\"tokio\"]\nsource.path = \"skills\"\n";
    context.write_config("plugins/p/symposium.toml", format!("name = \"p\"\n{groups}"));
    let plugins = context.config_dir().join("plugins");
    let config = format!("[agent]\nname = \"claude\"\n[[plugin-source]]\nname = \"again\"\npath = {plugins:?}\n");
    context.write_config("config.toml", config);
    let shown = context.invoke(&["sync"]);
    assert_eq!(shown.code, 0);
    assert!(!shown.stderr.contains("not used"), "{}", shown.stderr);
    assert!(context.workspace().join(".claude/skills/once").exists());
}

#[test]
fn names_that_two_have_are_mentioned_once() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/a/SKILL.md", skill("name: twin"));
    context.write_config("plugins/b/SKILL.md", skill("name: twin"));
    let first = context.invoke(&["init", "--yes", "--agent", "claude"]);
    assert_eq!(first.stderr.matches("has the same name, `twin`").count(), 1, "{first:?}");
    let again = context.invoke(&["sync"]);
    assert_eq!((again.stdout.as_str(), again.stderr.as_str()), ("Everything is up to date.\n", ""));
}

#[test]
fn a_file_that_two_sources_lead_to_gives_way_to_nothing() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/a/SKILL.md", skill("name: once\ncrates: serde"));
    context.write_config("plugins/p/symposium.toml", "name = \"p\"\nsession-start-context = \"x\"\n");
    let twice = context.config_dir().join("plugins").display().to_string();
    let said = context.invoke(&["sync", "--source", &twice]);
    assert!(said.code == 0 && !said.stderr.contains("not used, because"), "{said:?}");
    let shown = context.invoke(&["crate", "serde", "--source", &twice]).expect(0);
    assert!(shown.contains("once") && !shown.contains("not used"), "{shown}");
}
