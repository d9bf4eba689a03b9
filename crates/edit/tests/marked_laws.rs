//! Properties of the block between marks that hold for every text.

#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;
use serde_json::Value;
use symposium_edit::{EntryOutcome, EntryRemoval, insert, remove};
use symposium_model::edit::{EditFormat, EntrySlot, SettingsEntry};
use symposium_model::ownership::Marker;

fn entry(body: &str) -> SettingsEntry {
    SettingsEntry {
        path: vec!["symposium".to_owned()],
        slot: EntrySlot::Key,
        value: Value::String(body.to_owned()),
        mark: Marker::Marked,
    }
}

/// Texts with all kinds of line ends, with and without a byte order mark.
fn text() -> impl Strategy<Value = String> {
    "\u{feff}?([a-z# <>!-]{0,6}(\n|\r\n|\n\n)){0,6}[a-z -]{0,4}"
}

proptest! {
    #[test]
    fn inserting_twice_is_inserting_once_and_removing_restores(text in text(), body in "([a-z -]{0,8}\n){0,4}", other in "[a-z\n]{0,9}") {
        let once = insert(&text, EditFormat::Marked, &[entry(&body)]).unwrap();
        prop_assert!(once.changed && once.text.starts_with(&text));
        prop_assert_eq!(once.outcomes, [EntryOutcome::Inserted]);
        let twice = insert(&once.text, EditFormat::Marked, &[entry(&body)]).unwrap();
        prop_assert!(!twice.changed);
        prop_assert_eq!(&twice.text, &once.text);
        let updated = insert(&once.text, EditFormat::Marked, &[entry(&other)]).unwrap();
        let fresh = insert(&text, EditFormat::Marked, &[entry(&other)]).unwrap();
        prop_assert_eq!(&updated.text, &fresh.text);
        for with in [&once.text, &updated.text] {
            let removed = remove(with, EditFormat::Marked, &[EntryRemoval::from(&entry(""))], &[]).unwrap();
            prop_assert_eq!(&removed.text, &text);
        }
    }

    #[test]
    fn text_around_a_block_keeps_every_byte(before in text(), after in "[a-z \r\n]{0,9}[a-z]") {
        let with = insert(&before, EditFormat::Marked, &[entry("old")]).unwrap().text;
        let with = format!("{with}\n{after}");
        let updated = insert(&with, EditFormat::Marked, &[entry("new")]).unwrap().text;
        let ends = format!("\n{after}");
        prop_assert!(updated.starts_with(&before) && updated.ends_with(&ends));
        let removed = remove(&updated, EditFormat::Marked, &[EntryRemoval::from(&entry(""))], &[]).unwrap().text;
        prop_assert!(removed.starts_with(&before) && removed.ends_with(&after), "{:?}", removed);
    }
}
