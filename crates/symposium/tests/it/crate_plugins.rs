//! Crates that carry their own plugin: candidates until somebody switches them on, and never more than text before a
//! grant; and what plugins bring along from crates and repositories.

use std::path::{Path, PathBuf};

use expect_test::expect;
use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::plugin_sync::installed;
use crate::repository::Repository;
use crate::{set_mode, with_fixture};

pub(crate) fn put(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    if path.extension().is_some_and(|extension| extension == "sh") {
        set_mode(path, 0o755);
    }
}

pub(crate) fn skill(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: About {name}\n---\n{body}\n")
}

/// Where cargo unpacks a crate.
pub(crate) fn unpacked(context: &TestContext, package: &str) -> PathBuf {
    context.root().join("cargo-home/registry/src/index.crates.io-1").join(package)
}

/// A workspace that depends on these crates, as `name version`.
pub(crate) fn depends_on(context: &TestContext, crates: &[&str]) {
    let mut manifest =
        "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\n".to_owned();
    let mut lock = "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [".to_owned();
    for (number, krate) in crates.iter().enumerate() {
        let (name, version) = krate.split_once(' ').unwrap();
        manifest.push_str(&format!("dep{number} = {{ package = \"{name}\", version = \"{version}\" }}\n"));
        lock.push_str(&format!("\"{krate}\", "));
    }
    lock.push_str("]\n");
    for krate in crates {
        let (name, version) = krate.split_once(' ').unwrap();
        lock.push_str(&format!(
            "\n[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \
             \"registry+https://github.com/rust-lang/crates.io-index\"\n"
        ));
    }
    context.write("Cargo.toml", manifest);
    context.write("Cargo.lock", lock);
    context.write("src/main.rs", "fn main() {}\n");
}

