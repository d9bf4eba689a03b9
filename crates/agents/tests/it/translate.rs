//! Inputs keep every field in both directions, and handlers in one agent's format work on every other.
//!
//! `tests/golden/AGENT/foreign.txt` holds the payloads of a handler in that agent's format for events of others.

use std::path::PathBuf;

use expect_test::expect_file;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use symposium_agents::wire::{
    ToolInput, ToolMapping, decode, lower_outcome, native_input, per_file, read_answer, render,
};
use symposium_agents::{AgentEvent, EventAbilities, RewriteEffect, dialect};
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, EventDetail, HookDecision, HookInput, HookOutput, Outcome};

use crate::facts;
use crate::hostile::any_json;
use crate::recorded;

const PRE: AgentEvent = AgentEvent::Canonical(Event::PreToolUse);

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("not an object: {value}") };
    object
}

/// Returns an agent, one of its own names for a tool, the keys of that tool, and the mark that tells it from others of
/// the name.
fn known_tool()
-> impl Strategy<Value = (AgentId, &'static str, Vec<&'static str>, Option<(&'static str, &'static str)>)> {
    let mut all = Vec::new();
    for agent in AgentId::ALL {
        let with_keys = |tool: &&ToolMapping| !matches!(tool.input, ToolInput::Text(_));
        for tool in dialect(agent).wire.tools.iter().filter(with_keys) {
            for native in tool.native {
                let keys: Vec<&str> = tool.keys.iter().map(|(_, native)| *native).collect();
                let mark = tool.only_with.map(|(key, values)| (key, values.first().copied().unwrap_or("x")));
                all.push((agent, *native, keys, mark));
            }
        }
    }
    proptest::sample::select(all)
}

/// Returns unknown fields, some of which have the names of canonical or other agents' keys.
fn unknown_fields() -> impl Strategy<Value = Map<String, Value>> {
    let key = prop_oneof![
        "[a-z_]{1,8}",
        proptest::sample::select(vec!["file_path", "path", "content", "command", "skill", "name", "files", "patch"])
            .prop_map(str::to_owned),
    ];
    proptest::collection::vec((key, any_json()), 0..6).prop_map(|fields| fields.into_iter().collect())
}

fn pre_tool(agent: AgentId, name: &str, input: &Map<String, Value>) -> HookInput {
    let fields = &dialect(agent).wire.fields;
    let payload = json!({fields.tool_name[0]: name, fields.tool_input[0]: input});
    decode(dialect(agent), PRE, object(payload), &[]).unwrap()
}

