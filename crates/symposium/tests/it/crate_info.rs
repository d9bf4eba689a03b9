//! `symposium crate`.

use expect_test::expect;

use crate::{check, json, with_fixture};

#[test]
fn the_list_shows_the_skills_of_the_locked_versions() {
    let context = with_fixture(&["rand-twice"]);
    let stdout = context.invoke(&["crate", "--list"]).expect(0);
    let names: Vec<&str> =
        stdout.lines().map(|line| line.split(':').next().unwrap()).filter(|line| !line.is_empty()).collect();
    expect![[r#"
        [
            "rand 0.8.5",
            "- rand-0-8",
            "- rand-upgrade",
            "rand 0.9.1",
            "- rand-0-9",
            "- rand-upgrade",
            "serde 1.0.219",
            "- serde",
            "tokio 1.44.1",
            "- tokio",
            "1 more dependency has no skill",
        ]
    "#]]
    .assert_debug_eq(&names);
}

#[test]
fn the_list_as_json_has_every_direct_dependency() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let document = json(context.invoke(&["crate", "--list", "--json"]));
    expect![[r#"
        {
          "crates": [
            {
              "name": "serde",
              "skills": [
                "serde-basics",
                "serde-deep"
              ],
              "version": "1.0.219"
            },
            {
              "name": "tokio",
              "skills": [],
              "version": "1.44.1"
            }
          ],
          "version": 1
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&document).unwrap());
}

#[test]
fn one_crate_has_its_guidance_inlined_and_further_skills_listed() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    check(
        context.invoke(&["crate", "serde"]),
        expect![[r#"
            # serde 1.0.219

            serde 1.0.219, used by `demo`
            - source: not on this machine; run `cargo fetch` to download it

            # Skill `serde-basics`, for serde 1.0.219

            Derive `Serialize` and `Deserialize` on data types.

            # More skills for this crate: read the file when you need its topic

            - serde-deep (for 1.0.219): Writing a data format for serde
              $CONFIG_DIR/plugins/serde-plugin/skills/serde-deep/SKILL.md
        "#]],
    );
}

#[test]
fn the_source_is_named_when_it_is_on_disk() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let source = context.root().join("cargo-home/registry/src/index-1/serde-1.0.219");
    std::fs::create_dir_all(source.join("examples")).unwrap();
    std::fs::write(source.join("Cargo.toml"), "[package]\nname = \"serde\"\nversion = \"1.0.219\"\n").unwrap();
    std::fs::write(source.join("README.md"), "# serde\n").unwrap();
    let stdout = context.invoke(&["crate", "serde"]).expect(0);
    let places: Vec<&str> = stdout.lines().filter(|line| line.starts_with("- ")).take(3).collect();
    expect![[r#"
        [
            "- source: $ROOT/cargo-home/registry/src/index-1/serde-1.0.219",
            "- readme: $ROOT/cargo-home/registry/src/index-1/serde-1.0.219/README.md",
            "- examples: $ROOT/cargo-home/registry/src/index-1/serde-1.0.219/examples",
        ]
    "#]]
    .assert_debug_eq(&places);
}

#[test]
fn a_crate_that_is_no_dependency_is_a_no_with_what_would_apply() {
    let context = with_fixture(&["plugins0", "rand-twice"]);
    check(
        context.invoke(&["crate", "hyper"]),
        expect![[r#"
            There are no skills for `hyper`.
            --- stderr
            error: `hyper` is not a dependency of this workspace
            help: run `cargo add hyper` first to see its source and docs
            --- exit 1
        "#]],
    );
    let other = with_fixture(&["plugins0"]);
    check(
        other.invoke(&["crate", "serde"]),
        expect![[r#"
            Skills that would apply if `serde` were a dependency:
            - serde-basics (serde, serde>=1.0): Basic guidance for serde
              $CONFIG_DIR/plugins/serde-plugin/skills/serde-basics/SKILL.md
            - serde-deep (serde): Writing a data format for serde
              $CONFIG_DIR/plugins/serde-plugin/skills/serde-deep/SKILL.md
            --- stderr
            error: this directory is not part of a cargo workspace
            help: run `symposium crate serde --version 1.0` to see the guidance for 1.0
            --- exit 1
        "#]],
    );
}

#[test]
fn a_dependency_of_a_dependency_is_named_with_its_path() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    check(
        context.invoke(&["crate", "pin_project_lite"]),
        expect![[r#"
            There are no skills for `pin_project_lite`.
            --- stderr
            error: `pin_project_lite` is not a direct dependency of this workspace; it is an indirect dependency: demo 0.1.0 -> tokio 1.44.1 -> pin-project-lite 0.2.16
            help: did you mean `pin-project-lite`?
            --- exit 1
        "#]],
    );
    context.write(".symposium/config.toml", "[matching]\ntransitive = true\n");
    check(
        context.invoke(&["crate", "pin_project_lite"]),
        expect![[r#"
            # pin-project-lite 0.2.16

            pin-project-lite 0.2.16, an indirect dependency
            - source: not on this machine; run `cargo fetch` to download it

            No skill is known for it: ask `symposium api pin-project-lite` for its items before guessing an API.
        "#]],
    );
}

#[test]
fn a_locked_version_that_is_asked_about_is_not_called_another() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let whole = context.invoke(&["crate", "serde"]).expect(0);
    for args in [&["crate", "serde@1.0"][..], &["crate", "serde@1.0.219"], &["crate", "serde", "--version", "1"]] {
        assert_eq!(context.invoke(args).expect(0), whole, "{args:?}");
    }
    let indirect = context.invoke(&["crate", "pin-project-lite@0.2"]).expect(0);
    assert!(indirect.contains("pin-project-lite 0.2.16, a locked version\n"), "{indirect}");
}

#[test]
fn another_version_can_be_asked_about() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    check(
        context.invoke(&["crate", "serde", "--version", "0.9"]),
        expect![[r#"
            # serde 0.9.0

            serde 0.9.0, not the locked version
            - source: not on this machine; run `cargo fetch` to download it

            # More skills for this crate: read the file when you need its topic

            - serde-deep (for 0.9.0): Writing a data format for serde
              $CONFIG_DIR/plugins/serde-plugin/skills/serde-deep/SKILL.md
        "#]],
    );
    check(
        context.invoke(&["crate", "serde", "--version", "new"]),
        expect![[r#"
            --- stderr
            error: `new` is not a version: unexpected character 'n' while parsing major version number
            help: pass a version such as `1.40` or `0.8.5`
            --- exit 2
        "#]],
    );
}

#[test]
fn a_toggle_takes_a_skill_out_of_every_list() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write(".symposium/config.toml", "[skills]\n\"serde/serde-deep\" = false\n");
    let document = json(context.invoke(&["crate", "--list", "--json"]));
    assert_eq!(document["crates"][0]["skills"], serde_json::json!(["serde-basics"]));
    context.write(".symposium/config.toml", "[skills]\nserde = false\n");
    let document = json(context.invoke(&["crate", "--list", "--json"]));
    assert_eq!(document["crates"][0]["skills"], serde_json::json!([]));
    let shown = context.invoke(&["crate", "serde"]).expect(0);
    assert!(shown.contains("Skill serde-deep is switched off in `.symposium/config.toml`."), "{shown}");
}

#[test]
fn text_that_hides_something_is_not_passed_on() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let skill = "plugins/serde-plugin/skills/serde-basics/SKILL.md";
    context.write_config(
        skill,
        "---\nname: serde-basics\ndescription: d\nactivation: always\n---\nGood\u{e0041}\u{e0042} advice.\n",
    );
    let shown = context.invoke(&["crate", "serde"]).expect(0);
    assert!(!shown.contains("advice"), "{shown}");
    assert!(shown.contains("Skill serde-basics is blocked, because its text has invisible tag characters."), "{shown}");
    for list in [&["crate", "--list"][..], &["start"]] {
        assert!(!context.invoke(list).expect(0).contains("- serde-basics"), "{list:?}");
    }
    let why = context.invoke(&["why", "serde-basics"]).expect(0);
    assert!(why.starts_with("skill `serde-basics`: blocked, its text has invisible tag characters"), "{why}");
    let told = context.invoke(&["sync"]).stderr;
    assert!(told.contains("not installed: its text has invisible tag characters"), "{told}");

    let config = std::fs::read_to_string(context.config_dir().join("config.toml")).unwrap();
    context.write_config("config.toml", format!("{config}\n[trust]\nallow-text = [\"serde-basics\"]\n"));
    let shown = context.invoke(&["crate", "serde"]).expect(0);
    assert!(shown.contains("Good advice."), "allowed, and still without the hidden characters: {shown}");
}

#[test]
fn escapes_in_the_frontmatter_hide_nothing() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let skill = "plugins/serde-plugin/skills/serde-basics/SKILL.md";
    context.write_config(skill, "---\nname: serde-basics\ndescription: \"d \\u202e\\U000E0041 \\e[31m\"\n---\nbody\n");
    let shown = context.invoke(&["crate", "serde"]).expect(0);
    assert!(shown.contains("Skill serde-basics is blocked"), "{shown}");
    let path = context.config_dir().join(skill);
    assert_eq!(context.invoke(&["skill", "check", path.to_str().unwrap()]).code, 1);
}

#[test]
fn json_is_cleaned_like_text() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write_config(
        "plugins/odd/symposium.toml",
        "name = \"odd\"\nsession-start-context = \"a\\u202eb\\u001b[31mc\"\n",
    );
    let document = json(context.invoke(&["plugin", "show", "odd", "--json"]));
    assert_eq!(document["plugins"][0]["session_start_context"], "ab[31mc");
}

#[test]
fn a_damaged_copy_of_the_embedded_source_is_made_anew() {
    let context = with_fixture(&["rand-twice"]);
    let path = |context: &symposium_testkit::TestContext| {
        let document = json(context.invoke(&["crate", "rand", "--json"]));
        let path = document["skills"][0]["path"].as_str().unwrap().to_owned();
        std::path::PathBuf::from(path.replace("$CONFIG_DIR", context.config_dir().to_str().unwrap()))
    };
    let copy = path(&context);
    std::fs::write(&copy, "changed").unwrap();
    assert_eq!(path(&context), copy);
    assert!(std::fs::read_to_string(&copy).unwrap().starts_with("---\nname: rand"));
    let shown = context.invoke(&["crate", "rand"]).expect(0);
    assert!(shown.contains("# Skill `rand-0-8`"), "{shown}");
}

#[test]
fn builtin_skills_have_a_path_an_agent_can_read() {
    let context = with_fixture(&["rand-twice"]);
    let document = json(context.invoke(&["crate", "rand", "--json"]));
    for skill in document["skills"].as_array().unwrap() {
        let path = skill["path"].as_str().unwrap().replace("$CONFIG_DIR", context.config_dir().to_str().unwrap());
        assert!(std::path::Path::new(&path).is_file(), "{path}");
    }
}

#[test]
fn the_version_to_ask_for_is_one_that_skills_are_known_for() {
    let context = with_fixture(&["workspace0"]);
    let shown = context.invoke(&["crate", "rand"]);
    let (_, version) = shown.stderr.split_once("`symposium crate rand --version ").unwrap();
    let (version, _) = version.split_once('`').unwrap();
    assert!(
        shown.stdout.contains(&format!("rand>={version}")) || shown.stdout.contains(&format!("rand={version}")),
        "{shown:?}"
    );
    context.invoke(&["crate", "rand", "--version", version]).expect(0);
}

#[test]
fn a_crate_whose_skill_is_off_does_not_count_as_one_without() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let before = context.invoke(&["crate", "--list"]).expect(0);
    assert!(before.contains("serde 1.") && !before.contains("no skill"), "{before}");
    context.invoke(&["off", "serde"]).expect(0);
    let shown = context.invoke(&["crate", "--list"]).expect(0);
    assert!(shown.contains("skill serde is switched off in `.symposium/config.toml`"), "{shown}");
    assert!(!shown.contains("no skill"), "{shown}");
}

#[test]
fn a_list_of_nothing_counts_no_more() {
    let context = with_fixture(&["workspace0"]);
    context.write("Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\n\n[dependencies]\nhex = \"0.4\"\n");
    let package = |name: &str, rest: &str| format!("[[package]]\nname = \"{name}\"\n{rest}\n");
    let source = "version = \"0.4.3\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
    let lock = package("app", "version = \"0.1.0\"\ndependencies = [\"hex\"]\n") + &package("hex", source);
    context.write("Cargo.lock", format!("version = 4\n\n{lock}"));
    assert_eq!(context.invoke(&["crate", "--list"]).expect(0), "1 dependency has no skill\n");
    context.write("Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\n");
    context.write("Cargo.lock", format!("version = 4\n\n{}", package("app", "version = \"0.1.0\"\n")));
    assert_eq!(context.invoke(&["crate", "--list"]).expect(0), "This workspace has no dependencies yet.\n");
}
