//! `symposium plugin index`, and sources that are an index: asked, fetched, kept, refreshed.

use std::path::{Path, PathBuf};

use expect_test::expect;
use symposium_testkit::{TestContext, WebServer};

use crate::plugin_sync::installed;
use crate::{check, json, with_fixture};

/// A directory of plugins, its index, and a machine that uses it.
pub(crate) struct IndexWorld {
    pub(crate) context: TestContext,
    pub(crate) plugins: PathBuf,
    pub(crate) index: PathBuf,
}

impl IndexWorld {
    /// Makes a machine and two plugins, one for serde, which the workspace depends on, and one for bevy.
    pub(crate) fn new() -> Self {
        let mut context = with_fixture(&["workspace0"]);
        let (plugins, index) = (context.root().join("plugins"), context.root().join("index"));
        configure(&context, None, "");
        context.invoke(&["sync"]).expect(0);
        context.set("SYMPOSIUM_OFFLINE", "0");
        let world = Self { context, plugins, index };
        world.plugin("serde-help", "1.0.0", "serde", "first");
        world.plugin("bevy-help", "1.0.0", "bevy", "first");
        world.publish();
        world
    }

    pub(crate) fn plugin(&self, name: &str, version: &str, krate: &str, text: &str) {
        let crates = if krate.is_empty() { "*" } else { krate };
        let manifest = format!(
            "name = \"{name}\"\nversion = \"{version}\"\ncrates = [\"{crates}\"]\n\n[[skills]]\nsource.path = \"skills\"\n"
        );
        write(&self.plugins.join(name).join("symposium.toml"), &manifest);
        let skill =
            format!("---\nname: {name}\ndescription: Use it when {name} matters in this crate.\n---\n\n{text}\n");
        write(&self.plugins.join(name).join("skills").join(name).join("SKILL.md"), &skill);
    }

    pub(crate) fn publish(&self) {
        let (plugins, index) = (self.plugins.display().to_string(), self.index.display().to_string());
        self.context.invoke(&["plugin", "index", &plugins, "--out", &index]).expect(0);
    }

    pub(crate) fn use_url(&self, url: &str) {
        configure(&self.context, Some(url), "");
    }

    /// Uses the index over HTTP.
    pub(crate) fn served() -> (Self, WebServer) {
        let world = Self::new();
        let server = WebServer::serve(&world.index);
        world.use_url(&server.url());
        (world, server)
    }

