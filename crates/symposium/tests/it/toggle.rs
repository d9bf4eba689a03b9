//! `symposium on` and `symposium off`.

use expect_test::expect;

use symposium_testkit::TestContext;

use crate::{check, json, with_fixture};

#[test]
fn off_takes_skills_away_and_on_brings_them_back() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    check(
        context.invoke(&["off", "serde"]),
        expect![[r#"
            edited        .symposium/config.toml
            removed       .claude/skills/serde  for claude
        "#]],
    );
    assert!(!context.workspace().join(".claude/skills/serde").exists());
    context.invoke(&["on", "serde"]).expect(0);
    assert!(context.workspace().join(".claude/skills/serde/SKILL.md").exists());
    context.invoke(&["off", "--all"]).expect(0);
    assert!(!context.workspace().join(".claude").exists());
    let text = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    assert!(text.contains("serde = false") && text.contains("tokio = false"), "{text}");
    let start = r#"{"session_id":"s","hook_event_name":"SessionStart","source":"startup","cwd":"CWD"}"#;
    let start = start.replace("CWD", context.workspace().to_str().unwrap());
    assert_eq!(context.invoke_hook("claude", "session-start", &start).expect(0), "", "nothing is said any more");
}

/// A toggle reads the sources to find the extension, and once more to install it.
#[test]
fn a_problem_of_a_source_is_reported_once() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/bad/symposium.toml", "name = \"bad\"\n[[hooks]\n");
    context.write_config(
        "config.toml",
        "[agent]\nname = \"claude\"\n[[plugin-source]]\nname = \"far\"\ngit = \"file:///nowhere/far.git\"\n",
    );
    for line in [&["sync"][..], &["status"], &["off", "serde"], &["on", "serde"], &["sync", "--lock"]] {
        let output = context.invoke(line);
        assert_eq!(output.stderr.matches("bad/symposium.toml:2").count(), 1, "{line:?}: {output:?}");
        assert_eq!(output.stderr.matches("source `far`").count(), 1, "{line:?}: {output:?}");
    }
}

#[test]
fn one_skill_can_be_switched_by_itself() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["off", "serde/serde-deep"]).expect(0);
    let skills = context.workspace().join(".claude/skills");
    assert!(skills.join("serde-basics").exists() && !skills.join("serde-deep").exists());
    let output = context.invoke(&["off", "serde/serde-depe"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stderr.contains("did you mean `serde/serde-deep`?"), "{}", output.stderr);
}

/// Skills that are for no crate go by their own name, by that of their plugin, and with everything else.
#[test]
fn skills_for_no_crate_in_particular_can_be_switched() {
    let context = with_fixture(&["workspace0"]);
    let skill = |name: &str| format!("---\nname: {name}\ndescription: d\n---\ntext\n");
    context.write_config("plugins/house/SKILL.md", skill("house"));
    context.write_config("plugins/grp/symposium.toml", "name = \"grp\"\n[[skills]]\nsource.path = \"s\"\n");
    context.write_config("plugins/grp/s/one/SKILL.md", skill("one"));
    context.write_config("plugins/grp/s/two/SKILL.md", skill("two"));
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let there = || {
        let all = ["house", "one", "two", "serde"];
        all.map(|name| context.workspace().join(".claude/skills").join(name).exists())
    };
    for (line, expected) in [
        (["off", "house"], [false, true, true, true]),
        (["off", "grp"], [false, false, false, true]),
        (["on", "two"], [false, false, true, true]),
        (["on", "grp"], [false, true, true, true]),
        (["off", "--all"], [false, false, false, false]),
        (["on", "house"], [true, false, false, false]),
    ] {
        context.invoke(&line).expect(0);
        assert_eq!(there(), expected, "{line:?}");
        assert_eq!(context.invoke(&["sync", "--check"]).code, 0, "{line:?}");
        assert_eq!(there(), expected, "a choice stays: {line:?}");
    }
}

