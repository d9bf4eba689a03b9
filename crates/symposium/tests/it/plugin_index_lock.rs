//! Index sources in a lockfile: pinned plugin by plugin, vendored, updated.

use symposium_testkit::{ServerFault, WebServer};

use crate::plugin_index::{IndexWorld, age, configure};
use crate::plugin_index_bad::sha256;

/// A project with an index, which is locked.
fn locked() -> (IndexWorld, WebServer) {
    let (world, server) = IndexWorld::served();
    configure(&world.context, None, "");
    let config = format!("[[plugin-source]]\nname = \"team\"\nindex = \"{}\"\n", server.url());
    world.context.write(".symposium/config.toml", config);
    world.context.invoke(&["sync", "--lock"]).expect(0);
    (world, server)
}

fn lock(world: &IndexWorld) -> String {
    std::fs::read_to_string(world.context.workspace().join(".symposium/symposium.lock")).unwrap()
}

#[test]
fn a_locked_plugin_stays_until_the_lock_is_updated() {
    let (world, _server) = locked();
    let before = lock(&world);
    assert!(before.contains("kind = \"index\"") && before.contains("\\\"name\\\":\\\"serde-help\\\""), "{before}");
    world.plugin("serde-help", "1.1.0", "serde", "second");
    world.publish();
    age(&world.context);
    let output = world.context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("ource `team` has other content than the lockfile for `serde-help`"), "{output:?}");
    assert_eq!(lock(&world), before);
    assert!(world.skill("serde-help").unwrap().contains("first"));
    assert_eq!(world.context.invoke(&["sync", "--locked"]).code, 0);
    assert_eq!(world.context.invoke(&["sync", "--frozen"]).code, 0);
    world.context.invoke(&["sync", "--update"]).expect(0);
    assert!(lock(&world).contains("1.1.0"));
    assert!(world.skill("serde-help").unwrap().contains("second"));
}

