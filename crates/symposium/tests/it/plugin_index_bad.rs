//! Index sources when something is wrong: with the server, the index, an archive, or the cache.

use std::time::{Duration, Instant};

use symposium_testkit::{Output, ServerFault};

use crate::plugin_index::{IndexWorld, age, configure};
use crate::plugin_sync_bad::start;

const SERDE: &str = "se/rd/serde";

pub(crate) fn archive_of(world: &IndexWorld, file: &str) -> String {
    let text = std::fs::read_to_string(world.index.join(file)).unwrap();
    let line: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    format!("archives/{}", line["archive"].as_str().unwrap())
}

/// Checks that a fault is reported with the crate and the address, and that everything else was done.
fn check_partial(output: &Output, expected: &str) {
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains(expected), "{expected}: {output:?}");
    assert!(output.stderr.contains("http://127.0.0.1:"), "{output:?}");
}

#[test]
fn a_bad_file_keeps_the_installed_skill_and_spares_the_others() {
    let (world, server) = IndexWorld::served();
    world.plugin("regex-help", "1.0.0", "tokio", "other");
    world.publish();
    world.context.invoke(&["sync"]).expect(0);
    let long = format!("{{\"name\":\"{}\"}}\n", "x".repeat(20_000));
    let other = std::fs::read(world.index.join("to/ki/tokio")).unwrap();
    let faults = [
        (ServerFault::Torn, "the file is cut off"),
        (ServerFault::CutOff, "crate `serde` at"),
        (ServerFault::Status(500), "status 500"),
        (ServerFault::Status(403), "status 403"),
        (ServerFault::Endless, "larger than 1024 kB"),
        (ServerFault::Redirect("http://127.0.0.1:1/x".to_owned()), "redirect, which is not followed"),
        (ServerFault::Instead(b"<html>hello</html>\n".to_vec()), "not the entry of a plugin"),
        (ServerFault::Instead(long.into_bytes()), "longer than 16 kB"),
        (ServerFault::Instead(vec![0xff, b'\n']), "it is not text"),
        (ServerFault::Instead(Vec::new()), "the file is empty"),
        (ServerFault::Instead(other), "is for other crates"),
    ];
    for (number, (fault, expected)) in faults.into_iter().enumerate() {
        let shown = format!("{fault:?}");
        world.plugin("regex-help", &format!("1.0.{}", number + 1), "tokio", &format!("other {number}"));
        world.publish();
        server.break_file(SERDE, fault);
        age(&world.context);
        let output = world.context.invoke(&["sync"]);
        check_partial(&output, expected);
        assert!(output.stderr.contains("crate `serde` at"), "{shown}: {output:?}");
        assert!(world.skill("serde-help").unwrap().contains("first"), "{shown}");
        assert!(world.skill("regex-help").unwrap().contains(&format!("other {number}")), "{shown}: the rest is done");
    }
    server.repair();
    let output = world.context.invoke(&["sync"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{output:?}");
}

#[test]
fn after_a_lost_cache_a_bad_file_removes_nothing() {
    let (world, server) = IndexWorld::served();
    world.context.invoke(&["sync"]).expect(0);
    std::fs::remove_dir_all(world.context.config_dir().join("cache")).unwrap();
    for fault in [ServerFault::Status(500), ServerFault::Torn] {
        server.break_file(SERDE, fault);
        let output = world.context.invoke(&["sync"]);
        check_partial(&output, "crate `serde` at");
        assert!(world.skill("serde-help").is_some(), "{output:?}");
    }
    server.repair();
    // That the server has no file means that it has no plugin.
    server.break_file(SERDE, ServerFault::Status(404));
    world.context.invoke(&["sync"]).expect(0);
    assert_eq!(world.skill("serde-help"), None);
}

#[test]
fn a_changed_archive_or_a_lying_hash_is_refused_before_anything_is_unpacked() {
    let (world, server) = IndexWorld::served();
    world.context.invoke(&["sync"]).expect(0);
    world.plugin("serde-help", "1.1.0", "serde", "second");
    world.publish();
    let archive = archive_of(&world, SERDE);
    let line = std::fs::read_to_string(world.index.join(SERDE)).unwrap();
    let hash = archive.rsplit('/').next().unwrap().trim_end_matches(".tar.gz").to_owned();
    let lying = line.replacen(&hash, &"0".repeat(64), 1);
    let mut changed = std::fs::read(world.index.join(&archive)).unwrap();
    changed[20] ^= 1;
    let smaller = changed[..changed.len() - 9].to_vec();
    for (path, fault, expected) in [
        (archive.as_str(), ServerFault::Instead(changed), "expected"),
        (&archive, ServerFault::Instead(smaller), "expected"),
        (&archive, ServerFault::Torn, "expected"),
        (&archive, ServerFault::Endless, "it is larger than"),
        (&archive, ServerFault::Status(404), "the server does not have the archive"),
        (&archive, ServerFault::Status(500), "status 500"),
        (SERDE, ServerFault::Instead(lying.into_bytes()), &"0".repeat(64)),
    ] {
        server.repair();
        server.break_file(path, fault.clone());
        age(&world.context);
        let output = world.context.invoke(&["sync"]);
        check_partial(&output, expected);
        assert!(output.stderr.contains("plugin `serde-help` 1.1.0 for `serde` at"), "{fault:?}: {output:?}");
        assert!(world.skill("serde-help").unwrap().contains("first"), "{fault:?}");
    }
    server.repair();
    age(&world.context);
    world.context.invoke(&["sync"]).expect(0);
    assert!(world.skill("serde-help").unwrap().contains("second"));
}

#[test]
fn a_lying_entry_spares_the_plugin_whose_archive_it_names() {
    let (world, server) = IndexWorld::served();
    let good = std::fs::read_to_string(world.index.join(SERDE)).unwrap();
    let place: serde_json::Value = serde_json::from_str(good.trim()).unwrap();
    let size = format!("\"size\":{}", place["size"]);
    let path = format!("\"archive\":\"{}\"", place["archive"].as_str().unwrap());
    for name in ["aaa", "zzz"] {
        let named = good.replacen("\"name\":\"serde-help\"", &format!("\"name\":\"{name}\""), 1);
        for (lie, expected) in [
            (named.replacen(&size, "\"size\":999", 1), "bytes instead of 999"),
            (named.replacen(&path, "\"archive\":\"aa/none\"", 1), "at `http://127.0.0.1:"),
            (named.clone(), "has the plugin `serde-help` instead"),
        ] {
            let _ = std::fs::remove_dir_all(world.context.config_dir().join("cache"));
            let _ = std::fs::remove_dir_all(world.context.workspace().join(".claude/skills"));
            server.break_file(SERDE, ServerFault::Instead(format!("{good}{lie}").into_bytes()));
            let output = world.context.invoke(&["sync"]);
            check_partial(&output, expected);
            assert!(output.stderr.contains(&format!("plugin `{name}` 1.0.0 for `serde`")), "{output:?}");
            assert!(!output.stderr.contains("plugin `serde-help` 1.0.0"), "{output:?}");
            assert!(world.skill("serde-help").is_some(), "{name} {expected}: {output:?}");
        }
    }
}

/// Gives `serde-help` a policy that denies a tool.
pub(crate) fn add_policy(world: &IndexWorld) {
    let place = world.plugins.join("serde-help");
    let manifest = std::fs::read_to_string(place.join("symposium.toml")).unwrap();
    let hook = "\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\norder = \"policy\"\ncommand = \"./deny.sh\"\n";
    std::fs::write(place.join("symposium.toml"), manifest + hook).unwrap();
    std::fs::write(place.join("deny.sh"), "#!/bin/sh\necho 'not by force' >&2\nexit 2\n").unwrap();
    crate::set_mode(&place.join("deny.sh"), 0o755);
    world.publish();
}

pub(crate) fn is_denied(world: &IndexWorld) -> bool {
    world.context.settle();
    let event = serde_json::json!({"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"},
        "cwd": world.context.workspace()});
    world.context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0).contains("not by force")
}

