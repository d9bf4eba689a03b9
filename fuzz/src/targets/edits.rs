//! Foreign settings files, and Symposium's own configuration: inserted entries can be removed again, and nothing else
//! changes.

use serde_json::{Value, json};
use symposium_edit::{
    EditResult, EntryOutcome, EntryRemoval, ToggleAction, ToggleEdit, ToggleTable, insert, remove, set_agents,
    toggles as edit_toggles, value,
};
use symposium_model::agent::AgentId;
use symposium_model::edit::{EditFormat, EntrySlot, SettingsEntry};
use symposium_model::ownership::Marker;

use super::text;

pub(super) fn json(bytes: &[u8]) {
    let hook = |event: &str, call: &str| SettingsEntry {
        path: vec!["hooks".into(), event.into()],
        slot: EntrySlot::Element,
        value: json!({"matcher": "*", "hooks": [{"type": "command", "command": format!("/v1/symposium hook claude {call}")}]}),
        mark: Marker::HookOf(AgentId::Claude),
    };
    let server = |holder: &str, value: Value| SettingsEntry {
        path: vec![holder.into(), "symposium".into()],
        slot: EntrySlot::Key,
        value,
        mark: Marker::OwnServer,
    };
    let entries = [
        hook("PreToolUse", "pre-tool-use"),
        hook("Stop", "stop"),
        server("mcpServers", json!({"command": "/v1/symposium", "args": ["mcp"], "env": {}})),
        server("mcp", json!({"type": "local", "command": ["/v1/symposium", "mcp"], "enabled": true})),
        SettingsEntry {
            path: vec!["flat".into()],
            slot: EntrySlot::Element,
            value: json!("ours"),
            mark: Marker::Exactly(json!("ours")),
        },
    ];
    edited(bytes, EditFormat::Json, &entries);
}

pub(super) fn toml(bytes: &[u8]) {
    let server = |name: &str| SettingsEntry {
        path: vec!["mcp_servers".into(), name.into()],
        slot: EntrySlot::Key,
        value: json!({"command": "/v1/symposium", "args": ["mcp", "C:\\x \"y\""], "env": {"A b": "1"}, "startup_timeout_sec": 60}),
        mark: Marker::OwnServer,
    };
    edited(bytes, EditFormat::Toml, &[server("symposium"), server("a \"b\"/c")]);
}

fn edited(bytes: &[u8], format: EditFormat, entries: &[SettingsEntry]) {
    let Some(text) = text(bytes) else { return };
    let read = value(text, format);
    for count in [1, entries.len()] {
        let entries = entries.get(..count).unwrap_or(entries);
        let removals: Vec<EntryRemoval> = entries.iter().map(EntryRemoval::from).collect();
        if let Ok(removed) = remove(text, format, &removals, &[]) {
            assert!(value(&removed.text, format).is_ok(), "{text:?} becomes {:?}", removed.text);
        }
        let Ok(edited) = insert(text, format, entries) else { continue };
        assert!(read.is_ok(), "edited without being understood: {text:?}");
        is_settled(text, format, entries, &edited);
        if edited.outcomes.iter().all(|outcome| *outcome == EntryOutcome::Inserted) {
            assert!(is_subsequence(text, &edited.text), "{text:?} becomes {:?}", edited.text);
            let removed =
                remove(&edited.text, format, &removals, &edited.created).expect("what was inserted can be removed");
            assert_eq!(removed.text, text, "through {:?}", edited.text);
        }
    }
}

fn is_settled(text: &str, format: EditFormat, entries: &[SettingsEntry], edited: &EditResult) {
    assert_eq!(edited.changed, edited.text != text);
    assert!(value(&edited.text, format).is_ok(), "{text:?} becomes {:?}", edited.text);
    let again = insert(&edited.text, format, entries).expect("our own result can be edited");
    assert!(!again.changed, "{text:?} becomes {:?}, then {:?}", edited.text, again.text);
}

fn is_subsequence(of: &str, text: &str) -> bool {
    let mut bytes = text.bytes();
    of.bytes().all(|wanted| bytes.any(|byte| byte == wanted))
}

pub(super) fn toggles(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let edit = |table, key: &str, change| ToggleEdit { table, key: key.to_owned(), change };
    for change in [ToggleAction::Set(false), ToggleAction::Add(true), ToggleAction::Remove] {
        let edits = [edit(ToggleTable::Skills, "serde", change), edit(ToggleTable::Workflows, "p/h \"x\"", change)];
        let Ok(edited) = edit_toggles(text, &edits) else { continue };
        assert!(value(&edited, EditFormat::Toml).is_ok(), "{text:?} becomes {edited:?}");
        assert_eq!(edit_toggles(&edited, &edits).as_ref(), Ok(&edited), "of {text:?}");
    }
    for names in [&["claude"][..], &["claude", "codex"]] {
        let Ok(edited) = set_agents(text, names) else { continue };
        assert!(value(&edited, EditFormat::Toml).is_ok(), "{text:?} becomes {edited:?}");
        assert_eq!(set_agents(&edited, names).as_ref(), Ok(&edited), "of {text:?}");
    }
}
