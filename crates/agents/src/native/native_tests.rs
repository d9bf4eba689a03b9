use serde_json::json;
use symposium_model::agent::AgentId;

use super::*;
use crate::dialect;

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => panic!("{other} is no object"),
    }
}

fn merged(answers: &[Value]) -> NativeAnswer {
    let mut merged = NativeAnswer::default();
    for answer in answers {
        if merged.absorb(NativeOutput::Answer(object(answer.clone()))) == HandlerFlow::Stop {
            break;
        }
    }
    merged
}

#[track_caller]
fn check(answers: &[Value], expected: Value) {
    let (emission, _) = merged(answers).emission(dialect(AgentId::Gemini), "BeforeModel");
    let found: Value = serde_json::from_str(&emission.stdout).unwrap();
    assert_eq!(found, expected, "{answers:?}");
    assert_eq!((&*emission.stderr, emission.exit), ("", 0));
}

fn own(value: Value) -> Value {
    json!({ "hookSpecificOutput": value })
}

#[test]
fn a_no_counts_and_ends_it() {
    let deny = json!({"decision": "deny", "reason": "no"});
    check(&[json!({"decision": "allow", "reason": "fine"}), deny.clone()], deny.clone());
    check(&[deny.clone(), json!({"decision": "allow", "reason": "fine"})], deny);
    check(
        &[json!({"decision": "ask", "reason": "?"}), json!({"decision": "allow", "reason": "fine", "x": 1})],
        json!({"decision": "ask", "reason": "?", "x": 1}),
    );
    check(
        &[json!({"continue": false, "stopReason": "enough"}), json!({"continue": true})],
        json!({"continue": false, "stopReason": "enough"}),
    );
    check(
        &[
            own(json!({"permissionDecision": "allow", "permissionDecisionReason": "ok"})),
            own(json!({"permissionDecision": "deny"})),
        ],
        own(json!({"permissionDecision": "deny"})),
    );
    for no in [
        json!({"decision": "block"}),
        json!({"permission": "deny"}),
        json!({"continue": false}),
        own(json!({"permissionDecision": "deny"})),
        own(json!({"decision": {"behavior": "deny", "message": "m"}})),
    ] {
        assert!(merged(std::slice::from_ref(&no)).refuses(), "{no}");
    }
    assert!(!merged(&[json!({"decision": "approve", "continue": true})]).refuses());
}

#[test]
fn texts_are_joined_and_the_rest_goes_to_whoever_speaks_last() {
    check(
        &[
            json!({"systemMessage": "a", "suppressOutput": true, "hookSpecificOutput": {"additionalContext": "one"}}),
            json!({"systemMessage": "b", "suppressOutput": false, "hookSpecificOutput": {"additionalContext": "two"}}),
        ],
        json!({"systemMessage": "a\n\nb", "suppressOutput": false, "hookSpecificOutput": {"additionalContext": "one\n\ntwo"}}),
    );
}

#[test]
fn requests_are_changed_key_by_key() {
    check(
        &[
            own(json!({"llm_request": {"model": "a", "config": {"temperature": 0, "topK": 1}}})),
            own(json!({"llm_request": {"model": "b", "config": {"temperature": 0.5}, "messages": []}})),
        ],
        own(json!({"llm_request": {"model": "b", "config": {"temperature": 0.5, "topK": 1}, "messages": []}})),
    );
}

#[test]
fn the_narrower_choice_of_tools_counts() {
    let tools = |mode: &str, names: &[&str]| json!({"mode": mode, "allowedFunctionNames": names});
    for (one, other, expected) in [
        (tools("AUTO", &["a"]), tools("ANY", &["b", "a"]), tools("ANY", &["a", "b"])),
        (tools("ANY", &["a"]), tools("AUTO", &["b"]), tools("ANY", &["a", "b"])),
        (tools("ANY", &["a"]), tools("NONE", &[]), json!({"mode": "NONE"})),
        (json!({"mode": "NONE"}), tools("ANY", &["a"]), json!({"mode": "NONE"})),
        (json!({"allowedFunctionNames": ["a"]}), json!({"mode": "AUTO"}), tools("AUTO", &["a"])),
    ] {
        check(
            &[own(json!({"toolConfig": one})), own(json!({"toolConfig": other}))],
            own(json!({"toolConfig": expected})),
        );
    }
}