proptest! {
    #[test]
    fn an_input_survives_the_way_there_and_back(
        (agent, name, keys, mark) in known_tool(),
        unknown in unknown_fields(),
        values in proptest::collection::vec("[ -~]{0,12}", 4),
        changed in "[A-Z]{3}",
        pick in any::<proptest::sample::Index>(),
    ) {
        let mut native = unknown;
        for (key, value) in keys.iter().zip(values) {
            native.insert((*key).to_owned(), value.into());
        }
        if let Some((key, value)) = mark {
            native.insert(key.to_owned(), value.into());
        }
        let input = pre_tool(agent, name, &native);
        let tool = input.tool().unwrap();
        let own = tool.native.as_ref().unwrap();

        // Nothing changed: not a byte differs, and no rewrite is sent.
        let back = native_input(dialect(agent), own, &tool.input);
        prop_assert_eq!(serde_json::to_string(&back).unwrap(), serde_json::to_string(&native).unwrap());
        let same = Outcome { updated_input: Some(tool.input.clone()), ..Outcome::default() };
        if !has_null_field(&tool.input) {
            prop_assert_eq!(lower_outcome(dialect(agent), PRE, &input, &same).0.rewrite, None);
        }

        // One key changed: that key differs, under the agent's name for it, and no other.
        if tool.input.is_empty() {
            return Ok(());
        }
        let key = pick.get(&tool.input.keys().cloned().collect::<Vec<_>>()).clone();
        if tool.name == "Patch" && key != "patch" || mark.is_some_and(|(mark, _)| mark == key) {
            return Ok(());
        }
        let now = Map::from_iter([(key.clone(), Value::from(changed.as_str()))]);
        let Value::Object(rewritten) = native_input(dialect(agent), own, &now) else { panic!("an object") };
        let differing: Vec<&String> =
            native.keys().chain(rewritten.keys()).filter(|key| native.get(*key) != rewritten.get(*key)).collect();
        let has_keys = |known: &&ToolMapping| !matches!(known.input, ToolInput::Text(_));
        let mut table = dialect(agent).wire.tools.iter().filter(has_keys);
        let table = table.find(|known| known.canonical == tool.name && known.native.contains(&name));
        let expected = table
            .and_then(|known| known.keys.iter().find(|(canonical, _)| *canonical == key))
            .map_or(key.as_str(), |(_, native)| native);
        prop_assert!(differing.iter().all(|key| *key == expected), "{:?} instead of {}", differing, expected);
        prop_assert_eq!(rewritten.get(expected), Some(&Value::from(changed.as_str())));
        let outcome = Outcome { decision: Some(HookDecision::Allow), updated_input: Some(now), ..Outcome::default() };
        let sent = lower_outcome(dialect(agent), PRE, &input, &outcome).0.rewrite;
        match dialect(agent).can.pre_tool_use.map_or(RewriteEffect::Impossible, |can| can.rewrite) {
            RewriteEffect::Works | RewriteEffect::NeedsAllow => prop_assert_eq!(sent.unwrap_or(Value::Object(native)), Value::Object(rewritten)),
            RewriteEffect::Impossible => prop_assert_eq!(sent, None),
        }
    }
}

fn has_null_field(input: &Map<String, Value>) -> bool {
    input.values().any(Value::is_null)
}

/// Returns the output of a handler in a format to deny, to change the command, and to add context; `None` where the
/// format cannot express it on standard output.
fn words(format: AgentId, command: &Map<String, Value>) -> [Option<Value>; 3] {
    let specific = |fields: Value| {
        let mut fields = object(fields);
        fields.insert("hookEventName".to_owned(), "PreToolUse".into());
        Some(json!({"hookSpecificOutput": fields}))
    };
    match format {
        AgentId::Claude => [
            specific(json!({"permissionDecision": "deny", "permissionDecisionReason": "no"})),
            specific(json!({"updatedInput": command})),
            specific(json!({"additionalContext": "note"})),
        ],
        AgentId::Codex => [
            specific(json!({"permissionDecision": "deny", "permissionDecisionReason": "no"})),
            specific(json!({"permissionDecision": "allow", "updatedInput": command})),
            specific(json!({"additionalContext": "note"})),
        ],
        AgentId::Copilot => [
            Some(json!({"permissionDecision": "deny", "permissionDecisionReason": "no"})),
            Some(json!({"modifiedArgs": command})),
            Some(json!({"additionalContext": "note"})),
        ],
        AgentId::Gemini => [
            Some(json!({"decision": "deny", "reason": "no"})),
            Some(json!({"hookSpecificOutput": {"tool_input": command}})),
            None,
        ],
        AgentId::Qwen => [Some(json!({"continue": false, "stopReason": "no"})), None, None],
        AgentId::Goose => [Some(json!({"decision": "block", "reason": "no"})), None, None],
        AgentId::Kiro | AgentId::Antigravity | AgentId::Agents => [None, None, None],
        AgentId::Droid => [
            specific(json!({"permissionDecision": "deny", "permissionDecisionReason": "no"})),
            specific(json!({"permissionDecision": "allow", "updatedInput": command})),
            None,
        ],
        AgentId::Crush => [
            Some(json!({"decision": "deny", "reason": "no"})),
            Some(json!({"updated_input": command})),
            Some(json!({"context": "note"})),
        ],
        AgentId::OpenCode | AgentId::Kilo | AgentId::Cline | AgentId::Pi => {
            [Some(json!({"deny": "no"})), Some(json!({"args": command})), Some(json!({"context": "note"}))]
        }
        AgentId::Cursor => [
            Some(json!({"permission": "deny", "agent_message": "no", "user_message": "no"})),
            Some(json!({"updated_input": command})),
            Some(json!({"additional_context": "note"})),
        ],
    }
}

