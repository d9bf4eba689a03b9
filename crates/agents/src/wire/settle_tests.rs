use serde_json::json;
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
        Event::PreToolUse => Detail::PreToolUse(tool),
        Event::PostToolUse => Detail::PostToolUse(tool, ToolResult::default()),
        Event::UserPromptSubmit => Detail::UserPromptSubmit { prompt: String::new() },
        Event::SessionStart => Detail::SessionStart { source: None },
        Event::Stop => Detail::Stop { stop_hook_active: false, last_assistant_message: None },
    };
    HookInput { agent: None, session_id: None, cwd: None, sub_agent: false, detail }
}

fn told(agent: AgentId, input: &HookInput, outcome: &Outcome) -> (Verdict, Option<String>, bool, Vec<Loss>) {
    let (reply, losses) = settle(dialect(agent), AgentEvent::Canonical(input.event()), input, outcome);
    (reply.verdict, reply.context, reply.rewrite.is_some(), losses)
}

fn deny() -> Outcome {
    Outcome { decision: Some(Decision::Deny), reason: Some("no".to_owned()), ..Outcome::default() }
}

#[test]
fn a_deny_does_what_the_agent_can() {
    let block = || Verdict::Block("no".to_owned());
    let said = || Some("no".to_owned());
    for agent in AgentId::ALL {
        assert_eq!(told(agent, &input(Event::PreToolUse), &deny()), (block(), None, false, vec![]), "{agent}");
        assert_eq!(told(agent, &input(Event::SessionStart), &deny()).3, [Loss::Deny], "{agent}");
    }
    for agent in [AgentId::Claude, AgentId::Codex, AgentId::Gemini, AgentId::Copilot, AgentId::Cursor] {
        assert_eq!(told(agent, &input(Event::UserPromptSubmit), &deny()).0, block(), "{agent}");
        assert_eq!(
            told(agent, &input(Event::PostToolUse), &deny()),
            (Verdict::Nothing, said(), false, vec![]),
            "{agent}"
        );
        assert_eq!(told(agent, &input(Event::Stop), &deny()).0, block(), "{agent}");
    }
    for agent in [AgentId::Kiro, AgentId::OpenCode] {
        assert_eq!(told(agent, &input(Event::UserPromptSubmit), &deny()), (Verdict::Nothing, said(), false, vec![]));
    }
    let again = HookInput {
        detail: Detail::Stop { stop_hook_active: true, last_assistant_message: None },
        ..input(Event::Stop)
    };
    assert_eq!(told(AgentId::Codex, &again, &deny()), (Verdict::Nothing, None, false, vec![Loss::AnotherTurn]));
}

#[test]
fn asking_is_denying_where_nobody_can_be_asked() {
    let ask = Outcome { decision: Some(Decision::Ask), reason: Some("sure?".to_owned()), ..Outcome::default() };
    for agent in AgentId::ALL {
        let verdict = told(agent, &input(Event::PreToolUse), &ask).0;
        match agent {
            AgentId::Claude | AgentId::Copilot | AgentId::Cursor => {
                assert_eq!(verdict, Verdict::Ask(Some("sure?".to_owned())), "{agent}");
            }
            AgentId::Gemini | AgentId::Codex | AgentId::Kiro | AgentId::OpenCode | AgentId::Goose => {
                let Verdict::Block(reason) = verdict else { panic!("{agent}: {verdict:?}") };
                assert!(reason.starts_with("sure?") && reason.contains("cannot ask"), "{reason}");
            }
        }
    }
}

#[test]
fn a_changed_input_is_complete_or_not_sent() {
    let changed = Map::from_iter([("command".to_owned(), json!("ls -a"))]);
    let rewrite = Outcome { updated_input: Some(changed), ..Outcome::default() };
    let allowed = Outcome { decision: Some(Decision::Allow), ..rewrite.clone() };
    let input = input(Event::PreToolUse);
    let (reply, _) = settle(dialect(AgentId::Claude), AgentEvent::Canonical(Event::PreToolUse), &input, &rewrite);
    assert_eq!(reply.rewrite.map(Value::Object), Some(json!({"command": "ls -a", "description": "d"})));
    assert_eq!(reply.verdict, Verdict::Nothing);
    assert_eq!(told(AgentId::Codex, &input, &rewrite).3, [Loss::RewriteWithoutAllow]);
    assert!(told(AgentId::Codex, &input, &allowed).2);
    for agent in [AgentId::Kiro, AgentId::Goose] {
        assert_eq!(told(agent, &input, &rewrite).3, [Loss::Rewrite], "{agent}");
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
        assert_eq!(told(agent, &input(event), &context).3, [Loss::Context], "{agent} {event}");
    }
    assert_eq!(told(AgentId::Gemini, &input(Event::PostToolUse), &context).1, Some("c".to_owned()));
}
