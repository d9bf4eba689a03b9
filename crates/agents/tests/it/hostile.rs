//! No input causes a panic; in every output the agent recognises a deny as a deny and never a permission that was not
//! given.

use proptest::prelude::*;
use serde_json::{Map, Value};
use symposium_agents::wire::{EventPeek, decode, lower_outcome, read_answer, render, speaker};
use symposium_agents::{AgentEvent, DenyEffect, dialect};
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, EventDetail, HookDecision, HookInput, Outcome};

use crate::answers::situations;
use crate::facts;
use crate::recorded;

pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,10}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(".{0,6}", inner, 0..4)
                .prop_map(|fields| fields.into_iter().collect::<Map<_, _>>().into()),
        ]
    })
}

/// Returns every key that has a meaning in some agent's payload or answer.
fn known_key() -> impl Strategy<Value = String> {
    let mut keys: Vec<&str> = Vec::new();
    for agent in AgentId::ALL {
        let fields = &dialect(agent).wire.fields;
        keys.push(fields.event);
        for list in [
            fields.session_id,
            fields.cwd,
            fields.tool_name,
            fields.tool_input,
            fields.tool_response,
            fields.error,
            fields.prompt,
            fields.source,
            fields.sub_agent,
            fields.stop_hook_active,
            fields.last_message,
        ] {
            keys.extend(list);
        }
    }
    keys.extend(["mcp_context", "mcp_server", "workspace_roots", "cursor_version", "timestamp", "permission_mode"]);
    keys.extend(["transcript_path", "stop_reason", "decision", "reason", "continue", "stopReason", "deny", "args"]);
    keys.extend(["hookSpecificOutput", "permissionDecision", "permissionDecisionReason", "updatedInput"]);
    keys.extend(["additionalContext", "modifiedArgs", "permission", "agent_message", "followup_message", "context"]);
    proptest::sample::select(keys).prop_map(str::to_owned)
}

fn known_value() -> impl Strategy<Value = Value> {
    let words = vec!["allow", "deny", "ask", "block", "approve", "Bash", "apply_patch", "fs_write", "mcp_a_b", "MCP:x"];
    prop_oneof![
        3 => any_json(),
        2 => proptest::sample::select(words).prop_map(Value::from),
        1 => Just(Value::Bool(false)),
    ]
}

fn any_object() -> impl Strategy<Value = Map<String, Value>> {
    let fields = proptest::collection::vec((known_key(), known_value()), 0..10);
    let inner = proptest::collection::vec((known_key(), known_value()), 0..6);
    (fields, inner).prop_map(|(fields, inner)| {
        let mut object: Map<String, Value> = fields.into_iter().collect();
        let inner: Map<String, Value> = inner.into_iter().collect();
        object.entry("hookSpecificOutput").and_modify(|own| *own = inner.into());
        object
    })
}

fn any_agent() -> impl Strategy<Value = AgentId> {
    proptest::sample::select(AgentId::ALL.to_vec())
}

/// Returns any situation, one before a tool more often than not, since most can go wrong there.
fn any_situation() -> impl Strategy<Value = (AgentId, AgentEvent, HookInput)> {
    let all: Vec<_> = AgentId::ALL
        .into_iter()
        .flat_map(|agent| situations(agent).into_iter().map(move |(_, event, input)| (agent, event, input)))
        .collect();
    let before: Vec<_> = all.iter().filter(|(_, _, input)| input.event() == Event::PreToolUse).cloned().collect();
    prop_oneof![2 => proptest::sample::select(before), 1 => proptest::sample::select(all)]
}