fn merged(output: HookOutput) -> Outcome {
    let mut outcome = Outcome::default();
    outcome.absorb(output, "p/h");
    outcome
}

#[test]
fn a_handler_of_any_format_works_on_every_agent() {
    for agent in AgentId::ALL {
        let Some(input) = recorded::one(agent, PRE).map(|recorded| recorded.input()) else {
            assert_eq!(dialect(agent).name_of(PRE), None, "{agent} has no payload");
            continue;
        };
        for format in AgentId::ALL {
            let what = format!("a {format} handler on {agent}");
            let shown = object(render(dialect(format), PRE, &input));
            let fields = &dialect(format).wire.fields;
            let mut command = object(shown[fields.tool_input[0]].clone());
            assert!(command["command"].is_string(), "{what}: {command:?}");
            command.insert("command".to_owned(), json!("cargo nextest run"));
            let [deny, rewrite, context] = words(format, &command);
            let said = |words: &Value| merged(read_answer(dialect(format), &input, &words.to_string()).unwrap());
            let effect = |outcome: &Outcome| {
                let (reply, losses) = lower_outcome(dialect(agent), PRE, &input, outcome);
                (facts::seen(agent, PRE, &dialect(agent).answer(PRE, &reply)).unwrap(), losses)
            };
            if let Some(deny) = deny {
                let (seen, losses) = effect(&said(&deny));
                assert_eq!((seen.blocked.as_deref(), losses.len()), (Some("no"), 0), "{what}");
            }
            if let Some(rewrite) = rewrite {
                let outcome = said(&rewrite);
                assert_eq!(outcome.updated_input, Some(object(json!({"command": "cargo nextest run"}))), "{what}");
                // A handler grants a permission only on its own agent, where the value is required.
                let needs_allow = |can: EventAbilities| can.rewrite == RewriteEffect::NeedsAllow;
                let at_home = format == agent && dialect(agent).can.pre_tool_use.is_some_and(needs_allow);
                assert_eq!(outcome.decision.is_some(), at_home, "{what}");
                let (seen, losses) = effect(&outcome);
                let works =
                    dialect(agent).can.pre_tool_use.is_some_and(|can| can.rewrite == RewriteEffect::Works) || at_home;
                assert_eq!((seen.input.is_some(), losses.is_empty()), (works, works), "{what}");
                if let Some(changed) = seen.input {
                    let mut expected = object(input.tool().unwrap().native.clone().unwrap().input);
                    expected.insert("command".to_owned(), json!("cargo nextest run"));
                    assert_eq!(changed, expected, "{what}");
                }
            }
            if let Some(context) = context {
                let (seen, losses) = effect(&said(&context));
                let reaches = dialect(agent).can.tells(Event::PreToolUse);
                assert_eq!((seen.context.is_some(), losses.is_empty()), (reaches, reaches), "{what}");
            }
        }
    }
}