#[test]
fn a_fresh_clone_gets_the_pinned_archive() {
    let (world, server) = locked();
    world.plugin("serde-help", "1.1.0", "serde", "second");
    world.publish();
    std::fs::remove_dir_all(world.context.config_dir().join("cache")).unwrap();
    std::fs::remove_dir_all(world.context.workspace().join(".claude/skills")).unwrap();
    server.take_requests();
    let output = world.context.invoke(&["sync", "--locked"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(world.skill("serde-help").unwrap().contains("first"), "{:?}", server.take_requests());
}

#[test]
fn a_new_crate_adds_to_the_lock_and_changes_nothing_else() {
    let (world, _server) = locked();
    world.plugin("serde-help", "1.1.0", "serde", "second");
    world.plugin("tokio-help", "1.0.0", "tokio", "new");
    world.publish();
    age(&world.context);
    assert_eq!(world.context.invoke(&["sync", "--locked"]).code, 3);
    world.context.invoke(&["sync"]).expect(0);
    assert!(world.skill("serde-help").unwrap().contains("first"));
    assert!(world.skill("tokio-help").unwrap().contains("new"));
    let text = lock(&world);
    assert!(text.contains("tokio-help") && !text.contains("1.1.0"), "{text}");
}

#[test]
fn a_vendored_copy_counts_before_the_network() {
    let (world, server) = locked();
    world.context.invoke(&["sync", "--vendor"]).expect(0);
    let copy = world.context.workspace().join(".symposium/vendor/team/serde-help/symposium.toml");
    assert!(copy.is_file());
    std::fs::remove_dir_all(world.context.config_dir().join("cache")).unwrap();
    std::fs::remove_dir_all(world.context.workspace().join(".claude/skills")).unwrap();
    server.take_requests();
    let output = world.context.invoke(&["sync", "--locked"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(server.take_requests(), []);
    assert!(world.skill("serde-help").is_some());
}

#[test]
fn a_pinned_archive_that_is_gone_keeps_what_is_installed() {
    let (world, server) = locked();
    world.plugin("serde-help", "1.1.0", "serde", "second");
    world.publish();
    std::fs::remove_dir_all(world.context.config_dir().join("cache")).unwrap();
    let text = lock(&world);
    let archive = text.split("archive\\\":\\\"").nth(1).unwrap().split('\\').next().unwrap().to_owned();
    server.break_file(&format!("archives/{archive}"), ServerFault::Status(404));
    let output = world.context.invoke(&["sync"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("is locked, but plugins of it could not be fetched"), "{output:?}");
    assert!(world.skill("serde-help").unwrap().contains("first"));
    assert_eq!(lock(&world), text);
}

#[test]
fn programs_of_an_index_need_the_same_grants_as_those_of_a_repository() {
    let (world, server) = IndexWorld::served();
    let hook = "\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\nmatcher = \"Bash\"\ncommand = \"echo denied >&2; exit 2\"\n";
    let manifest = world.plugins.join("serde-help/symposium.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, format!("{text}{hook}")).unwrap();
    world.publish();
    let payload = format!(
        r#"{{"hook_event_name":"PreToolUse","session_id":"s","cwd":"{}","tool_name":"Bash","tool_input":{{"command":"ls"}}}}"#,
        world.context.workspace().display()
    );
    // The user named the index, so its programs run.
    world.context.invoke(&["sync"]).expect(0);
    let output = world.context.invoke_hook("claude", "pre-tool-use", &payload);
    assert!(format!("{output:?}").contains("denied"), "{output:?}");
    // A project named it, so they need a grant.
    configure(&world.context, None, "");
    let config = format!("[[plugin-source]]\nname = \"team\"\nindex = \"{}\"\n", server.url());
    world.context.write(".symposium/config.toml", config);
    world.context.invoke(&["sync"]).expect(0);
    let output = world.context.invoke_hook("claude", "pre-tool-use", &payload);
    assert!(!format!("{output:?}").contains("denied"), "{output:?}");
    let shown = world.context.invoke(&["trust", "--show"]);
    assert!(shown.stdout.contains("serde-help"), "{shown:?}");
}

#[test]
fn a_workspace_that_was_not_asked_about_follows_the_plugins_for_any_workspace() {
    let (world, _server) = IndexWorld::served();
    let publish = |version: &str, event: &str| {
        world.plugin("guard", version, "", version);
        let manifest = world.plugins.join("guard/symposium.toml");
        let text = std::fs::read_to_string(&manifest).unwrap();
        let hook = format!("\n[[hooks]]\nname = \"h\"\nevent = \"{event}\"\ncommand = \"echo denied >&2; exit 2\"\n");
        std::fs::write(&manifest, format!("{text}{hook}")).unwrap();
        world.publish();
        let elsewhere = world.context.root().join("elsewhere");
        std::fs::create_dir_all(&elsewhere).unwrap();
        world.context.invoke_in(&elsewhere, &["plugin", "sync"]).expect(0);
    };
    let event = crate::hook::shell("claude", &world.context, "ls").to_string();
    let is_denied = || format!("{:?}", world.context.invoke_hook("claude", "pre-tool-use", &event)).contains("denied");
    publish("1.0.0", "Stop");
    assert!(!is_denied());
    world.context.settle();
    assert!(!is_denied());
    publish("1.1.0", "PreToolUse");
    assert!(is_denied());
}

#[test]
fn a_policy_of_an_index_holds_in_every_one_of_very_many_workspaces() {
    let (world, _server) = IndexWorld::served();
    let hook = "\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\norder = \"policy\"\ncommand = \"sh $SYMPOSIUM_PLUGIN_DIR/check.sh\"\n";
    let manifest = world.plugins.join("serde-help/symposium.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, format!("{text}{hook}")).unwrap();
    std::fs::write(world.plugins.join("serde-help/check.sh"), "echo denied >&2\nexit 2\n").unwrap();
    world.publish();
    world.context.invoke(&["sync"]).expect(0);
    let sources = world.context.config_dir().join("cache/plugin-sources");
    let index = std::fs::read_dir(&sources).unwrap().map(|entry| entry.unwrap().path());
    let index = index.into_iter().find(|path| path.to_str().unwrap().contains("index-")).unwrap();
    let records = std::fs::read_dir(&index).unwrap().map(|entry| entry.unwrap().path());
    let is_record = |path: &std::path::PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with("workspace-");
    let own = records.filter(is_record).find(|path| !path.ends_with("workspace-none.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&own).unwrap()).unwrap();
    let write = |file: &std::path::Path, workspace: &str, age: u64| {
        let mut record = record.clone();
        record["workspace"] = workspace.into();
        record["fetched"] = (record["fetched"].as_u64().unwrap() - age).into();
        std::fs::write(file, record.to_string()).unwrap();
    };
    // The others are more recent.
    write(&own, record["workspace"].as_str().unwrap(), 1_000);
    for number in 0..70 {
        let other = world.context.root().join(format!("other{number}"));
        std::fs::create_dir(&other).unwrap();
        let hash: String = sha256(other.as_os_str().as_encoded_bytes()).chars().take(16).collect();
        write(&index.join(format!("workspace-{hash}.json")), other.to_str().unwrap(), 0);
    }
    for version in ["1.1.0", "1.2.0", "1.3.0"] {
        world.plugin("tokio-help", version, "tokio", version);
        world.publish();
        age(&world.context);
        world.context.invoke(&["plugin", "sync", "--due"]).expect(0);
        let payload = format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","cwd":"{}","tool_name":"Bash","tool_input":{{"command":"ls"}}}}"#,
            world.context.workspace().display()
        );
        let output = world.context.invoke_hook("claude", "pre-tool-use", &payload);
        assert!(format!("{output:?}").contains("denied"), "{version}: {output:?}");
    }
}
