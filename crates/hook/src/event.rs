//! One event, from its bytes to the answer.

use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use symposium_agents::wire::{Peek, decode, speaker};
use symposium_agents::{AgentEvent, Emission, dialect};
use symposium_model::agent::AgentId;
use symposium_model::config::Directories;
use symposium_model::hook::plan::Plan;
use symposium_model::hook::{Decision, Detail, Event, HookInput, Outcome};

use crate::args::{Call, Caller};
use crate::dispatch::{self, Task};
use crate::edge::{clock, environment, stdin};
use crate::refresh::{self, Place, Ready, SlowPath};
use crate::session::Fact;
use crate::start::Start;
use crate::trail::{self, Entry};
use crate::{answer, loaded, nudge, root, select, session, start, workflow};

/// Answers an event; `None` is "nothing to say".
pub(crate) fn handle(call: &Call, input: stdin::Event, slow: &SlowPath, begun: Instant) -> Option<Emission> {
    let directories = environment::directories(call.ours.clone())?;
    let mut entry = Entry::default();
    let emission = attempt(call, input, slow, begun, &directories, &mut entry);
    if entry.is_worth_a_line() && !environment::is_probe() {
        entry.time = clock::now();
        entry.ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or_default();
        describe(call, &mut entry);
        trail::append(&directories.logs, &entry);
    }
    emission
}

fn describe(call: &Call, entry: &mut Entry) {
    let (agent, event) = match call.caller {
        Caller::Agent(agent, event) => (agent.name(), event.word()),
        Caller::Canonical(event) => ("symposium", event.kebab()),
        Caller::UnknownEvent(agent) => (agent.name(), "unknown"),
        Caller::Unknown => ("unknown", "unknown"),
    };
    if entry.agent.is_empty() {
        agent.clone_into(&mut entry.agent);
    }
    event.clone_into(&mut entry.event);
}

fn attempt(
    call: &Call,
    input: stdin::Event,
    slow: &SlowPath,
    begun: Instant,
    directories: &Directories,
    entry: &mut Entry,
) -> Option<Emission> {
    let raw = match input {
        stdin::Event::Complete(raw) => kept(raw),
        stdin::Event::TooLarge => {
            entry.note("The event is larger than 16 MiB, so it is ignored");
            return None;
        }
        stdin::Event::Unfinished => {
            entry.note("The event did not end in time, so it is ignored");
            return None;
        }
    };
    let (host, event) = match call.caller {
        Caller::Agent(agent, event) => (Some(agent), event),
        Caller::Canonical(event) => (None, AgentEvent::Canonical(event)),
        Caller::UnknownEvent(agent) => {
            entry.note(format!("This version knows no such event of {agent}; is it older than its registration?"));
            return None;
        }
        Caller::Unknown => {
            entry.note("The command names no agent and event this version knows");
            return None;
        }
    };
    let canonical = event.canonical()?;
    let peek: Peek<'_> = match &host {
        Some(_) => match serde_json::from_slice(&raw) {
            Ok(peek) => peek,
            Err(error) => {
                entry.note(format!("The event is not the JSON of an agent: {}", about(&error)));
                return None;
            }
        },
        None => Peek::default(),
    };
    let agent = host.map(|host| speaker(dialect(host), &peek));
    if let Some(agent) = agent {
        agent.name().clone_into(&mut entry.agent);
    }
    let by_hand = if host.is_none() { Some(canonical_input(canonical, &raw, entry)?) } else { None };
    let cwd = by_hand.as_ref().map_or(peek.cwd.as_deref(), |input| input.cwd.as_deref());
    let place = Place { workspace: workspace_of(host, cwd, directories), ours: call.ours.clone().map(PathBuf::from) };
    entry.workspace = place.workspace.as_deref().map(|workspace| workspace.display().to_string());
    let Ready { plan, skills_written } = refresh::ready(slow, &place, directories, canonical, entry)?;
    let plan = kept(plan);
    if is_one_too_many(call, host, agent, &plan) || environment::is_probe() {
        return None;
    }
    if is_idle(&plan, canonical, &raw) {
        return None;
    }
    let mut input = kept(match by_hand {
        Some(input) => input,
        None => agent_input(agent?, event, &raw, &plan, entry)?,
    });
    entry.tool = input.tool().map(|tool| tool.name.clone());
    let task = Task { agent, raw: &raw, workspace: place.workspace.as_deref(), start: begun };
    let outcome = decide(&task, &plan, &mut input, directories, entry);
    let outcome = answer::cleaned(outcome);
    entry.decision = outcome.decision.map(|decision| decision.name().to_owned());
    entry.context = outcome.context.as_ref().map_or(0, String::len);
    entry.rewritten = outcome.updated_input.is_some();
    if outcome.is_neutral() && !skills_written {
        return None;
    }
    let told = answer::Told { skills_written, cache: &directories.cache };
    Some(match agent {
        Some(agent) => answer::for_agent(agent, event, &input, &outcome, told, entry),
        None => answer::canonical(&input, &outcome),
    })
}

