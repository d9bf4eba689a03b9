use expect_test::expect;
use symposium_model::agent::AgentId;
use symposium_model::hook::Event;

use super::*;
use crate::{dialect, event_from, neutral};

#[test]
fn every_agent_understands_canonical_names_and_its_own() {
    for agent in AgentId::ALL {
        for event in Event::ALL {
            for spelling in [event.name(), event.kebab()] {
                assert_eq!(event_from(agent, spelling), Some(AgentEvent::Canonical(event)), "{agent} {spelling}");
            }
            if let Some(own) = dialect(agent).events.native_name(event) {
                assert_eq!(event_from(agent, own), Some(AgentEvent::Canonical(event)), "{agent} {own}");
            }
        }
        for own in dialect(agent).native {
            assert_eq!(event_from(agent, own), Some(AgentEvent::Native(own)), "{agent} {own}");
        }
        assert_eq!(event_from(agent, "post-tool-use-failure"), Some(AgentEvent::ToolFailed), "{agent}");
        for unknown in ["", "-", "pre-tool", "pre-tool-uses", "--project", "préToolUse"] {
            assert_eq!(event_from(agent, unknown), None, "{agent} {unknown}");
        }
    }
}

#[test]
fn what_an_event_is_called() {
    let canonical = |event| Some(AgentEvent::Canonical(event));
    for (agent, text, event) in [
        (AgentId::Kiro, "agentSpawn", canonical(Event::SessionStart)),
        (AgentId::Kiro, "SessionStart", canonical(Event::SessionStart)),
        (AgentId::Gemini, "BeforeTool", canonical(Event::PreToolUse)),
        (AgentId::Gemini, "before-agent", canonical(Event::UserPromptSubmit)),
        (AgentId::Gemini, "AfterAgent", canonical(Event::Stop)),
        (AgentId::Gemini, "BeforeToolSelection", Some(AgentEvent::Native("BeforeToolSelection"))),
        (AgentId::Gemini, "before-model", Some(AgentEvent::Native("BeforeModel"))),
        (AgentId::Copilot, "userPromptSubmitted", canonical(Event::UserPromptSubmit)),
        (AgentId::Copilot, "agentStop", canonical(Event::Stop)),
        (AgentId::Copilot, "postToolUseFailure", Some(AgentEvent::ToolFailed)),
        (AgentId::Codex, "pre_tool_use", canonical(Event::PreToolUse)),
        (AgentId::Cursor, "beforeSubmitPrompt", canonical(Event::UserPromptSubmit)),
        (AgentId::OpenCode, "session.idle", Some(AgentEvent::Native("session.idle"))),
        // Another agent's events are unknown.
        (AgentId::Claude, "BeforeTool", None),
        (AgentId::Gemini, "PreCompact", None),
    ] {
        assert_eq!(event_from(agent, text), event, "{agent} {text}");
        if let Some(event) = event {
            // The word of an event parses to the same event, so that a registered command is understood.
            assert_eq!(event_from(agent, event.word()), Some(event), "{agent} {text}");
        }
    }
    assert_eq!(dialect(AgentId::OpenCode).name_of(AgentEvent::Canonical(Event::Stop)), None);
    assert_eq!(dialect(AgentId::Copilot).name_of(AgentEvent::ToolFailed), Some("postToolUseFailure"));
    assert_eq!(AgentEvent::ToolFailed.canonical(), Some(Event::PostToolUse));
}

#[test]
fn nothing_to_say() {
    for agent in AgentId::ALL {
        let events = Event::ALL.map(AgentEvent::Canonical).into_iter().chain([AgentEvent::ToolFailed]);
        for event in events.chain(dialect(agent).native.iter().map(|name| AgentEvent::Native(name))) {
            let emission = neutral(agent, Some(event));
            let stdout = match (agent, event) {
                (AgentId::Gemini, AgentEvent::Native("BeforeToolSelection")) => "",
                (AgentId::Gemini | AgentId::OpenCode | AgentId::Kilo | AgentId::Cline | AgentId::Pi, _) => "{}",
                _ => "",
            };
            assert_eq!(emission, HookAnswer { stdout: stdout.into(), stderr: "".into(), exit: 0 }, "{agent} {event:?}");
        }
        assert_eq!(neutral(agent, None), HookAnswer { stdout: "".into(), stderr: "".into(), exit: 0 }, "{agent}");
    }
}

