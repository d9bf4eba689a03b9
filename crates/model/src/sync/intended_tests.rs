use super::*;
use crate::diagnostic::Diagnostic;
use crate::edit::{EditFormat, EntrySlot};
use crate::ownership::Marker;
use crate::sync::change::{RemainingEntries, UserEdits};
use crate::sync::tree::{SkillFile, SkillTree};
use crate::sync::written_entry::WrittenEntry;

/// Fits configurations without any key; nothing is edited.
const EDITOR: SettingsEditor = SettingsEditor {
    insert: |_, _, _, _| Err(Box::new(Diagnostic::error("", ""))),
    remove: |_, _, _, _, _| Err(Box::new(Diagnostic::error("", ""))),
    value: |_, _| None,
    is_as_new: |_| false,
};

fn intended(step: ChangeStep, known: Option<&WrittenContent>, is_there: bool) -> Option<WrittenContent> {
    let (agents, extension, workspace) = (Vec::new(), None, None);
    PlannedChange { path: "/f".into(), agents, extension, workspace, step }.intended(known, || is_there, &EDITOR)
}

fn entries(keys: &[&str]) -> WrittenContent {
    let entry = |key: &&str| WrittenEntry::new(vec![(*key).to_owned()], EntrySlot::Key, Marker::OwnServer);
    let entries = keys.iter().map(entry).collect();
    WrittenContent::Entries {
        format: EditFormat::Json,
        entries,
        created: Vec::new(),
        new_file: false,
        removed_by_user: Vec::new(),
        unconfirmed: Vec::new(),
    }
}

#[test]
fn entries_are_the_new_and_the_known_ones() {
    let edit = || {
        let (format, intended) = (EditFormat::Json, entries(&["new"]));
        ChangeStep::Edit { format, entries: Vec::new(), starts_as: "", is_new: false, intended }
    };
    assert_eq!(intended(edit(), None, true), Some(entries(&["new"])));
    assert_eq!(intended(edit(), Some(&entries(&["old"])), true), Some(entries(&["new", "old"])));
}

#[test]
fn a_file_is_the_one_that_is_there_or_the_next() {
    let write =
        |expected: Option<&str>| ChangeStep::Write { text: "new".to_owned(), expected: expected.map(str::to_owned) };
    let configure = |expected: Option<&str>| ChangeStep::Configure {
        text: "new".to_owned(),
        expected: expected.map(str::to_owned),
    };
    let known = WrittenContent::file("old");
    let next = Some(fingerprint(b"new"));
    let either = Some(WrittenContent::File { fingerprint: fingerprint(b"old"), next });
    for step in [write, configure as fn(Option<&str>) -> ChangeStep] {
        assert_eq!(intended(step(None), None, false), Some(WrittenContent::file("new")));
        assert_eq!(intended(step(None), Some(&known), true), None, "it will not be written");
        assert_eq!(intended(step(Some("old")), Some(&known), true), either);
        assert_eq!(intended(step(Some("mine")), Some(&known), true), None, "it is the user's");
    }
    assert_eq!(intended(write(Some("mine")), None, true), None);
    let amended = intended(configure(Some("mine\n")), None, true);
    assert!(matches!(amended, Some(WrittenContent::Amended { states, .. }) if states.len() == 1));
}

#[test]
fn a_skill_is_the_one_that_is_there_or_the_next() {
    let tree = |text: &str| {
        let (path, bytes) = ("SKILL.md".to_owned(), text.as_bytes().to_vec());
        SkillTree::new(vec![SkillFile { path, bytes, executable: false }])
    };
    let install = |expected| {
        let (tree, edits) = (tree("new"), UserEdits::None);
        ChangeStep::Install { tree, expected, edits, source: None }
    };
    let print = |text: &str| tree(text).fingerprint();
    let known = WrittenContent::skill(print("old"));
    let either = |text: &str| Some(WrittenContent::Skill { fingerprint: print(text), next: Some(print("new")) });
    assert_eq!(intended(install(InstalledState::Absent), None, false), Some(WrittenContent::skill(print("new"))));
    for state in [InstalledState::Absent, InstalledState::Other, InstalledState::Directory(tree("mine"))] {
        assert_eq!(intended(install(state), Some(&known), true), either("old"));
    }
    let replaced = WrittenContent::Skill { fingerprint: print("older"), next: Some(print("old")) };
    assert_eq!(intended(install(InstalledState::Directory(tree("old"))), Some(&replaced), true), either("old"));
}

#[test]
fn taking_away_needs_no_record() {
    let (format, rest) = (EditFormat::Json, RemainingEntries::Nothing);
    let restore = ChangeStep::Restore { format, entries: vec![], created: vec![], new_file: false, rest };
    let (text, expected) = (String::new(), String::new());
    for step in [
        restore,
        ChangeStep::GiveBack { text, expected: expected.clone() },
        ChangeStep::Delete { expected },
        ChangeStep::Uninstall { expected: InstalledState::Absent },
    ] {
        assert_eq!(intended(step, Some(&WrittenContent::file("")), true), None);
    }
}