#[test]
fn what_handlers_of_other_formats_are_given() {
    let events = [
        (AgentId::Claude, "claude/PreToolUse.Bash.json"),
        (AgentId::Claude, "claude/PreToolUse.Edit.json"),
        (AgentId::Copilot, "copilot/preToolUse.create.json"),
        (AgentId::OpenCode, "opencode-bridge/pre-tool-use.read.json"),
        (AgentId::Gemini, "gemini/BeforeTool.mcp.json"),
        (AgentId::Gemini, "gemini/BeforeTool.activate_skill.json"),
        (AgentId::Codex, "codex/PostToolUse.Bash.json"),
        (AgentId::Copilot, "copilot/postToolUse.create.json"),
        (AgentId::Gemini, "gemini/AfterTool.read_file.json"),
        (AgentId::Claude, "claude/PostToolUseFailure.Bash.json"),
        (AgentId::Goose, "goose/UserPromptSubmit.json"),
        (AgentId::Copilot, "copilot/sessionStart.json"),
        (AgentId::Claude, "claude/Stop.json"),
    ];
    let goldens = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for format in AgentId::ALL {
        let mut text = String::new();
        for (agent, name) in events {
            let recorded = recorded::of(agent).into_iter().find(|recorded| recorded.name == name).unwrap();
            let input = recorded.input();
            // As in the program: a failure is one where the format can express it.
            let failed = matches!(&input.detail, EventDetail::PostToolUse(_, result) if result.failed);
            let event = match dialect(format).events.tool_failed {
                Some(_) if failed => AgentEvent::ToolFailed,
                Some(_) | None => AgentEvent::Canonical(input.event()),
            };
            text.push_str(&format!("=== {name}\n{:#}\n\n", render(dialect(format), event, &input)));
        }
        let patch = pre_tool(AgentId::Codex, "apply_patch", &object(json!({"command": PATCH})));
        for (position, input) in per_file(dialect(format), &patch).iter().enumerate() {
            text.push_str(&format!(
                "=== a patch, part {}\n{:#}\n\n",
                position + 1,
                render(dialect(format), PRE, input)
            ));
        }
        expect_file![goldens.join(format.name()).join("foreign.txt")].assert_eq(&text);
    }
}

const PATCH: &str = "*** Begin Patch
*** Add File: new.rs
+fn new() {}
*** Update File: old.rs
*** Move to: moved.rs
@@ fn old() {
 let a = 1;
-let b = 2;
+let b = 3;
*** Delete File: gone.rs
*** End Patch
";

/// Checks that a guard written for Claude sees every file of a patch, that its deny stops the patch, and that its
/// change of one file does not change the patch.
#[test]
fn a_patch_is_asked_about_file_by_file() {
    for input in [json!(PATCH), json!({"input": PATCH})] {
        let payload = object(json!({"tool": "apply_patch", "args": input}));
        let decoded = decode(dialect(AgentId::Cline), PRE, payload, &[]).unwrap();
        let each = per_file(dialect(AgentId::Claude), &decoded);
        assert_eq!(each.len(), 4);
        assert_eq!(decoded.tool().unwrap().input["files"], json!(["new.rs", "old.rs", "moved.rs", "gone.rs"]));
    }
    let input = pre_tool(AgentId::Codex, "apply_patch", &object(json!({"command": PATCH})));
    let each = per_file(dialect(AgentId::Claude), &input);
    let shown: Vec<(String, String)> = each
        .iter()
        .map(|one| {
            let shown = render(dialect(AgentId::Claude), PRE, one);
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            (text(&shown["tool_name"]), text(&shown["tool_input"]["file_path"]))
        })
        .collect();
    let expected = [("Write", "new.rs"), ("Edit", "old.rs"), ("Edit", "moved.rs"), ("Edit", "gone.rs")];
    assert_eq!(shown, expected.map(|(tool, path)| (tool.to_owned(), path.to_owned())));
    for one in &each {
        for (answer, blocked) in [
            (json!({"decision": "block", "reason": "generated"}), true),
            (json!({"hookSpecificOutput": {"permissionDecision": "allow", "updatedInput": {"file_path": "x"}}}), false),
        ] {
            let outcome = merged(read_answer(dialect(AgentId::Claude), one, &answer.to_string()).unwrap());
            let (reply, losses) = lower_outcome(dialect(AgentId::Codex), PRE, &input, &outcome);
            let seen = facts::seen(AgentId::Codex, PRE, &dialect(AgentId::Codex).answer(PRE, &reply)).unwrap();
            assert_eq!(seen.blocked.is_some(), blocked);
            assert_eq!((seen.input, seen.granted), (None, false));
            assert_eq!(losses.is_empty(), blocked);
        }
    }
}
