use serde_json::{Map, json};
use symposium_model::agent::AgentId;
use symposium_model::hook::{NativeUse, ToolResult, ToolUse};

use super::*;
use crate::dialect;

fn input(event: Event) -> HookInput {
    let tool = ToolUse {
        name: "Bash".to_owned(),
        input: Map::from_iter([("command".to_owned(), json!("ls"))]),
        native: Some(NativeUse { name: "Bash".to_owned(), input: json!({"command": "ls", "description": "d"}) }),
    };
    let detail = match event {
        Event::PreToolUse => EventDetail::PreToolUse(tool),
        Event::PostToolUse => EventDetail::PostToolUse(tool, ToolResult::default()),
        Event::UserPromptSubmit => EventDetail::UserPromptSubmit { prompt: String::new() },
        Event::SessionStart => EventDetail::SessionStart { source: None },
        Event::Stop => EventDetail::Stop { stop_hook_active: false, last_assistant_message: None },
    };
    HookInput { agent: None, session_id: None, cwd: None, sub_agent: None, detail }
}

fn told(
    agent: AgentId,
    input: &HookInput,
    outcome: &Outcome,
) -> (LoweredDecision, Option<String>, bool, Vec<UnsupportedEffect>) {
    let (reply, losses) = lower_outcome(dialect(agent), AgentEvent::Canonical(input.event()), input, outcome);
    (reply.verdict, reply.context, reply.rewrite.is_some(), losses)
}

fn deny() -> Outcome {
    Outcome { decision: Some(HookDecision::Deny), reason: Some("no".to_owned()), ..Outcome::default() }
}

#[test]
fn a_deny_does_what_the_agent_can() {
    let block = || LoweredDecision::Block("no".to_owned());
    let said = || Some("no".to_owned());
    for agent in AgentId::ALL.into_iter().filter(|agent| dialect(*agent).can.pre_tool_use.is_some()) {
        assert_eq!(told(agent, &input(Event::PreToolUse), &deny()), (block(), None, false, vec![]), "{agent}");
        assert_eq!(told(agent, &input(Event::SessionStart), &deny()).3, [UnsupportedEffect::Deny], "{agent}");
    }
    for agent in [AgentId::Claude, AgentId::Codex, AgentId::Gemini, AgentId::Copilot, AgentId::Cursor] {
        assert_eq!(told(agent, &input(Event::UserPromptSubmit), &deny()).0, block(), "{agent}");
        assert_eq!(
            told(agent, &input(Event::PostToolUse), &deny()),
            (LoweredDecision::Nothing, said(), false, vec![]),
            "{agent}"
        );
        assert_eq!(told(agent, &input(Event::Stop), &deny()).0, block(), "{agent}");
    }
    for agent in [AgentId::Kiro, AgentId::OpenCode] {
        assert_eq!(
            told(agent, &input(Event::UserPromptSubmit), &deny()),
            (LoweredDecision::Nothing, said(), false, vec![])
        );
    }
    let again = HookInput {
        detail: EventDetail::Stop { stop_hook_active: true, last_assistant_message: None },
        ..input(Event::Stop)
    };
    assert_eq!(
        told(AgentId::Codex, &again, &deny()),
        (LoweredDecision::Nothing, None, false, vec![UnsupportedEffect::AnotherTurn])
    );
}

#[test]
fn asking_is_denying_where_nobody_can_be_asked() {
    let ask = Outcome { decision: Some(HookDecision::Ask), reason: Some("sure?".to_owned()), ..Outcome::default() };
    for agent in AgentId::ALL {
        let verdict = told(agent, &input(Event::PreToolUse), &ask).0;
        match agent {
            AgentId::Claude | AgentId::Copilot | AgentId::Cursor | AgentId::Droid => {
                assert_eq!(verdict, LoweredDecision::Ask(Some("sure?".to_owned())), "{agent}");
            }
            AgentId::Gemini
            | AgentId::Codex
            | AgentId::Kiro
            | AgentId::OpenCode
            | AgentId::Goose
            | AgentId::Qwen
            | AgentId::Kilo
            | AgentId::Cline
            | AgentId::Pi
            | AgentId::Crush => {
                let LoweredDecision::Block(reason) = verdict else { panic!("{agent}: {verdict:?}") };
                assert!(reason.starts_with("sure?") && reason.contains("cannot ask"), "{reason}");
            }
            AgentId::Antigravity | AgentId::Agents => assert_eq!(verdict, LoweredDecision::Nothing, "{agent}"),
        }
    }
}

#[test]
fn a_changed_input_is_complete_or_not_sent() {
    let changed = Map::from_iter([("command".to_owned(), json!("ls -a"))]);
    let rewrite = Outcome { updated_input: Some(changed), ..Outcome::default() };
    let allowed = Outcome { decision: Some(HookDecision::Allow), ..rewrite.clone() };
    let input = input(Event::PreToolUse);
    let (reply, _) =
        lower_outcome(dialect(AgentId::Claude), AgentEvent::Canonical(Event::PreToolUse), &input, &rewrite);
    assert_eq!(reply.rewrite, Some(json!({"command": "ls -a", "description": "d"})));
    assert_eq!(reply.verdict, LoweredDecision::Nothing);
    assert_eq!(told(AgentId::Codex, &input, &rewrite).3, [UnsupportedEffect::RewriteWithoutAllow]);
    assert!(told(AgentId::Codex, &input, &allowed).2);
    for agent in [AgentId::Kiro, AgentId::Goose] {
        assert_eq!(told(agent, &input, &rewrite).3, [UnsupportedEffect::Rewrite], "{agent}");
    }
    let denied = Outcome { updated_input: rewrite.updated_input, ..deny() };
    assert!(!told(AgentId::Claude, &input, &denied).2);
}

