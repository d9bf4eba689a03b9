//! What is remembered of sources between calls: it spares work and changes no answer.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use symposium_testkit::TestContext;

use crate::{json, with_fixture};

const MANIFEST: &str = "name = \"foreign\"\ncrates = [\"absent-crate>=1\"]\n\n[[skills]]\nsource.path = \"skills\"\n";
const SKILL: &str = "---\nname: foreign-skill\ndescription: Use it.\n---\nText.\n";

/// A workspace in step, with one plugin it has no use for; everything in the sources was written some time ago.
fn settled() -> TestContext {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write_config("plugins/foreign/symposium.toml", MANIFEST);
    context.write_config("plugins/foreign/skills/foreign-skill/SKILL.md", SKILL);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    // Until then nothing of it is remembered, since a second change could not be told from the first.
    std::thread::sleep(Duration::from_millis(2_100));
    context.invoke(&["sync"]).expect(0);
    context
}

fn index(context: &TestContext) -> PathBuf {
    context.config_dir().join("cache/index")
}

/// Every file below a directory with its content.
fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
    found
}

fn remembers(context: &TestContext, what: &str) -> bool {
    files(&index(context)).values().any(|bytes| String::from_utf8_lossy(bytes).contains(what))
}

#[test]
fn no_answer_depends_on_it() {
    let context = settled();
    assert!(remembers(&context, "\tforeign\t"));
    let questions: [&[&str]; 9] = [
        &["status", "--json"],
        &["plugin", "list"],
        &["plugin", "show", "foreign"],
        &["why", "foreign"],
        &["crate", "--list"],
        &["crate", "serde"],
        &["crate", "absent-crate"],
        &["start"],
        &["sync", "--check"],
    ];
    let answers = || questions.map(|question| context.invoke(question).transcript());
    let (with, plans) = (answers(), files(&context.config_dir().join("cache/plans")));
    std::fs::remove_dir_all(index(&context)).unwrap();
    for ((question, with), without) in questions.iter().zip(with).zip(answers()) {
        assert_eq!(with, without, "{question:?}");
    }
    assert!(!index(&context).exists(), "a question writes nothing");
    context.invoke(&["sync", "--dry-run"]).expect(0);
    assert!(!index(&context).exists());
    context.invoke(&["sync"]).expect(0);
    assert_eq!(files(&context.config_dir().join("cache/plans")), plans, "plans are the same, whoever was passed over");
    assert!(remembers(&context, "\tforeign\t"));
}

#[test]
fn a_plugin_that_comes_to_apply_is_noticed() {
    let context = settled();
    context.write_config("plugins/foreign/symposium.toml", MANIFEST.replace("absent-crate", "serde"));
    let document = json(context.invoke(&["status", "--json"]));
    let extensions = document["extensions"].as_array().unwrap();
    assert!(extensions.iter().any(|row| row["name"] == "foreign-skill"), "{document}");
    context.invoke(&["sync"]).expect(0);
    assert!(context.workspace().join(".claude/skills/foreign-skill/SKILL.md").exists());
}

#[test]
fn a_memory_that_is_broken_is_made_anew_and_a_good_one_is_not_touched() {
    let context = settled();
    let good = files(&index(&context));
    let age = |path: &Path| std::fs::metadata(path).unwrap().modified().unwrap();
    let ages: Vec<_> = good.keys().map(|path| age(path)).collect();
    context.invoke(&["sync"]).expect(0);
    assert_eq!(good.keys().map(|path| age(path)).collect::<Vec<_>>(), ages);
    for garbage in [&b""[..], b"symposium-index-2\n", b"\xff\xfe\x00", b"{}"] {
        for path in good.keys() {
            std::fs::write(path, garbage).unwrap();
        }
        context.invoke(&["status"]).expect(0);
        context.invoke(&["sync"]).expect(0);
        assert_eq!(files(&index(&context)), good);
    }
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(!index(&context).exists());
}
