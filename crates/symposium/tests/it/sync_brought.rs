//! `symposium sync` and what plugins bring along from repositories and crates: fetched without the lock, pinned,
//! vendored, and moved when somebody says so.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use symposium_testkit::TestContext;

use crate::crate_plugins::{depends_on, machine, put, skill, unpacked};
use crate::plugin_sync::{age, cached, installed};
use crate::plugin_sync_bad::start;
use crate::repository::{Repository, counting_deaf_server};
use crate::sync_lock::{clone_of, lock_text, project};
use crate::{json, with_fixture};

/// A project whose own plugin brings along skills of one repository and the plugins of another.
fn bringing() -> (TestContext, Repository, Repository) {
    let context = project("[[plugin-source]]\nname = \"own\"\npath = \".symposium/own\"\n");
    let skills = Repository::create(context.root().join("server/skills"));
    skills.skill("far", "serde", "first").commit();
    let plugins = Repository::create(context.root().join("server/plugins"));
    plugins.write("near/SYMPOSIUM.toml", "name = \"near\"\ncrates = [\"serde\"]\n[[skills]]\nsource.path = \".\"\n");
    plugins.skill("near", "serde", "first").commit();
    let manifest = format!(
        "name = \"book\"\ncrates = [\"serde\"]\n[[skills]]\nsource.git = \"{}\"\n[[plugins]]\nsource.git = \"{}\"\n",
        skills.served(),
        plugins.served()
    );
    context.write(".symposium/own/book/SYMPOSIUM.toml", manifest);
    (context, skills, plugins)
}

fn both(context: &TestContext, body: &str) -> bool {
    ["far", "near"].iter().all(|name| installed(context, name).is_some_and(|text| text.contains(body)))
}

