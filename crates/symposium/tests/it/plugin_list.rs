//! `symposium plugin list`.

use expect_test::expect;

use crate::{check, json, with_fixture};

#[test]
fn every_source_is_listed_with_its_plugins() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    check(
        context.invoke(&["plugin", "list"]),
        expect![[r#"
            user-plugins (user-plugins, $CONFIG_DIR/plugins)
              serde-plugin  on  skills: serde-basics, serde-deep; hooks: say-hello
        "#]],
    );
    let document = json(context.invoke(&["plugin", "list", "--json"]));
    expect![[r#"
        {
          "sources": [
            {
              "errors": [],
              "kind": "user-plugins",
              "name": "user-plugins",
              "path": "$CONFIG_DIR/plugins",
              "plugins": [
                {
                  "active": true,
                  "candidate": false,
                  "hooks": [
                    "say-hello"
                  ],
                  "mcp_servers": [],
                  "name": "serde-plugin",
                  "path": "$CONFIG_DIR/plugins/serde-plugin/symposium.toml",
                  "shadowed_by": null,
                  "skills": [
                    "serde-basics",
                    "serde-deep"
                  ],
                  "state": "on"
                }
              ],
              "warnings": []
            }
          ],
          "version": 1
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&document).unwrap());
}

#[test]
fn own_sources_come_first_and_of_the_built_in_one_only_what_applies() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/mine.toml", "name = \"mine\"\ncrates = [\"nothing-here\"]\n");
    let shown = context.invoke(&["plugin", "list"]).expect(0);
    assert!(shown.starts_with("user-plugins (user-plugins, $CONFIG_DIR/plugins)\n  mine  off"), "{shown}");
    assert!(shown.contains("  cargo ") && !shown.contains("axum-0-8") && shown.lines().count() < 20, "{shown}");
    let all = context.invoke(&["plugin", "list", "--all"]).expect(0);
    assert!(all.contains("  axum-0-8") && all.starts_with("user-plugins "), "{all}");
    let left_out = all.lines().count() - (shown.lines().count() - 1);
    let summary = format!("\n  {left_out} more do not apply here; `symposium plugin list --all` lists all\n");
    assert!(shown.contains(&summary), "{shown}");
    let document = json(context.invoke(&["plugin", "list", "--json"]));
    assert!(document.to_string().contains("axum-0-8"), "the document has all of them");
}

#[test]
fn a_source_can_be_added_for_one_call() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write("try/toml-plugin.toml", "name = \"toml-plugin\"\ncrates = [\"toml\"]\n");
    context.write("try/lonely/SKILL.md", "---\nname: lonely\ndescription: d\ncrates: tokio\n---\nbody\n");
    check(
        context.invoke(&["--source", "try", "plugin", "list"]),
        expect![[r#"
            user-plugins (user-plugins, $CONFIG_DIR/plugins)
              serde-plugin  on   skills: serde-basics, serde-deep; hooks: say-hello
            try (path, $WORKSPACE/try)
              lonely       on   skill
              toml-plugin  off
        "#]],
    );
}

#[test]
fn of_two_plugins_with_one_name_the_more_specific_is_active() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write_config("plugins/serde-plugin/symposium.toml", "name = \"serde-plugin\"\n");
    context.write("try/x.toml", "name = \"serde-plugin\"\n");
    let document = json(context.invoke(&["--source", "try", "plugin", "list", "--json"]));
    let active = |source: usize| document["sources"][source]["plugins"][0]["active"].clone();
    assert_eq!((active(0), active(1)), (false.into(), true.into()));
    assert_eq!(document["sources"][0]["plugins"][0]["shadowed_by"], "$WORKSPACE/try/x.toml");
}

#[test]
fn a_dead_source_does_not_hide_the_others() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write_config(
        "config.toml",
        "[defaults]\nbuiltin = false\n\n[[plugin-source]]\nname = \"gone\"\npath = \"nowhere\"\n\n\
         [[plugin-source]]\nname = \"far\"\ngit = \"https://example.com/x\"\n",
    );
    check(
        context.invoke(&["plugin", "list"]),
        expect![[r#"
            user-plugins (user-plugins, $CONFIG_DIR/plugins)
              serde-plugin  on  skills: serde-basics, serde-deep; hooks: say-hello
            gone (path, $CONFIG_DIR/nowhere)
              no plugins
            far (git, https://example.com/x, not fetched)
              content unknown, because it was not fetched yet
            symposium-recommendations (git, https://github.com/symposium-dev/recommendations, not fetched)
              content unknown, because it was not fetched yet
            --- stderr
            error: $CONFIG_DIR/nowhere: source `gone` cannot be read: no such file or directory
            help: create the directory, or correct `path` in the configuration
            warning: https://example.com/x: source `far` is not fetched yet; run `symposium plugin sync far` to fetch it
            --- exit 3
        "#]],
    );
}

#[test]
fn a_projects_source_stays_inside_the_project() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write(
        ".symposium/config.toml",
        "[[plugin-source]]\nname = \"up\"\npath = \"../elsewhere\"\n\n[[plugin-source]]\nname = \"link\"\npath = \"linked\"\n",
    );
    std::fs::create_dir_all(context.root().join("outside")).unwrap();
    std::os::unix::fs::symlink(context.root().join("outside"), context.workspace().join("linked")).unwrap();
    let output = context.invoke(&["plugin", "list"]);
    expect![[r#"
        error: $WORKSPACE/.symposium/config.toml:2: source `up` is skipped: `../elsewhere` is outside the project
        help: use a path relative to the project's root, or name the source in your user config
        error: $WORKSPACE/linked: source `link` is outside the project, because of a link
        help: move the plugins into the project
    "#]]
    .assert_eq(&output.stderr);
    assert_eq!(output.code, 3);
}