fn any_outcome() -> impl Strategy<Value = Outcome> {
    let decision = proptest::sample::select(vec![
        None,
        Some(HookDecision::Allow),
        Some(HookDecision::Ask),
        Some(HookDecision::Deny),
        Some(HookDecision::Deny),
    ]);
    let text = || {
        proptest::option::of(prop_oneof![
            2 => "\\PC{0,30}",
            1 => "[ \n\t]{0,2}",
            1 => "[\"\\\\{}<>]{0,5}",
            1 => Just("r".repeat(8_192)),
        ])
    };
    let input = proptest::option::of(
        proptest::collection::vec((prop_oneof!["command", "[a-z]{1,5}"], any_json()), 0..4)
            .prop_map(|fields| fields.into_iter().collect()),
    );
    (decision, text(), text(), input).prop_map(|(decision, reason, context, updated_input)| Outcome {
        decision,
        reason,
        context,
        updated_input,
        ..Outcome::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(768))]

    #[test]
    fn no_payload_is_too_odd(agent in any_agent(), payload in any_object(), servers in proptest::collection::vec(".{0,4}", 0..3)) {
        let text = Value::Object(payload.clone()).to_string();
        let peek: EventPeek<'_> = serde_json::from_str(&text).unwrap();
        let speaker = speaker(dialect(agent), &peek);
        for event in recorded::events(speaker) {
            let Ok(input) = decode(speaker, event, payload.clone(), &servers) else { continue };
            prop_assert_eq!(Some(input.event()), event.canonical());
            prop_assert!(!names_null(&input.to_json()), "{}", input.to_json());
            for format in AgentId::ALL {
                let shown = render(dialect(format), event, &input);
                prop_assert!(shown.is_object());
            }
        }
    }

    #[test]
    fn no_answer_is_too_odd(format in any_agent(), (agent, event, input) in any_situation(), answer in any_object(), text in "\\PC{0,20}") {
        for stdout in [Value::Object(answer.clone()).to_string(), text] {
            let Some(said) = read_answer(dialect(format), &input, &stdout) else { continue };
            let mut outcome = Outcome::default();
            outcome.absorb(said, "p/h");
            let (reply, _) = lower_outcome(dialect(agent), event, &input, &outcome);
            let emission = dialect(agent).answer(event, &reply);
            let seen = facts::seen(agent, event, &emission);
            prop_assert!(seen.is_ok(), "{:?}: {:?}", seen, emission);
        }
    }

    #[test]
    fn an_agent_does_what_was_decided((agent, event, input) in any_situation(), outcome in any_outcome()) {
        let (reply, losses) = lower_outcome(dialect(agent), event, &input, &outcome);
        let emission = dialect(agent).answer(event, &reply);
        let seen = facts::seen(agent, event, &emission);
        prop_assert!(seen.is_ok(), "{:?}: {:?}", seen, emission);
        let seen = seen.unwrap();

        // Never null, except inside the tool's own input.
        let mut whole: Value = serde_json::from_str(&emission.stdout).unwrap_or_default();
        if whole.is_object() {
            for path in ["/hookSpecificOutput/updatedInput", "/hookSpecificOutput/tool_input", "/modifiedArgs", "/args", "/updated_input"] {
                if let Some(value) = whole.pointer_mut(path) {
                    *value = Value::Bool(true);
                }
            }
            prop_assert!(!names_null(&whole), "{}", emission.stdout);
        }

        // Never a permission that was not given.
        prop_assert!(!seen.granted || outcome.decision == Some(HookDecision::Allow));

        // A deny stops the tool or prompt where that is possible.
        let denies = match dialect(agent).can.at(input.event()).map(|can| can.deny) {
            Some(DenyEffect::Blocks) => true,
            Some(DenyEffect::AnotherTurn) => !matches!(input.detail, EventDetail::Stop { stop_hook_active: true, .. }),
            Some(DenyEffect::BecomesContext | DenyEffect::TrailOnly) | None => false,
        };
        if outcome.decision == Some(HookDecision::Deny) && denies {
            let reason = seen.blocked.unwrap_or_default();
            prop_assert!(!reason.trim().is_empty(), "{:?}", emission);
            let given = outcome.reason.as_deref().unwrap_or_default();
            prop_assert!(given.trim().is_empty() || reason.contains(given), "{:?}", emission);
            prop_assert_eq!(seen.input, None);
        } else if outcome.decision != Some(HookDecision::Ask) {
            prop_assert_eq!(seen.blocked, None);
        }
        // A deny or a text that has no effect is reported.
        if outcome.decision == Some(HookDecision::Deny) && !denies {
            prop_assert!(seen.context.is_some() || !losses.is_empty());
        }
    }
}

/// Returns whether a field of an object is null, at the places where Symposium writes fields.
fn names_null(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.iter().any(|(key, value)| {
            let foreign = ["tool_input", "tool_response", "native"].contains(&key.as_str());
            value.is_null() || !foreign && names_null(value)
        }),
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[test]
fn deep_and_broken_payloads_are_refused_without_harm() {
    let deep = |depth: usize| format!("{{\"cwd\":\"/w\",\"tool_input\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    for depth in [1, 100, 10_000, 1_000_000] {
        let text = deep(depth);
        let peek: EventPeek<'_> = serde_json::from_str(&text).unwrap();
        assert_eq!(peek.cwd.as_deref(), Some("/w"), "the directory is found at any depth");
        assert_eq!(serde_json::from_str::<Map<String, Value>>(&text).is_ok(), depth < 127, "{depth}");
    }
    for text in ["", "{", "[]", "{\"cwd\":\"/w\"", "\u{feff}{}", "{\"cwd\":\"\\ud800\"}", "nul"] {
        assert!(serde_json::from_str::<EventPeek<'_>>(text).is_err(), "{text}");
    }
}
