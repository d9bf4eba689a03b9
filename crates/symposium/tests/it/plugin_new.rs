//! `symposium plugin new`.

use expect_test::expect;
use symposium_agents::dialect;
use symposium_model::agent::AgentId;

use crate::{check, with_fixture};

#[test]
fn a_new_plugin_passes_its_own_check_and_shows_up() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    check(
        context.invoke(&["plugin", "new", "tokio", "--path", "made"]),
        expect![[r#"
            wrote made/tokio/symposium.toml
            wrote made/tokio/skills/tokio-basics/SKILL.md
            wrote made/tokio/scripts/check.sh
            wrote made/tokio/symposium.schema.json

            Write:    made/tokio/skills/tokio-basics/SKILL.md
            Check it: symposium plugin validate made/tokio
                      symposium skill test made/tokio
                      symposium hook test made/tokio
            Try it:   symposium --source made/tokio crate tokio
        "#]],
    );
    expect![[r#"
        tokio/
        tokio/scripts/
        tokio/scripts/check.sh 755
        tokio/skills/
        tokio/skills/tokio-basics/
        tokio/skills/tokio-basics/SKILL.md 644
        tokio/symposium.schema.json 644
        tokio/symposium.toml 644"#]]
    .assert_eq(&context.tree(&context.workspace().join("made")));
    check(
        context.invoke(&["plugin", "validate", "made/tokio"]),
        expect![[r#"
            warning: this is still the text of the template
             --> made/tokio/skills/tokio-basics/SKILL.md:9:1
              |
            9 | Say here what an agent gets wrong about `tokio`: the call to prefer, the one to avoid, what changed in the last
              | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = help: describe the mistakes that agents make with the crate, and the correct way

            2 files checked: 0 errors, 1 warning
        "#]],
    );
    let shown = context.invoke(&["--source", "made/tokio", "crate", "tokio"]).expect(0);
    assert!(shown.contains("# Skill `tokio-basics`, for tokio 1.44.1"), "{shown}");
    check(
        context.invoke(&["skill", "check", "made/tokio"]),
        expect![[r#"
            warning: this is still the text of the template
             --> made/tokio/skills/tokio-basics/SKILL.md:9:1
              |
            9 | Say here what an agent gets wrong about `tokio`: the call to prefer, the one to avoid, what changed in the last
              | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              |
              = help: describe the mistakes that agents make with the crate, and the correct way

            1 file checked: 0 errors, 1 warning
        "#]],
    );
    let schema = std::fs::read_to_string(context.workspace().join("made/tokio/symposium.schema.json")).unwrap();
    let printed = context.invoke(&["config", "schema", "manifest"]).expect(0);
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(read(&schema), read(&printed));
    let tried = context.invoke(&["hook", "test", "made/tokio"]).expect(0);
    let agents = AgentId::ALL.into_iter().filter(|agent| dialect(*agent).has_events()).count();
    let ok = format!("{0} trials with {agents} agents: {0} ok, 0 not possible, 0 failed\n", 2 * agents);
    assert!(tried.ends_with(&ok), "{tried}");
}

/// The first place where authors run it is their own crate, which does not depend on itself.
#[test]
fn what_it_says_to_try_works_in_the_crate_the_plugin_is_for() {
    let context = with_fixture(&["workspace0"]);
    let told = context.invoke(&["plugin", "new", "demo", "--path", "agents"]).expect(0);
    let line = told.lines().find_map(|line| line.strip_prefix("Try it:   symposium ")).unwrap();
    let tried: Vec<&str> = line.split(' ').collect();
    check(
        context.invoke(&tried),
        expect![[r#"
            # demo 0.1.0

            demo 0.1.0, a package of this workspace
            - source: $WORKSPACE

            # Skill `demo-basics`, for demo 0.1.0

            # Using demo

            Say here what an agent gets wrong about `demo`: the call to prefer, the one to avoid, what changed in the last
            version, and a short example that compiles. `symposium skill test` compiles it.
        "#]],
    );
    let document = crate::json(context.invoke(&[&tried[..], &["--json"]].concat()));
    assert_eq!((&document["dependency"], &document["versions"][0]["assumed"]), (&false.into(), &false.into()));
    assert_eq!(document["versions"][0]["used_by"], serde_json::json!([]));
}

#[test]
fn nothing_is_overwritten_and_a_dry_run_writes_nothing() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    check(
        context.invoke(&["plugin", "new", "mine", "--dry-run"]),
        expect![[r#"
            would write mine/symposium.toml
            would write mine/skills/mine-basics/SKILL.md
            would write mine/scripts/check.sh
            would write mine/symposium.schema.json
        "#]],
    );
    assert!(!context.workspace().join("mine").exists());
    context.write("mine/notes.txt", "keep me");
    check(
        context.invoke(&["plugin", "new", "mine"]),
        expect![[r#"
            --- stderr
            error: `mine` already exists; nothing was written
            help: choose another name, or another directory with `--path`
            --- exit 1
        "#]],
    );
    check(
        context.invoke(&["plugin", "new", "../mine"]),
        expect![[r#"
            --- stderr
            error: `../mine` is not a valid plugin name
            help: use the crate's name: letters, digits, `-` and `_`, starting with a letter, at most 64
            --- exit 2
        "#]],
    );
}

#[test]
fn every_name_a_crate_can_have_gives_a_plugin_that_passes() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let sixty = "a".repeat(60);
    let longest = format!("b{}", "_c".repeat(31));
    for name in ["serde_json", "Inflector", &sixty, &longest] {
        context.invoke(&["plugin", "new", name, "--path", "made"]).expect(0);
        let checked = context.invoke(&["plugin", "validate", &format!("made/{name}")]).expect(0);
        assert!(checked.ends_with("\n2 files checked: 0 errors, 1 warning\n"), "{name}: {checked}");
    }
    check(
        context.invoke(&["plugin", "new", "serde_json", "--path", "./here/"]),
        expect![[r#"
            wrote here/serde_json/symposium.toml
            wrote here/serde_json/skills/serde-json-basics/SKILL.md
            wrote here/serde_json/scripts/check.sh
            wrote here/serde_json/symposium.schema.json

            Write:    here/serde_json/skills/serde-json-basics/SKILL.md
            Check it: symposium plugin validate here/serde_json
                      symposium skill test here/serde_json
                      symposium hook test here/serde_json
            Try it:   symposium --source here/serde_json crate serde_json
        "#]],
    );
    check(
        context.invoke(&["plugin", "new", "3d"]),
        expect![[r#"
            --- stderr
            error: `3d` is not a valid plugin name
            help: use the crate's name: letters, digits, `-` and `_`, starting with a letter, at most 64
            --- exit 2
        "#]],
    );
}

#[test]
fn inside_a_crate_it_is_made_where_it_is_published_from() {
    let context = with_fixture(&["workspace0"]);
    check(
        context.invoke(&["plugin", "new"]),
        expect![[r#"
            wrote SYMPOSIUM.toml
            wrote skills/demo-basics/SKILL.md
            wrote scripts/check.sh

            Write:    skills/demo-basics/SKILL.md
            Check it: symposium plugin validate
                      symposium skill test
                      symposium hook test
            Try it:   symposium crate demo
        "#]],
    );
    let manifest = std::fs::read_to_string(context.workspace().join("SYMPOSIUM.toml")).unwrap();
    assert!(!manifest.contains("#:schema"), "{manifest}");
    assert!(!context.workspace().join("symposium.schema.json").exists());
    let skill = std::fs::read_to_string(context.workspace().join("skills/demo-basics/SKILL.md")).unwrap();
    assert!(skill.contains("\ndescription: Use when "), "{skill}");
    let checked = context.invoke(&["plugin", "validate"]).expect(0);
    assert!(checked.ends_with("2 files checked: 0 errors, 1 warning\n"), "{checked}");
    let tried = context.invoke(&["hook", "test"]).expect(0);
    let agents = AgentId::ALL.into_iter().filter(|agent| dialect(*agent).has_events()).count();
    let ok = format!("{0} trials with {agents} agents: {0} ok, 0 not possible, 0 failed\n", 2 * agents);
    assert!(tried.ends_with(&ok), "{tried}");
    let shown = context.invoke(&["crate", "demo"]).expect(0);
    assert!(shown.contains("# Skill `demo-basics`"), "{shown}");
    check(
        context.invoke(&["plugin", "new", "demo"]),
        expect![[r#"
        --- stderr
        error: this crate already has a plugin in `SYMPOSIUM.toml`
        help: edit that plugin; run `symposium plugin validate` to check it
        --- exit 1
    "#]],
    );
}

#[test]
fn below_a_crates_root_and_for_another_crate_it_is_made_where_it_is_asked_for() {
    let context = with_fixture(&["workspace0"]);
    let below = context.workspace().join("src");
    let shown = context.invoke_in(&below, &["plugin", "new", "--dry-run"]).expect(0);
    assert!(shown.starts_with("would write ../SYMPOSIUM.toml\n"), "{shown}");
    let shown = context.invoke(&["plugin", "new", "tokio", "--dry-run"]).expect(0);
    assert!(shown.starts_with("would write tokio/symposium.toml\n"), "{shown}");
    let outside = context.root().join("elsewhere");
    std::fs::create_dir(&outside).unwrap();
    let nameless = context.invoke_in(&outside, &["plugin", "new"]);
    assert!(nameless.code == 2 && nameless.stderr.contains("symposium plugin new NAME"), "{nameless:?}");
}

#[test]
fn the_condition_of_a_new_plugin_stands_once_and_at_the_top() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.invoke(&["plugin", "new", "tokio", "--path", "made"]).expect(0);
    let manifest = std::fs::read_to_string(context.workspace().join("made/tokio/symposium.toml")).unwrap();
    let head = manifest.split("[[").next().unwrap();
    assert!(head.contains("\ncrates = [\"tokio\"]\n"), "{manifest}");
    assert_eq!(manifest.matches("crates =").count() + manifest.matches("depends-on").count(), 1, "{manifest}");
}