/// A user of Claude Code with a workspace that depends on widget 1.2.0, whose source is unpacked.
pub(crate) fn machine() -> TestContext {
    let context = with_fixture(&[]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n[defaults]\nsymposium-recommendations = false\n");
    depends_on(&context, &["widget 1.2.0"]);
    put(&unpacked(&context, "widget-1.2.0").join("Cargo.toml"), "[package]\nname = \"widget\"\nversion = \"1.2.0\"\n");
    context
}

/// The state of every extension that is a crate's own, as `status` tells it.
pub(crate) fn states(context: &TestContext) -> Vec<String> {
    let status = context.invoke(&["status", "--json"]);
    let document: Value = serde_json::from_str(&status.stdout).unwrap();
    let rows = document["extensions"].as_array().unwrap().iter();
    let own = rows.filter(|row| row["source"].as_str().unwrap().contains('@'));
    own.map(|row| {
        format!(
            "{} {} {}",
            row["kind"].as_str().unwrap(),
            row["name"].as_str().unwrap(),
            row["state"].as_str().unwrap()
        )
    })
    .collect()
}

fn config(context: &TestContext) -> String {
    std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap()
}

#[test]
fn every_way_to_carry_a_plugin_makes_a_candidate() {
    type Carry = fn(&Path);
    let ways: [(&str, Carry); 6] = [
        ("a directory of skills", |at| put(&at.join("skills/guide/SKILL.md"), &skill("guide", "x"))),
        ("SYMPOSIUM.toml", |at| {
            put(&at.join("SYMPOSIUM.toml"), "[[skills]]\nsource.path = \"docs\"\n");
            put(&at.join("docs/guide/SKILL.md"), &skill("guide", "x"));
        }),
        ("Symposium.toml, and the default directory besides", |at| {
            put(&at.join("Symposium.toml"), "name = \"widget-plugin\"\n");
            put(&at.join("skills/guide/SKILL.md"), &skill("guide", "x"));
        }),
        ("a table in Cargo.toml", |at| {
            let table = "[[package.metadata.symposium.skills]]\nsource.path = \"docs\"\n";
            put(&at.join("Cargo.toml"), &format!("[package]\nname = \"widget\"\nversion = \"1.2.0\"\n{table}"));
            put(&at.join("docs/guide/SKILL.md"), &skill("guide", "x"));
        }),
        ("an empty table in Cargo.toml", |at| {
            let table = "[package.metadata.symposium]\n";
            put(&at.join("Cargo.toml"), &format!("[package]\nname = \"widget\"\nversion = \"1.2.0\"\n{table}"));
            put(&at.join("skills/guide/SKILL.md"), &skill("guide", "x"));
        }),
        ("one skill for a group", |at| {
            put(&at.join("SYMPOSIUM.toml"), "[[skills]]\nsource.path = \"guide\"\n");
            put(&at.join("guide/SKILL.md"), &skill("guide", "x"));
        }),
    ];
    for (way, carry) in ways {
        let context = machine();
        carry(&unpacked(&context, "widget-1.2.0"));
        context.invoke(&["sync"]).expect(0);
        assert_eq!(states(&context), ["skill guide candidate"], "{way}");
        assert_eq!(installed(&context, "guide"), None, "{way}");
        assert!(!config(&context).contains("widget"), "nobody chose anything: {way}");
        context.invoke(&["sync", "--check"]).expect(0);
        context.invoke(&["on", "widget"]).expect(0);
        assert_eq!(states(&context), ["skill guide on"], "{way}");
        assert!(installed(&context, "guide").is_some(), "{way}");
        context.invoke(&["sync", "--check"]).expect(0);
        context.invoke(&["off", "widget"]).expect(0);
        assert_eq!(states(&context), ["skill guide off"], "{way}");
        assert_eq!(installed(&context, "guide"), None, "{way}");
    }
}

#[test]
fn a_crate_can_refuse_the_default_directory() {
    let context = machine();
    let widget = unpacked(&context, "widget-1.2.0");
    put(&widget.join("skills/guide/SKILL.md"), &skill("guide", "x"));
    put(&widget.join("SYMPOSIUM.toml"), "[defaults]\nskills = false\n");
    assert_eq!(states(&context), [""; 0]);
}

#[test]
fn a_candidate_is_shown_everywhere_and_says_how_to_switch_it_on() {
    let context = machine();
    put(&unpacked(&context, "widget-1.2.0").join("skills/guide/SKILL.md"), &skill("guide", "Turn it left."));
    let synced = context.invoke(&["sync"]);
    let said = "`widget` ships skills that are off; run `symposium on widget` to switch them on";
    assert!(synced.stderr.contains(said), "{synced:?}");
    let again = context.invoke(&["off", "deps"]);
    assert!(again.code == 0 && !again.stderr.contains("ships skills"), "said once: {again:?}");
    let set_up = context.invoke(&["init", "--yes", "--agent", "gemini"]);
    assert!(!set_up.stderr.contains("symposium crate widget"), "it has skills: {set_up:?}");
    for args in [&["status"][..], &["why", "widget"], &["why", "guide"], &["crate", "widget"], &["start"]] {
        let output = context.invoke(args);
        let said = format!("{}{}", output.stdout, output.stderr);
        assert_eq!(output.code, 0, "{args:?}: {output:?}");
        assert!(said.contains("symposium on widget"), "{args:?}: {said}");
        assert!(!said.contains("Turn it left"), "its text is not handed out: {args:?}");
    }
    expect![[r#"
        crate `widget`: a dependency of this workspace
          - widget 1.2.0 is locked, through app 0.1.0 -> widget 1.2.0; `app` (as `dep0`) requires `1.2.0`
          - skill `guide` of source `widget@1.2.0`, candidate, run `symposium on widget` to switch it on: widget 1.2.0 ships it
        plugin `widget`: candidate
          - it has no conditions
          - crate `widget` ships it, and it is not switched on; run `symposium on widget` to switch it on
          - it comes from $ROOT/cargo-home/registry/src/index.crates.io-1/widget-1.2.0/skills, in source `widget@1.2.0`
    "#]]
    .assert_eq(&context.invoke(&["why", "widget"]).expect(0));
    let list = context.invoke(&["plugin", "list", "--json"]).expect(0);
    let document: Value = serde_json::from_str(&list).unwrap();
    let source = document["sources"].as_array().unwrap().iter().find(|source| source["kind"] == "crate").unwrap();
    assert_eq!(source["name"], "widget@1.2.0");
    assert_eq!((&source["plugins"][0]["active"], &source["plugins"][0]["candidate"]), (&json!(false), &json!(true)));
    context.invoke(&["on", "widget"]).expect(0);
    assert!(context.invoke(&["crate", "widget"]).expect(0).contains("guide"), "then it is a skill like any other");
}

#[test]
fn only_the_user_can_have_them_all_at_once() {
    let context = machine();
    put(&unpacked(&context, "widget-1.2.0").join("skills/guide/SKILL.md"), &skill("guide", "x"));
    // A repository has no say in it.
    context.write(".symposium/config.toml", "[plugins]\nauto-enable = true\n");
    assert!(context.invoke(&["sync"]).stderr.contains("no effect in a project"));
    assert_eq!(states(&context), ["skill guide candidate"]);
    context.write(".symposium/config.toml", "");
    for (setting, state) in
        [("true", "on"), ("[\"widget\"]", "on"), ("[\"other\"]", "candidate"), ("false", "candidate")]
    {
        context
            .write_config("config.toml", format!("[agent]\nname = \"claude\"\n[plugins]\nauto-enable = {setting}\n"));
        context.invoke(&["sync"]).expect(0);
        assert_eq!(states(&context), [format!("skill guide {state}")], "{setting}");
        assert!(!config(&context).contains("widget"), "one user's wish is not everybody's: {setting}");
    }
}

#[test]
fn what_sync_wrote_for_other_skills_of_a_crate_switches_no_candidate_on() {
    let context = machine();
    put(&unpacked(&context, "widget-1.2.0").join("skills/guide/SKILL.md"), &skill("guide", "x"));
    context.write("agents/other/SKILL.md", "---\nname: other\ndescription: d\ncrates: widget\n---\nx\n");
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"ours\"\npath = \"agents\"\n");
    context.invoke(&["sync"]).expect(0);
    assert!(config(&context).contains("widget = true"));
    assert_eq!(states(&context), ["skill guide candidate"]);
    context.invoke(&["on", "widget"]).expect(0);
    assert_eq!(states(&context), ["skill guide on"]);
    // The other source goes; the choice stays.
    std::fs::remove_dir_all(context.workspace().join("agents/other")).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert_eq!(states(&context), ["skill guide on"]);
}

#[test]
fn one_skill_can_be_switched_on_alone() {
    let context = machine();
    let widget = unpacked(&context, "widget-1.2.0");
    put(&widget.join("skills/one/SKILL.md"), &skill("one", "x"));
    put(&widget.join("skills/two/SKILL.md"), &skill("two", "x"));
    context.invoke(&["on", "widget/one"]).expect(0);
    assert_eq!(states(&context), ["skill one on", "skill two candidate"]);
}

#[test]
fn of_two_versions_each_speaks_for_itself_and_a_loser_is_reported() {
    let context = machine();
    depends_on(&context, &["widget 1.2.0", "widget 2.0.0"]);
    put(&unpacked(&context, "widget-1.2.0").join("skills/old/SKILL.md"), &skill("old", "x"));
    put(&unpacked(&context, "widget-1.2.0").join("skills/guide/SKILL.md"), &skill("guide", "of one"));
    put(&unpacked(&context, "widget-2.0.0").join("skills/guide/SKILL.md"), &skill("guide", "of two"));
    context.invoke(&["on", "widget"]).expect(0);
    let guide = installed(&context, "guide").unwrap();
    assert!(guide.contains("of two"), "{guide}");
    let why = context.invoke(&["why", "guide"]).expect(0);
    assert!(why.contains("widget 2.0.0 ships it") && why.contains("conflict, not used, because the plugin"), "{why}");
    // The version that is gone takes its skills with it.
    depends_on(&context, &["widget 1.2.0"]);
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "guide").unwrap().contains("of one") && installed(&context, "old").is_some());
}