#[test]
fn an_entry_that_becomes_wrong_ends_no_policy() {
    let (world, server) = IndexWorld::served();
    add_policy(&world);
    world.context.invoke(&["sync"]).expect(0);
    assert!(is_denied(&world));
    let good = std::fs::read_to_string(world.index.join(SERDE)).unwrap();
    let place: serde_json::Value = serde_json::from_str(good.trim()).unwrap();
    let path = format!("\"archive\":\"{}\"", place["archive"].as_str().unwrap());
    for (number, (lie, expected)) in [
        (good.replacen(&format!("\"size\":{}", place["size"]), "\"size\":999", 1), "bytes instead of 999"),
        (good.replacen("\"version\":\"1.0.0\"", "\"version\":\"9.0.0\"", 1), "has version 1.0.0 instead of 9.0.0"),
        (good.replacen(&path, "\"archive\":\"aa/none\"", 1), ""),
    ]
    .into_iter()
    .enumerate()
    {
        // Another plugin that is new makes the plugins of the workspace be unpacked again.
        world.plugin("tokio-help", &format!("1.{number}.0"), "tokio", "other");
        world.publish();
        server.break_file(SERDE, ServerFault::Instead(lie.into_bytes()));
        let output = world.context.invoke(&["plugin", "sync"]);
        assert!(output.stderr.contains(expected), "{output:?}");
        let output = world.context.invoke(&["sync"]);
        assert!(!output.stderr.contains("no longer active"), "{expected}: {output:?}");
        assert!(world.skill("serde-help").is_some() && world.skill("tokio-help").is_some(), "{expected}: {output:?}");
        assert!(is_denied(&world), "{expected}");
    }
}

