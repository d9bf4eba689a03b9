//! Properties of edits that hold for every JSON settings file, in any style.

#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;
use serde_json::{Value, json};
use symposium_edit::{EditErrorKind, EntryOutcome, EntryRemoval, insert, remove};
use symposium_model::agent::AgentId;
use symposium_model::edit::{EditFormat, EntrySlot, SettingsEntry};
use symposium_model::ownership::Marker;

mod document;
use document::{document, garbage};

/// Returns entries as in the agents' files; `version` stands for the differences between releases.
fn entries(version: u32) -> Vec<SettingsEntry> {
    let hook = |event: &str, call: &str| SettingsEntry {
        path: vec!["hooks".into(), event.into()],
        slot: EntrySlot::Element,
        value: json!({"matcher": "*", "hooks": [
            {"type": "command", "command": format!("/v{version}/symposium hook claude {call}"), "timeout": 60}
        ]}),
        mark: Marker::HookOf(AgentId::Claude),
    };
    let server = |holder: &str, value: Value| SettingsEntry {
        path: vec![holder.into(), "symposium".into()],
        slot: EntrySlot::Key,
        value,
        mark: Marker::OwnServer,
    };
    vec![
        hook("PreToolUse", "pre-tool-use"),
        hook("PostToolUse", "post-tool-use"),
        server("mcpServers", json!({"command": format!("/v{version}/symposium"), "args": ["mcp"], "env": {}})),
        server("mcp", json!({"type": "local", "command": [format!("/v{version}/symposium"), "mcp"], "enabled": true})),
        SettingsEntry {
            path: vec!["flat".into()],
            slot: EntrySlot::Element,
            value: json!("ours"),
            mark: Marker::Exactly(json!("ours")),
        },
        SettingsEntry {
            path: vec!["ours".into()],
            slot: EntrySlot::Key,
            value: json!(1),
            mark: Marker::Exactly(json!(1)),
        },
    ]
}

fn some_entries() -> impl Strategy<Value = Vec<SettingsEntry>> {
    proptest::sample::subsequence(entries(1), 1..=6).prop_shuffle()
}

fn read(text: &str) -> Option<Value> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    jsonc_parser::parse_to_serde_value::<Option<Value>>(text, &jsonc_parser::ParseOptions::default()).unwrap()
}

fn with_entries(value: Option<Value>, entries: &[SettingsEntry]) -> Value {
    let mut root = value.unwrap_or_else(|| json!({}));
    for entry in entries {
        let mut target = &mut root;
        for (depth, key) in entry.path.iter().enumerate() {
            let is_last = depth + 1 == entry.path.len();
            let empty = if is_last && entry.slot == EntrySlot::Element { json!([]) } else { json!({}) };
            target = target.as_object_mut().unwrap().entry(key).or_insert(empty);
        }
        match entry.slot {
            EntrySlot::Element => target.as_array_mut().unwrap().push(entry.value.clone()),
            EntrySlot::Key => *target = entry.value.clone(),
        }
    }
    root
}

fn is_subsequence(of: &str, text: &str) -> bool {
    let mut bytes = text.bytes();
    of.bytes().all(|wanted| bytes.any(|byte| byte == wanted))
}

fn removals(entries: &[SettingsEntry]) -> Vec<EntryRemoval> {
    entries.iter().map(EntryRemoval::from).collect()
}

