use serde_json::json;

use super::super::tests::{EDITOR, disk, entry, file, ledger, options, record, show, written};
use super::*;
use crate::agent::AgentId;
use crate::edit::{EntrySlot, FileContent};
use crate::sync::observed::Observed;

/// One entry `m.s` that is ours while it is as it was written.
fn wanted(value: i64) -> Vec<SettingsEntry> {
    vec![entry(&["m", "s"], json!(value), Marker::Exactly(json!(value)))]
}

#[track_caller]
fn check(entries: &[SettingsEntry], known: Option<WrittenContent>, observed: &Observed, expected: &[&str]) {
    let records: Vec<LedgerRecord> = known.into_iter().map(|written| record("/w/f", written)).collect();
    let ledger = ledger(&records);
    let mut builder = ChangeBuilder::new(&ledger, observed, options(&[]));
    let format = EditFormat::Json;
    builder.diff_entries(&file(FileContent::Entries { format, entries: entries.to_vec() }), format, entries);
    assert_eq!(show(&builder.changes), expected);
}

#[test]
fn entries_are_inserted_updated_or_left_to_the_user() {
    let at = |text: &str| disk("/w/f", Some(text));
    let same = written(&[(&["m", "s"], 1)], &["m"], true);
    let insert = &["edit /w/f new=false [m.s] made [m] new_file=false"][..];
    check(&wanted(1), None, &disk("/w/f", None), &["edit /w/f new=true [m.s] made [m] new_file=true"]);
    check(&wanted(1), None, &at("{}"), insert);
    check(&wanted(1), None, &at(r#"{"m":{}}"#), &["edit /w/f new=false [m.s] made [] new_file=false"]);
    // It is there already, with or without a record.
    check(&wanted(1), None, &at(r#"{"m":{"s":1}}"#), &["settled /w/f at 9 [m.s] made [] new_file=false"]);
    let settled = ["settled /w/f at 7 [m.s] made [m] new_file=true"];
    check(&wanted(1), Some(same.clone()), &at(r#"{"m":{"s":1}}"#), &settled);
    // It is as it was written last, and what was known of the file stays known.
    let update = ["edit /w/f new=false [m.s] made [m] new_file=true"];
    check(&wanted(2), Some(same.clone()), &at(r#"{"m":{"s":1}}"#), &update);
    check(&wanted(1), Some(same.clone()), &at("{}"), &update);
    // The user has something else there, which stays.
    let foreign = "foreign /w/f: `m.s` belongs to you and is kept unchanged";
    check(&wanted(1), None, &at(r#"{"m":{"s":3}}"#), &[foreign]);
    check(&wanted(2), Some(same), &at(r#"{"m":{"s":3}}"#), &[foreign]);
    // A record of another kind says nothing about entries.
    check(&wanted(1), Some(WrittenContent::file("x")), &at("{}"), insert);
    check(&wanted(1), None, &at("{"), &["unusable /w/f: broken"]);
    check(&wanted(1), None, &Observed::default(), &["unusable /w/f: Skipped: it was not observed"]);
    check(&[], None, &at("{}"), &[]);
}

#[test]
fn entries_that_nothing_wants_leave_the_file() {
    let two = written(&[(&["m", "s"], 1), (&["m", "t"], 1)], &["m"], false);
    let observed = disk("/w/f", Some(r#"{"m":{"s":1,"t":1}}"#));
    // Until it has left, the record has it.
    let expected = ["restore /w/f 1 Stays", "settled /w/f at 7 [m.s m.t] made [m] new_file=false"];
    check(&wanted(1), Some(two.clone()), &observed, &expected);
    check(&[], Some(two), &observed, &["restore /w/f 2 Stays"]);
}

#[test]
fn after_a_killed_run_the_entry_that_is_there_counts() {
    let either = written(&[(&["m", "s"], 1), (&["m", "s"], 2)], &[], false);
    for (text, expected) in [
        (r#"{"m":{"s":1}}"#, "edit /w/f new=false [m.s] made [] new_file=false"),
        (r#"{"m":{"s":2}}"#, "edit /w/f new=false [m.s] made [] new_file=false"),
        (r#"{"m":{"s":3}}"#, "settled /w/f at 9 [m.s] made [] new_file=false"),
    ] {
        check(&wanted(3), Some(either.clone()), &disk("/w/f", Some(text)), &[expected]);
    }
    let foreign = "foreign /w/f: `m.s` belongs to you and is kept unchanged";
    check(&wanted(3), Some(either), &disk("/w/f", Some(r#"{"m":{"s":4}}"#)), &[foreign]);
}

#[test]
fn our_server_is_also_known_by_the_program_it_was_written_with() {
    let server = |program: &str| json!({"command": program, "args": ["mcp"]});
    let wanted = [entry(&["m"], server("symposium"), Marker::OwnServer)];
    let odd = WrittenEntry::new(vec!["m".to_owned()], EntrySlot::Key, Marker::ServerBy(vec!["/x/odd".to_owned()]));
    let known = WrittenContent::Entries {
        format: EditFormat::Json,
        entries: vec![odd],
        created: Vec::new(),
        new_file: false,
        removed_by_user: Vec::new(),
        unconfirmed: Vec::new(),
    };
    let observed = disk("/w/f", Some(&json!({"m": server("/x/odd")}).to_string()));
    check(&wanted, Some(known), &observed, &["edit /w/f new=false [m] made [] new_file=false"]);
    check(&wanted, None, &observed, &["foreign /w/f: `m` belongs to you and is kept unchanged"]);
    let renamed = disk("/w/f", Some(&json!({"m": server("/y/symposium")}).to_string()));
    check(&wanted, None, &renamed, &["edit /w/f new=false [m] made [] new_file=false"]);
}

#[test]
fn a_rule_that_was_deleted_is_not_written_again() {
    let rule = |text: &str| SettingsEntry {
        path: vec!["m".to_owned(), text.to_owned()],
        slot: EntrySlot::Element,
        value: json!(text),
        mark: Marker::Exactly(json!(text)),
    };
    let (kept, deleted) = (rule("kept"), rule("deleted"));
    let wanted = [kept.clone(), deleted.clone()];
    let record = |removed: &[&SettingsEntry], new: &[&SettingsEntry]| WrittenContent::Entries {
        format: EditFormat::Json,
        entries: wanted.iter().filter(|entry| !removed.contains(entry)).map(written_entry).collect(),
        created: Vec::new(),
        new_file: false,
        removed_by_user: removed.iter().map(|entry| written_entry(entry)).collect(),
        unconfirmed: new.iter().map(|entry| written_entry(entry)).collect(),
    };
    let (with, without) = (r#"{"m":{"deleted":"deleted","kept":"kept"}}"#, r#"{"m":{"kept":"kept"}}"#);
    let told = "removed /w/f: deleted";
    let settled = "settled /w/f at 9 [m.kept] made [] new_file=false";
    let edited = "edit /w/f new=false [m.kept m.deleted] made [] new_file=false";
    for (known, text, expected) in [
        (None, without, &["edit /w/f new=false [m.deleted] made [] new_file=false"][..]),
        (Some(record(&[], &[])), without, &[settled, told]),
        // It is told once.
        (Some(record(&[&deleted], &[])), without, &["settled /w/f at 7 [m.kept] made [] new_file=false"]),
        // The user wrote it anew: it is theirs.
        (Some(record(&[&deleted], &[])), with, &["settled /w/f at 7 [m.kept] made [] new_file=false"]),
        // A run was killed before it was written, so the user deleted nothing.
        (Some(record(&[], &[&deleted])), without, &[edited]),
    ] {
        check(&wanted, known, &disk("/w/f", Some(text)), expected);
    }
    let before = record(&[], &[]).before_write(None);
    assert_eq!(before, record(&[], &[&kept, &deleted]));
    assert_eq!(record(&[], &[]).before_write(Some(&record(&[], &[&deleted]))), record(&[], &[&deleted]));
}

#[test]
fn a_record_never_has_the_value_of_an_entry() {
    let exact = wanted(1).remove(0);
    assert!(matches!(WrittenEntry::new(exact.path.clone(), exact.slot, mark_of(&exact)).mark(), Marker::Untouched(_)));
    let hook = SettingsEntry { mark: Marker::HookOf(AgentId::Claude), ..exact };
    assert_eq!(mark_of(&hook), Marker::HookOf(AgentId::Claude));
}

#[test]
fn all_entries_of_a_record_leave_the_file() {
    let only = |new_file| written(&[(&["m", "s"], 1)], &["m"], new_file);
    for (known, text, is_link, expected) in [
        (only(true), r#"{"m":{"s":1}}"#, false, "restore /w/f 1 Nothing"),
        (only(false), r#"{"m":{"s":1},"k":1}"#, false, "restore /w/f 1 Nothing"),
        // Nothing of ours is there. A file that was made for it goes, unless a link leads elsewhere.
        (only(true), r#"{"k":1}"#, false, "gone /w/f"),
        (only(false), "{}", false, "gone /w/f"),
        (only(true), "{}", false, "restore /w/f 1 Nothing"),
        (only(true), "{}", true, "gone /w/f"),
        (only(true), "{", false, "unusable /w/f: broken"),
    ] {
        let (ledger, text) = (ledger(&[]), text.to_owned());
        let texts = [("/w/f".into(), Ok(Some(ObservedText { text: text.clone(), is_link })))].into();
        let observed = Observed { texts, ..Observed::default() };
        let mut builder = ChangeBuilder::new(&ledger, &observed, options(&[]));
        builder.revert(&record("/w/f", known));
        assert_eq!(show(&builder.changes), [expected], "{text}");
    }
    for (rest, reach) in
        [(RemainingEntries::Stays, MatchScope::Event), (RemainingEntries::Nothing, MatchScope::EveryEvent)]
    {
        let entry = WrittenEntry::new(vec!["m".to_owned()], EntrySlot::Key, Marker::OwnServer);
        assert_eq!(removals(&[entry], rest)[0].reach, reach);
    }
}

#[test]
fn a_file_is_ours_alone_when_nothing_else_is_in_it() {
    let check = |known: WrittenContent, text: &str, is_link: bool| {
        let found = ObservedText { text: text.to_owned(), is_link };
        is_ours_alone(&record("/w/f", known), &found, &EDITOR)
    };
    let known = |new_file| written(&[(&["m", "s"], 1)], &["m"], new_file);
    assert!(check(known(true), r#"{"m":{"s":1}}"#, false));
    assert!(!check(known(true), r#"{"m":{"s":1}}"#, true));
    assert!(!check(known(true), r#"{"m":{"s":1,"t":1}}"#, false));
    assert!(!check(known(true), "{", false));
    assert!(!check(known(false), r#"{"m":{"s":1}}"#, false));
    assert!(!check(WrittenContent::file("x"), "x", false));
}
