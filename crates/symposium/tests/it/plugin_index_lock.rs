//! Index sources in a lockfile: pinned plugin by plugin, vendored, updated.

use symposium_testkit::{ServerFault, WebServer};

use crate::plugin_index::{IndexWorld, age, configure};
use crate::plugin_index_bad::{add_policy, archive_of, is_denied, sha256};

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

fn write_lock(world: &IndexWorld, text: &str) {
    world.context.write(".symposium/symposium.lock", text);
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
fn a_lock_that_a_colleague_updated_is_fetched_although_the_index_was_just_asked() {
    let (world, server) = locked();
    let old = lock(&world);
    world.plugin("serde-help", "1.1.0", "serde", "second");
    world.publish();
    world.context.invoke(&["sync", "--update"]).expect(0);
    let new = lock(&world);
    // As on the machine that has only the old content, and then the new lock.
    for args in [&["sync"][..], &["sync", "--locked"]] {
        std::fs::remove_dir_all(world.context.config_dir().join("cache")).unwrap();
        write_lock(&world, &old);
        world.context.invoke(&["sync"]).expect(0);
        assert!(world.skill("serde-help").unwrap().contains("first"));
        write_lock(&world, &new);
        server.take_requests();
        let output = world.context.invoke(args);
        assert_eq!(output.code, 0, "{output:?}");
        assert!(world.skill("serde-help").unwrap().contains("second"));
        assert!(!server.take_requests().is_empty(), "{args:?}");
        world.context.invoke(args).expect(0);
        assert_eq!(server.take_requests(), [], "{args:?}: the pinned plugins are here");
    }
}

#[test]
fn content_that_is_not_pinned_is_never_installed_from_the_cache() {
    let (world, server) = locked();
    let (old, path) = (lock(&world), world.context.workspace().join(".symposium/symposium.lock"));
    world.plugin("serde-help", "1.1.0", "serde", "second");
    world.publish();
    for args in [&["sync", "--locked"][..], &["sync"], &["sync", "--frozen"]] {
        server.repair();
        // The machine has the content of the index, then gets the lock.
        std::fs::remove_file(&path).unwrap();
        std::fs::remove_dir_all(world.context.config_dir().join("cache")).unwrap();
        world.context.invoke(&["sync"]).expect(0);
        assert!(world.skill("serde-help").unwrap().contains("second"));
        std::fs::remove_dir_all(world.context.workspace().join(".claude/skills")).unwrap();
        write_lock(&world, &old);
        let archive = old.split("archive\\\":\\\"").nth(1).unwrap().split('\\').next().unwrap();
        server.break_file(&format!("archives/{archive}"), ServerFault::Status(404));
        let output = world.context.invoke(args);
        assert_eq!((output.code, world.skill("serde-help")), (3, None), "{args:?}: {output:?}");
        assert!(output.stderr.contains("ource `team` is locked"), "{output:?}");
        assert_eq!(lock(&world), old);
        server.repair();
        world.context.invoke(&["sync", "--locked"]).expect(0);
        assert!(world.skill("serde-help").unwrap().contains("first"));
    }
}

#[test]
fn a_policy_holds_while_the_content_that_a_new_lock_pins_cannot_be_had() {
    let (world, server) = locked();
    let locked_with = |version: &str| {
        world.plugin("serde-help", version, "serde", version);
        add_policy(&world);
        world.context.invoke(&["sync", "--update"]).expect(0);
        lock(&world)
    };
    let (old, new) = (locked_with("1.1.0"), locked_with("1.2.0"));
    std::fs::remove_dir_all(world.context.config_dir().join("cache")).unwrap();
    write_lock(&world, &old);
    world.context.invoke(&["sync"]).expect(0);
    world.context.invoke(&["trust", "--yes"]).expect(0);
    assert!(is_denied(&world));
    write_lock(&world, &new);
    server.break_file(&archive_of(&world, "se/rd/serde"), ServerFault::Status(404));
    for args in [&["sync", "--frozen"][..], &["sync"], &["sync", "--locked"]] {
        assert_eq!(world.context.invoke(args).code, 3);
        assert!(world.skill("serde-help").unwrap().contains("1.1.0"));
        assert!(is_denied(&world), "{args:?}");
    }
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

#[test]
fn a_policy_outlives_the_absence_of_its_workspace() {
    let (world, _server) = IndexWorld::served();
    add_policy(&world);
    world.context.invoke(&["sync"]).expect(0);
    assert!(is_denied(&world));
    let elsewhere = world.context.root().join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    let (here, away) = (world.context.workspace(), world.context.root().join("away"));
    std::fs::rename(here, &away).unwrap();
    for _ in 0..2 {
        world.context.invoke_in(&elsewhere, &["plugin", "sync"]).expect(0);
    }
    std::fs::rename(&away, here).unwrap();
    assert!(is_denied(&world));
    world.context.invoke(&["sync", "--offline"]).expect(0);
    assert!(is_denied(&world));
}
