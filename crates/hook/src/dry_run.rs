//! Dry run of one event for plugin authors: the code path of the hook, with a given plan and without a hook log.

use std::path::Path;
use std::time::Instant;

use symposium_agents::wire::UnsupportedEffect;
use symposium_agents::{AgentEvent, HookAnswer, dialect, neutral};
use symposium_model::agent::AgentId;
use symposium_model::config::{AppDirectories, NamedDirectories};
use symposium_model::hook::hook_plan::HookPlan;
use symposium_model::hook::{HookInput, Outcome};

use crate::dispatch::EventOutcome;
use crate::edge::environment;
use crate::handler_environment::UserPlaces;
use crate::hook_log::{HandlerOutput, HandlerRun, LogEntry};
use crate::launch::EventContext;
use crate::native_events::NativeEvent;
use crate::{answer, event_input, event_outcome, native_events};

#[derive(Debug, Clone, Copy)]
pub struct TrialPlace<'a> {
    /// The directory passed to handlers as the workspace.
    pub workspace: &'a Path,
    pub state: &'a Path,
}

#[derive(Debug, Clone)]
pub struct DryRun {
    /// The event before any handler changed it.
    pub input: HookInput,
    pub outcome: Outcome,
    pub emission: HookAnswer,
    pub losses: Vec<UnsupportedEffect>,
    pub handlers: Vec<HandlerRun>,
    /// The printed output of the handlers with a command, in the same order.
    pub outputs: Vec<HandlerOutput>,
    pub notes: Vec<String>,
}

/// Runs the handlers of a plan on the raw bytes of an agent's event. `Err` says why the event was not accepted.
pub fn try_out(
    plan: &HookPlan,
    agent: AgentId,
    event: AgentEvent,
    raw: &[u8],
    place: TrialPlace<'_>,
) -> Result<DryRun, String> {
    let mut entry = LogEntry { outputs: Some(Vec::new()), ..LogEntry::default() };
    let Some(event_input::DecodedEvent { mut input, mended }) =
        event_input::agent_input(dialect(agent), event, raw, plan, &mut entry)
    else {
        return Err(entry.notes.join("; "));
    };
    let directories =
        AppDirectories { config: place.state.to_owned(), cache: place.state.to_owned(), logs: place.state.to_owned() };
    let task =
        EventContext::new(Some(agent), raw, mended.as_ref(), Some(place.workspace), Instant::now(), user_places());
    let first = input.clone();
    let EventOutcome { outcome, native } =
        event_outcome::decide_event(&task, plan, &mut input, &directories, &mut entry);
    let told = answer::AnswerOptions { skills_written: false, directories: &directories };
    let (emission, losses) = if outcome.is_neutral() {
        (neutral(agent, Some(event)), Vec::new())
    } else {
        let (emission, _, losses) = answer::for_agent(dialect(agent), event, &input, &outcome, told);
        (emission, losses)
    };
    let mut outcome = outcome;
    outcome.absorb(native.summary(), "a hook");
    let emission = answer::with_native(dialect(agent), event, native, emission, &mut entry);
    let outputs = entry.outputs.unwrap_or_default();
    Ok(DryRun { input: first, outcome, emission, losses, handlers: entry.handlers, outputs, notes: entry.notes })
}

fn user_places() -> UserPlaces {
    UserPlaces { home: environment::home(&NamedDirectories::default()), config: None }
}

#[derive(Debug, Clone)]
pub struct NativeTrial {
    /// The merged output, as far as it can be expressed for every agent.
    pub outcome: Outcome,
    pub emission: HookAnswer,
    pub handlers: Vec<HandlerRun>,
    pub outputs: Vec<HandlerOutput>,
    pub notes: Vec<String>,
}

/// Runs the handlers of a plan on a native event of one agent; `name` is the name in its dialect.
pub fn try_native(
    plan: &HookPlan,
    agent: AgentId,
    name: &'static str,
    raw: &[u8],
    place: TrialPlace<'_>,
) -> NativeTrial {
    let mut entry = LogEntry { outputs: Some(Vec::new()), ..LogEntry::default() };
    let task = EventContext::new(Some(agent), raw, None, Some(place.workspace), Instant::now(), user_places());
    let event = NativeEvent { dialect: dialect(agent), name };
    let mut outcome = Outcome::default();
    let emission = match native_events::run_handlers(&task, event, &plan.handlers, &mut entry) {
        Some(heard) => {
            outcome.absorb(heard.summary(), "a hook");
            native_events::render_answer(event, heard, &mut entry)
        }
        None => neutral(agent, Some(AgentEvent::Native(name))),
    };
    let outputs = entry.outputs.unwrap_or_default();
    NativeTrial { outcome, emission, handlers: entry.handlers, outputs, notes: entry.notes }
}

#[cfg(test)]
mod tests {
    use symposium_model::hook::hook_plan::{Handler, HandlerAction};
    use symposium_model::hook::{Event, HookDecision, ToolMatcher};

    use super::*;

    #[test]
    #[cfg_attr(windows, ignore = "the handler is for a shell of Unix")]
    fn a_plan_at_hand_answers_like_one_on_disk() {
        let run = HandlerAction::Shell { line: "pwd >&2; exit 2".to_owned(), args: vec![] };
        let handler = Handler { matcher: ToolMatcher::parse("Bash"), ..Handler::new("p", "h", run) };
        let plan = HookPlan::from_handlers(vec![handler]);
        let (workspace, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let workspace = workspace.path().canonicalize().unwrap();
        let place = TrialPlace { workspace: &workspace, state: state.path() };
        let pre = AgentEvent::Canonical(Event::PreToolUse);
        let raw = br#"{"tool_name": "Bash", "tool_input": {"command": "ls"}, "session_id": "s"}"#;
        let fault = try_out(&plan, AgentId::Claude, pre, b"{}", place).unwrap_err();
        assert_eq!(fault, "The event could not be understood: it names no tool");
        let trial = try_out(&plan, AgentId::Claude, pre, raw, place).unwrap();
        assert_eq!(trial.outcome.decision, Some(HookDecision::Deny));
        assert_eq!(trial.outcome.reason.as_deref(), workspace.to_str());
        assert!(trial.emission.stdout.contains(r#""permissionDecision":"deny""#), "{:?}", trial.emission);
        assert_eq!((trial.handlers.len(), trial.losses.len(), trial.notes.len()), (1, 0, 0));
        let read = br#"{"tool_name": "Read", "tool_input": {"file_path": "x"}}"#;
        let trial = try_out(&plan, AgentId::Gemini, pre, read, place).unwrap();
        assert_eq!((trial.handlers.len(), trial.emission.stdout.as_ref()), (0, "{}"));
        assert!(try_out(&plan, AgentId::Claude, AgentEvent::Native("PreCompact"), b"{}", place).is_err());
        let trial = try_native(&plan, AgentId::Claude, "PreCompact", br#"{"trigger": "Bash"}"#, place);
        assert_eq!((trial.outcome.decision, trial.emission.exit), (Some(HookDecision::Deny), 2));
        let trial = try_native(&plan, AgentId::Claude, "PreCompact", br#"{"trigger": "auto"}"#, place);
        assert_eq!((trial.handlers.len(), trial.emission.exit), (0, 0));
    }
}