/// For what is needed until the program ends, which is soon: giving its memory back piece by piece would be for nothing.
fn kept<T>(value: T) -> ManuallyDrop<T> {
    ManuallyDrop::new(value)
}

/// Everything said about an event: by plugins, and by ourselves.
fn decide(
    task: &Task<'_>,
    plan: &Plan,
    input: &mut HookInput,
    directories: &Directories,
    entry: &mut Entry,
) -> Outcome {
    let sessions = directories.config.join("sessions");
    let file = input.session_id.as_deref().map(|id| {
        let agent = task.agent.map_or("symposium", AgentId::name);
        session::file(&sessions, agent, id)
    });
    let mut outcome = Outcome::default();
    if let (Detail::SessionStart { source }, Some(said), false) = (&input.detail, &plan.session, input.sub_agent) {
        session::prune(&sessions);
        let moved = task.workspace.map(|workspace| start::moved_since(&sessions, workspace, &said.crates));
        let start = Start::from_source(source.as_deref());
        for text in start::texts(said, start, task.workspace, &moved.unwrap_or_default()) {
            outcome.add_context(&text);
        }
        // Said now and then, not at every start: many people have no use for it.
        if said.rtk && start == Start::Anew && task.workspace.is_some() && session::is_due(&sessions, "rtk") {
            let deadline = Instant::now() + Duration::from_secs(1);
            if let Some(hint) = workflow::rtk_hint(task.workspace, deadline) {
                session::mark(&sessions, "rtk");
                outcome.add_context(hint);
            }
        }
    }
    let handlers = select::handlers(&plan.handlers, input, task.agent);
    let said = dispatch::run(task, &handlers, input, entry);
    outcome.decision = said.decision;
    outcome.reason = said.reason;
    outcome.updated_input = said.updated_input;
    outcome.other = said.other;
    if let Some(context) = said.context {
        outcome.add_context(&context);
    }
    let Some(file) = file else { return outcome };
    match (&input.detail, &plan.nudges) {
        (Detail::UserPromptSubmit { prompt }, Some(nudges)) if outcome.decision != Some(Decision::Deny) => {
            let nudge = nudge::for_prompt(prompt, nudges, &session::read(&file));
            let mut facts = vec![Fact::Prompt];
            if let Some(nudge) = nudge {
                facts.extend(nudge.skills().cloned().map(Fact::Named));
                outcome.add_context(&nudge.text());
            }
            session::remember(&file, &facts);
        }
        (Detail::PostToolUse(tool, result), _) if !result.failed => session::remember(&file, &loaded::by_tool(tool)),
        _ => {}
    }
    outcome
}

/// Whether it is known, before the event is understood, that nothing will happen.
fn is_idle(plan: &Plan, event: Event, raw: &[u8]) -> bool {
    plan.handlers.is_empty()
        && match event {
            Event::PreToolUse | Event::Stop => true,
            Event::PostToolUse => !loaded::may_load(raw),
            Event::UserPromptSubmit => plan.nudges.as_ref().is_none_or(|nudges| nudges.crates.is_empty()),
            Event::SessionStart => false,
        }
}

/// Whether another call of ours answers the same event.
fn is_one_too_many(call: &Call, host: Option<AgentId>, agent: Option<AgentId>, plan: &Plan) -> bool {
    let Some(agent) = agent else { return false };
    let by_user_too = call.from_project && plan.global.contains(&agent);
    // A guest in another agent's settings that has its own registration.
    let is_guest = host != Some(agent);
    by_user_too || (is_guest && plan.registered.contains(&agent))
}

fn canonical_input(event: Event, raw: &[u8], entry: &mut Entry) -> Option<HookInput> {
    let read = serde_json::from_slice::<Map<String, Value>>(raw).map_err(|error| about(&error));
    read.and_then(|whole| HookInput::from_json(event, whole))
        .map_err(|fault| entry.note(format!("The event is not in the canonical form: {fault}")))
        .ok()
}

fn agent_input(agent: AgentId, event: AgentEvent, raw: &[u8], plan: &Plan, entry: &mut Entry) -> Option<HookInput> {
    let payload = serde_json::from_slice(raw).map_err(|error| about(&error));
    payload
        .and_then(|payload| decode(dialect(agent), event, payload, &plan.servers))
        .map_err(|fault| entry.note(format!("The event could not be understood: {fault}")))
        .ok()
}

/// Where the fault is, without what stands there: events are not for logs.
fn about(error: &serde_json::Error) -> String {
    format!("line {}, column {}", error.line(), error.column())
}

/// The workspace is looked for from the agent's own project variable, else from where the agent works, else from here.
fn workspace_of(host: Option<AgentId>, cwd: Option<&str>, directories: &Directories) -> Option<PathBuf> {
    let variable = host.and_then(|host| dialect(host).project_variable).and_then(environment::variable);
    let told = variable.map(PathBuf::from).or_else(|| cwd.map(PathBuf::from)).filter(|path| path.is_absolute());
    let start = told.or_else(environment::current_dir)?;
    root::find(&start, environment::home().as_deref(), Path::new(&directories.config))
}