/// A choice for a part would go before the choice for the whole, and nothing would happen.
#[test]
fn switching_the_whole_switches_its_parts() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["off", "serde/serde-deep"]).expect(0);
    context.invoke(&["off", "serde"]).expect(0);
    context.invoke(&["on", "serde"]).expect(0);
    let skills = context.workspace().join(".claude/skills");
    assert!(skills.join("serde-basics").exists() && skills.join("serde-deep").exists());
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["on", "autofmt/format"]).expect(0);
    let row = |output: String| output.lines().find(|line| line.starts_with("autofmt")).unwrap_or_default().to_owned();
    assert!(row(context.invoke(&["status"]).expect(0)).contains(" on "), "one of its hooks runs");
    context.invoke(&["off", "autofmt"]).expect(0);
    assert!(row(context.invoke(&["status"]).expect(0)).contains(" off "));
    let why = context.invoke(&["why", "autofmt"]).expect(0);
    assert!(why.starts_with("plugin `autofmt`: off\n"), "{why}");
}

#[test]
fn a_name_that_means_nothing_here_is_a_no() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    check(
        context.invoke(&["off", "serd"]),
        expect![[r#"
            --- stderr
            error: no extension named `serd` applies in this workspace
            help: did you mean `serde`?
            --- exit 1
        "#]],
    );
}

#[test]
fn a_plugin_that_is_off_has_no_servers_with_any_agent() {
    let context = with_fixture(&["workspace0"]);
    let server = "[[mcp_servers]]\nname = \"tool\"\ncommand = \"tool-mcp\"\n";
    context.write_config("plugins/tools/symposium.toml", format!("name = \"tools\"\n{server}"));
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "codex", "--agent", "gemini"]).expect(0);
    let home = context.root().join("home");
    let files = [home.join(".claude.json"), home.join(".codex/config.toml"), home.join(".gemini/settings.json")];
    let texts = || files.clone().map(|file| std::fs::read_to_string(file).unwrap());
    let state = || {
        let status = context.invoke(&["status"]).expect(0);
        let line = status.lines().find(|line| line.starts_with("tools ")).unwrap_or_default().to_owned();
        line.split_whitespace().nth(3).unwrap_or_default().to_owned()
    };
    let registered = texts();
    assert!(registered.iter().all(|text| text.contains("tool-mcp")), "{registered:?}");
    assert_eq!(state(), "on");
    context.invoke(&["off", "tools"]).expect(0);
    for text in texts() {
        assert!(!text.contains("tool-mcp") && text.contains("symposium"), "only the plugin's server goes: {text}");
    }
    assert_eq!(state(), "off");
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
    context.invoke(&["on", "tools"]).expect(0);
    assert_eq!(texts(), registered);
    assert_eq!(state(), "on");
}

