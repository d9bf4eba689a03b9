//! Properties of edits that hold for every TOML settings file, and for Symposium's own configuration, in any style.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use proptest::prelude::*;
use serde_json::json;
use symposium_edit::{
    EntryOutcome, EntryRemoval, ToggleAction, ToggleEdit, ToggleTable, insert, remove, set_agents, toggles,
};
use symposium_model::edit::{EditFormat, EntrySlot, SettingsEntry};
use symposium_model::ownership::Marker;

fn entries(version: u32) -> Vec<SettingsEntry> {
    let server = |name: &str| SettingsEntry {
        path: vec!["mcp_servers".into(), name.into()],
        slot: EntrySlot::Key,
        value: json!({
            "command": format!("/v{version}/symposium"), "args": ["mcp", "--home", "C:\\x \"y\""], "env": {"A b": "1"},
            "startup_timeout_sec": 60, "enabled": true
        }),
        mark: Marker::OwnServer,
    };
    vec![server("symposium"), server("a server/with \"quotes\""), server("third")]
}

fn some_entries() -> impl Strategy<Value = Vec<SettingsEntry>> {
    proptest::sample::subsequence(entries(1), 1..=3).prop_shuffle()
}

/// Pieces of a configuration that fit together in any order; each is used at most once.
const SECTIONS: [&str; 10] = [
    "[mcp_servers.one]\ncommand = \"x\" # run\nargs = [\n  \"a\", # first\n  \"b\",\n]\n",
    "[mcp_servers.one.env]\nA = \"1\"\n",
    "# about two\n[mcp_servers.\"two 2\"]\nurl = 'http://x'\nenabled=false\n",
    "[ profiles . \"p\" ]  # odd\n   model=\"o\"\n",
    "[[list]]\nx = 1\n[[list]]\n",
    "[other]\ntext = \"\"\"\n[mcp_servers.symposium]\ncommand = \"no\"\n\"\"\"\nfloat = 1e5\ndate = 1979-05-27T07:32:00Z\n",
    "\n\n",
    "   \n# only a comment\n",
    "[mcp_servers]\n# nothing yet\n",
    "[workflows]\n\"p/h\" = false # why\n\n# tail\n",
];

/// Files in which servers stand on one line.
const ONE_LINE: [&str; 4] = [
    "mcp_servers = { docs = { command = \"npx\" } }\n",
    "mcp_servers = {}\n",
    "x = 1\nmcp_servers={a={command='x'},b={command='y'}} # servers\n",
    "mcp_servers = {  one = { url = \"u\" } , two = { command = \"t\" }  }\r\n[other]\r\ny = 2\r\n",
];

const TOP: [&str; 4] = ["model = \"x\" # c\n", "# top\n\n", "a.b.c = [1, 2 , 3]\n", "x = { y = 1, z = [ ] }\n"];

fn document() -> impl Strategy<Value = String> {
    (
        proptest::sample::subsequence(TOP.to_vec(), 0..=4).prop_shuffle(),
        proptest::sample::subsequence(SECTIONS.to_vec(), 0..=10).prop_shuffle(),
        any::<bool>(),
        any::<bool>(),
        proptest::bool::weighted(0.2),
    )
        .prop_map(|(top, sections, crlf, final_newline, byte_order_mark)| {
            let mut text = top.concat() + &sections.concat();
            if !final_newline {
                text.truncate(text.trim_end_matches('\n').len());
            }
            if crlf {
                text = text.replace('\n', "\r\n");
            }
            if byte_order_mark {
                text.insert(0, '\u{feff}');
            }
            text
        })
}

fn read(text: &str) -> toml::Table {
    toml::from_str(text.strip_prefix('\u{feff}').unwrap_or(text)).unwrap()
}

fn is_subsequence(of: &str, text: &str) -> bool {
    let mut bytes = text.bytes();
    of.bytes().all(|wanted| bytes.any(|byte| byte == wanted))
}

fn with_entries(mut table: toml::Table, entries: &[SettingsEntry]) -> toml::Table {
    for entry in entries {
        let servers = table.entry("mcp_servers").or_insert(toml::Value::Table(toml::Table::new()));
        let value = toml::Value::try_from(&entry.value).unwrap();
        servers.as_table_mut().unwrap().insert(entry.path[1].clone(), value);
    }
    table
}

fn toggle_edits() -> impl Strategy<Value = Vec<ToggleEdit>> {
    let table = proptest::sample::select(vec![ToggleTable::Skills, ToggleTable::Workflows]);
    let key = proptest::sample::select(vec!["serde", "rand/rand-0-8", "p/h", "a.b", "é"]);
    let change = prop_oneof![
        any::<bool>().prop_map(ToggleAction::Set),
        any::<bool>().prop_map(ToggleAction::Add),
        Just(ToggleAction::Remove)
    ];
    let edit = (table, key, change).prop_map(|(table, key, change)| ToggleEdit { table, key: key.to_owned(), change });
    proptest::collection::vec(edit, 1..4)
}

fn name(table: ToggleTable) -> &'static str {
    match table {
        ToggleTable::Skills => "skills",
        ToggleTable::Workflows => "workflows",
    }
}