#[test]
fn repositories_that_plugins_name_are_pinned_and_moved_like_any_source() {
    let (context, skills, plugins) = bringing();
    context.invoke(&["sync", "--lock"]).expect(0);
    assert!(both(&context, "first"));
    let before = lock_text(&context);
    for repository in [&skills, &plugins] {
        assert!(before.contains(&format!("name = \"{}\"", repository.served())), "{before}");
        assert!(before.contains(&repository.git(&["rev-parse", "HEAD"])), "{before}");
    }
    assert_eq!(context.invoke(&["sync", "--locked", "--check"]).code, 0);

    skills.skill("far", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    plugins.skill("near", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    age(&context);
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(output.stderr.matches("run `symposium sync --update` to update").count(), 2, "{output:?}");
    assert!(both(&context, "first"), "what is pinned stays");
    assert_eq!(lock_text(&context), before);

    // They are fresh, and asked all the same.
    skills.skill("far", "serde", "third").commit_at("2024-07-01T12:00:00Z");
    plugins.skill("near", "serde", "third").commit_at("2024-07-01T12:00:00Z");
    let shown = context.invoke(&["sync", "--update"]).expect(0);
    assert!(shown.contains("+ third"), "{shown}");
    assert!(both(&context, "third"));
    assert_eq!(context.invoke(&["sync", "--locked", "--check"]).code, 0);

    // Whoever asks for all sources, or for this one, gets it.
    let list = context.invoke(&["plugin", "sync"]).expect(0);
    let one = context.invoke(&["plugin", "sync", &skills.served()]).expect(0);
    for listed in [&list, &one] {
        assert!(listed.contains(&context.normalize_paths(&skills.served())), "{listed}");
    }
    assert_eq!((list.lines().count(), one.lines().count()), (2, 1), "{list}{one}");
}

#[test]
fn a_clone_gets_what_is_pinned_of_repositories_that_plugins_name() {
    let (context, skills, plugins) = bringing();
    context.invoke(&["sync", "--lock"]).expect(0);
    for repository in [&skills, &plugins] {
        repository.skill(&format!("new-{}", repository.path.display().to_string().len()), "serde", "x");
        repository.skill("far", "serde", "second").skill("near", "serde", "second");
        repository.commit_at("2024-06-01T12:00:00Z");
    }
    let other = clone_of(&context);
    // Without the network nothing is known to be gone.
    let output = other.invoke(&["sync", "--frozen"]);
    assert_eq!(lock_text(&other), lock_text(&context), "{output:?}");
    assert!(!output.stderr.contains("- source"), "{output:?}");
    let output = other.invoke(&["sync", "--locked"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(both(&other, "first"));
    assert_eq!(lock_text(&other), lock_text(&context));

    // What is fresh on a machine may still not be what is pinned.
    let third = clone_of(&context);
    std::fs::rename(third.workspace().join(".symposium/symposium.lock"), third.root().join("kept")).unwrap();
    third.invoke(&["sync"]).expect(0);
    assert!(installed(&third, "far").unwrap().contains("second"));
    std::fs::rename(third.root().join("kept"), third.workspace().join(".symposium/symposium.lock")).unwrap();
    let output = third.invoke(&["sync", "--locked"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(both(&third, "first"));
}

#[test]
fn what_is_installed_of_a_repository_that_is_not_there_any_more_stays() {
    for args in [&["sync"][..], &["sync", "--lock"]] {
        let (context, skills, plugins) = bringing();
        context.invoke(args).expect(0);
        assert!(both(&context, "first"));
        for repository in [&skills, &plugins] {
            std::fs::remove_dir_all(&repository.path).unwrap();
        }
        std::fs::remove_dir_all(context.config_dir().join("cache")).unwrap();
        let locked = args.contains(&"--lock").then(|| lock_text(&context));
        for again in [&["sync", "--offline"][..], &["sync"]] {
            let output = context.invoke(again);
            assert_eq!(output.code, if locked.is_some() { 3 } else { 0 }, "{args:?} {again:?}: {output:?}");
            assert!(both(&context, "first"), "{args:?} {again:?}: {output:?}");
            assert_eq!(locked, args.contains(&"--lock").then(|| lock_text(&context)));
        }
        context.invoke_hook("claude", "session-start", "{}").expect(0);
        assert!(both(&context, "first"), "{args:?}");
    }
}

#[test]
fn repositories_that_plugins_name_are_vendored() {
    let (context, skills, plugins) = bringing();
    context.invoke(&["sync", "--vendor"]).expect(0);
    for repository in [&skills, &plugins] {
        std::fs::remove_dir_all(&repository.path).unwrap();
    }
    let mut other = clone_of(&context);
    other.set("SYMPOSIUM_OFFLINE", "1");
    let output = other.invoke(&["sync", "--frozen"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(both(&other, "first") && cached(&other).is_empty());
    let tree = |context: &TestContext| context.tree(&context.workspace().join(".claude/skills"));
    assert_eq!(tree(&other), tree(&context));
}

#[test]
fn skills_that_lie_in_a_crate_follow_cargo_lock() {
    let context = machine();
    let manifest = "name = \"book\"\ncrates = [\"widget\"]\n[[skills]]\nsource = \"crate\"\n";
    context.write_config("plugins/book/SYMPOSIUM.toml", manifest);
    put(&unpacked(&context, "widget-1.2.0").join("skills/guide/SKILL.md"), &skill("guide", "of 1.2"));
    context.invoke(&["sync", "--lock"]).expect(0);
    assert!(installed(&context, "guide").unwrap().contains("of 1.2"));
    put(&unpacked(&context, "widget-1.3.0").join("Cargo.toml"), "[package]\nname = \"widget\"\nversion = \"1.3.0\"\n");
    put(&unpacked(&context, "widget-1.3.0").join("skills/guide/SKILL.md"), &skill("guide", "of 1.3"));
    depends_on(&context, &["widget 1.3.0"]);
    let output = context.invoke(&["sync"]);
    assert!(output.code == 0 && !output.stderr.contains("lock"), "{output:?}");
    assert!(installed(&context, "guide").unwrap().contains("of 1.3"));
    // Whether cargo has unpacked it on this machine does not change what is locked.
    let locked = lock_text(&context);
    std::fs::remove_dir_all(unpacked(&context, "widget-1.3.0")).unwrap();
    assert_eq!(context.invoke(&["sync", "--locked"]).code, 0);
    context.invoke(&["sync"]).expect(0);
    assert_eq!(lock_text(&context), locked);
    assert!(installed(&context, "guide").is_some());
}

#[test]
fn a_dead_repository_that_a_plugin_names_keeps_nobody_waiting() {
    let mut context = with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_OFFLINE", "0");
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n[defaults]\nsymposium-recommendations = false\n");
    context.invoke(&["sync"]).expect(0);
    let names = |port: u16| {
        let manifest = format!("name = \"book\"\n[[skills]]\nsource.git = \"git://127.0.0.1:{port}/x\"\n");
        context.write_config("plugins/book/SYMPOSIUM.toml", manifest);
    };
    for command in [&["sync"][..], &["init", "--yes"]] {
        // Whoever did not answer is left in peace for a while, so each has another.
        let (port, called) = counting_deaf_server();
        names(port);
        let mut waiting = start(&context, command);
        let begin = Instant::now();
        while called.load(Ordering::Relaxed) == 0 {
            assert!(begin.elapsed() < Duration::from_secs(30), "{command:?}: nobody called");
            std::thread::sleep(Duration::from_millis(10));
        }
        // A run that writes goes on meanwhile.
        let output = context.invoke(&["off", "serde"]);
        assert_eq!(output.code, 0, "{command:?}: {output:?}");
        assert_eq!(waiting.try_wait().unwrap(), None, "{command:?}: it still waits for the server");
        context.invoke(&["on", "serde"]).expect(0);
        assert_eq!(waiting.wait().unwrap().code(), Some(0), "{command:?}");
    }
    // What somebody did meanwhile counts, and nothing is said twice.
    names(counting_deaf_server().0);
    context.write(".symposium/config.toml", "[skills]\nserde = false\n[nonsense]\n");
    let output = context.invoke(&["sync"]);
    assert_eq!(output.stderr.matches("unknown key").count(), 1, "{output:?}");
    assert_eq!(output.stderr.matches("could not be fetched").count(), 1, "{output:?}");
}

#[test]
fn without_an_agent_the_text_that_moves_is_shown_too() {
    let mut context = with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_OFFLINE", "0");
    let repository = Repository::create(context.root().join("server/plugins"));
    repository.skill("serde-tips", "serde", "first").commit();
    context.write(
        ".symposium/config.toml",
        format!(
            "self-contained = true\n[defaults]\nbuiltin = false\nuser-plugins = false\n\
             symposium-recommendations = false\n[[plugin-source]]\nname = \"team\"\ngit = \"{}\"\n",
            repository.served()
        ),
    );
    context.invoke(&["sync", "--lock"]).expect(0);
    repository.skill("serde-tips", "serde", "second").commit_at("2024-06-01T12:00:00Z");
    context.invoke(&["plugin", "sync"]).expect(0);
    for args in [&["sync", "--update", "--dry-run"][..], &["sync", "--update"]] {
        let shown = context.invoke(args).expect(0);
        assert_eq!(shown.matches("- first").count(), 1, "{shown}");
        assert_eq!(shown.matches("+ second").count(), 1, "{shown}");
    }
    repository.skill("serde-tips", "serde", "third").commit_at("2024-07-01T12:00:00Z");
    let mut other = clone_of(&context);
    other.set("SYMPOSIUM_OFFLINE", "0");
    other.invoke(&["sync"]).expect(0);
    let output = other.invoke(&["sync", "--update", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let row = &document["actions"][0];
    assert!(row["path"].as_str().unwrap().ends_with("symposium.lock"), "{document}");
    assert!(row["difference"].as_array().unwrap().contains(&"+ third".into()), "{document}");
    // With an agent it is shown once, where the skill is installed.
    let with_agent = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    context.write(".symposium/config.toml", with_agent.replace("[defaults]", "[agent]\nname = \"claude\"\n[defaults]"));
    context.invoke(&["sync"]).expect(0);
    let document = json(context.invoke(&["sync", "--update", "--json"]));
    let all = document["actions"].as_array().unwrap();
    let with_lines = all.iter().filter(|row| row.get("difference").is_some()).count();
    assert_eq!(with_lines, 1, "{document}");
}
