//! `symposium config`.

use expect_test::expect;

use serde_json::Value;
use symposium_model::schema::JsonSchema;

use crate::{check, json, with_fixture};

#[test]
fn every_setting_is_shown_with_its_origin() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write(
        ".symposium/config.toml",
        "[agent]\nname = [\"claude\", \"goose\"]\n\n[[plugin-source]]\nname = \"ours\"\npath = \"plugins\"\n\n[skills]\nserde = false\n",
    );
    context.write("plugins/README.md", "");
    check(
        context.invoke(&["config", "show", "--origin"]),
        expect![[r#"
            agent.name = ["claude","goose"]             # $WORKSPACE/.symposium/config.toml:2
            agent.sync-default = true                   # default
            agent.auto-sync = true                      # default
            self-contained = false                      # default
            required-version = null                     # default
            logging.level = "info"                      # default
            defaults.builtin = false                    # $CONFIG_DIR/config.toml:3
            defaults.symposium-recommendations = false  # $CONFIG_DIR/config.toml:4
            defaults.user-plugins = true                # default
            defaults.workspace = true                   # default
            matching.transitive = false                 # default
            fetch.timeout = 60                          # default
            hooks.nudge-interval = 5                    # default
            guidance.index-bytes = 2000                 # default
            guidance.at-edit = "digest"                 # default
            install.commit = false                      # default
            install.agents-md = false                   # default
            update.notice = true                        # default
            usage.record = true                         # default
            rtk.exclude = []                            # default
            cargo.shim = false                          # default
            agents.opencode.hooks = true                # default
            agents.kiro.standalone-hooks = false        # default
            trust.projects = "ask"                      # default
            trust.allow-text = []                       # default
            trust.directories = []                      # default
            trust.allow-symposium = false               # default
            plugins.auto-enable = false                 # default
            plugin-source.ours = {"path":"plugins"}     # $WORKSPACE/.symposium/config.toml:5
            skills.serde = false                        # $WORKSPACE/.symposium/config.toml:9
        "#]],
    );
    let document = json(context.invoke(&["config", "show", "--json"]));
    assert_eq!(document["settings"][0]["key"], "agent.name");
    assert_eq!(document["settings"][0]["origin"], "project");
    assert_eq!(document["settings"][0]["line"], 2);
}

/// Lists the keys in a schema that have a plain value, with their tables.
fn leaf_keys(schema: &Value, at: &str, keys: &mut Vec<String>) {
    for variant in schema["anyOf"].as_array().into_iter().flatten() {
        leaf_keys(variant, at, keys);
    }
    for (key, value) in schema["properties"].as_object().into_iter().flatten() {
        let key = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
        let before = keys.len();
        leaf_keys(value, &key, keys);
        let is_table = keys.len() > before || value["items"]["properties"].is_object() || value["type"] == "object";
        if !is_table {
            keys.push(key);
        }
    }
}

#[test]
fn every_key_of_a_configuration_is_shown() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let document = json(context.invoke(&["config", "show", "--json"]));
    let shown: Vec<&str> =
        document["settings"].as_array().unwrap().iter().map(|row| row["key"].as_str().unwrap()).collect();
    for schema in [JsonSchema::UserConfig, JsonSchema::ProjectConfig] {
        let mut keys = Vec::new();
        leaf_keys(&serde_json::from_str(&schema.text()).unwrap(), "", &mut keys);
        assert!(keys.len() > 20, "{keys:?}");
        // A second spelling of `self-contained`.
        keys.retain(|key| key != "agent.self-contained");
        for key in keys {
            assert!(shown.contains(&key.as_str()), "`config show` lacks `{key}`");
        }
    }
}

#[test]
fn paths_are_named() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    check(
        context.invoke(&["config", "path"]),
        expect![[r#"
        user config       $CONFIG_DIR/config.toml
        project config    $WORKSPACE/.symposium/config.toml
        config directory  $CONFIG_DIR
        cache directory   $CONFIG_DIR/cache
        log directory     $CONFIG_DIR/logs
    "#]],
    );
    let other = with_fixture(&["plugins0"]);
    check(
        other.invoke(&["config", "path"]),
        expect![[r#"
        user config       $CONFIG_DIR/config.toml
        project config    none: this directory is not in a workspace
        config directory  $CONFIG_DIR
        cache directory   $CONFIG_DIR/cache
        log directory     $CONFIG_DIR/logs
    "#]],
    );
}

#[test]
fn each_xdg_variable_counts_on_its_own() {
    let mut context = with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_HOME", "").set("XDG_CACHE_HOME", "/var/cache/me");
    check(
        context.invoke(&["config", "path"]),
        expect![[r#"
        user config       $CONFIG_DIR/config.toml
        project config    $WORKSPACE/.symposium/config.toml
        config directory  $CONFIG_DIR
        cache directory   /var/cache/me/symposium
        log directory     $CONFIG_DIR/logs
    "#]],
    );
}

#[test]
fn without_any_home_the_message_says_what_to_set() {
    let mut context = with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_HOME", "").set("HOME", "");
    // Without HOME the system's own record of users may still know one; point that nowhere by asking for a directory.
    let output = context.invoke(&["config", "path"]);
    assert!(output.code == 0 || output.stderr.contains("SYMPOSIUM_HOME"), "{output:?}");
}

#[test]
fn what_a_broken_file_may_have_said_is_unknown() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write(".symposium/config.toml", "self-contained = true\n[skills\n");
    let output = context.invoke(&["config", "show", "--origin"]);
    assert_eq!(output.code, 3);
    assert!(output.stdout.contains("# unknown: $WORKSPACE/.symposium/config.toml is invalid"), "{}", output.stdout);
    assert!(output.stderr.contains("its settings are unknown"), "{}", output.stderr);
}

#[test]
fn surprises_in_a_configuration_are_shown_with_their_line() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context
        .write(".symposium/config.toml", "[agent]\nname = \"claud\"\nautosync = true\n\n[trust]\nprojects = \"ask\"\n");
    let output = context.invoke(&["config", "path"]);
    assert_eq!(output.code, 0, "warnings are no failure");
    expect![[r#"
        warning: unknown agent `claud`
         --> $WORKSPACE/.symposium/config.toml:2:8
          |
        2 | name = "claud"
          |        ^^^^^^^
          |
          = help: did you mean `claude`?

        warning: unknown key `autosync` in `[agent]`
         --> $WORKSPACE/.symposium/config.toml:3:1
          |
        3 | autosync = true
          | ^^^^^^^^
          |
          = help: did you mean `auto-sync`?

        warning: `projects = "ask"` has no effect in a project, because only the user can set it
         --> $WORKSPACE/.symposium/config.toml:5:1
          |
        5 | [trust]
          | ^^^^^^^
          |
          = help: move it to your user config (`symposium config path`)

    "#]]
    .assert_eq(&output.stderr);
}
