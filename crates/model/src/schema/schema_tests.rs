//! The descriptions match the keys of the parsers, and the parsers accept what the schemas allow.

use std::collections::BTreeSet;

use serde_json::Value;

use super::file_shape::{FileShape, explore};
use super::key_docs::join;
use super::*;
use crate::hook::llm::{LlmRequest, LlmResponse};
use crate::hook::{Event, HookInput, HookOutput};
use crate::toml_table::ANY_NAME;

fn shapes() -> [FileShape; 3] {
    [
        explore(&|text| config::query_keys(text, Scope::User)),
        explore(&|text| config::query_keys(text, Scope::Project)),
        explore(&manifest::query_keys),
    ]
}

#[test]
fn every_key_has_a_description_and_every_description_a_key() {
    let mut places = BTreeSet::new();
    let mut names = BTreeSet::new();
    for shape in shapes() {
        for (at, keys) in &shape {
            for key in keys.keys().filter(|key| **key != ANY_NAME) {
                assert!(key_docs::description(at, key).is_some(), "`{key}` in `{at}` has no description");
                places.insert(join(at, key));
                names.insert(*key);
            }
        }
        for (at, keys) in key_docs::REQUIRED {
            let Some(known) = shape.get(*at) else { continue };
            assert!(keys.iter().all(|key| known.contains_key(key)), "{at}");
        }
    }
    for (place, _) in key_docs::BY_PLACE {
        assert!(places.contains(*place), "nobody reads `{place}`");
    }
    for (name, _) in key_docs::BY_NAME {
        assert!(names.contains(name), "nobody reads `{name}`");
    }
}

#[test]
fn readers_were_asked_in_every_branch() {
    let [user, project, manifest] = shapes();
    for (shape, at, key) in [
        (&user, "", "trust"),
        (&user, "agent", "sync-default"),
        (&user, "agent[]", "name"),
        (&user, "agents.kiro", "standalone-hooks"),
        (&user, "plugin-source[]", "auto-update"),
        (&project, "skills", ANY_NAME),
        (&project, "agent", "self-contained"),
        (&manifest, "hooks[].tests[]", "rewrite"),
        (&manifest, "hooks[].command", "install_commands"),
        (&manifest, "mcp_servers[].env", ANY_NAME),
        (&manifest, "mcp_servers[].env[]", "value"),
        (&manifest, "plugins[].source.cargo", "version"),
        (&manifest, "skills[].where", "predicates"),
    ] {
        assert!(shape.get(at).is_some_and(|keys| keys.contains_key(key)), "{at} {key}");
    }
    assert!(!user[""].contains_key("skills"));
    // A project can restrict trust, and nothing else.
    assert!(project["trust"].keys().eq(&["projects"]));
}

