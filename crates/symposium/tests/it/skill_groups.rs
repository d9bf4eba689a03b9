//! A skill applies where its group says, and nowhere when the group cannot be read.

use std::path::Path;

use serde_json::Value;
use symposium_testkit::TestContext;

use crate::crate_plugins::{machine, put, skill, unpacked};
use crate::plugin_sync::installed;
use crate::with_fixture;

/// The names of everything `status` shows.
fn shown(context: &TestContext, extra: &[&str]) -> Vec<String> {
    let status = context.invoke(&[extra, &["status", "--json"]].concat());
    let document: Value = serde_json::from_str(&status.stdout).unwrap();
    let rows = document["extensions"].as_array().unwrap().iter();
    rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_typo_in_the_condition_of_a_new_plugin_makes_it_apply_nowhere() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.invoke(&["plugin", "new", "widgetlib", "--path", "made"]).expect(0);
    let manifest = context.workspace().join("made/widgetlib/symposium.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let at_top = text.replace("crates = [\"widgetlib\"]", "crates = [\"widgetlib >= one.two\"]");
    let in_group = text
        .replace("crates = [\"widgetlib\"]", "")
        .replace("[[skills]]\n", "[[skills]]\ncrates = [\"widgetlib >= one.two\"]\n");
    for broken in [at_top, in_group] {
        assert!(broken.contains("one.two"));
        std::fs::write(&manifest, &broken).unwrap();
        context.settle();
        let names = shown(&context, &["--source", "made"]);
        assert!(!names.iter().any(|name| name == "widgetlib-basics"), "{broken}: {names:?}");
        let why = context.invoke(&["--source", "made", "why", "widgetlib-basics"]);
        assert!(!why.stdout.contains("applies\n"), "{}", why.transcript());
    }
}

#[test]
fn a_crate_whose_group_cannot_be_read_brings_none_of_its_skills() {
    type Carry = fn(&Path);
    let carries: [Carry; 3] = [
        |at| {
            put(&at.join("SYMPOSIUM.toml"), "[[skills]]\ncrates = [\"widget >= one.two\"]\nsource.path = \"skills\"\n");
        },
        |at| put(&at.join("SYMPOSIUM.toml"), "[[skills]]\nsource.path = 3\n"),
        |at| {
            let table =
                "[[package.metadata.symposium.skills]]\ncrates = [\"widget >= one.two\"]\nsource.path = \"skills\"\n";
            put(&at.join("Cargo.toml"), &format!("[package]\nname = \"widget\"\nversion = \"1.2.0\"\n{table}"));
        },
    ];
    for carry in carries {
        let context = machine();
        let at = unpacked(&context, "widget-1.2.0");
        put(&at.join("skills/guide/SKILL.md"), &skill("guide", "x"));
        carry(&at);
        let _ = context.invoke(&["sync"]);
        assert!(!shown(&context, &[]).contains(&"guide".to_owned()));
        let _ = context.invoke(&["on", "widget"]);
        assert_eq!(installed(&context, "guide"), None);
    }
}

#[test]
fn the_skills_of_a_crate_with_a_broken_manifest_are_not_borrowed() {
    let context = machine();
    let at = unpacked(&context, "widget-1.2.0");
    put(&at.join("skills/guide/SKILL.md"), &skill("guide", "x"));
    context.write_config(
        "plugins/p/symposium.toml",
        "name = \"p\"\n[[skills]]\ncrates = [\"widget\"]\nsource = \"crate\"\n",
    );
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "guide").is_some(), "without a manifest they are");
    put(&at.join("SYMPOSIUM.toml"), "crates = [\"widget >= one.two\"]\n");
    context.settle();
    let _ = context.invoke(&["sync"]);
    assert!(!shown(&context, &[]).contains(&"guide".to_owned()));
}