#[test]
fn a_response_of_ones_own_counts_only_with_a_no() {
    let response = json!({"candidates": [{"content": {"role": "model", "parts": ["hi"]}}]});
    let alone = own(json!({"llm_response": response}));
    let (_, unheeded) = merged(std::slice::from_ref(&alone)).emission(dialect(AgentId::Gemini), "BeforeModel");
    assert_eq!(unheeded, [IgnoredOutput::ResponseWithoutDeny]);
    let (_, unheeded) = merged(&[alone]).emission(dialect(AgentId::Gemini), "AfterModel");
    assert_eq!(unheeded, []);
    let denied = json!({"decision": "deny", "hookSpecificOutput": {"llm_response": response}});
    check(&[denied.clone(), json!({"decision": "allow", "hookSpecificOutput": {"llm_response": {}}})], denied);
}

#[test]
fn whoever_comes_next_sees_what_was_changed() {
    let payload = object(json!({"llm_request": {"model": "a", "config": {"temperature": 1, "topK": 2}}, "x": 1}));
    let answer = object(own(json!({"llm_request": {"config": {"temperature": 0}}})));
    let next = chained("BeforeModel", &payload, &answer).unwrap();
    assert_eq!(
        Value::Object(next),
        json!({"llm_request": {"model": "a", "config": {"temperature": 0, "topK": 2}}, "x": 1})
    );
    assert_eq!(chained("BeforeToolSelection", &payload, &answer), None);
    assert_eq!(chained("BeforeModel", &payload, &Map::new()), None);
    let after = object(json!({"llm_response": {"text": "secret", "candidates": [1]}}));
    let answer = object(own(json!({"llm_response": {"text": "***"}})));
    let next = chained("AfterModel", &after, &answer).unwrap();
    assert_eq!(Value::Object(next), json!({"llm_response": {"text": "***", "candidates": [1]}}));
    let params = object(json!({"input": {}, "output": {"temperature": 1, "topP": 1}}));
    let next = chained("chat.params", &params, &object(json!({"output": {"temperature": 0}}))).unwrap();
    assert_eq!(Value::Object(next), json!({"input": {}, "output": {"temperature": 0, "topP": 1}}));
}