#[test]
fn git_checkouts_and_paths_count_and_the_projects_own_packages_are_the_projects() {
    let context = machine();
    let outside = context.root().join("outside");
    put(&outside.join("Cargo.toml"), "[package]\nname = \"outside\"\nversion = \"0.1.0\"\n");
    put(&outside.join("skills/out/SKILL.md"), &skill("out", "x"));
    let revision = "0123456789abcdef0123456789abcdef01234567";
    let checkout = context.root().join("cargo-home/git/checkouts/gitty-aa11bb22/0123456");
    put(&checkout.join("Cargo.toml"), "[package]\nname = \"gitty\"\nversion = \"0.2.0\"\n");
    put(&checkout.join("skills/git-skill/SKILL.md"), &skill("git-skill", "x"));
    context.write(
        "Cargo.toml",
        "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\nmembers = [\"inner\"]\n\
         [dependencies]\noutside = { path = \"../outside\" }\ninner = { path = \"inner\" }\n\
         gitty = { git = \"https://example.com/gitty\" }\n",
    );
    context.write(
        "Cargo.lock",
        format!(
            "version = 4\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\"gitty\", \"inner\", \
             \"outside\"]\n[[package]]\nname = \"gitty\"\nversion = \"0.2.0\"\nsource = \
             \"git+https://example.com/gitty#{revision}\"\n[[package]]\nname = \"inner\"\nversion = \"0.1.0\"\n\
             [[package]]\nname = \"outside\"\nversion = \"0.1.0\"\n"
        ),
    );
    context.write("inner/Cargo.toml", "[package]\nname = \"inner\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    context.write("inner/src/lib.rs", "");
    context.write("inner/skills/ours/SKILL.md", skill("ours", "x"));
    context.write(
        "SYMPOSIUM.toml",
        "session-start-context = \"Ours alone.\"\npredicates = [\"workspace-member()\"]\n\
         [[hooks]]\nname = \"h\"\nevent = \"Stop\"\ncommand = \"touch $HOME/ran\"\n",
    );
    context.invoke(&["sync"]).expect(0);
    assert_eq!(states(&context), ["skill git-skill candidate", "skill out candidate", "workflow app blocked"]);
    assert!(installed(&context, "ours").is_some(), "it is the workspace's own");
}

const HOOKED: &str = "[[hooks]]\nname = \"check\"\nevent = \"PreToolUse\"\ncommand = \"./check.sh\"\n\
                      [[mcp_servers]]\nname = \"widget-server\"\ncommand = \"./check.sh\"\n";

#[test]
fn executables_need_a_grant_besides_and_another_version_shows_the_difference() {
    let context = machine();
    let widget = unpacked(&context, "widget-1.2.0");
    put(&widget.join("SYMPOSIUM.toml"), HOOKED);
    put(&widget.join("check.sh"), "#!/bin/sh\ntouch \"$HOME/ran-1\"\n");
    let event =
        json!({"session_id": "s", "cwd": context.workspace(), "tool_name": "Bash", "tool_input": {"command": "ls"}});
    let ran = |mark: &str| {
        context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0);
        let mark = context.root().join("home").join(mark);
        let there = mark.exists();
        let _ = std::fs::remove_file(mark);
        there
    };
    context.invoke(&["sync"]).expect(0);
    assert_eq!(states(&context), ["workflow widget candidate"]);
    let shown = context.invoke(&["trust", "--show"]).expect(0);
    assert!(shown.contains("No plugin here needs a grant"), "a candidate asks for nothing: {shown}");
    assert!(!ran("ran-1"));
    context.invoke(&["on", "widget"]).expect(0);
    assert_eq!(states(&context), ["workflow widget untrusted"]);
    assert!(!ran("ran-1"));
    context.invoke(&["trust", "--yes"]).expect(0);
    std::thread::sleep(std::time::Duration::from_millis(50));
    assert!(ran("ran-1") || ran("ran-1"));
    assert_eq!(states(&context), ["workflow widget on"]);
    // Another version of the crate.
    let newer = unpacked(&context, "widget-1.3.0");
    put(&newer.join("SYMPOSIUM.toml"), HOOKED);
    put(&newer.join("check.sh"), "#!/bin/sh\ntouch \"$HOME/ran-2\"\n");
    depends_on(&context, &["widget 1.3.0"]);
    context.invoke(&["sync"]).expect(0);
    assert!(!ran("ran-2"));
    let shown = context.invoke(&["trust", "--show"]).expect(0);
    assert!(shown.contains("- touch \"$HOME/ran-1\"") && shown.contains("+ touch \"$HOME/ran-2\""), "{shown}");
}