#[test]
fn a_file_that_is_gone_counts_as_gone_only_after_four_hours() {
    let (world, server) = IndexWorld::served();
    world.context.invoke(&["sync"]).expect(0);
    age(&world.context);
    server.break_file(SERDE, ServerFault::Status(404));
    // However often it is asked for meanwhile.
    for args in [&["sync"][..], &["plugin", "sync"], &["sync"]] {
        let output = world.context.invoke(args);
        check_partial(&output, "crate `serde` at");
        let expected = "the server no longer has the file; its plugins stay until it was missing for four hours";
        assert!(output.stderr.contains(expected), "{output:?}");
        assert!(world.skill("serde-help").is_some(), "{output:?}");
    }
    server.repair();
    let output = world.context.invoke(&["sync"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{output:?}");
    age(&world.context);
    server.break_file(SERDE, ServerFault::Status(404));
    check_partial(&world.context.invoke(&["sync"]), "crate `serde` at");
    age(&world.context);
    let output = world.context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(world.skill("serde-help"), None);
}

#[test]
fn an_index_that_went_back_is_named() {
    let (world, server) = IndexWorld::served();
    let old = std::fs::read(world.index.join(SERDE)).unwrap();
    world.plugin("serde-help", "1.1.0", "serde", "second");
    world.publish();
    world.context.invoke(&["sync"]).expect(0);
    server.break_file(SERDE, ServerFault::Instead(old));
    age(&world.context);
    let output = world.context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("source `team` moved from "), "{output:?}");
    assert!(output.stderr.contains(", which is older"), "{output:?}");
}

#[test]
fn a_place_of_archives_with_credentials_is_refused_and_not_kept() {
    let (world, server) = IndexWorld::served();
    let config =
        format!("{{\"format\":1,\"archives\":\"http://reader:s3cret@127.0.0.1:{}/i/archives\"}}", server.port());
    server.break_file("config.json", ServerFault::Instead(config.into_bytes()));
    let output = world.context.invoke(&["plugin", "sync"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("`archives` has credentials"), "{output:?}");
    assert!(!output.stderr.contains("s3cret"), "{output:?}");
    let sources = world.context.config_dir().join("cache/plugin-sources");
    for entry in std::fs::read_dir(sources).unwrap() {
        let known = std::fs::read_to_string(entry.unwrap().path().join("files.jsonl")).unwrap_or_default();
        assert!(!known.contains("s3cret"), "{known}");
    }
}

#[test]
fn a_server_that_says_unchanged_about_a_file_it_never_sent_is_not_believed() {
    let (world, server) = IndexWorld::served();
    server.break_file(SERDE, ServerFault::Status(304));
    let output = world.context.invoke(&["sync"]);
    check_partial(&output, "the server answered with status 304");
}

#[test]
fn an_archive_of_another_plugin_or_version_is_refused() {
    let (world, server) = IndexWorld::served();
    let line = std::fs::read_to_string(world.index.join(SERDE)).unwrap();
    for (lie, expected) in [
        (line.replacen("\"name\":\"serde-help\"", "\"name\":\"other-help\"", 1), "has the plugin `serde-help` instead"),
        (line.replacen("\"version\":\"1.0.0\"", "\"version\":\"9.0.0\"", 1), "has version 1.0.0 instead of 9.0.0"),
    ] {
        server.break_file(SERDE, ServerFault::Instead(lie.into_bytes()));
        let output = world.context.invoke(&["sync"]);
        assert_eq!(output.code, 3, "{output:?}");
        assert!(output.stderr.contains(expected), "{output:?}");
        assert_eq!((world.skill("serde-help"), world.skill("other-help")), (None, None));
        age(&world.context);
    }
}

#[test]
fn an_archive_that_leads_elsewhere_or_has_links_is_refused() {
    let (world, server) = IndexWorld::served();
    let archive = archive_of(&world, SERDE);
    let line = std::fs::read_to_string(world.index.join(SERDE)).unwrap();
    let old = archive.rsplit('/').next().unwrap().trim_end_matches(".tar.gz").to_owned();
    let size: u64 = serde_json::from_str::<serde_json::Value>(line.trim()).unwrap()["size"].as_u64().unwrap();
    let tar = |arguments: &str| {
        let root = world.context.root().join("evil");
        let _ = std::fs::remove_dir_all(&root);
        let script = format!("mkdir -p {0}/serde-help && cd {0} && {arguments}", root.display());
        assert!(std::process::Command::new("sh").args(["-c", &script]).status().unwrap().success());
        std::fs::read(root.join("x.tar.gz")).unwrap()
    };
    for (made, expected) in [
        (tar("ln -s /etc/passwd serde-help/SKILL.md && tar czf x.tar.gz serde-help"), "which is a link"),
        (
            tar(
                "echo x > serde-help/y && tar czf x.tar.gz --transform 's,serde-help/y,serde-help/../../y,' serde-help/y",
            ),
            "leads elsewhere",
        ),
        (tar("echo x > serde-help/y && tar czf x.tar.gz serde-help"), "no plugin that can be read"),
        (b"not an archive".to_vec(), "damaged"),
    ] {
        let hash = sha256(&made);
        let new = line.replace(&old, &hash).replace(&format!("\"size\":{size}"), &format!("\"size\":{}", made.len()));
        server.break_file(SERDE, ServerFault::Instead(new.clone().into_bytes()));
        let place: serde_json::Value = serde_json::from_str(new.trim()).unwrap();
        server.break_file(&format!("archives/{}", place["archive"].as_str().unwrap()), ServerFault::Instead(made));
        let output = world.context.invoke(&["plugin", "sync", "team"]);
        assert_eq!(output.code, 3, "{output:?}");
        assert!(output.stderr.contains(expected), "{expected}: {output:?}");
        let shown = format!("plugin `serde-help` 1.0.0 for `serde` at `{}/archives/", server.url());
        assert!(output.stderr.contains(&shown), "{shown}: {output:?}");
        assert!(!world.context.config_dir().join("cache/plugin-sources/y").exists());
    }
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).map(char::from).collect()
}

#[test]
fn a_server_that_is_gone_or_is_none_leaves_everything_as_it_was() {
    let (world, server) = IndexWorld::served();
    world.context.invoke(&["sync"]).expect(0);
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for fault in [ServerFault::Status(500), ServerFault::Status(404), ServerFault::Instead(b"{}".to_vec())] {
        server.break_file("config.json", fault);
        age(&world.context);
        let output = world.context.invoke(&["sync"]);
        assert_eq!(output.code, 0, "{output:?}");
        assert!(output.stderr.contains("failed to fetch source `team` from `http://127.0.0.1:"), "{output:?}");
        assert!(output.stderr.contains("using the plugins fetched "), "{output:?}");
        assert!(world.skill("serde-help").is_some());
    }
    // Plain HTTP behind an encrypted address, and no server at all: there are no plugins of these yet.
    for (url, expected) in [
        (format!("https://127.0.0.1:{}/i", server.port()), "failed to fetch source `team`"),
        (format!("http://127.0.0.1:{gone}/i"), "failed to fetch source `team`"),
    ] {
        world.use_url(&url);
        let started = Instant::now();
        let output = world.context.invoke(&["sync"]);
        assert_eq!(output.code, 3, "{output:?}");
        assert!(output.stderr.contains(expected), "{output:?}");
        assert!(world.skill("serde-help").is_some(), "{output:?}");
        assert!(started.elapsed() < Duration::from_secs(30));
    }
}

#[test]
fn a_slow_or_silent_server_is_left_behind() {
    let (world, server) = IndexWorld::served();
    configure(&world.context, Some(&server.url()), "\n[fetch]\ntimeout = 3\n");
    for fault in [ServerFault::Drip(Duration::from_millis(100)), ServerFault::Silent] {
        server.break_file(SERDE, fault);
        let started = Instant::now();
        let output = world.context.invoke(&["sync"]);
        assert!(started.elapsed() < Duration::from_secs(25), "{:?}", started.elapsed());
        check_partial(&output, "crate `serde` at");
        assert!(output.stderr.contains("the fetch took longer than 3 s"), "{output:?}");
    }
}

#[test]
fn half_of_the_crates_may_be_missing_and_names_may_be_odd() {
    let (world, server) = IndexWorld::served();
    let names = [
        ("a", "1/a"),
        ("ab", "2/ab"),
        ("abc", "3/a/abc"),
        ("_x", "2/-x"),
        ("CamelCase", "ca/me/camelcase"),
        ("größe", "gr/uf/gruf6udfe"),
        ("nul", "3/n/nul"),
        ("x-y_z", "x-/y-/x-y-z"),
    ];
    let workspace = world.context.workspace();
    let mut manifest =
        "[package]\nname = \"odd\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n".to_owned();
    let mut lock = "version = 4\n\n[[package]]\nname = \"odd\"\nversion = \"0.1.0\"\ndependencies = [".to_owned();
    let all = || names.iter().map(|(name, _)| *name).chain(["serde"]);
    for name in all() {
        manifest.push_str(&format!("\"{name}\" = \"1\"\n"));
        lock.push_str(&format!("\n \"{name}\","));
    }
    lock.push_str("\n]\n");
    for name in all() {
        lock.push_str(&format!("\n[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\n"));
        lock.push_str("source = \"registry+https://github.com/rust-lang/crates.io-index\"\n");
    }
    std::fs::write(workspace.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(workspace.join("Cargo.lock"), lock).unwrap();
    world.plugin("odd-help", "1.0.0", "x-y_z", "odd");
    world.publish();
    server.take_requests();
    let output = world.context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    let asked: Vec<String> = server.take_requests().into_iter().map(|(path, _)| path).collect();
    for (name, file) in names {
        assert!(asked.iter().any(|path| path == file), "{name}: {asked:?}");
    }
    assert!(world.skill("serde-help").is_some() && world.skill("odd-help").is_some(), "{output:?}");
}

/// Makes the entry of an archive that is not there.
fn entry(name: &str, crates: &str) -> String {
    let hash = sha256(name.as_bytes());
    format!(
        "{{\"name\":\"{name}\",\"version\":\"1.0.0\",\"crates\":[{crates}],\"sha256\":\"{hash}\",\"size\":9,\"archive\":\"aa/x\"}}\n"
    )
}

#[test]
fn a_flood_of_plugins_is_refused_before_any_archive_is_asked_for() {
    let (world, server) = IndexWorld::served();
    world.context.invoke(&["sync"]).expect(0);
    let flood: String = (0..5_500).map(|number| entry(&format!("p{number}"), "\"serde\"")).collect();
    server.break_file(SERDE, ServerFault::Instead(flood.into_bytes()));
    server.take_requests();
    let output = world.context.invoke(&["plugin", "sync"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(
        output.stderr.contains("it has 5500 plugins for the crates of one workspace, more than 5000"),
        "{output:?}"
    );
    assert!(output.stderr.ends_with("; its publisher can divide the index into several\n"), "{output:?}");
    let asked = server.take_requests();
    assert!(!asked.iter().any(|(path, _)| path.starts_with("archives/")), "{asked:?}");
    world.context.invoke(&["sync", "--offline"]).expect(0);
    assert!(world.skill("serde-help").unwrap().contains("first"));
    server.repair();
    world.context.invoke(&["plugin", "sync"]).expect(0);
}

#[test]
fn a_fault_names_a_few_of_very_many_crates() {
    let (world, server) = IndexWorld::served();
    let crates: Vec<String> = (0..900).map(|number| format!("\"c{number}\"")).collect();
    let line = entry("many-help", &format!("\"serde\",{}", crates.join(",")));
    server.break_file(SERDE, ServerFault::Instead(line.into_bytes()));
    let output = world.context.invoke(&["plugin", "sync"]);
    let expected = "plugin `many-help` 1.0.0 for `serde`, `c0`, `c1`, 898 more at `http://127.0.0.1:";
    check_partial(&output, expected);
}

/// Adds plugins for tokio with very many files each.
fn add_large_plugins(world: &IndexWorld, plugins: usize, files: usize) {
    for number in 0..plugins {
        let name = format!("large-{number:02}");
        world.plugin(&name, "1.0.0", "tokio", "text");
        let skill = world.plugins.join(&name).join("skills").join(&name);
        for number in 0..files {
            std::fs::write(skill.join(format!("file{number}")), "").unwrap();
        }
    }
}

#[test]
fn plugins_that_are_too_large_together_spare_the_others() {
    let (world, server) = IndexWorld::served();
    world.context.invoke(&["sync"]).expect(0);
    add_large_plugins(&world, 11, 950);
    world.plugin("tokio-help", "1.0.0", "tokio", "text");
    world.publish();
    let output = world.context.invoke(&["plugin", "sync"]);
    check_partial(
        &output,
        "all plugins of this workspace together have more than 10000 files, 20000 directories or 64 MB",
    );
    let shown = format!("plugin `large-10` 1.0.0 for `tokio` at `{}/", server.url());
    assert!(output.stderr.contains(&shown), "{output:?}");
    let output = world.context.invoke(&["sync", "--offline"]);
    assert!(world.skill("serde-help").is_some() && world.skill("tokio-help").is_some(), "{output:?}");
}

#[test]
fn new_plugins_that_take_all_room_do_not_push_out_an_installed_one() {
    let (world, _server) = IndexWorld::served();
    world.context.invoke(&["sync"]).expect(0);
    add_large_plugins(&world, 10, 998);
    world.plugin("serde-help", "1.1.0", "serde", "second");
    world.plugin("tokio-help", "1.0.0", "tokio", "text");
    world.publish();
    for _ in 0..2 {
        let output = world.context.invoke(&["plugin", "sync"]);
        check_partial(&output, "plugin `large-09` 1.0.0 for `tokio`");
        assert!(!output.stderr.contains("serde-help"), "{output:?}");
    }
    let output = world.context.invoke(&["sync", "--offline"]);
    assert!(world.skill("serde-help").unwrap().contains("second"), "{output:?}");
    let status = world.context.invoke(&["status"]);
    let line = status.stdout.lines().find(|line| line.starts_with("serde-help")).unwrap();
    assert!(!line.contains("orphaned"), "{line}");
}

#[test]
fn an_index_in_a_directory_may_have_its_archives_on_a_server() {
    let (world, server) = IndexWorld::served();
    let own = world.context.root().join("own-index");
    std::fs::create_dir_all(own.join("se/rd")).unwrap();
    std::fs::copy(world.index.join(SERDE), own.join(SERDE)).unwrap();
    let config = format!("{{\"format\":1,\"archives\":\"{}/archives\"}}", server.url());
    std::fs::write(own.join("config.json"), config).unwrap();
    world.use_url(&format!("file://{}", own.display()));
    let output = world.context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(world.skill("serde-help").is_some());
}

#[test]
fn a_killed_fetch_leaves_the_old_plugins_and_the_next_one_finishes() {
    let (world, server) = IndexWorld::served();
    world.context.invoke(&["sync"]).expect(0);
    world.plugin("serde-help", "1.1.0", "serde", "second");
    world.publish();
    age(&world.context);
    let archive = archive_of(&world, SERDE);
    for path in [SERDE, archive.as_str()] {
        server.break_file(path, ServerFault::Silent);
        server.take_requests();
        let mut child = start(&world.context, &["plugin", "sync"]);
        let asked = (0..400).any(|_| {
            std::thread::sleep(Duration::from_millis(25));
            server.take_requests().iter().any(|(asked, _)| asked == path)
        });
        assert!(asked, "{path}");
        child.kill().unwrap();
        child.wait().unwrap();
        server.repair();
        world.context.invoke(&["sync", "--offline"]).expect(0);
        assert!(world.skill("serde-help").unwrap().contains("first"), "{path}");
    }
    world.context.invoke(&["plugin", "sync"]).expect(0);
    world.context.invoke(&["sync"]).expect(0);
    assert!(world.skill("serde-help").unwrap().contains("second"));
}

#[test]
fn damaged_files_of_the_cache_are_fetched_again() {
    let (world, _server) = IndexWorld::served();
    world.context.invoke(&["sync"]).expect(0);
    let sources = world.context.config_dir().join("cache/plugin-sources");
    let index = std::fs::read_dir(&sources).unwrap().map(|entry| entry.unwrap().path());
    let index = index.into_iter().find(|path| path.to_str().unwrap().contains("index-")).unwrap();
    for entry in std::fs::read_dir(&index).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            std::fs::write(&path, "torn").unwrap();
        }
    }
    for entry in std::fs::read_dir(index.join("archives")).unwrap() {
        std::fs::write(entry.unwrap().path(), "torn").unwrap();
    }
    // The first run finds the torn archive, the second has it again.
    let _ = world.context.invoke(&["sync"]);
    let output = world.context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(world.skill("serde-help").is_some());
}

#[test]
fn two_processes_fetch_at_the_same_time() {
    let (world, _server) = IndexWorld::served();
    let mut children: Vec<_> = (0..4).map(|_| start(&world.context, &["plugin", "sync"])).collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    world.context.invoke(&["sync", "--offline"]).expect(0);
    assert!(world.skill("serde-help").is_some());
}