#[test]
fn a_refusal_by_exit_code_reaches_each_agent_in_its_own_way() {
    for (agent, event, stdout, stderr, exit) in [
        (AgentId::Gemini, "BeforeModel", r#"{"decision":"deny","reason":"no","x":1}"#, "", 0),
        (AgentId::Gemini, "BeforeToolSelection", r#"{"x":1}"#, "", 0),
        (AgentId::Claude, "PreCompact", r#"{"x":1}"#, "no", 2),
        (AgentId::Copilot, "permissionRequest", r#"{"x":1}"#, "no", 2),
        (AgentId::Codex, "PreCompact", "", "no", 2),
        (AgentId::Goose, "BeforeReadFile", "", "no", 2),
        (AgentId::Kiro, "PreTaskExec", "", "no", 2),
        (AgentId::Cursor, "beforeReadFile", "", "no", 2),
        (AgentId::OpenCode, "session.idle", r#"{"x":1}"#, "", 0),
    ] {
        let mut merged = NativeAnswer::default();
        let said = NativeOutput::Refused { reason: "no".to_owned(), answer: object(json!({"x": 1})) };
        assert_eq!(merged.absorb(said), HandlerFlow::Stop);
        assert!(merged.refuses());
        let (emission, _) = merged.emission(dialect(agent), event);
        assert_eq!((&*emission.stdout, &*emission.stderr, emission.exit), (stdout, stderr, exit), "{agent} {event}");
    }
}

#[test]
fn text_reaches_agents_it_does_not_harm() {
    for (agent, event, printed, expected) in [
        (AgentId::Claude, "PreCompact", " keep the tests \n", Some("keep the tests")),
        (AgentId::Gemini, "Notification", "hello", Some("hello")),
        (AgentId::Gemini, "BeforeToolSelection", "hello", None),
        (AgentId::Cursor, "beforeReadFile", "hello", None),
        (AgentId::OpenCode, "session.idle", "hello", None),
        (AgentId::Claude, "PreCompact", "", None),
        (AgentId::Claude, "PreCompact", "[1]", None),
    ] {
        let said = NativeOutput::printed(dialect(agent), event, printed);
        assert_eq!(said, expected.map(|text| NativeOutput::Text(text.to_owned())), "{agent} {event} {printed}");
    }
    let nulls =
        NativeOutput::printed(dialect(AgentId::Claude), "Stop", r#"{"a":null,"hookSpecificOutput":{"b":null,"c":1}}"#);
    assert_eq!(nulls, Some(NativeOutput::Answer(object(own(json!({"c": 1}))))));
    let mut merged = NativeAnswer::default();
    for text in ["a", "b"] {
        merged.absorb(NativeOutput::Text(text.to_owned()));
    }
    let (emission, unheeded) = merged.clone().emission(dialect(AgentId::Claude), "PreCompact");
    assert_eq!((&*emission.stdout, unheeded.len()), ("a\nb", 0));
    merged.absorb(NativeOutput::Answer(object(json!({"x": 1}))));
    let (emission, unheeded) = merged.emission(dialect(AgentId::Claude), "PreCompact");
    assert_eq!((&*emission.stdout, unheeded), (r#"{"x":1}"#, vec![IgnoredOutput::Text]));
}

#[test]
fn nothing_said_changes_nothing() {
    let answer = |agent, event| merged(&[json!({})]).emission(dialect(agent), event).0.stdout;
    assert_eq!(answer(AgentId::Gemini, "AfterModel"), "{}");
    assert_eq!(answer(AgentId::Gemini, "BeforeToolSelection"), "");
    assert_eq!(answer(AgentId::Claude, "PreCompact"), "");
}

#[test]
fn matchers_look_at_what_the_agent_lets_them_look_at() {
    for (agent, event, payload, expected) in [
        (AgentId::Gemini, "SessionEnd", json!({"reason": "exit"}), Some("exit")),
        (AgentId::Gemini, "PreCompress", json!({"trigger": "auto"}), Some("auto")),
        (AgentId::Gemini, "BeforeModel", json!({"reason": "exit"}), None),
        (AgentId::Claude, "PermissionRequest", json!({"tool_name": "Bash"}), Some("Bash")),
        (AgentId::Claude, "PreCompact", json!({"trigger": "manual"}), Some("manual")),
        (AgentId::Goose, "AfterFileEdit", json!({"matcher_context": "a.rs"}), Some("a.rs")),
        (AgentId::Goose, "SessionEnd", json!({"matcher_context": null}), None),
        (AgentId::Copilot, "permissionRequest", json!({"toolName": "bash"}), Some("bash")),
    ] {
        let payload = object(payload);
        assert_eq!(dialect(agent).matched_at(event, &payload), expected, "{agent} {event}");
    }
    for agent in AgentId::ALL {
        let dialect = dialect(agent);
        for (event, _) in dialect.own.matched {
            assert!(*event == EVERY || dialect.native.contains(event), "{agent} has no event of its own {event}");
        }
    }
}

#[test]
fn what_was_understood_of_an_answer_is_not_said_twice() {
    let rest = |agent, answer| Value::Object(dialect(agent).remainder(Event::PreToolUse, object(answer)));
    let answer = json!({"decision": "deny", "reason": "r", "continue": false, "systemMessage": "s",
        "hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "x"}}});
    assert_eq!(rest(AgentId::Claude, answer.clone()), json!({"continue": false, "systemMessage": "s"}));
    assert_eq!(rest(AgentId::Codex, answer), json!({"systemMessage": "s"}));
    let more = own(json!({"hookEventName": "PreToolUse", "updatedInput": {}, "new": 1}));
    assert_eq!(rest(AgentId::Claude, more), own(json!({"hookEventName": "PreToolUse", "new": 1})));
}

#[test]
fn answers_of_others_to_the_same_event_are_added() {
    let mine = || merged(&[json!({"systemMessage": "s", "hookSpecificOutput": {"additionalContext": "mine"}})]);
    let settled = |stdout: &'static str, exit| HookAnswer { stdout: stdout.into(), stderr: "".into(), exit };
    let gemini = dialect(AgentId::Gemini);
    let theirs = r#"{"hookSpecificOutput":{"hookEventName":"AfterTool","additionalContext":"theirs"}}"#;
    let (emission, _) = mine().beside(gemini, "AfterTool", settled(theirs, 0));
    let found: Value = serde_json::from_str(&emission.stdout).unwrap();
    assert_eq!(
        found,
        json!({"systemMessage": "s", "hookSpecificOutput": {"additionalContext": "mine\n\ntheirs", "hookEventName": "AfterTool"}})
    );
    let (emission, _) = mine().beside(gemini, "AfterTool", settled("{}", 0));
    assert!(emission.stdout.contains("mine"));
    let (emission, _) = mine().beside(dialect(AgentId::Goose), "PreToolUse", settled("", 2));
    assert_eq!((&*emission.stdout, emission.exit), ("", 2));
}