fn is_strict(text: &str) -> bool {
    serde_json::from_str::<Value>(text.strip_prefix('\u{feff}').unwrap_or(text)).is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn insert_adds_and_remove_gives_every_byte_back(text in document(), entries in some_entries()) {
        let edited = insert(&text, EditFormat::Json, &entries).unwrap();
        prop_assert!(edited.changed);
        prop_assert!(edited.outcomes.iter().all(|outcome| *outcome == EntryOutcome::Inserted));
        prop_assert!(is_subsequence(&text, &edited.text), "{}", edited.text);
        prop_assert_eq!(read(&edited.text).unwrap(), with_entries(read(&text), &entries));
        prop_assert!(!is_strict(&text) || is_strict(&edited.text), "{}", edited.text);
        if text.contains("\r\n") && !text.replace("\r\n", "").contains('\n') {
            prop_assert!(!edited.text.replace("\r\n", "").contains('\n'), "{:?}", edited.text);
        }

        let again = insert(&edited.text, EditFormat::Json, &entries).unwrap();
        prop_assert!(!again.changed);
        prop_assert_eq!(&again.text, &edited.text);
        prop_assert!(again.created.is_empty());
        prop_assert!(again.outcomes.iter().all(|outcome| *outcome == EntryOutcome::Unchanged));

        let removed = remove(&edited.text, EditFormat::Json, &removals(&entries), &edited.created).unwrap();
        prop_assert_eq!(&removed.text, &text, "inserted: {:?}", edited.text);
        prop_assert!(removed.outcomes.iter().all(|outcome| *outcome == EntryOutcome::Removed));
        let again = remove(&removed.text, EditFormat::Json, &removals(&entries), &edited.created).unwrap();
        prop_assert!(!again.changed, "{:?} became {:?}", removed.text, again.text);
    }

    #[test]
    fn entries_can_come_and_go_one_by_one(text in document(), entries in some_entries()) {
        let mut now = text.clone();
        let mut created = Vec::new();
        for entry in &entries {
            let edited = insert(&now, EditFormat::Json, std::slice::from_ref(entry)).unwrap();
            now = edited.text;
            created.extend(edited.created);
        }
        prop_assert_eq!(read(&now).unwrap(), with_entries(read(&text), &entries));
        for entry in entries.iter().rev() {
            now = remove(&now, EditFormat::Json, &[EntryRemoval::from(entry)], &created).unwrap().text;
        }
        prop_assert_eq!(now, text);
    }

    #[test]
    fn an_update_changes_only_what_differs(text in document(), entries in some_entries()) {
        let old: Vec<SettingsEntry> = self::entries(2).into_iter().filter(|old| entries.iter().any(|e| e.path == old.path)).collect();
        let edited = insert(&text, EditFormat::Json, &old).unwrap();
        let updated = insert(&edited.text, EditFormat::Json, &entries).unwrap();
        prop_assert_eq!(&updated.text, &edited.text.replace("/v2/symposium", "/v1/symposium"));
        prop_assert!(updated.created.is_empty());
        let removed = remove(&updated.text, EditFormat::Json, &removals(&entries), &edited.created).unwrap();
        prop_assert_eq!(removed.text, text);
    }

    #[test]
    fn without_the_record_of_created_containers_only_they_stay(text in document(), entries in some_entries()) {
        let edited = insert(&text, EditFormat::Json, &entries).unwrap();
        let removed = remove(&edited.text, EditFormat::Json, &removals(&entries), &[]).unwrap();
        let mut expected = with_entries(read(&text), &[]);
        for path in edited.created.iter().filter(|path| !path.is_empty()) {
            let is_array = entries.iter().any(|entry| entry.path == *path && entry.slot == EntrySlot::Element);
            let value = if is_array { json!([]) } else { json!({}) };
            let container = SettingsEntry { path: path.clone(), slot: EntrySlot::Key, value, mark: Marker::OwnServer };
            expected = with_entries(Some(expected), &[container]);
        }
        prop_assert_eq!(read(&removed.text).unwrap(), expected);
    }

    #[test]
    fn our_reader_accepts_no_more_and_no_less(text in garbage()) {
        let strict = is_strict(&text);
        match insert(&text, EditFormat::Json, &[]) {
            Ok(edited) => {
                prop_assert!(!edited.changed);
                let body = text.strip_prefix('\u{feff}').unwrap_or(&text);
                prop_assert!(jsonc_parser::parse_to_serde_value::<Option<Value>>(body, &document::jsonc()).is_ok());
            }
            Err(error) => prop_assert!(!strict || error.kind == EditErrorKind::Shape, "{error:?}"),
        }
        let _ = remove(&text, EditFormat::Json, &removals(&entries(1)), &[vec![], vec!["hooks".into()]]);
        let _ = insert(&text, EditFormat::Json, &entries(1));
    }
}
