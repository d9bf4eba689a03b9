//! One word for one state, in every command that shows it.

use serde_json::Value;
use symposium_testkit::TestContext;

use crate::crate_plugins::{machine, put, unpacked};
use crate::{json, set_mode, with_fixture};

const STATES: [&str; 9] =
    ["on", "off", "candidate", "untrusted", "blocked", "drifted", "orphaned", "conflict", "unknown"];

const HOOK: &str = "[[hooks]]\nname = \"check\"\nevent = \"PreToolUse\"\ncommand = \"./check.sh\"\n";

/// A workspace with a plugin in each of four states.
fn with_states() -> TestContext {
    let mut context = machine();
    // No `rtk`, whatever there is on the machine.
    context.set("PATH", "/usr/bin:/bin");
    let widget = unpacked(&context, "widget-1.2.0");
    put(&widget.join("SYMPOSIUM.toml"), HOOK);
    put(&widget.join("check.sh"), "#!/bin/sh\n");
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"ours\"\npath = \"tools\"\n");
    context.write("tools/gate/SYMPOSIUM.toml", HOOK);
    context.write("tools/gate/check.sh", "#!/bin/sh\n");
    set_mode(&context.workspace().join("tools/gate/check.sh"), 0o755);
    context
}

/// Finds the object with a field of this value, anywhere in a document.
fn find<'d>(document: &'d Value, key: &str, name: &str) -> Option<&'d Value> {
    match document {
        Value::Object(fields) if fields.get(key).and_then(Value::as_str) == Some(name) => Some(document),
        Value::Object(fields) => fields.values().find_map(|value| find(value, key, name)),
        Value::Array(items) => items.iter().find_map(|item| find(item, key, name)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

#[test]
fn one_state_has_one_word_in_every_command() {
    let context = with_states();
    for (plugin, state) in [("rtk", "off"), ("autofmt", "off"), ("widget", "candidate"), ("gate", "untrusted")] {
        for (command, key) in [
            (&["status"][..], "name"),
            (&["hook", "list"], "plugin"),
            (&["plugin", "list"], "name"),
            (&["trust", "--show"], "name"),
        ] {
            let document = json(context.invoke(&[command, &["--json"]].concat()));
            match find(&document, key, plugin) {
                Some(found) => assert_eq!(found["state"], state, "{command:?}: {found}"),
                None => assert!(command[0] == "trust" && state != "untrusted", "{command:?} {plugin}: {document}"),
            }
        }
        let document = json(context.invoke(&["plugin", "show", plugin, "--json"]));
        assert_eq!(document["plugins"][0]["state"], state);
        for asked in [&["why", "plugin", plugin][..], &["why", "hook", &format!("{plugin}/check")]] {
            let said = context.invoke(asked);
            let first = said.stdout.lines().next().unwrap_or_default();
            assert!(said.code == 1 || first.contains(&format!("`: {state}")), "{asked:?}: {said:?}");
        }
    }
    let shown = context.invoke(&["status"]).expect(0);
    assert!(shown.contains("off (rtk not found)"), "{shown}");
    let shown = context.invoke(&["hook", "list"]).expect(0);
    assert!(shown.contains("off (rtk not found)") && shown.ends_with("2 of 8 hooks on\n"), "{shown}");
    context.invoke(&["on", "widget", "--yes"]).expect(0);
    let document = json(context.invoke(&["hook", "list", "--json"]));
    assert_eq!(find(&document, "plugin", "widget").unwrap()["state"], "untrusted");
    context.invoke(&["trust", "--yes"]).expect(0);
    for command in [&["status"][..], &["hook", "list"], &["plugin", "list"], &["trust", "--show"]] {
        let document = json(context.invoke(&[command, &["--json"]].concat()));
        let found = find(&document, if command[0] == "hook" { "plugin" } else { "name" }, "gate").unwrap();
        assert_eq!(found["state"], "on", "{command:?}: {found}");
    }
}

/// Who lost the name cannot be switched by it, on or off.
#[test]
fn a_plugin_that_lost_its_name_is_a_conflict_in_every_command() {
    let mut context = with_fixture(&["workspace0"]);
    context.set("PATH", "/usr/bin:/bin");
    let hook = "[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"true\"\n";
    // `autofmt` is off at first, `cargo` on.
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    for name in ["autofmt", "cargo"] {
        context.write_config(&format!("plugins/{name}.toml"), format!("name = \"{name}\"\n{hook}"));
    }
    let rows = |command: &[&str], list: &str| {
        let document = json(context.invoke(&[command, &["--json"]].concat()));
        document[list].as_array().unwrap().clone()
    };
    let advice = "; rename that one to use both";
    for (name, part, other) in [("autofmt", "format", "off"), ("cargo", "output", "on")] {
        let plugins: Vec<Value> = rows(&["plugin", "list"], "sources")
            .iter()
            .flat_map(|source| source["plugins"].as_array().unwrap().clone())
            .collect();
        for (list, key) in
            [(rows(&["status"], "extensions"), "name"), (rows(&["hook", "list"], "hooks"), "plugin"), (plugins, "name")]
        {
            let mut states: Vec<&str> =
                list.iter().filter(|row| row[key] == name).map(|row| row["state"].as_str().unwrap()).collect();
            states.sort_unstable();
            assert_eq!(states, ["conflict", other], "{name}: {list:#?}");
        }
        let why = context.invoke(&["why", "hook", &format!("{name}/{part}")]).stdout;
        assert!(why.contains("`: conflict"), "{why}");
    }
    // The built-in one cannot be renamed.
    let status = context.invoke(&["status", "--json"]).stdout;
    assert_eq!(status.matches(advice).count(), 2, "{status}");
    assert!(!status.contains("rename one of them"), "{status}");
}

/// A broken configuration of the project says nothing about what is on, so no command says it either.
#[test]
fn with_a_broken_configuration_no_command_claims_a_state() {
    let mut context = with_fixture(&["workspace0"]);
    context.set("PATH", "/usr/bin:/bin");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let skill = json(context.invoke(&["status", "--json"]))["extensions"][0]["name"].as_str().unwrap().to_owned();
    context.invoke(&["off", "deps", &skill]).expect(0);
    let config = context.workspace().join(".symposium/config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("[workflows]", "[workflows")).unwrap();
    for (command, key, name, state) in [
        (&["status"][..], "name", skill.as_str(), "unknown"),
        (&["status"], "name", "deps", "unknown"),
        (&["status"], "name", "cargo", "unknown"),
        // It cannot run in any case.
        (&["status"], "name", "rtk", "off"),
        (&["hook", "list"], "plugin", "deps", "unknown"),
        (&["hook", "list"], "plugin", "rtk", "off"),
        (&["plugin", "list"], "name", "deps", "unknown"),
        (&["plugin", "list"], "name", &skill, "unknown"),
    ] {
        let output = context.invoke(&[command, &["--json"]].concat());
        assert_eq!(output.code, 3, "{command:?}");
        let document: Value = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!(find(&document, key, name).unwrap()["state"], state, "{command:?} {name}");
        assert_eq!(document["errors"].as_array().unwrap().len(), 1, "{document}");
    }
    for (kind, name) in [("skill", skill.as_str()), ("plugin", "deps"), ("hook", "deps/lookup")] {
        let said = context.invoke(&["why", kind, name]);
        assert!(said.stdout.contains("`: unknown"), "{said:?}");
    }
    let shown = context.invoke(&["hook", "list"]).stdout;
    assert!(shown.contains("0 of 6 hooks on, 5 unknown"), "{shown}");
    // A lockfile that cannot be read decides about no switch.
    std::fs::write(&config, text).unwrap();
    std::fs::write(context.workspace().join(".symposium/symposium.lock"), "<<<<<<<\n").unwrap();
    let document: Value = serde_json::from_str(&context.invoke(&["status", "--json"]).stdout).unwrap();
    assert_eq!(find(&document, "name", "deps").unwrap()["state"], "off");
}

#[test]
fn every_state_is_explained_in_the_help_and_in_the_book() {
    let context = with_fixture(&[]);
    let help = context.invoke(&["status", "--help"]).expect(0);
    let book = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../book/src/everyday.md")).unwrap();
    for state in STATES {
        let begins = format!("  {state} ");
        let line = help.lines().find(|line| line.starts_with(&begins)).unwrap_or_else(|| panic!("{state} in {help}"));
        let meaning = line.trim_start().trim_start_matches(state).trim();
        assert!(book.contains(&format!("| `{state}` | {meaning} |")), "{state}: {meaning}");
    }
}

#[test]
fn states_have_colours_for_terminals_alone() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    for command in [&["status"][..], &["hook", "list"], &["plugin", "list"]] {
        let plain = context.invoke(command).expect(0);
        assert!(!plain.contains('\u{1b}'), "{plain}");
        let coloured = context.invoke(&[&["--color", "always"], command].concat()).expect(0);
        assert!(coloured.contains("\u{1b}[32mon"), "{coloured}");
    }
}