#[test]
fn a_bad_crate_costs_only_itself() {
    type Damage = fn(&Path);
    let cases: [(&str, &str, Damage); 6] = [
        ("a broken manifest", "Not valid TOML", |at| put(&at.join("SYMPOSIUM.toml"), "name = [\n")),
        ("a broken table", "symposium", |at| {
            let text = "[package]\nname = \"widget\"\nversion = \"1.2.0\"\n[package.metadata]\nsymposium = 3\n";
            put(&at.join("Cargo.toml"), text);
        }),
        ("a link out of the crate", "a link to a place outside the source", |at| {
            put(&at.join("skills/ok/SKILL.md"), &skill("ok", "x"));
            std::os::unix::fs::symlink("/etc", at.join("skills/evil")).unwrap();
        }),
        ("a name that leads elsewhere", "", |at| {
            put(&at.join("skills/x/SKILL.md"), &skill("../../../.git/hooks", "x"));
        }),
        ("a group that leads elsewhere", "outside the source", |at| {
            put(&at.join("SYMPOSIUM.toml"), "[[skills]]\nsource.path = \"../../..\"\n");
        }),
        ("a manifest that is a directory", "", |at| std::fs::create_dir_all(at.join("SYMPOSIUM.toml")).unwrap()),
    ];
    for (what, said, damage) in cases {
        let context = machine();
        depends_on(&context, &["gadget 1.0.0", "widget 1.2.0"]);
        put(&unpacked(&context, "gadget-1.0.0").join("skills/good/SKILL.md"), &skill("good", "x"));
        damage(&unpacked(&context, "widget-1.2.0"));
        // Nobody asked for it: nobody is bothered.
        let output = context.invoke(&["sync"]);
        assert_eq!(output.code, 0, "{what}: {output:?}");
        let again = context.invoke(&["sync"]);
        assert_eq!((again.code, again.stderr.as_str()), (0, ""), "{what}");
        let list = context.invoke(&["plugin", "list", "--json"]).expect(0);
        assert!(list.contains(said), "{what}: {list}");
        context.invoke(&["on", "gadget"]).expect(0);
        assert!(installed(&context, "good").is_some(), "{what}");
        assert!(!context.workspace().join(".git").exists(), "{what}");
    }
}

