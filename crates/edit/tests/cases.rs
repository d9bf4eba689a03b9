//! The shapes of the agents' files, one folder each under `cases/`: `before.*`, the request in `edit.json`, and
//! `after.*` or, for a refusal, `error.txt`. `UPDATE_EXPECT=1` writes the results.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test reads the cases of this crate"
)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use symposium_edit::{EditResult, EntryOutcome, EntryRemoval, insert, remove};
use symposium_model::agent::AgentId;
use symposium_model::edit::{EditFormat, EntrySlot, SettingsEntry};
use symposium_model::ownership::Marker;

#[test]
fn every_case_comes_out_as_written_and_goes_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut cases: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|case| case.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() >= 20, "{}", cases.len());
    for case in cases {
        check(&case);
    }
}

fn check(case: &Path) {
    let name = case.file_name().unwrap().to_str().unwrap();
    let find = |stem: &str| {
        let mut files = fs::read_dir(case).unwrap().map(|file| file.unwrap().path());
        files.find(|file| file.file_stem().is_some_and(|found| found == stem))
    };
    let before_file = find("before").unwrap();
    let extension = before_file.extension().unwrap().to_str().unwrap();
    let format = if extension == "toml" { EditFormat::Toml } else { EditFormat::Json };
    let before = fs::read_to_string(&before_file).unwrap();
    let asked: Value = serde_json::from_str(&fs::read_to_string(case.join("edit.json")).unwrap()).unwrap();
    let entries: Vec<SettingsEntry> = asked["entries"].as_array().unwrap().iter().map(entry).collect();

    let edited = match insert(&before, format, &entries) {
        Ok(edited) => edited,
        Err(error) => {
            let diagnostic = error.diagnostic(format!("before.{extension}"));
            let text = format!("{diagnostic}\nhelp: {}\n", diagnostic.help.as_deref().unwrap());
            expect(&case.join("error.txt"), &text);
            return;
        }
    };
    expect(&case.join(format!("after.{extension}")), &edited.text);
    assert_eq!(asked["outcomes"], json!(words(&edited)), "{name}");
    assert_eq!(asked["created"], json!(edited.created), "{name}");

    let again = insert(&edited.text, format, &entries).unwrap();
    assert!(!again.changed && again.text == edited.text, "{name}: the second time changed something");
    // Entries that were there before are not removed.
    let inserted = entries.iter().zip(&edited.outcomes).filter(|(_, outcome)| **outcome != EntryOutcome::Unchanged);
    let removals: Vec<EntryRemoval> = inserted.map(|(entry, _)| EntryRemoval::from(entry)).collect();
    let removed = remove(&edited.text, format, &removals, &edited.created).unwrap();
    if edited.outcomes.contains(&EntryOutcome::Updated) {
        expect(&case.join(format!("removed.{extension}")), &removed.text);
    } else {
        assert_eq!(removed.text, before, "{name}: remove does not give the bytes back");
    }
}

/// Compares byte for byte, line breaks included.
fn expect(file: &Path, text: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(file, text).unwrap();
    }
    let expected = fs::read_to_string(file).unwrap_or_default();
    assert_eq!(text, expected, "{}", file.display());
}

fn entry(asked: &Value) -> SettingsEntry {
    let path = asked["path"].as_array().unwrap().iter().map(|key| key.as_str().unwrap().to_owned()).collect();
    let slot = match asked["slot"].as_str().unwrap() {
        "element" => EntrySlot::Element,
        "key" => EntrySlot::Key,
        other => panic!("unknown slot {other}"),
    };
    let mark = match &asked["mark"] {
        Value::String(mark) if mark == "own-server" => Marker::OwnServer,
        Value::String(mark) if mark == "exactly" => Marker::Exactly(asked["value"].clone()),
        Value::String(agent) => Marker::HookOf(AgentId::parse(agent).unwrap()),
        other => panic!("unknown mark {other}"),
    };
    SettingsEntry { path, slot, value: asked["value"].clone(), mark }
}

fn words(edited: &EditResult) -> Vec<String> {
    edited.outcomes.iter().map(|outcome| format!("{outcome:?}").to_lowercase()).collect()
}
