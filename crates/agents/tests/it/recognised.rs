//! Every registered entry is recognised as Symposium's afterwards.

use serde_json::Value;
use symposium_agents::{
    AgentPath, OsFamily, RegistrationInput, Scope, SymposiumProgram, dialect, event_from, registration,
};
use symposium_model::agent::AgentId;
use symposium_model::edit::FileContent;
use symposium_model::ownership::{HookCall, OwnedPart};

use crate::situations::{awkward_posix_path, awkward_windows_path, full, posix_path, windows_path};

#[test]
fn every_command_is_recognised() {
    let mut commands = 0;
    for_all(|agent, program, situation, content| {
        for command in commands_of(content) {
            let call = HookCall::parse(&command).unwrap_or_else(|| panic!("{agent}: {command}"));
            assert_eq!(call.agent, agent.name(), "{command}");
            assert!(event_from(agent, &call.event).is_some(), "{agent} does not know its own word: {command}");
            // PowerShell's doubled quote cannot be told from two quoted parts.
            if situation.os == OsFamily::Posix && !command.starts_with("if ") {
                assert_eq!(call.program, program, "{command}");
            }
            commands += 1;
        }
    });
    assert!(commands > 500, "{commands}");
}

#[test]
fn every_entry_carries_a_mark_that_fits_it() {
    let mut entries_seen = 0;
    for_all(|agent, _, _, content| {
        let FileContent::Entries { entries, .. } = content else { return };
        for entry in entries {
            assert_eq!(entry.mark.share(&entry.value), OwnedPart::All, "{agent}: {:?} {}", entry.path, entry.value);
            entries_seen += 1;
        }
    });
    assert!(entries_seen > 500, "{entries_seen}");
}

#[test]
fn no_place_is_planned_twice_and_scopes_do_not_mix() {
    for agent in AgentId::ALL {
        for scope in [Scope::Project, Scope::User] {
            let files = registration(agent, scope, &full(agent, posix_path(), OsFamily::Posix)).files;
            let mut places: Vec<AgentPath> = files.iter().map(|file| file.place).collect();
            let all = places.len();
            places.sort();
            places.dedup();
            assert_eq!(places.len(), all, "{agent}");
            for place in places {
                let in_home = matches!(place, AgentPath::Home(_));
                assert_eq!(in_home, scope == Scope::User, "{agent}: {place:?}");
            }
        }
    }
}

fn for_all(mut check: impl FnMut(AgentId, &str, &RegistrationInput, &FileContent)) {
    for agent in AgentId::ALL {
        for scope in [Scope::Project, Scope::User] {
            let posix =
                [SymposiumProgram::Bare, posix_path(), awkward_posix_path()].map(|program| (OsFamily::Posix, program));
            let windows = [SymposiumProgram::Bare, windows_path(), awkward_windows_path()]
                .map(|program| (OsFamily::Windows, program));
            for (os, program) in posix.into_iter().chain(windows) {
                let path = match &program {
                    SymposiumProgram::Path { path, .. } => path.clone(),
                    SymposiumProgram::Bare => "symposium".to_owned(),
                };
                let mut situation = full(agent, program, os);
                situation.native_events = dialect(agent).native.iter().map(|name| (*name).to_owned()).collect();
                for file in registration(agent, scope, &situation).files {
                    check(agent, &path, &situation, &file.content);
                }
            }
        }
    }
}

/// Returns every value of a key that holds a command line of a hook, anywhere.
fn commands_of(content: &FileContent) -> Vec<String> {
    let mut commands = Vec::new();
    match content {
        FileContent::Whole(text) => {
            if let Ok(value) = serde_json::from_str::<Value>(text) {
                collect(&value, &mut commands);
            }
        }
        FileContent::Entries { entries, .. } => entries.iter().for_each(|entry| collect(&entry.value, &mut commands)),
    }
    commands
}

fn collect(value: &Value, commands: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            // An MCP server has a `command` too, but it is no command line.
            let is_server = map.contains_key("args") || map.contains_key("environment");
            for (key, value) in map {
                match value {
                    Value::String(text) if ["command", "bash", "powershell"].contains(&key.as_str()) && !is_server => {
                        commands.push(text.clone());
                    }
                    _ => collect(value, commands),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, commands)),
        Value::String(text) => {
            // No call of Symposium may be hidden elsewhere.
            assert!(!text.contains("symposium hook"), "{text}");
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