#[test]
fn a_directory_with_too_much_in_it_is_not_looked_at() {
    let context = machine();
    let skills = unpacked(&context, "widget-1.2.0").join("skills");
    std::fs::create_dir_all(&skills).unwrap();
    for number in 0..50_100 {
        std::fs::File::create(skills.join(format!("f{number}"))).unwrap();
    }
    let list = context.invoke(&["plugin", "list", "--json"]).expect(0);
    assert!(list.contains("more than 50000 entries"), "{list}");
}

#[test]
fn a_source_that_is_not_on_this_machine_is_said_to_be() {
    let context = machine();
    std::fs::remove_dir_all(unpacked(&context, "widget-1.2.0")).unwrap();
    context.invoke(&["sync"]).expect(0);
    for args in [["why", "widget"], ["crate", "widget"]] {
        let said = context.invoke(&args).expect(0);
        assert!(said.contains("not on this machine") && said.contains("cargo fetch"), "{said}");
    }
}

#[test]
fn what_cargo_fetches_later_is_found_by_the_next_session() {
    for (source, package) in [
        ("registry+https://github.com/rust-lang/crates.io-index", "registry/src/index.crates.io-1/widget-1.2.0"),
        ("git+https://example.com/widget#0123456789abcdef0123456789abcdef01234567", "git/checkouts/widget-1/0123456"),
    ] {
        for before in ["", "registry/src/index.crates.io-1/other-1.0.0", "git/checkouts/widget-1/7654321"] {
            let context = machine();
            let cargo_home = context.root().join("cargo-home");
            std::fs::remove_dir_all(&cargo_home).unwrap();
            std::fs::create_dir_all(cargo_home.join(before)).unwrap();
            let lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
            let registry = "registry+https://github.com/rust-lang/crates.io-index";
            context.write("Cargo.lock", lock.replace(registry, source));
            context.write_config(
                "config.toml",
                "[agent]\nname = \"claude\"\n[defaults]\nsymposium-recommendations = false\n[plugins]\n\
                 auto-enable = true\n",
            );
            context.invoke(&["sync"]).expect(0);
            context.invoke_hook("claude", "session-start", "{}").expect(0);
            let crate_directory = cargo_home.join(package);
            put(&crate_directory.join("Cargo.toml"), "[package]\nname = \"widget\"\nversion = \"1.2.0\"\n");
            put(&crate_directory.join("skills/guide/SKILL.md"), &skill("guide", "x"));
            // Nothing is looked for while an agent works.
            let event = json!({"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {}}).to_string();
            context.invoke_hook("claude", "pre-tool-use", &event).expect(0);
            assert_eq!(installed(&context, "guide"), None);
            context.invoke_hook("claude", "session-start", "{}").expect(0);
            assert!(installed(&context, "guide").is_some(), "{package} after {before:?}");
        }
    }
}

fn plugin(context: &TestContext, name: &str, text: &str) {
    context.write_config(&format!("plugins/{name}/SYMPOSIUM.toml"), format!("name = \"{name}\"\n{text}"));
}

fn warnings(context: &TestContext) -> String {
    let list: Value = serde_json::from_str(&context.invoke(&["plugin", "list", "--json"]).stdout).unwrap();
    let mut lines = Vec::new();
    for source in list["sources"].as_array().unwrap() {
        for kind in ["errors", "warnings"] {
            for found in source[kind].as_array().unwrap() {
                lines.push(format!(
                    "{}:{}: {}",
                    found["path"].as_str().unwrap(),
                    found["line"],
                    found["message"].as_str().unwrap()
                ));
            }
        }
    }
    context.normalize_paths(&lines.join("\n"))
}

#[test]
fn a_plugin_can_bring_along_that_of_a_crate() {
    let context = machine();
    put(&unpacked(&context, "widget-1.2.0").join("skills/guide/SKILL.md"), &skill("guide", "x"));
    plugin(&context, "guide-book", "[[plugins]]\nsource.cargo = \"widget\"\n");
    context.invoke(&["sync"]).expect(0);
    assert_eq!(states(&context), ["skill guide on"], "somebody who is believed says so");
    assert!(installed(&context, "guide").is_some());
    assert!(context.invoke(&["why", "widget"]).expect(0).contains("plugin `guide-book` depends on it"));
    for (reference, said) in [
        (
            "source.cargo = { name = \"widget\", version = \"2\" }",
            "it requires `widget` ^2, but the workspace uses 1.2.0",
        ),
        ("source.cargo = { name = \"widget\",  version = \"one\" }", "version `one` is invalid"),
        ("source.cargo = \"gadget\"", "crate `gadget` is not a dependency of this workspace"),
        ("source.cargo = \"../../etc\"", "is not a valid crate name"),
        ("source.path = \"../..\"", "it is outside the source"),
        ("source.path = \"none\"", "`guide-book/none` cannot be read: no such file or directory"),
        ("source.git = \"ext::sh -c x\"", "this repository cannot be used"),
        ("source.cargo = \"widget\"\ncrates = [\"gadget\"]", ""),
    ] {
        plugin(&context, "guide-book", &format!("session-start-context = \"Still here.\"\n[[plugins]]\n{reference}\n"));
        assert_eq!(states(&context), ["skill guide candidate"], "{reference}");
        let said_now = warnings(&context);
        assert!(said_now.contains(said), "{reference}: {said_now}");
        if !said.is_empty() {
            assert!(
                said_now.contains("guide-book/SYMPOSIUM.toml:3: A dependency of this plugin was skipped"),
                "{said_now}"
            );
        }
    }
    std::fs::remove_dir_all(unpacked(&context, "widget-1.2.0")).unwrap();
    plugin(&context, "guide-book", "[[plugins]]\nsource.cargo = \"widget\"\n");
    let output = context.invoke(&["sync"]);
    assert!(
        output.code == 0 && output.stderr.contains("the source of crate widget 1.2.0 is not on this machine"),
        "{output:?}"
    );
    assert!(installed(&context, "guide").is_some(), "what cannot be looked at is not gone");
}

#[test]
fn circles_and_long_chains_come_to_an_end() {
    let context = machine();
    depends_on(&context, &["a 1.0.0", "b 1.0.0", "widget 1.2.0"]);
    for (name, next) in [("a", "b"), ("b", "a")] {
        let at = unpacked(&context, &format!("{name}-1.0.0"));
        put(&at.join("SYMPOSIUM.toml"), &format!("[[plugins]]\nsource.cargo = \"{next}\"\n"));
        put(&at.join(format!("skills/of-{name}/SKILL.md")), &skill(&format!("of-{name}"), "x"));
    }
    plugin(&context, "start", "[[plugins]]\nsource.cargo = \"a\"\n");
    context.invoke(&["sync"]).expect(0);
    assert_eq!(states(&context), ["skill of-a on", "skill of-b on"]);
    let said = warnings(&context);
    assert!(said.contains("in a cycle: ") && said.contains("crate a -> crate b -> crate a"), "{said}");

    for number in 0..20 {
        let next = number + 1;
        let path = format!("plugins/long/{}SYMPOSIUM.toml", "deep/".repeat(number));
        context.write_config(&path, format!("name = \"n{number}\"\n[[plugins]]\nsource.path = \"deep\"\n#{next}\n"));
    }
    let said = warnings(&context);
    assert!(said.contains("the chain of dependent plugins is longer than 8"), "{said}");
    let list = context.invoke(&["plugin", "list"]).expect(0);
    assert!(list.contains("n5 ") && !list.contains("n15"), "{list}");
}

#[test]
fn skills_of_a_group_can_lie_in_the_crates_that_match() {
    let context = machine();
    let widget = unpacked(&context, "widget-1.2.0");
    put(&widget.join("skills/guide/SKILL.md"), &skill("guide", "x"));
    put(&widget.join("advice/deep/more/SKILL.md"), &skill("more", "x"));
    for (group, expected) in [
        ("crates = [\"widget\"]\n[[skills]]\nsource = \"crate\"\n", &["guide"][..]),
        ("[[skills]]\ncrates = [\"widget>=1.0\"]\nsource = \"crate\"\n", &["guide"]),
        ("[[skills]]\ncrates = [\"widget\"]\nsource.crate_path = \"advice/deep\"\n", &["more"]),
        ("[[skills]]\ncrates = [\"widget>=2.0\"]\nsource.crate_path = \"advice\"\n", &[]),
        ("[[skills]]\ncrates = [\"widget\"]\nsource.crate_path = \"../..\"\n", &[]),
        ("[[skills]]\ncrates = [\"widget\"]\nsource.crate_path = \"none\"\n", &[]),
    ] {
        plugin(&context, "book", group);
        context.invoke(&["sync"]).expect(0);
        let found: Vec<&str> =
            ["guide", "more"].into_iter().filter(|name| installed(&context, name).is_some()).collect();
        assert_eq!(found, expected, "{group}");
    }
    let said = warnings(&context);
    assert!(said.contains("book/SYMPOSIUM.toml:4: Skills of this group were skipped: there is no `none`"), "{said}");
}

#[test]
fn skills_and_plugins_can_lie_in_a_repository() {
    let mut context = machine();
    let repository = Repository::create(context.root().join("server/skills"));
    repository.skill("far", "widget", "x").commit();
    let plugins = Repository::create(context.root().join("server/plugins"));
    plugins
        .write(
            "brought/SYMPOSIUM.toml",
            "[[skills]]\nsource.path = \"skills\"\n[[hooks]]\nname = \"h\"\nevent = \"Stop\"\ncommand = \"true\"\n",
        )
        .write("brought/skills/near/SKILL.md", skill("near", "x"))
        .commit();
    plugin(
        &context,
        "book",
        &format!(
            "[[skills]]\nsource.git = \"{}\"\n[[plugins]]\nsource.git = \"{}\"\n",
            repository.url(),
            plugins.url()
        ),
    );
    let offline = context.invoke(&["sync"]);
    assert!(offline.code == 0 && offline.stderr.contains("is not fetched yet"), "{offline:?}");
    context.set("SYMPOSIUM_OFFLINE", "0");
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "far").is_some() && installed(&context, "near").is_some());
    // A repository that only lends skills has no plugins to list, and is not idle.
    let listed = context.invoke(&["plugin", "list"]).expect(0);
    assert!(listed.contains("\n  skills of plugin `book`\n") && !listed.contains("no plugins"), "{listed}");
    // What somebody else's repository runs is not the user's own.
    let status = context.invoke(&["status"]).expect(0);
    let row = status.lines().find(|line| line.starts_with("brought ")).unwrap();
    assert!(row.contains("untrusted"), "{row}");
    context.set("SYMPOSIUM_OFFLINE", "1");
    let again = context.invoke(&["sync"]);
    assert!(again.stdout.contains("up to date") && again.stderr.is_empty(), "{again:?}");
    // A repository that is gone takes nothing with it.
    std::fs::remove_dir_all(context.root().join("server")).unwrap();
    context.set("SYMPOSIUM_OFFLINE", "0");
    crate::plugin_sync::age(&context);
    let gone = context.invoke(&["sync"]);
    assert_eq!(gone.code, 0, "{gone:?}");
    assert!(installed(&context, "far").is_some() && installed(&context, "near").is_some());
}

/// A package of the project is the project's, and what it carries needs no condition on itself.
#[test]
fn a_skill_that_a_path_dependency_carries_is_about_it() {
    let context = with_fixture(&[]);
    context.write(
        "Cargo.toml",
        "[package]\nname = \"app\"\nversion = \"0.1.0\"\n[dependencies]\ndep = { path = \"dep\" }\n",
    );
    context.write(
        "Cargo.lock",
        "version = 4\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\"dep\"]\n\
         [[package]]\nname = \"dep\"\nversion = \"0.1.0\"\n",
    );
    context.write("dep/Cargo.toml", "[package]\nname = \"dep\"\nversion = \"0.1.0\"\n");
    context.write("dep/skills/dep-tips/SKILL.md", skill("dep-tips", "x"));
    context.invoke(&["sync"]).expect(0);
    let shown = context.invoke(&["crate", "dep"]).expect(0);
    assert!(shown.contains("dep-tips (for 0.1.0)") && !shown.contains("There is no skill for this crate"), "{shown}");
    let listed = context.invoke(&["crate", "--list"]).expect(0);
    assert!(listed.starts_with("dep 0.1.0\n- dep-tips"), "{listed}");
    assert!(!listed.contains("has no skill"), "{listed}");
}