#[test]
fn context_that_cannot_be_told_is_named() {
    let context = Outcome { context: Some("c".to_owned()), ..Outcome::default() };
    for (agent, event) in [
        (AgentId::Goose, Event::SessionStart),
        (AgentId::Goose, Event::PostToolUse),
        (AgentId::Kiro, Event::PreToolUse),
        (AgentId::Kiro, Event::PostToolUse),
        (AgentId::Gemini, Event::PreToolUse),
    ] {
        assert_eq!(told(agent, &input(event), &context).3, [UnsupportedEffect::Context], "{agent} {event}");
    }
    assert_eq!(told(AgentId::Gemini, &input(Event::PostToolUse), &context).1, Some("c".to_owned()));
}

#[test]
fn a_deny_always_has_a_reason() {
    for blank in [None, Some(String::new()), Some(" \n".to_owned())] {
        for decision in [HookDecision::Deny, HookDecision::Ask] {
            let outcome = Outcome { decision: Some(decision), reason: blank.clone(), ..Outcome::default() };
            let verdict = told(AgentId::Codex, &input(Event::PreToolUse), &outcome).0;
            let LoweredDecision::Block(reason) = verdict else { panic!("{verdict:?}") };
            assert!(!reason.trim().is_empty() && !reason.starts_with(char::is_whitespace), "{reason:?}");
        }
    }
}

#[test]
fn an_input_that_is_no_object_is_never_replaced() {
    let changed = Map::from_iter([("command".to_owned(), json!("ls -a"))]);
    let outcome = Outcome { updated_input: Some(changed), ..Outcome::default() };
    for (native, rewrite) in [
        (json!("ls"), None),
        (json!(["ls"]), None),
        (json!(7), None),
        (Value::Null, Some(json!({"command": "ls -a"}))),
        (json!({"command": "ls", "x": 1}), Some(json!({"command": "ls -a", "x": 1}))),
        // An unchanged input is not sent.
        (json!({"command": "ls -a", "x": 1}), None),
    ] {
        let mut input = input(Event::PreToolUse);
        input.tool_mut().unwrap().native = Some(NativeUse { name: "Bash".to_owned(), input: native.clone() });
        let (reply, losses) =
            lower_outcome(dialect(AgentId::Claude), AgentEvent::Canonical(Event::PreToolUse), &input, &outcome);
        assert_eq!(reply.rewrite, rewrite, "{native}");
        let lost = !native.is_object() && !native.is_null();
        assert_eq!(losses, if lost { vec![UnsupportedEffect::Rewrite] } else { vec![] }, "{native}");
    }
}

#[test]
fn one_file_of_a_patch_does_not_change_the_patch() {
    let mut input = input(Event::PreToolUse);
    let native = NativeUse { name: "apply_patch".to_owned(), input: json!({"command": "p"}) };
    input.tool_mut().unwrap().native = Some(native);
    for (changed, rewrite) in
        [(json!({"file_path": "a", "content": "x"}), None), (json!({"patch": "q"}), Some(json!({"command": "q"})))]
    {
        let Value::Object(changed) = changed else { panic!() };
        let outcome =
            Outcome { decision: Some(HookDecision::Allow), updated_input: Some(changed), ..Outcome::default() };
        let (reply, losses) =
            lower_outcome(dialect(AgentId::Codex), AgentEvent::Canonical(Event::PreToolUse), &input, &outcome);
        assert_eq!(losses.is_empty(), rewrite.is_some());
        assert_eq!(reply.rewrite, rewrite);
    }
}

#[test]
fn geminis_failed_tools_take_no_context() {
    let context = Outcome { context: Some("c".to_owned()), ..Outcome::default() };
    let mut failed = input(Event::PostToolUse);
    let EventDetail::PostToolUse(_, result) = &mut failed.detail else { panic!() };
    result.failed = true;
    assert_eq!(told(AgentId::Gemini, &failed, &context).3, [UnsupportedEffect::Context]);
    assert_eq!(told(AgentId::Gemini, &failed, &deny()).3, [UnsupportedEffect::Deny]);
    for agent in [AgentId::Claude, AgentId::Codex, AgentId::Copilot] {
        assert_eq!(told(agent, &failed, &context).1.as_deref(), Some("c"), "{agent}");
    }
}

#[test]
fn an_answer_holds_no_null() {
    let changed = Map::from_iter([("command".to_owned(), json!("ls -a")), ("gone".to_owned(), Value::Null)]);
    let outcome = Outcome { updated_input: Some(changed), ..Outcome::default() };
    let mut input = input(Event::PreToolUse);
    let native = json!({"command": "ls", "gone": 1, "timeout": null, "deep": {"x": null, "y": [{"z": null}]}});
    input.tool_mut().unwrap().native = Some(NativeUse { name: "Bash".to_owned(), input: native });
    let event = AgentEvent::Canonical(Event::PreToolUse);
    let (reply, _) = lower_outcome(dialect(AgentId::Claude), event, &input, &outcome);
    let stdout = dialect(AgentId::Claude).answer(event, &reply).stdout;
    assert!(!stdout.contains("null") && !stdout.contains("gone") && stdout.contains("ls -a"), "{stdout}");
    let (reply, _) = lower_outcome(dialect(AgentId::Gemini), event, &input, &outcome);
    assert_eq!(reply.rewrite.unwrap().get("timeout"), Some(&Value::Null), "elsewhere the input stays as it is");
}