fn apply(table: &mut toml::Table, edit: &ToggleEdit) {
    let toggles = table.entry(name(edit.table)).or_insert(toml::Value::Table(toml::Table::new()));
    let toggles = toggles.as_table_mut().unwrap();
    match edit.change {
        ToggleAction::Set(on) => _ = toggles.insert(edit.key.clone(), toml::Value::Boolean(on)),
        ToggleAction::Add(on) => _ = toggles.entry(&edit.key).or_insert(toml::Value::Boolean(on)),
        ToggleAction::Remove => _ = toggles.remove(&edit.key),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn insert_adds_and_remove_gives_every_byte_back(text in document(), entries in some_entries()) {
        let edited = insert(&text, EditFormat::Toml, &entries).unwrap();
        prop_assert!(edited.outcomes.iter().all(|outcome| *outcome == EntryOutcome::Inserted));
        prop_assert!(edited.changed && is_subsequence(&text, &edited.text));
        prop_assert_eq!(read(&edited.text), with_entries(read(&text), &entries));
        if text.contains("\r\n") {
            prop_assert!(!edited.text.replace("\r\n", "").contains('\n'));
        }

        let again = insert(&edited.text, EditFormat::Toml, &entries).unwrap();
        prop_assert!(!again.changed);
        prop_assert_eq!(&again.text, &edited.text);

        let removals: Vec<EntryRemoval> = entries.iter().map(EntryRemoval::from).collect();
        let removed = remove(&edited.text, EditFormat::Toml, &removals, &edited.created).unwrap();
        prop_assert_eq!(&removed.text, &text, "inserted: {:?}", edited.text);
    }

    #[test]
    fn several_entries_come_and_go_in_a_table_on_one_line(
        text in proptest::sample::select(ONE_LINE.to_vec()),
        entries in some_entries(),
    ) {
        let edited = insert(text, EditFormat::Toml, &entries).unwrap();
        prop_assert_eq!(read(&edited.text), with_entries(read(text), &entries));
        let removals: Vec<EntryRemoval> = entries.iter().map(EntryRemoval::from).collect();
        let removed = remove(&edited.text, EditFormat::Toml, &removals, &edited.created).unwrap();
        prop_assert_eq!(&removed.text, text, "inserted: {:?}", edited.text);
    }

    #[test]
    fn entries_can_come_and_go_one_by_one(text in document(), entries in some_entries()) {
        let mut now = text.clone();
        for entry in &entries {
            now = insert(&now, EditFormat::Toml, std::slice::from_ref(entry)).unwrap().text;
        }
        prop_assert_eq!(read(&now), with_entries(read(&text), &entries));
        for entry in &entries {
            now = remove(&now, EditFormat::Toml, &[EntryRemoval::from(entry)], &[]).unwrap().text;
        }
        prop_assert_eq!(now, text);
    }

    #[test]
    fn an_update_changes_only_what_differs(text in document(), entries in some_entries()) {
        let old: Vec<SettingsEntry> = self::entries(2).into_iter().filter(|old| entries.iter().any(|e| e.path == old.path)).collect();
        let edited = insert(&text, EditFormat::Toml, &old).unwrap();
        let updated = insert(&edited.text, EditFormat::Toml, &entries).unwrap();
        prop_assert!(updated.outcomes.iter().all(|outcome| *outcome == EntryOutcome::Updated));
        prop_assert_eq!(&updated.text, &edited.text.replace("/v2/symposium", "/v1/symposium"));
    }

    #[test]
    fn toggles_change_nothing_else(text in document(), edits in toggle_edits()) {
        let edited = toggles(&text, &edits).unwrap();
        prop_assert_eq!(&toggles(&edited, &edits).unwrap(), &edited);
        let mut expected = read(&text);
        for (index, edit) in edits.iter().enumerate() {
            let is_last = !edits[index + 1..].iter().any(|later| (later.table, &later.key) == (edit.table, &edit.key));
            if is_last {
                apply(&mut expected, edit);
            }
        }
        let mut after = read(&edited);
        for table in ["skills", "workflows"] {
            // A table that lost its last key may stay.
            for side in [&mut expected, &mut after] {
                if side.get(table).and_then(|table| table.as_table()).is_some_and(toml::Table::is_empty) {
                    side.remove(table);
                }
            }
        }
        prop_assert_eq!(after, expected);
    }

    #[test]
    fn a_new_toggle_can_be_removed_again(text in document(), on in any::<bool>()) {
        let text = if text.contains("[workflows]") { text } else { format!("{text}\n[workflows]") };
        let edit = |change| [ToggleEdit { table: ToggleTable::Workflows, key: "new/one".to_owned(), change }];
        let edited = toggles(&text, &edit(ToggleAction::Add(on))).unwrap();
        prop_assert!(is_subsequence(&text, &edited));
        prop_assert_eq!(read(&edited)["workflows"]["new/one"].as_bool(), Some(on));
        prop_assert_eq!(toggles(&edited, &edit(ToggleAction::Remove)).unwrap(), text);
    }

    #[test]
    fn agents_change_nothing_else(text in document(), names in proptest::sample::subsequence(vec!["claude", "codex", "kiro"], 1..=3)) {
        let edited = set_agents(&text, &names).unwrap();
        prop_assert!(is_subsequence(&text, &edited));
        prop_assert_eq!(&set_agents(&edited, &names).unwrap(), &edited);
        let one = set_agents(&edited, &["goose"]).unwrap();
        let name = read(&one)["agent"]["name"].clone();
        prop_assert_eq!(name.as_str(), Some("goose"));
    }

    #[test]
    fn nothing_panics(text in ".{0,40}", pieces in proptest::collection::vec(proptest::sample::select(SECTIONS.to_vec()), 0..3)) {
        for text in [text.clone(), pieces.concat() + &text, text + &pieces.concat()] {
            let _ = insert(&text, EditFormat::Toml, &entries(1));
            let _ = remove(&text, EditFormat::Toml, &[EntryRemoval::from(&entries(1)[0])], &[]);
            let _ = set_agents(&text, &["claude"]);
            let _ = toggles(&text, &[ToggleEdit { table: ToggleTable::Skills, key: "x".into(), change: ToggleAction::Set(true) }]);
        }
    }
}