#[test]
fn what_hooks_can_do() {
    let mut table = String::new();
    for agent in AgentId::ALL {
        let dialect = dialect(agent);
        assert_eq!(dialect.owner, DialectOwner::Agent(agent));
        for event in Event::ALL {
            assert_eq!(dialect.can.at(event).is_some(), dialect.events.native_name(event).is_some(), "{agent} {event}");
            let Some(can) = dialect.can.at(event) else { continue };
            let mut parts = vec![format!("deny {:?}", can.deny)];
            if can.context == ContextEffect::Reaches {
                parts.push("context".to_owned());
            }
            match can.rewrite {
                RewriteEffect::Works => parts.push("rewrite".to_owned()),
                RewriteEffect::NeedsAllow => parts.push("rewrite with allow".to_owned()),
                RewriteEffect::Impossible => {}
            }
            if can.ask == AskEffect::Works {
                parts.push("ask".to_owned());
            }
            table.push_str(&format!("{agent} {event}: {}\n", parts.join(", ")));
        }
    }
    expect![[r#"
        claude PreToolUse: deny Blocks, context, rewrite, ask
        claude PostToolUse: deny BecomesContext, context
        claude UserPromptSubmit: deny Blocks, context
        claude SessionStart: deny TrailOnly, context
        claude Stop: deny AnotherTurn
        copilot PreToolUse: deny Blocks, context, rewrite, ask
        copilot PostToolUse: deny BecomesContext, context
        copilot UserPromptSubmit: deny Blocks, context
        copilot SessionStart: deny TrailOnly, context
        copilot Stop: deny AnotherTurn
        gemini PreToolUse: deny Blocks, rewrite
        gemini PostToolUse: deny BecomesContext, context
        gemini UserPromptSubmit: deny Blocks, context
        gemini SessionStart: deny TrailOnly, context
        gemini Stop: deny AnotherTurn
        codex PreToolUse: deny Blocks, context, rewrite with allow
        codex PostToolUse: deny BecomesContext, context
        codex UserPromptSubmit: deny Blocks, context
        codex SessionStart: deny TrailOnly, context
        codex Stop: deny AnotherTurn
        kiro PreToolUse: deny Blocks
        kiro PostToolUse: deny TrailOnly
        kiro UserPromptSubmit: deny BecomesContext, context
        kiro SessionStart: deny TrailOnly, context
        kiro Stop: deny TrailOnly
        opencode PreToolUse: deny Blocks, context, rewrite
        opencode PostToolUse: deny BecomesContext, context
        opencode UserPromptSubmit: deny BecomesContext, context
        opencode SessionStart: deny TrailOnly, context
        goose PreToolUse: deny Blocks
        goose PostToolUse: deny TrailOnly
        goose UserPromptSubmit: deny TrailOnly
        goose SessionStart: deny TrailOnly
        goose Stop: deny AnotherTurn
        cursor PreToolUse: deny Blocks, context, rewrite, ask
        cursor PostToolUse: deny BecomesContext, context
        cursor UserPromptSubmit: deny Blocks, context
        cursor SessionStart: deny TrailOnly, context
        cursor Stop: deny AnotherTurn
        qwen PreToolUse: deny Blocks
        qwen PostToolUse: deny BecomesContext, context
        qwen UserPromptSubmit: deny Blocks, context
        qwen SessionStart: deny TrailOnly, context
        qwen Stop: deny AnotherTurn
        kilo PreToolUse: deny Blocks, context, rewrite
        kilo PostToolUse: deny BecomesContext, context
        kilo UserPromptSubmit: deny BecomesContext, context
        kilo SessionStart: deny TrailOnly, context
        cline PreToolUse: deny Blocks, context, rewrite
        cline PostToolUse: deny BecomesContext, context
        cline UserPromptSubmit: deny BecomesContext, context
        cline SessionStart: deny TrailOnly, context
        pi PreToolUse: deny Blocks, context, rewrite
        pi PostToolUse: deny BecomesContext, context
        pi UserPromptSubmit: deny BecomesContext, context
        pi SessionStart: deny TrailOnly, context
        pi Stop: deny AnotherTurn
        droid PreToolUse: deny Blocks, rewrite with allow, ask
        droid PostToolUse: deny BecomesContext, context
        droid UserPromptSubmit: deny Blocks, context
        droid SessionStart: deny TrailOnly, context
        droid Stop: deny AnotherTurn
        crush PreToolUse: deny Blocks, context, rewrite
    "#]]
    .assert_eq(&table);
}