#[test]
fn words_in_the_schemas_are_those_the_readers_take() {
    type Errors<'a> = &'a dyn Fn(&str) -> usize;
    let asked: [(&str, Errors<'_>); 6] = [
        ("logging.level", &|word| config_errors(&format!("[logging]\nlevel = \"{word}\""))),
        ("trust.projects", &|word| config_errors(&format!("[trust]\nprojects = \"{word}\""))),
        ("hooks[].order", &|word| hook_errors(&format!("order = \"{word}\""))),
        ("hooks[].on-failure", &|word| hook_errors(&format!("on-failure = \"{word}\""))),
        ("hooks[].tests[].decision", &|word| {
            hook_errors(&format!("tests = [{{ input = {{ tool_name = \"Bash\" }}, decision = \"{word}\" }}]"))
        }),
        ("mcp_servers[].type", &|word| {
            let place = if word == "stdio" { "command" } else { "url" };
            errors(&format!("name = \"p\"\n[[mcp_servers]]\nname = \"s\"\n{place} = \"x\"\ntype = \"{word}\""))
        }),
    ];
    for (place, errors) in asked {
        let values = key_docs::values(place).unwrap();
        for word in values["enum"].as_array().unwrap() {
            assert_eq!(errors(word.as_str().unwrap()), 0, "{place}: {word}");
        }
        assert_ne!(errors("no-such-word"), 0, "{place}");
    }
    for (seconds, wrong) in [(0, true), (1, false), (50, false), (51, true)] {
        assert_eq!(hook_errors(&format!("timeout = {seconds}")) > 0, wrong, "{seconds}");
    }
    let events = key_docs::values("hooks[].event").unwrap();
    for event in events["anyOf"][0]["enum"].as_array().unwrap() {
        let text = format!("name = \"p\"\n[[hooks]]\nevent = {event}\ncommand = \"x\"");
        assert_eq!(errors(&text), 0, "{event}");
    }
}

#[test]
fn entries_without_a_required_key_are_errors() {
    for (at, keys) in key_docs::REQUIRED {
        let table = at.trim_end_matches("[]");
        let wrong = match *at {
            "plugin-source[]" | "registry[]" => config_errors(&format!("[[{table}]]\npath = \"x\"")),
            "hooks[]" => errors("name = \"p\"\n[[hooks]]\ncommand = \"x\""),
            "mcp_servers[]" => errors("name = \"p\"\n[[mcp_servers]]\ncommand = \"x\""),
            _ => errors(&format!("name = \"p\"\n[[{table}]]")),
        };
        assert!(wrong > 0, "{at}: {keys:?}");
    }
}

fn errors(text: &str) -> usize {
    let parsed = manifest::parse("symposium.toml", text, "p");
    parsed.diagnostics.iter().filter(|found| found.severity == crate::diagnostic::Severity::Error).count()
}

fn hook_errors(line: &str) -> usize {
    errors(&format!("name = \"p\"\n[[hooks]]\nevent = \"PreToolUse\"\ncommand = \"x\"\n{line}\n"))
}

fn config_errors(text: &str) -> usize {
    let parsed = config::parse("config.toml", text, Scope::User);
    usize::from(parsed.is_broken())
}

/// A value for every property of a schema.
fn full(schema: &Value) -> Value {
    if let Some(forms) = schema["anyOf"].as_array() {
        return full(&forms[0]);
    }
    if let Some(words) = schema["enum"].as_array() {
        return words[0].clone();
    }
    let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
    match kind {
        Some("object") => {
            let properties = schema["properties"].as_object().cloned().unwrap_or_default();
            Value::Object(properties.iter().map(|(key, inner)| (key.clone(), full(inner))).collect())
        }
        Some("array") => Value::Array(vec![full(&schema["items"])]),
        Some("boolean") => true.into(),
        Some("number" | "integer") => 1.into(),
        Some("string") | None => "text".into(),
        Some(other) => panic!("{other}"),
    }
}

#[test]
fn what_a_handler_reads_has_exactly_the_fields_of_its_schema() {
    let schema = JsonSchema::HookInput.document();
    for event in Event::ALL {
        let whole = serde_json::json!({event.name(): full(&schema["properties"][event.name()])});
        let Value::Object(object) = whole.clone() else { panic!("an object") };
        let read = HookInput::from_json(event, object).unwrap();
        assert_eq!(read.to_json(), whole, "{event}");
    }
}

#[test]
fn every_field_of_an_answer_has_a_meaning() {
    let schema = JsonSchema::HookOutput.document();
    for event in Event::ALL {
        let whole = serde_json::json!({event.name(): full(&schema["properties"][event.name()])});
        let Value::Object(object) = whole else { panic!("an object") };
        let read = HookOutput::from_json(event, object).unwrap();
        assert_eq!(read.other, serde_json::Map::new(), "{event}");
        assert!(read.decision.is_some() && read.reason.is_some() && read.additional_context.is_some(), "{event}");
        assert_eq!(read.updated_input.is_some(), event == Event::PreToolUse);
    }
}

#[test]
fn the_model_api_is_typed_as_its_schemas_say() {
    let request = full(&JsonSchema::LlmRequest.document());
    let typed: LlmRequest = serde_json::from_value(request.clone()).unwrap();
    assert_eq!(serde_json::to_value(&typed).unwrap(), request);
    let (config, tools) = (typed.config.unwrap(), typed.tool_config.unwrap());
    assert!(typed.other.is_empty() && config.other.is_empty() && tools.other.is_empty());
    assert!(typed.messages.unwrap().iter().all(|message| message.other.is_empty()));
    let response = full(&JsonSchema::LlmResponse.document());
    let typed: LlmResponse = serde_json::from_value(response.clone()).unwrap();
    assert_eq!(serde_json::to_value(&typed).unwrap(), response);
    assert!(typed.other.is_empty() && typed.usage_metadata.unwrap().other.is_empty());
    for candidate in typed.candidates.unwrap() {
        assert!(candidate.other.is_empty() && candidate.content.other.is_empty());
        assert!(candidate.safety_ratings.unwrap().iter().all(|rating| rating.other.is_empty()));
    }
}
