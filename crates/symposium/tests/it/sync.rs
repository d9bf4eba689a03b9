//! `symposium sync`.

use expect_test::expect;

use crate::{check, with_fixture};

#[test]
fn a_new_dependency_is_something_to_do_and_then_nothing_is() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
    let manifest = std::fs::read_to_string(context.workspace().join("Cargo.toml")).unwrap();
    context.write("Cargo.toml", format!("{manifest}regex = \"1\"\n"));
    let lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    let lock = lock.replace(" \"serde\",\n", " \"regex\",\n \"serde\",\n");
    let package = "\n[[package]]\nname = \"regex\"\nversion = \"1.11.1\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
    context.write("Cargo.lock", format!("{lock}{package}"));
    check(
        context.invoke(&["sync", "--check"]),
        expect![[r#"
            would edit    .symposium/config.toml
            would install .claude/skills/regex  for claude
            --- exit 1
        "#]],
    );
    check(
        context.invoke(&["sync"]),
        expect![[r#"
            edited        .symposium/config.toml
            installed     .claude/skills/regex  for claude
        "#]],
    );
    check(
        context.invoke(&["sync", "--check"]),
        expect![[r#"
            Everything is up to date.
        "#]],
    );
}

#[test]
fn choices_and_comments_in_the_project_configuration_stay() {
    let context = with_fixture(&["workspace0"]);
    context.write(
        ".symposium/config.toml",
        "# ours\r\n[skills]\r\ngone = true # nobody\r\ntokio = false   # not here\r\n\r\n[workflows]\r\n",
    );
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync"]).expect(0);
    let text = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    expect![[r#"
        # ours␍
        [skills]␍
        serde = true␍
        tokio = false   # not here␍
        ␍
        [workflows]␍
        autofmt = false␍
        rtk = true␍
    "#]]
    .assert_eq(&text.replace('\r', "\u{240d}"));
    assert!(!context.workspace().join(".claude/skills/tokio").exists());
    assert!(context.workspace().join(".claude/skills/serde").exists());
}

#[test]
fn new_extensions_take_the_default_that_is_set() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\nsync-default = false\n");
    context.invoke(&["sync"]).expect(0);
    let text = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    assert!(text.contains("serde = false"), "{text}");
    assert!(!context.workspace().join(".claude").exists());
}

#[test]
fn without_any_agent_the_project_alone_is_kept_in_step() {
    let context = with_fixture(&["workspace0"]);
    check(
        context.invoke(&["sync"]),
        expect![[r#"
            created       .symposium/config.toml
            --- stderr
            warning: no agent is configured, so only the project's configuration is updated
            help: run `symposium init` to set up your agents
        "#]],
    );
}

#[test]
fn the_two_halves_can_be_run_alone() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync", "--agent"]).expect(0);
    assert!(context.workspace().join(".claude/skills/serde/SKILL.md").exists());
    assert!(!context.workspace().join(".symposium").exists());
    context.invoke(&["sync", "--workspace"]).expect(0);
    assert!(context.workspace().join(".symposium/config.toml").exists());
}

#[test]
fn committed_skills_have_no_ignore_file() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync"]).expect(0);
    assert!(context.workspace().join(".claude/skills/serde/.gitignore").exists());
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n[install]\ncommit = true\n");
    context.invoke(&["sync"]).expect(0);
    assert!(!context.workspace().join(".claude/skills/serde/.gitignore").exists());
    assert!(context.workspace().join(".claude/skills/serde/SKILL.md").exists());
}

/// A plugin of the user's with a server for every project and one for workspaces with serde.
#[test]
fn servers_of_plugins_are_registered_kept_up_to_date_and_removed() {
    let context = with_fixture(&["workspace0"]);
    let manifest = |args: &str| {
        format!(
            "name = \"tools\"\n[[mcp_servers]]\nname = \"tool\"\ncommand = \"tool-mcp\"\nargs = [{args}]\n\n\
             [[mcp_servers]]\nname = \"serde-tool\"\ncrates = [\"serde\"]\ncommand = \"serde-mcp\"\n"
        )
    };
    let claude = context.root().join("home/.claude.json");
    let before = "{\"mcpServers\": {\"tool\": {\"command\": \"my-own\"}}, \"x\": 1}";
    let servers = || -> serde_json::Value {
        serde_json::from_str::<serde_json::Value>(&std::fs::read_to_string(&claude).unwrap()).unwrap()["mcpServers"]
            .clone()
    };
    std::fs::write(&claude, before).unwrap();
    context.write_config("plugins/tools/symposium.toml", manifest("\"--a\""));
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    assert_eq!(servers()["tool"]["command"], "my-own", "a server of the user's own stays");
    assert_eq!(servers().get("serde-tool"), None, "what depends on a project is not for all projects");
    let here = || std::fs::read_to_string(context.workspace().join(".mcp.json")).unwrap_or_default();
    assert_eq!(here(), "", "nor is what is the user's alone for the project's files");

    std::fs::write(&claude, "{\"x\": 1}").unwrap();
    context.invoke(&["sync"]).expect(0);
    assert_eq!(servers()["tool"]["args"], serde_json::json!(["--a"]));
    context.write_config("plugins/tools/symposium.toml", manifest("\"--b\""));
    context.invoke(&["sync"]).expect(0);
    assert_eq!(servers()["tool"]["args"], serde_json::json!(["--b"]), "brought up to date");
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
    context.invoke(&["off", "tools"]).expect(0);
    assert_eq!(servers().get("tool"), None, "switched off");
    context.invoke(&["on", "tools"]).expect(0);
    std::fs::remove_dir_all(context.config_dir().join("plugins/tools")).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert_eq!(servers().get("tool"), None, "gone with its plugin");

    context.write_config("plugins/tools/symposium.toml", manifest(""));
    context.write(".symposium/config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync"]).expect(0);
    assert!(here().contains("symposium") && !here().contains("-mcp"), "{}", here());
    // What the project brings stands in its files, once it is granted.
    context.write("agents/tools/symposium.toml", manifest("").replace("tool", "team"));
    let source = "[[plugin-source]]\nname = \"ours\"\npath = \"agents\"\n";
    context.write(".symposium/config.toml", format!("[agent]\nname = \"claude\"\n{source}"));
    context.invoke(&["sync"]).expect(0);
    context.invoke(&["trust", "--yes"]).expect(0);
    assert!(here().contains("team-mcp") && here().contains("serde-mcp"), "{}", here());
    assert!(!servers().to_string().contains("team-mcp"), "{}", servers());
}

/// A relative path would be looked for in whatever directory the agent is started in.
#[test]
fn a_server_that_is_a_file_of_its_plugin_is_registered_by_its_whole_path() {
    let context = with_fixture(&["workspace0"]);
    let server = |name: &str, command: &str| format!("[[mcp_servers]]\nname = \"{name}\"\ncommand = \"{command}\"\n");
    let servers = [("own", "./bin/srv"), ("bare", "cat"), ("whole", "/bin/cat"), ("out", "../srv"), ("gone", "bin/x")];
    let manifest = servers.map(|(name, command)| server(name, command)).concat();
    context.write_config("plugins/tools/symposium.toml", format!("name = \"tools\"\n{manifest}"));
    context.write_config("plugins/tools/bin/srv", "#!/bin/sh\n");
    context.write_config("plugins/srv", "#!/bin/sh\n");
    let told = context.invoke(&["init", "--yes", "--agent", "claude"]);
    assert_eq!(told.stderr.matches("is not registered: its command").count(), 2, "{}", told.stderr);
    let settings = std::fs::read_to_string(context.root().join("home/.claude.json")).unwrap();
    let settings: serde_json::Value = serde_json::from_str(&context.normalize_paths(&settings)).unwrap();
    let command = |name: &str| settings["mcpServers"][name]["command"].as_str();
    assert_eq!(command("own"), Some("$CONFIG_DIR/plugins/tools/bin/srv"));
    assert_eq!((command("bare"), command("whole")), (Some("cat"), Some("/bin/cat")));
    assert_eq!((command("out"), command("gone")), (None, None));
}

#[test]
fn git_ignores_every_installed_skill() {
    let context = with_fixture(&["workspace0"]);
    let git = |args: &[&str]| {
        let output = std::process::Command::new("git").args(args).current_dir(context.workspace()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "--quiet"]);
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "gemini"]).expect(0);
    for directory in [".claude/skills", ".agents/skills"] {
        assert!(context.workspace().join(directory).join("serde/SKILL.md").exists(), "{directory}");
    }
    let seen = git(&["status", "--porcelain", "--untracked-files=all"]);
    assert!(seen.contains("Cargo.toml") && !seen.contains("skills/"), "{seen}");
}
