//! The payloads of agents, and the answers of handlers.

use serde_json::{Map, Value};
use symposium_agents::native::{NativeAnswer, NativeOutput, chained};
use symposium_agents::wire::{
    EventPeek, NestingRepair, decode, lower_outcome, mended as mend, names_to_match, object, per_file, read_answer,
    render, speaker, touched_files,
};
use symposium_agents::{AgentDialect, AgentEvent, dialect};
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, EventDetail, HookInput, HookOutput, Outcome, ToolUse};

use super::text;

fn events(dialect: &AgentDialect) -> impl Iterator<Item = AgentEvent> {
    let all = Event::ALL.map(AgentEvent::Canonical).into_iter().chain([AgentEvent::ToolFailed]);
    all.filter(|event| dialect.name_of(*event).is_some())
}

/// Returns one of the agents, depending on the length.
fn some_agent(bytes: &[u8]) -> AgentId {
    AgentId::ALL.into_iter().cycle().nth(bytes.len() % AgentId::ALL.len()).unwrap_or(AgentId::Claude)
}

fn payload(host: AgentId, bytes: &[u8]) {
    let Ok((payload, mended)) = object(bytes) else { return };
    let bytes = mended.as_ref().map_or(bytes, |mended| mended.text.as_bytes());
    let peek: EventPeek<'_> = serde_json::from_slice(bytes).expect("what is read whole can be looked at");
    let speaker = speaker(dialect(host), &peek);
    let servers = ["probe".to_owned(), String::new()];
    let format = dialect(some_agent(bytes));
    for event in events(speaker) {
        let Ok(input) = decode(speaker, event, payload.clone(), &servers) else { continue };
        assert_eq!(Some(input.event()), event.canonical());
        assert!(render(format, event, &input).is_object());
        if let Value::Object(canonical) = input.to_json() {
            let again = HookInput::from_json(input.event(), canonical).expect("our own form can be read");
            assert_eq!(again.event(), input.event());
        } else {
            panic!("an event is an object");
        }
        for one in per_file(format, &input) {
            assert_eq!(one.event(), input.event());
        }
        if let EventDetail::PreToolUse(tool) | EventDetail::PostToolUse(tool, _) = &input.detail {
            let _ = (names_to_match(Some(speaker), tool, &[]), patches(tool));
        }
        let (reply, _) = lower_outcome(speaker, event, &input, &Outcome::default());
        let silence = speaker.answer(event, &reply);
        assert_eq!(silence.exit, 0, "nothing to say blocks nobody: {silence:?}");
    }
}

fn patches(tool: &ToolUse) -> usize {
    let input = serde_json::to_string(&tool.input).unwrap_or_default();
    touched_files(&input).len()
        + tool.input.get("patch").and_then(Value::as_str).map_or(0, |patch| touched_files(patch).len())
}

/// Checks that repaired JSON means the same as before where strict parsers accept it, and needs no second repair.
pub(super) fn mended(bytes: &[u8]) {
    let mended = mend(bytes);
    let again = mend(mended.text.as_bytes());
    assert_eq!((again.text.as_str(), again.nesting), (mended.text.as_str(), NestingRepair::Kept), "of {bytes:?}");
    if let (Ok(strict), NestingRepair::Kept) = (serde_json::from_slice::<Value>(bytes), mended.nesting) {
        assert_eq!(serde_json::from_str::<Value>(&mended.text).ok(), Some(strict), "{:?}", mended.text);
    }
}

/// Lowers a handler's answer in every format to every agent.
pub(super) fn answers(bytes: &[u8]) {
    let Some(stdout) = text(bytes) else { return };
    let agent = dialect(some_agent(bytes));
    for (event, sample) in SAMPLES {
        let whole: Map<String, Value> = serde_json::from_str(sample).unwrap_or_default();
        let Ok(input) = HookInput::from_json(*event, whole.clone()) else { panic!("{sample}") };
        if let Ok(answer) = serde_json::from_slice::<Map<String, Value>>(bytes) {
            let _ = HookOutput::from_json(*event, answer);
        }
        for format in AgentId::ALL.map(dialect) {
            let Some(said) = read_answer(format, &input, stdout) else { continue };
            let mut outcome = Outcome::default();
            outcome.absorb(said, "p/h");
            let (reply, _) = lower_outcome(agent, AgentEvent::Canonical(*event), &input, &outcome);
            let emission = agent.answer(AgentEvent::Canonical(*event), &reply);
            assert!(matches!(emission.exit, 0 | 2), "{emission:?}");
        }
    }
}

const SAMPLES: &[(Event, &str)] = &[
    (
        Event::PreToolUse,
        r#"{"PreToolUse":{"session_id":"s","cwd":"/w","tool_name":"Bash","tool_input":{"command":"ls"}}}"#,
    ),
    (Event::UserPromptSubmit, r#"{"UserPromptSubmit":{"session_id":"s","cwd":"/w","prompt":"p"}}"#),
    (Event::Stop, r#"{"Stop":{"session_id":"s","cwd":"/w","stop_hook_active":false}}"#),
];

pub(super) fn native_answers(bytes: &[u8]) {
    let Some(stdout) = text(bytes) else { return };
    for agent in AgentId::ALL.map(dialect) {
        for event in agent.native {
            let Some(said) = NativeOutput::printed(agent, event, stdout) else { continue };
            let mut merged = NativeAnswer::default();
            let _ = merged.absorb(said.clone());
            let _ = merged.absorb(said);
            let _ = (merged.is_silent(), merged.refuses(), merged.context_bytes());
            merged.clean(&|_| {});
            let (emission, _) = merged.emission(agent, event);
            assert!(matches!(emission.exit, 0 | 2), "{emission:?}");
        }
    }
    if let Ok(answer) = serde_json::from_slice::<Map<String, Value>>(bytes) {
        for event in ["BeforeModel", "AfterModel", "BeforeToolSelection"] {
            let _ = chained(event, &answer, &answer);
        }
    }
}

macro_rules! agents {
    ($($name:ident => $agent:ident),* $(,)?) => {
        $(pub(super) fn $name(bytes: &[u8]) {
            payload(AgentId::$agent, bytes);
        })*
    };
}

agents! {
    claude => Claude, copilot => Copilot, gemini => Gemini, codex => Codex,
    kiro => Kiro, opencode => OpenCode, goose => Goose, cursor => Cursor,
}