    pub(crate) fn skill(&self, name: &str) -> Option<String> {
        installed(&self.context, name)
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

pub(crate) fn configure(context: &TestContext, url: Option<&str>, extra: &str) {
    let mut config = "[agent]\nname = \"claude\"\n\n[defaults]\nbuiltin = false\n\
                      symposium-recommendations = false\n"
        .to_owned();
    if let Some(url) = url {
        config.push_str(&format!("\n[[plugin-source]]\nname = \"team\"\nindex = \"{url}\"\n{extra}"));
    }
    context.write_config("config.toml", config);
}

/// Makes every record and file look older than it is.
pub(crate) fn age(context: &TestContext) {
    let sources = context.config_dir().join("cache/plugin-sources");
    for source in std::fs::read_dir(sources).unwrap() {
        for entry in std::fs::read_dir(source.unwrap().path()).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if !name.starts_with("workspace-") && name != "files.jsonl" {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let older = |line: &str| {
                let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
                for key in ["fetched", "checked", "missed"] {
                    if let Some(time) = value[key].as_u64() {
                        value[key] = (time - 5 * 60 * 60).into();
                    }
                }
                format!("{value}\n")
            };
            std::fs::write(&path, text.lines().map(older).collect::<String>()).unwrap();
        }
    }
}

fn files_below(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(directory).unwrap().display().to_string();
                found.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_same_plugins_give_the_same_bytes() {
    let world = IndexWorld::new();
    world.plugin("anywhere", "2.0.0", "", "text");
    world.publish();
    let first = files_below(&world.index);
    let names: Vec<&str> =
        first.iter().map(|(name, _)| name.as_str()).filter(|name| !name.starts_with("archives")).collect();
    assert_eq!(names, ["any", "be/vy/bevy", "config.json", "se/rd/serde"]);
    let lines = String::from_utf8(first.iter().find(|(name, _)| name == "se/rd/serde").unwrap().1.clone()).unwrap();
    assert!(lines.starts_with(r#"{"name":"serde-help","version":"1.0.0","crates":["serde"],"sha256":""#), "{lines}");
    assert_eq!((lines.lines().count(), lines.ends_with('\n')), (1, true));
    let other = world.context.root().join("other");
    let plugins = world.plugins.display().to_string();
    let output = world.context.invoke(&["plugin", "index", &plugins, "--out", &other.display().to_string()]);
    check(
        output,
        expect![[r#"
        Indexed 3 plugins in `$ROOT/other`: 2 crates, 1 for any workspace.
    "#]],
    );
    assert_eq!(files_below(&other), first);
    // A person named another place for archives.
    let moved = r#"{"format":1,"archives":"https://archives.example/a"}"#;
    std::fs::write(other.join("config.json"), moved).unwrap();
    world.context.invoke(&["plugin", "index", &plugins, "--out", &other.display().to_string()]).expect(0);
    assert_eq!(std::fs::read_to_string(other.join("config.json")).unwrap(), moved);
    // A plugin that is gone leaves the index, but not its archive: a lockfile may name it.
    std::fs::remove_dir_all(world.plugins.join("bevy-help")).unwrap();
    world.publish();
    let names: Vec<String> = files_below(&world.index).into_iter().map(|(name, _)| name).collect();
    assert!(!names.contains(&"be/vy/bevy".to_owned()), "{names:?}");
    assert_eq!(names.iter().filter(|name| name.starts_with("archives")).count(), 3);
}

#[test]
fn an_index_is_not_written_over_other_files() {
    let world = IndexWorld::new();
    let (plugins, site) = (world.plugins.display().to_string(), world.context.root().join("site"));
    let own = [("any", "mine"), ("db/data", "mine"), ("js/lib/app.js", "mine"), ("se/rd/other/deep/x", "")];
    for (path, text) in own {
        write(&site.join(path), text);
        write(&world.index.join(path), text);
    }
    write(&site.join("config.json"), "{\"my\":\"app\"}");
    for out in [&plugins, &site.display().to_string()] {
        let output = world.context.invoke(&["plugin", "index", &plugins, "--out", out]);
        assert_eq!(output.code, 3, "{output:?}");
        assert!(output.stderr.contains("` is not empty and is not an index"), "{output:?}");
        assert!(output.stderr.contains("pass an empty or new directory"), "{output:?}");
    }
    assert_eq!(files_below(&site).len(), 5);
    // Files beside those of an index stay, and so do empty directories.
    std::fs::create_dir(world.index.join("id")).unwrap();
    std::fs::remove_dir_all(world.plugins.join("bevy-help")).unwrap();
    std::fs::remove_dir_all(world.plugins.join("serde-help")).unwrap();
    world.plugin("tokio-help", "1.0.0", "tokio", "first");
    world.publish();
    assert!(own.iter().all(|(path, _)| world.index.join(path).is_file()) && world.index.join("id").is_dir());
    assert!(!world.index.join("se/rd/serde").exists() && !world.index.join("be").exists());
}

#[test]
fn a_plugin_that_an_archive_cannot_hold_is_named_and_the_others_are_indexed() {
    let world = IndexWorld::new();
    write(
        &world.plugins.join("loose.toml"),
        "name = \"loose\"\n[[hooks]]\nname = \"h\"\nevent = \"Stop\"\ncommand = \"true\"\n",
    );
    write(&world.plugins.join("broken/symposium.toml"), "name = 1\n");
    let (plugins, index) = (world.plugins.display().to_string(), world.index.display().to_string());
    let output = world.context.invoke(&["plugin", "index", &plugins, "--out", &index]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("`loose` is not in the index: it has hooks or servers"), "{output:?}");
    assert!(output.stderr.contains("broken"), "{output:?}");
    assert!(output.stdout.contains("Indexed 2 plugins"), "{output:?}");
}

#[test]
fn only_the_plugins_for_the_crates_of_the_workspace_are_fetched() {
    let (world, server) = IndexWorld::served();
    let output = world.context.invoke(&["sync"]);
    assert_eq!((output.code, output.stderr.contains("warning")), (0, false), "{output:?}");
    assert!(world.skill("serde-help").unwrap().contains("first"));
    assert_eq!(world.skill("bevy-help"), None);
    let requests = server.take_requests();
    let asked: Vec<&str> = requests.iter().map(|(path, _)| path.as_str()).collect();
    assert!(asked.contains(&"config.json") && asked.contains(&"any") && asked.contains(&"se/rd/serde"), "{asked:?}");
    assert!(!asked.contains(&"be/vy/bevy"), "{asked:?}");
    assert_eq!(asked.iter().filter(|path| path.starts_with("archives/")).count(), 1, "{asked:?}");

    // Within four hours nothing is asked again.
    world.context.invoke(&["sync"]).expect(0);
    assert_eq!(server.take_requests(), []);
    // A later one asks whether something changed.
    let list = world.context.invoke(&["plugin", "sync"]);
    assert_eq!(list.code, 0, "{list:?}");
    assert!(list.stdout.contains("team  unchanged"), "{list:?}");
    let requests = server.take_requests();
    assert!(requests.contains(&("se/rd/serde".to_owned(), 304)), "{requests:?}");
    assert!(
        requests.iter().all(|(path, status)| *status == 304 || *status == 404 && !path.starts_with("archives")),
        "{requests:?}"
    );

    let list = world.context.invoke(&["plugin", "list"]).expect(0);
    assert!(list.contains("team (index, ") && list.contains("fetched just now"), "{list}");
    assert!(list.contains("serde-help"), "{list}");
    let why = world.context.invoke(&["why", "serde-help"]).expect(0);
    assert!(why.contains("team"), "{why}");
    let status = json(world.context.invoke(&["status", "--json"]));
    assert!(status.to_string().contains("serde-help"), "{status}");
}

#[test]
fn the_cache_of_an_index_keeps_only_what_is_in_use_and_what_was_before() {
    let (world, _server) = IndexWorld::served();
    for version in 0..6 {
        world.plugin("serde-help", &format!("1.{version}.0"), "serde", &format!("version {version}"));
        world.publish();
        world.context.invoke(&["plugin", "sync"]).expect(0);
    }
    world.context.invoke(&["sync"]).expect(0);
    assert!(world.skill("serde-help").unwrap().contains("version 5"));
    let sources = world.context.config_dir().join("cache/plugin-sources");
    let index = std::fs::read_dir(sources).unwrap().map(|entry| entry.unwrap().path());
    let index = index.into_iter().find(|path| path.to_str().unwrap().contains("index-")).unwrap();
    let names = |directory: &Path| -> Vec<String> {
        let entries = std::fs::read_dir(directory).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&index.join("archives")).len(), 2, "the archives of two versions");
    let all = names(&index);
    let sets = all.iter().filter(|name| name.len() == 64).count();
    // Those of the workspace, and the empty one for work outside any.
    assert_eq!(sets, 3, "{all:?}");
    assert_eq!(all.iter().filter(|name| name.ends_with(".plugins")).count(), sets, "{all:?}");
    // Each set has three entries; the others are two records, the known files, the archives and the lock.
    assert_eq!(all.len(), 3 * sets + 5, "{all:?}");
}

#[test]
fn an_index_in_a_directory_needs_no_server() {
    let world = IndexWorld::new();
    world.use_url(&format!("file://{}", world.index.display()));
    world.context.invoke(&["sync"]).expect(0);
    assert!(world.skill("serde-help").unwrap().contains("first"));
    world.plugin("serde-help", "1.1.0", "serde", "second");
    world.publish();
    let output = world.context.invoke(&["plugin", "sync", "team"]);
    assert!(output.stdout.contains("team  updated"), "{output:?}");
    world.context.invoke(&["sync"]).expect(0);
    assert!(world.skill("serde-help").unwrap().contains("second"));
}

#[test]
fn a_server_that_ignores_etags_is_asked_again_for_everything() {
    let (world, server) = IndexWorld::served();
    server.ignore_etags();
    world.context.invoke(&["sync"]).expect(0);
    server.take_requests();
    let output = world.context.invoke(&["plugin", "sync"]);
    assert!(output.stdout.contains("unchanged"), "{output:?}");
    assert!(server.take_requests().contains(&("se/rd/serde".to_owned(), 200)));
}

#[test]
fn a_crate_that_is_added_is_asked_for_at_the_next_sync() {
    let (world, server) = IndexWorld::served();
    world.context.invoke(&["sync"]).expect(0);
    server.take_requests();
    let lock = world.context.workspace().join("Cargo.lock");
    let text = std::fs::read_to_string(&lock).unwrap();
    std::fs::write(&lock, format!("{text}\n[[package]]\nname = \"bevy\"\nversion = \"0.15.0\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n")).unwrap();
    let manifest = world.context.workspace().join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace("[dependencies]\n", "[dependencies]\nbevy = \"0.15\"\n")).unwrap();
    world.context.invoke(&["sync"]).expect(0);
    let requests = server.take_requests();
    assert_eq!(
        requests.iter().filter(|(path, _)| !path.starts_with("archives") && path != "config.json").count(),
        1,
        "{requests:?}"
    );
    assert!(requests.contains(&("be/vy/bevy".to_owned(), 200)), "{requests:?}");
    assert!(world.skill("serde-help").is_some());
}

#[test]
fn without_the_network_the_cache_counts() {
    let (world, server) = IndexWorld::served();
    world.context.invoke(&["sync"]).expect(0);
    server.take_requests();
    std::fs::remove_dir_all(world.context.workspace().join(".claude/skills")).unwrap();
    let output = world.context.invoke(&["sync", "--offline"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(world.skill("serde-help").is_some());
    assert_eq!(server.take_requests(), []);
}

#[test]
fn a_session_renews_what_the_workspaces_have() {
    let (world, server) = IndexWorld::served();
    world.context.invoke(&["sync"]).expect(0);
    world.plugin("serde-help", "1.1.0", "serde", "second");
    world.publish();
    age(&world.context);
    server.take_requests();
    world.context.invoke(&["plugin", "sync", "--due"]).expect(0);
    let requests = server.take_requests();
    assert!(requests.contains(&("se/rd/serde".to_owned(), 200)), "{requests:?}");
    world.context.invoke(&["sync", "--offline"]).expect(0);
    assert!(world.skill("serde-help").unwrap().contains("second"));
}

#[test]
fn a_projects_index_is_fetched_only_by_a_command() {
    let (world, server) = IndexWorld::served();
    configure(&world.context, None, "");
    world
        .context
        .write(".symposium/config.toml", format!("[[plugin-source]]\nname = \"team\"\nindex = \"{}\"\n", server.url()));
    world.context.invoke(&["plugin", "sync", "--due"]).expect(0);
    let _ = world.context.invoke_hook(
        "claude",
        "session-start",
        r#"{"hook_event_name":"SessionStart","session_id":"s","source":"startup"}"#,
    );
    assert_eq!(server.take_requests(), []);
    world.context.invoke(&["sync"]).expect(0);
    assert!(world.skill("serde-help").is_some());
    // Not by a path of this machine: a clone must not make Symposium read private directories.
    world.context.write(
        ".symposium/config.toml",
        format!("[[plugin-source]]\nname = \"team\"\nindex = \"file://{}\"\n", world.index.display()),
    );
    let output = world.context.invoke(&["sync"]);
    assert!(output.stderr.contains("is an index on this machine; only your user config may name it"), "{output:?}");
}

#[test]
fn a_source_that_does_not_follow_stays_until_it_is_asked_for() {
    let (world, server) = IndexWorld::served();
    configure(&world.context, Some(&server.url()), "auto-update = false\n");
    world.context.invoke(&["sync"]).expect(0);
    world.plugin("serde-help", "1.1.0", "serde", "second");
    world.publish();
    age(&world.context);
    world.context.invoke(&["sync"]).expect(0);
    assert!(world.skill("serde-help").unwrap().contains("first"));
    world.context.invoke(&["plugin", "sync", "team"]).expect(0);
    world.context.invoke(&["sync"]).expect(0);
    assert!(world.skill("serde-help").unwrap().contains("second"));
}

#[test]
fn credentials_are_sent_and_never_shown() {
    let (world, server) = IndexWorld::served();
    let url = format!("http://reader:s3cret@127.0.0.1:{}/i", server.port());
    world.use_url(&url);
    let output = world.context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(server.last_head().to_lowercase().contains("authorization: basic"), "{}", server.last_head());
    server.break_file("se/rd/serde", symposium_testkit::ServerFault::Status(500));
    let mut shown = String::new();
    for args in [&["plugin", "sync"][..], &["plugin", "list"], &["sync"], &["config", "show"]] {
        let output = world.context.invoke(args);
        shown.push_str(&format!("{}{}", output.stdout, output.stderr));
    }
    assert!(shown.contains("127.0.0.1") && !shown.contains("s3cret"), "{shown}");
}

/// Serves an index with the program that is most likely to be there.
#[test]
fn an_existing_web_server_serves_it() {
    let world = IndexWorld::new();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let started = std::process::Command::new("python3")
        .args(["-m", "http.server", &port.to_string(), "--bind", "127.0.0.1", "--directory"])
        .arg(&world.index)
        .stderr(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .spawn();
    let Ok(mut server) = started else {
        eprintln!("skipped: there is no python3");
        return;
    };
    let is_up = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()
    });
    world.use_url(&format!("http://127.0.0.1:{port}"));
    let output = is_up.then(|| world.context.invoke(&["sync"]));
    let again = is_up.then(|| world.context.invoke(&["plugin", "sync"]));
    server.kill().unwrap();
    server.wait().unwrap();
    let Some((output, again)) = output.zip(again) else {
        eprintln!("skipped: python3 has no http.server");
        return;
    };
    assert_eq!((output.code, again.code), (0, 0), "{output:?} {again:?}");
    assert!(again.stdout.contains("unchanged"), "{again:?}");
    assert!(world.skill("serde-help").is_some());
}
