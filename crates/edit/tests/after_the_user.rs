//! Edits of a file that the user has changed since Symposium wrote to it.

#![allow(clippy::indexing_slicing, reason = "tests")]

use serde_json::{Value, json};
use symposium_edit::{EditErrorKind, EntryOutcome, EntryRemoval, MatchScope, insert, remove};
use symposium_model::agent::AgentId;
use symposium_model::edit::{EditFormat, EntrySlot, SettingsEntry};
use symposium_model::ownership::Marker;

fn element(path: &[&str]) -> EntryRemoval {
    let path = path.iter().map(|key| (*key).to_owned()).collect();
    EntryRemoval { path, slot: EntrySlot::Element, mark: Marker::Exactly(json!("ours")), reach: MatchScope::Event }
}

fn key(path: &[&str], mark: Marker) -> EntryRemoval {
    let path = path.iter().map(|key| (*key).to_owned()).collect();
    EntryRemoval { path, slot: EntrySlot::Key, mark, reach: MatchScope::Event }
}

#[test]
fn comments_and_commas_around_ours_stay_in_order() {
    for (before, after) in [
        (r#"{"a": ["ours"]}"#, r#"{"a": []}"#),
        (r#"{"a": ["ours", "b"]}"#, r#"{"a": [ "b"]}"#),
        (r#"{"a": ["b", "ours"]}"#, r#"{"a": ["b"]}"#),
        (r#"{"a": ["b", "ours", "c", "ours",]}"#, r#"{"a": ["b", "c",]}"#),
        (r#"{"a": ["b" , "ours" , "c"]}"#, r#"{"a": ["b" , "c"]}"#),
        (r#"{"a": [ /* x */ "ours" /* y */ ]}"#, r#"{"a": [ /* x */  /* y */ ]}"#),
        ("{\"a\": [ // x\n\"ours\"]}", "{\"a\": [ // x\n]}"),
        ("{\"a\": [\n  1, // x\n  \"ours\", 2]}", "{\"a\": [\n  1, // x\n 2]}"),
        ("{\"a\": [\n  1, // x\n  \"ours\" // y\n]}", "{\"a\": [\n  1 // x\n // y\n]}"),
        ("{\"a\": [\n  \"ours\" // y\n  , 2\n]}", "{\"a\": [ // y\n   2\n]}"),
        ("{\"a\": [\n  1 // x\n  ,\"ours\"\n]}", "{\"a\": [\n  1 // x\n  \n]}"),
    ] {
        let edited = remove(before, EditFormat::Json, &[element(&["a"])], &[]).unwrap();
        assert_eq!(edited.text, after, "{before}");
        assert_eq!(edited.outcomes, [EntryOutcome::Removed]);
    }
}

#[test]
fn copies_under_other_keys_go_only_when_they_are_asked_for() {
    let near = element(&["h", "a"]);
    let wide = EntryRemoval { reach: MatchScope::EveryEvent, ..near.clone() };
    for (before, with_copies, without) in [
        // A list of nothing but copies is removed with them; an empty one, created by Symposium or not, stays.
        (r#"{"h": {"a": ["ours"], "b": ["ours"], "c": []}}"#, r#"{"h": {"a": [], "c": []}}"#, "b\": [\"ours\"]"),
        (r#"{"h": {"b": [1, "ours"]}}"#, r#"{"h": {"b": [1]}}"#, "ours"),
        (r#"{"h": {"b": ["ours" /* x */]}}"#, r#"{"h": {"b": [ /* x */]}}"#, "ours"),
        (r#"{"h": {"b": "ours", "c": {"d": ["ours"]}}, "e": ["ours"]}"#, "", "ours"),
        (r#"{"h": ["ours"]}"#, "", "ours"),
    ] {
        let after = if with_copies.is_empty() { before } else { with_copies };
        assert_eq!(remove(before, EditFormat::Json, std::slice::from_ref(&wide), &[]).unwrap().text, after, "{before}");
        let kept = remove(before, EditFormat::Json, std::slice::from_ref(&near), &[]).unwrap().text;
        assert!(kept.contains(without), "{kept}");
    }
}

/// Where events stand at the top, hooks of Symposium under `hooks`, as in a copy of other settings, are removed by either
/// edit; what else is there stays.
#[test]
fn hooks_at_the_wrong_place_go_and_leave_what_is_not_ours() {
    let ours = r#"{"hooks": [{"type": "command", "command": "symposium hook droid pre-tool-use"}]}"#;
    let theirs = r#"{"hooks": [{"type": "command", "command": "mine"}]}"#;
    let both = r#"{"hooks": [{"type": "command", "command": "mine"}, {"type": "command", "command": "symposium hook droid stop"}]}"#;
    let entry = SettingsEntry {
        path: vec!["PreToolUse".to_owned()],
        slot: EntrySlot::Element,
        value: serde_json::from_str(ours).unwrap(),
        mark: Marker::HookOf(AgentId::Droid),
    };
    let wide = EntryRemoval { reach: MatchScope::EveryEvent, ..EntryRemoval::from(&entry) };
    let near = EntryRemoval { reach: MatchScope::Event, ..wide.clone() };
    for (before, after) in [
        (format!("{{\"hooks\": {{\"PreToolUse\": [{ours}], \"Stop\": [{ours}]}}}}"), "{}".to_owned()),
        (
            format!("{{\"a\": 1, \"hooks\": {{\"PreToolUse\": [{ours}], \"Stop\": [{theirs}]}}}}"),
            format!("{{\"a\": 1, \"hooks\": {{ \"Stop\": [{theirs}]}}}}"),
        ),
        (format!("{{\"hooks\": {{\"Stop\": [{both}]}}}}"), format!("{{\"hooks\": {{\"Stop\": [{theirs}]}}}}")),
        (
            format!("{{\"hooks\": {{\"Stop\": [{ours} /* mine */]}}}}"),
            "{\"hooks\": {\"Stop\": [ /* mine */]}}".to_owned(),
        ),
        (format!("{{\"hooks\": {{ /* mine */ \"Stop\": [{ours}]}}}}"), "{\"hooks\": { /* mine */ }}".to_owned()),
    ] {
        let removed = remove(&before, EditFormat::Json, std::slice::from_ref(&wide), &[]).unwrap();
        assert_eq!(removed.text, after, "{before}");
        let kept = remove(&before, EditFormat::Json, std::slice::from_ref(&near), &[]).unwrap();
        assert_eq!(kept.text, before, "an entry that is replaced is no reason to look elsewhere");
        let inserted = insert(&before, EditFormat::Json, std::slice::from_ref(&entry)).unwrap().text;
        let value: Value = serde_json::from_str(&inserted.replace("/* mine */", "")).unwrap();
        assert!(!value["hooks"].to_string().contains("symposium"), "{inserted}");
        assert_eq!(inserted.matches("hook droid").count(), 1, "{inserted}");
    }
    for odd in [r#"{"hooks": []}"#, r#"{"hooks": "x"}"#, r#"{"hooks": {"PreToolUse": {}, "Stop": null}}"#] {
        assert_eq!(remove(odd, EditFormat::Json, std::slice::from_ref(&wide), &[]).unwrap().text, odd);
        let inserted = insert(odd, EditFormat::Json, std::slice::from_ref(&entry)).unwrap();
        assert_eq!(inserted.outcomes, [EntryOutcome::Inserted], "{odd}");
        let back = remove(&inserted.text, EditFormat::Json, std::slice::from_ref(&wide), &inserted.created).unwrap();
        assert_eq!(back.text, odd);
    }
}

#[test]
fn created_containers_stay_once_somebody_uses_them() {
    let created = [vec![], vec!["h".to_owned()], vec!["h".to_owned(), "a".to_owned()]];
    for (before, after) in [
        ("{\"h\": {\"a\": [\"ours\"]}}\n", ""),
        ("{\"h\": {\"a\": [\"ours\", 1]}}\n", "{\"h\": {\"a\": [ 1]}}\n"),
        ("{\"h\": {\"a\": [\"ours\"], \"b\": []}}\n", "{\"h\": { \"b\": []}}\n"),
        ("{\"h\": {\"a\": [\"ours\"]}, \"b\": 1}\n", "{ \"b\": 1}\n"),
        ("{\"h\": {\"a\": [\"ours\"] /* keep */}}\n", "{\"h\": { /* keep */}}\n"),
        ("{\"h\": {\"a\": [\"ours\" /* keep */]}}\n", "{\"h\": {\"a\": [ /* keep */]}}\n"),
        ("{\"h\": {\"a\": []}}\n", ""),
        ("{\"h\": {}}", ""),
        ("{\"h\": 1}\n", "{\"h\": 1}\n"),
        ("\n", "\n"),
    ] {
        let edited = remove(before, EditFormat::Json, &[element(&["h", "a"])], &created).unwrap();
        assert_eq!(edited.text, after, "{before}");
        assert_eq!(edited.changed, before != after);
    }
}

#[test]
fn what_is_not_ours_is_not_removed() {
    let own = key(&["mcp", "symposium"], Marker::OwnServer);
    for (text, outcome) in [
        (r#"{"mcp": {"symposium": {"command": "other"}}}"#, EntryOutcome::Foreign),
        (r#"{"mcp": {"symposium": null}}"#, EntryOutcome::Foreign),
        (r#"{"mcp": {"other": {"command": "symposium", "args": ["mcp"]}}}"#, EntryOutcome::Unchanged),
        (r#"{"mcp": "symposium"}"#, EntryOutcome::Unchanged),
        ("", EntryOutcome::Unchanged),
    ] {
        let edited = remove(text, EditFormat::Json, std::slice::from_ref(&own), &[vec!["mcp".into()]]).unwrap();
        assert_eq!((edited.text.as_str(), edited.outcomes.as_slice()), (text, &[outcome][..]));
    }
    let twice = r#"{"mcp": {}, "mcp": {}}"#;
    assert_eq!(remove(twice, EditFormat::Json, &[own], &[]).unwrap_err().kind, EditErrorKind::DuplicateKey);
}

#[test]
fn several_entries_of_one_mark_are_paired_in_order() {
    let entry = |matcher: &str| SettingsEntry {
        path: vec!["hooks".into(), "Stop".into()],
        slot: EntrySlot::Element,
        value: json!({"matcher": matcher, "command": "symposium hook codex stop"}),
        mark: Marker::HookOf(AgentId::Codex),
    };
    let two = [entry("a"), entry("b")];
    let before = r#"{"hooks": {"Stop": [{"command": "/old/symposium hook codex stop"}, {"command": "mine"}]}}"#;
    let edited = insert(before, EditFormat::Json, &two).unwrap();
    assert_eq!(edited.outcomes, [EntryOutcome::Updated, EntryOutcome::Inserted]);
    let found: Value = serde_json::from_str(&edited.text).unwrap();
    assert_eq!(found["hooks"]["Stop"], json!([two[0].value, {"command": "mine"}, two[1].value]));
    let one = insert(&edited.text, EditFormat::Json, &two[..1]).unwrap();
    let found: Value = serde_json::from_str(&one.text).unwrap();
    assert_eq!(
        (one.outcomes, &found["hooks"]["Stop"]),
        (vec![EntryOutcome::Updated], &json!([two[0].value, {"command": "mine"}]))
    );
}

#[test]
fn a_server_keeps_what_its_user_added() {
    let entry = SettingsEntry {
        path: vec!["mcp".into(), "symposium".into()],
        slot: EntrySlot::Key,
        value: json!({"command": "/new/symposium", "args": ["mcp"], "env": {"A": "1"}, "enabled": true}),
        mark: Marker::OwnServer,
    };
    let before = r#"{"mcp":{"symposium":{"enabled":false,"env":{"B":"2"},"command":"symposium","args":["mcp","--x"],"note":1}}}"#;
    let edited = insert(before, EditFormat::Json, std::slice::from_ref(&entry)).unwrap();
    assert_eq!(
        edited.text,
        r#"{"mcp":{"symposium":{"enabled":false,"env":{"B":"2","A":"1"},"command":"/new/symposium","args":["mcp"],"note":1}}}"#
    );
}

#[test]
fn an_entry_known_by_what_we_wrote_last_is_brought_up_to_date_once() {
    let entry = |path: &[&str], slot| SettingsEntry {
        path: path.iter().map(|key| (*key).to_owned()).collect(),
        slot,
        value: json!({"command": "new", "cwd": "/", "x": null}),
        mark: Marker::Exactly(json!({"command": "old", "env": {"A": "1"}})),
    };
    let check = |text: &str, format, slot, outcome, after: &str| {
        let entry = if slot == EntrySlot::Key { entry(&["mcp", "plugin"], slot) } else { entry(&["list"], slot) };
        let edited = insert(text, format, std::slice::from_ref(&entry)).unwrap();
        assert_eq!((edited.text.as_str(), edited.outcomes.as_slice()), (after, &[outcome][..]));
        assert!(!insert(after, format, std::slice::from_ref(&entry)).unwrap().changed);
    };
    let (key, element) = (EntrySlot::Key, EntrySlot::Element);
    check(
        r#"{"list":[{"command":"old","env":{"A":"1"}}, 2]}"#,
        EditFormat::Json,
        element,
        EntryOutcome::Updated,
        r#"{"list":[{"command":"new","cwd":"/","x":null}, 2]}"#,
    );
    check(
        r#"{"mcp":{"plugin":{"command":"old","env":{"A":"1"}}}}"#,
        EditFormat::Json,
        key,
        EntryOutcome::Updated,
        r#"{"mcp":{"plugin":{"command":"new","cwd":"/","x":null}}}"#,
    );
    let foreign = r#"{"mcp":{"plugin":{"command":"old","disabled":true}}}"#;
    check(foreign, EditFormat::Json, key, EntryOutcome::Foreign, foreign);
    let after = "[mcp.plugin]\ncommand = \"new\" # c\ncwd = \"/\"\n";
    let inline = "[mcp.plugin]\ncommand = 'old' # c\nenv = { A = '1' }\n";
    check(inline, EditFormat::Toml, key, EntryOutcome::Updated, after);
    let table = "[mcp.plugin]\ncommand = 'old' # c\n\n[mcp.plugin.env]\nA = '1'\n";
    check(table, EditFormat::Toml, key, EntryOutcome::Updated, after);
    let in_line = "[mcp]\nplugin = { command = 'old', env.A = '1' }\n";
    let after = "[mcp]\nplugin = { command = \"new\", cwd = \"/\" }\n";
    check(in_line, EditFormat::Toml, key, EntryOutcome::Updated, after);
}

#[test]
fn tables_moved_by_other_programs_are_found_and_removed() {
    let own = key(&["mcp_servers", "symposium"], Marker::OwnServer);
    for (before, after) in [
        ("[mcp_servers.symposium]\ncommand = 'symposium'\nargs = ['mcp']\n\n[a]\n", "[a]\n"),
        (
            "[a]\n[mcp_servers.symposium]\ncommand = 'symposium'\nargs = ['mcp']\n# about b\n[b]\n",
            "[a]\n# about b\n[b]\n",
        ),
        (
            "[mcp_servers.symposium.env]\nX = '1'\n\n[a]\n\n[mcp_servers.symposium]\ncommand = 'symposium'\nargs = ['mcp']\n",
            "[a]\n",
        ),
        (
            "[mcp_servers]\nsymposium = { command = 'symposium', args = ['mcp'] } # x\nb = {}\n",
            "[mcp_servers]\nb = {}\n",
        ),
        ("[mcp_servers]\nsymposium.command = 'symposium'\nb = {}\nsymposium.args = ['mcp']", "[mcp_servers]\nb = {}"),
        (
            "mcp_servers = { b = {}, symposium = { command = 'symposium', args = ['mcp'] } }\n",
            "mcp_servers = { b = {} }\n",
        ),
    ] {
        let edited = remove(before, EditFormat::Toml, std::slice::from_ref(&own), &[]).unwrap();
        assert_eq!(edited.text, after, "{before}");
    }
}

#[test]
fn bottomless_nesting_is_an_error() {
    let entry =
        SettingsEntry { path: vec!["a".into()], slot: EntrySlot::Key, value: json!({}), mark: Marker::OwnServer };
    for (text, format) in [
        ("[".repeat(100_000), EditFormat::Json),
        ("{\"a\":".repeat(100_000), EditFormat::Json),
        (format!("{{\"x\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000)), EditFormat::Json),
        (format!("x = {}", "[".repeat(100_000)), EditFormat::Toml),
        (format!("x = {}", "{a=".repeat(100_000)), EditFormat::Toml),
        (format!("{}a = 1", "a.".repeat(100_000)), EditFormat::Toml),
        (format!("[{}a]", "a.".repeat(100_000)), EditFormat::Toml),
    ] {
        let error = insert(&text, format, std::slice::from_ref(&entry)).unwrap_err();
        assert_eq!(error.kind, EditErrorKind::TooDeep, "{error}");
        assert!(error.location.excerpt.len() < 1_000);
    }
}

#[test]
fn an_error_counts_the_byte_order_mark_in_its_offset_only() {
    let error = insert("\u{feff}{\n  x", EditFormat::Json, &[]).unwrap_err();
    assert_eq!((error.offset, error.line(), error.location.column), (7, 2, 3));
    let diagnostic = error.diagnostic("settings.json");
    assert_eq!(diagnostic.to_string(), "settings.json:2:3: Expected a key in double quotes or `}`, found `x`");
    assert!(diagnostic.help.is_some());
}