#[test]
fn what_one_project_switches_off_stays_in_the_users_settings_while_another_uses_it() {
    let context = with_fixture(&["workspace0"]);
    let server = "[[mcp_servers]]\nname = \"tool\"\ncommand = \"tool-mcp\"\n";
    context.write_config("plugins/tools/symposium.toml", format!("name = \"tools\"\n{server}"));
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let other = context.root().join("other");
    std::fs::create_dir_all(other.join("src")).unwrap();
    for file in ["Cargo.toml", "Cargo.lock"] {
        std::fs::copy(context.workspace().join(file), other.join(file)).unwrap();
    }
    std::fs::write(other.join("src/lib.rs"), "").unwrap();
    context.invoke_in(&other, &["sync"]).expect(0);
    let has = |path: std::path::PathBuf| std::fs::read_to_string(path).unwrap().contains("tool-mcp");
    let users = || has(context.root().join("home/.claude.json"));
    assert!(users());

    let output = context.invoke(&["off", "tools"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(users());
    let said = "`tool` stays in your user settings, because $ROOT/other uses it too";
    assert!(output.stderr.contains(said), "{output:?}");
    for project in [context.workspace(), &other] {
        assert_eq!(context.invoke_in(project, &["sync", "--check"]).code, 0, "{}", project.display());
    }
    context.invoke_in(&other, &["sync"]).expect(0);
    assert_eq!(context.invoke(&["sync"]).expect(0), "Everything is up to date.\n");
    context.invoke_in(&other, &["off", "tools"]).expect(0);
    assert!(!users(), "nobody uses it");
    context.invoke(&["on", "tools"]).expect(0);
    assert!(users());
    // A project that is gone uses nothing.
    context.invoke_in(&other, &["on", "tools"]).expect(0);
    std::fs::remove_dir_all(&other).unwrap();
    context.invoke(&["off", "tools"]).expect(0);
    assert!(!users());
}

#[test]
fn a_project_takes_no_server_of_the_user_out_of_their_settings() {
    let context = with_fixture(&["workspace0"]);
    let server = "[[mcp_servers]]\nname = \"tool\"\ncommand = \"tool-mcp\"\n";
    context.write_config("plugins/tools/symposium.toml", format!("name = \"tools\"\n{server}"));
    context.write_config("mine/more/symposium.toml", format!("name = \"more\"\n{}", server.replace("tool", "more")));
    context.write_config("config.toml", "[[plugin-source]]\nname = \"mine\"\npath = \"mine\"\n");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let settings = || std::fs::read_to_string(context.root().join("home/.claude.json")).unwrap();
    let registered = settings();
    assert!(registered.contains("tool-mcp") && registered.contains("more-mcp"), "{registered}");
    for config in [
        "[workflows]\ntools = false\nmore = false\n",
        "[agent]\nsync-default = false\n",
        "[defaults]\nuser-plugins = false\n",
        "self-contained = true\n",
    ] {
        context.write(".symposium/config.toml", config);
        context.invoke(&["sync"]).expect(0);
        assert_eq!(settings(), registered, "{config}");
    }
}

/// Returns the state of an extension.
fn state_of(context: &TestContext, name: &str) -> String {
    let document = json(context.invoke(&["status", "--json"]));
    let rows = document["extensions"].as_array().unwrap();
    let row = rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name} in {document}"));
    row["state"].as_str().unwrap().to_owned()
}

#[test]
fn every_name_that_status_prints_can_be_switched_and_explained() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    for name in ["serde-basics", "serde-deep", "serde-plugin"] {
        assert_eq!(state_of(&context, name), "on", "{name}");
        context.invoke(&["off", name]).expect(0);
        assert_eq!(state_of(&context, name), "off", "{name}");
        assert!(context.invoke(&["why", name]).expect(0).contains("off"), "{name}");
        context.invoke(&["on", name]).expect(0);
        assert_eq!(state_of(&context, name), "on", "{name}");
    }
    // A hook goes by the name that its plugin gives it, too.
    context.invoke(&["off", "say-hello"]).expect(0);
    let output = context.invoke(&["off", "serde-depe"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stderr.contains("did you mean `serde-deep`?"), "{}", output.stderr);
}

#[test]
fn a_name_of_several_extensions_is_answered_with_their_full_names() {
    let context = with_fixture(&["workspace0"]);
    for (plugin, krate) in [("one", "serde"), ("two", "tokio")] {
        let manifest = format!(
            "name = \"{plugin}\"\ncrates = [\"{krate}\"]\n[[skills]]\nsource.path = \"skills\"\n\
             [[hooks]]\nname = \"check\"\nevent = \"Stop\"\ncommand = \"true\"\n"
        );
        context.write_config(&format!("plugins/{plugin}/symposium.toml"), manifest);
        let skill = "---\nname: guide\ndescription: d\n---\ntext\n";
        context.write_config(&format!("plugins/{plugin}/skills/guide/SKILL.md"), skill);
    }
    for (name, full) in [("guide", "`serde/guide` or `tokio/guide`"), ("check", "`one/check` or `two/check`")] {
        let output = context.invoke(&["off", name]);
        assert_eq!(output.code, 1, "{output:?}");
        let said = format!("error: several extensions are named `{name}`\nhelp: use the full name: {full}\n");
        assert_eq!(output.stderr, said);
    }
    context.invoke(&["off", "serde/guide", "two/check"]).expect(0);
}
