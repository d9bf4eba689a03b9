//! Index sources when something is wrong: with the server, the index, an archive, or the cache.

use std::time::{Duration, Instant};

use symposium_testkit::{Output, ServerFault};

use crate::plugin_index::{IndexWorld, age, configure};
use crate::plugin_sync_bad::start;

const SERDE: &str = "se/rd/serde";

fn archive_of(world: &IndexWorld, file: &str) -> String {
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
        assert!(!world.context.config_dir().join("cache/plugin-sources/y").exists());
    }
}

fn sha256(bytes: &[u8]) -> String {
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
    let (world, _server) = IndexWorld::served();
    let lock = world.context.workspace().join("Cargo.lock");
    let mut text = std::fs::read_to_string(&lock).unwrap();
    for name in ["a", "ab", "abc", "_x", "CamelCase", "größe", "nul", "con", "x-y_z"] {
        text.push_str(&format!("\n[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\n"));
    }
    std::fs::write(&lock, text).unwrap();
    let output = world.context.invoke(&["sync"]);
    assert!(matches!(output.code, 0 | 3), "{output:?}");
    assert!(world.skill("serde-help").is_some(), "{output:?}");
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
