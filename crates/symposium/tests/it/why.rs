//! `symposium why`.

use expect_test::expect;

use crate::{check, json, with_fixture};

#[test]
fn both_versions_of_a_crate_are_explained() {
    let context = with_fixture(&["rand-twice"]);
    check(
        context.invoke(&["why", "rand"]),
        expect![[r#"
            crate `rand`: a dependency of this workspace
              - rand 0.8.5 is locked, through tool 0.1.0 -> rand 0.8.5; `tool` (dev, as `old-rand`) requires `0.8`
              - rand 0.9.1 is locked, through app 0.1.0 -> rand 0.9.1; `app` requires `0.9`
              - the source of rand 0.8.5 is not on this machine, so its plugins are unknown; run `cargo fetch` to download it
              - the source of rand 0.9.1 is not on this machine, so its plugins are unknown; run `cargo fetch` to download it
              - skill `rand-0-10` of source `builtin`, off: `rand=0.10` does not match rand 0.8.5 and rand 0.9.1; `rand_core=0.10` does not match: rand_core 0.6.4 and rand_core 0.9.3 is only an indirect dependency; the other 2 crates it names are not dependencies
              - skill `rand-0-7` of source `builtin`, off: `rand=0.7` does not match rand 0.8.5 and rand 0.9.1; `rand_core=0.5` does not match: rand_core 0.6.4 and rand_core 0.9.3 is only an indirect dependency
              - skill `rand-0-8` of source `builtin`, on: `any(rand=0.8, rand_core=0.6, rand_distr=0.4, rand_chacha=0.3)` holds: `rand=0.8` matches rand 0.8.5; `rand_core=0.6` does not match: rand_core 0.6.4 and rand_core 0.9.3 is only an indirect dependency; `rand_distr=0.4` does not match: not a dependency of this workspace; `rand_chacha=0.3` does not match: not a dependency of this workspace
              - skill `rand-0-9` of source `builtin`, on: `any(rand=0.9, rand_core=0.9, rand_distr=0.5, rand_chacha=0.9)` holds: `rand=0.9` matches rand 0.9.1; `rand_core=0.9` does not match: rand_core 0.6.4 and rand_core 0.9.3 is only an indirect dependency; `rand_distr=0.5` does not match: not a dependency of this workspace; `rand_chacha=0.9` does not match: not a dependency of this workspace
              - skill `rand-upgrade` of source `builtin`, on: `any(rand=0.8, rand=0.9)` holds: `rand=0.8` matches rand 0.8.5; `rand=0.9` matches rand 0.9.1
        "#]],
    );
}

#[test]
fn a_crate_that_is_no_dependency_is_said_to_be_none() {
    let context = with_fixture(&["rand-twice"]);
    check(
        context.invoke(&["why", "hyper"]),
        expect![[r#"
            crate `hyper`: not a dependency of this workspace
              - skill `hyper-0-14` of source `builtin`, off: `hyper=0.14` does not match: not a dependency of this workspace
              - skill `hyper-1` of source `builtin`, off: `any(hyper=1.0, hyper-util=0.1, http-body-util=0.1)` does not match: none of them is a dependency of this workspace
              - skill `hyper-upgrade` of source `builtin`, off: `hyper=0.14` does not match: not a dependency of this workspace
        "#]],
    );
    check(
        context.invoke(&["why", "no-such-thing"]),
        expect![[r#"
            --- stderr
            error: `no-such-thing` is not a dependency of this workspace, and no skill, plugin, hook, MCP server or file has that name
            help: run `symposium crate --list`, `symposium plugin list` or `symposium hook list` to list names; use `crate/skill` or `plugin/hook` for a part
            --- exit 1
        "#]],
    );
}

#[test]
fn skills_plugins_and_files_are_explained() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    check(
        context.invoke(&["why", "serde-basics"]),
        expect![[r#"
            skill `serde-basics`: on
              - `serde` matches serde 1.0.219 (skill group)
              - `serde>=1.0` matches serde 1.0.219
              - it comes from $CONFIG_DIR/plugins/serde-plugin/skills/serde-basics/SKILL.md, in source `user-plugins`
        "#]],
    );
    check(
        context.invoke(&["why", "serde-plugin"]),
        expect![[r#"
            plugin `serde-plugin`: on
              - it has no conditions
              - it comes from $CONFIG_DIR/plugins/serde-plugin/symposium.toml, in source `user-plugins`
        "#]],
    );
    let manifest = context.config_dir().join("plugins/serde-plugin/symposium.toml");
    check(
        context.invoke(&["why", manifest.to_str().unwrap()]),
        expect![[r#"
        file `$CONFIG_DIR/plugins/serde-plugin/symposium.toml`: manifest of plugin `serde-plugin` of source `user-plugins`
          - run `symposium why serde-plugin` to see when it applies
    "#]],
    );
}

#[test]
fn a_missing_lock_file_is_mentioned_and_versions_are_marked() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    std::fs::remove_file(context.workspace().join("Cargo.lock")).unwrap();
    check(
        context.invoke(&["why", "serde"]),
        expect![[r#"
            crate `serde`: a dependency of this workspace
              - serde 1.0.0 is assumed, through demo 0.1.0 -> serde 1.0.0; `demo` requires `1.0`
              - the source of serde 1.0.0 is not on this machine, so its plugins are unknown; run `cargo fetch` to download it
              - there is no Cargo.lock, so versions are assumed from the manifests
              - skill `serde-basics` of source `user-plugins`, on: `serde` matches serde 1.0.0 (assumed) (skill group); `serde>=1.0` matches serde 1.0.0 (assumed)
              - skill `serde-deep` of source `user-plugins`, on: `serde` matches serde 1.0.0 (assumed) (skill group)
            --- stderr
            warning: $WORKSPACE/Cargo.lock: `Cargo.lock` does not exist, so the lowest versions that the manifests allow are assumed
            help: run `cargo generate-lockfile`

        "#]],
    );
    assert!(!context.workspace().join("Cargo.lock").exists(), "nothing created it");
}

#[test]
fn a_more_specific_skill_wins_and_the_loser_says_so() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"ours\"\npath = \"plugins\"\n");
    context.write(
        "plugins/mine/SKILL.md",
        "---\nname: serde-basics\ndescription: Ours\ncrates: serde\nactivation: always\n---\nOurs.\n",
    );
    check(
        context.invoke(&["why", "serde-basics"]),
        expect![[r#"
            skill `serde-basics`: conflict, not used, because the skill $WORKSPACE/plugins/mine/SKILL.md has the same name; rename one of them to use both
              - `serde` matches serde 1.0.219 (skill group)
              - `serde>=1.0` matches serde 1.0.219
              - it comes from $CONFIG_DIR/plugins/serde-plugin/skills/serde-basics/SKILL.md, in source `user-plugins`
            skill `serde-basics`: on
              - `serde` matches serde 1.0.219
              - it comes from $WORKSPACE/plugins/mine/SKILL.md, in source `ours`
        "#]],
    );
}

#[test]
fn what_we_wrote_is_explained() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let settings = context.root().join("home/.claude/settings.json");
    let shown = context.invoke(&["why", settings.to_str().unwrap()]).expect(0);
    assert!(shown.contains("your file, with entries written by Symposium"), "{shown}");
    assert!(shown.contains("entry of Symposium: hooks.PreToolUse"), "{shown}");
    let shown = context.invoke(&["why", ".claude/skills/serde/SKILL.md"]).expect(0);
    assert!(shown.contains("installed by Symposium as skill `serde`"), "{shown}");
}

#[test]
fn json_has_name_verdict_and_reasons() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    let document = json(context.invoke(&["why", "tokio", "--json"]));
    expect![[r#"
        {
          "answers": [
            {
              "reasons": [
                "tokio 1.44.1 is locked, through demo 0.1.0 -> tokio 1.44.1; `demo` requires `1.40`",
                "the source of tokio 1.44.1 is not on this machine, so its plugins are unknown; run `cargo fetch` to download it",
                "no skill of any source names it"
              ],
              "subject": "crate `tokio`",
              "verdict": "a dependency of this workspace"
            }
          ],
          "name": "tokio",
          "reasons": [
            "tokio 1.44.1 is locked, through demo 0.1.0 -> tokio 1.44.1; `demo` requires `1.40`",
            "the source of tokio 1.44.1 is not on this machine, so its plugins are unknown; run `cargo fetch` to download it",
            "no skill of any source names it"
          ],
          "verdict": "a dependency of this workspace",
          "version": 1
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&document).unwrap());
}

const GUARD: &str = r#"
name = "guard"
crates = ["serde"]

[[hooks]]
name = "no-rm"
event = "PreToolUse"
matcher = "Bash"
command = "true"

[[mcp_servers]]
name = "guard-db"
command = "guard-db-server"

[[skills]]
source.path = "skills"
"#;

#[test]
fn a_server_in_a_file_that_is_ours_as_a_whole_is_found() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/tok/symposium.toml", "[[mcp_servers]]\nname = \"tok\"\ncommand = \"cat\"\n");
    context.invoke(&["init", "--yes", "--agent", "goose"]).expect(0);
    let said = context.invoke(&["why", "tok"]).expect(0);
    assert!(said.contains("MCP server `tok`: on, registered\n"), "{said}");
    assert!(said.contains("$ROOT/home/.agents/plugins/symposium/.mcp.json has it, for goose"), "{said}");
}

#[test]
fn parts_of_plugins_and_entries_of_settings_are_explained() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/guard/symposium.toml", GUARD.replace("crates = [\"serde\"]\n", ""));
    context.write_config(
        "plugins/guard/skills/guarded/SKILL.md",
        "---\nname: guarded\ndescription: d\ncrates: serde\n---\nbody\n",
    );
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "gemini"]).expect(0);
    let hook = expect![[r#"
        hook `guard/no-rm`: on
          - it is for PreToolUse, with the matcher `Bash`
          - it belongs to plugin `guard` of source `user-plugins`
          - run `symposium off guard/no-rm` to switch it off
    "#]];
    check(context.invoke(&["why", "guard/no-rm"]), hook);
    for args in [&["why", "no-rm"][..], &["why", "hook", "no-rm"], &["why", "hook", "guard/no-rm"]] {
        assert!(context.invoke(args).expect(0).starts_with("hook `guard/no-rm`: on\n"), "{args:?}");
    }
    let server = expect![[r#"
        MCP server `guard-db`: on, registered
          - $ROOT/home/.claude.json has it as mcpServers.guard-db, for claude
          - $ROOT/home/.gemini/settings.json has it as mcpServers.guard-db, for gemini
          - it belongs to plugin `guard` of source `user-plugins`: $CONFIG_DIR/plugins/guard/symposium.toml
          - run `symposium off guard` to switch off the plugin's programs and remove this server
    "#]];
    check(context.invoke(&["why", "mcp", "server", "guard-db"]), server);
    for name in ["guard-db", "guard/guard-db", "mcpServers.guard-db"] {
        assert!(
            context.invoke(&["why", name]).expect(0).starts_with("MCP server `guard-db`: on, registered\n"),
            "{name}"
        );
    }
    for name in ["serde/guarded", "guard/guarded", "guarded"] {
        assert!(context.invoke(&["why", name]).expect(0).starts_with("skill `guarded`: on\n"), "{name}");
    }
    context.invoke(&["why", "tokio/guarded"]).expect(1);
    let settings = context.root().join("home/.claude.json");
    let file = context.invoke(&["why", "file", settings.to_str().unwrap()]).expect(0);
    let entry = "entry of Symposium: mcpServers.guard-db, an MCP server of plugin `guard` of source `user-plugins`\n";
    assert!(file.contains(entry), "{file}");
    let settings = context.root().join("home/.claude/settings.json");
    let file = context.invoke(&["why", "file", settings.to_str().unwrap()]).expect(0);
    assert!(file.contains("entry of Symposium: hooks.PreToolUse, for the hooks of every plugin\n"), "{file}");
    let shown = context.invoke(&["why", "symposium"]).expect(0);
    assert!(shown.starts_with("MCP server `symposium`: Symposium itself\n"), "{shown}");
    context.invoke(&["off", "guard"]).expect(0);
    let off = context.invoke(&["why", "guard-db"]).expect(0);
    assert!(off.contains("not registered, because its plugin is switched off"), "{off}");
}

#[test]
fn what_is_not_known_is_answered_with_the_nearest_name() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/guard/symposium.toml", GUARD.replace("[[skills]]\nsource.path = \"skills\"\n", ""));
    for (args, hint) in [
        (&["why", "guard/no-rn"][..], "did you mean `guard/no-rm`?"),
        (&["why", "gaurd-db"], "did you mean `guard-db`?"),
        (&["why", "serde/serdee"], "did you mean `serde/serde`?"),
        (&["why", "plugin", "serde"], "a crate `serde` has that name; omit the kind"),
        (&["why", "mcp", "server", "nothing-like-it"], "run `symposium crate --list`, `symposium plugin list` or"),
    ] {
        let output = context.invoke(args);
        assert_eq!(output.code, 1, "{args:?}");
        assert!(output.stderr.contains(&format!("help: {hint}")), "{args:?}: {}", output.stderr);
    }
}
