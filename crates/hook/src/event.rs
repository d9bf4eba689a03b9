//! One event, from its bytes to the answer.

use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use symposium_agents::wire::{Mended, Peek, decode, mended, object, speaker};
use symposium_agents::{AgentEvent, Context, Emission, dialect};
use symposium_model::agent::AgentId;
use symposium_model::config::{Directories, NamedDirectories};
use symposium_model::hook::plan::Plan;
use symposium_model::hook::{Decision, Detail, Event, HookInput, Outcome, shortened};
use symposium_model::scan;

use crate::args::{Call, Caller};
use crate::dispatch::{self, Heard};
use crate::edge::{clock, disk, environment, stdin};
use crate::launch::Task;
use crate::native::NativeEvent;
use crate::plan::Slot;
use crate::refresh::{self, Place, Ready, Request, SlowPath};
use crate::root::OurName;
use crate::session::Fact;
use crate::silence::{self, Silence};
use crate::start::Start;
use crate::trail::{self, Entry};
use crate::{
    answer, changed, directories, loaded, native, newest, nudge, root, select, session, sources, start, workflow,
};

/// The longest name of a tool that is kept.
const MAX_TOOL_NAME: usize = 200;

/// Answers an event; `None` is "nothing to say".
pub(crate) fn handle(call: &Call, input: stdin::Event, slow: &SlowPath, begun: Instant) -> Option<Emission> {
    let mut entry = Entry::default();
    let directories = directories::find(call, &mut entry)?;
    let work = |scope| Work { call, slow, begun, scope, directories: &directories };
    let emission = match silence::asked() {
        Some(Silence::Whole(reason)) => {
            entry.note(reason);
            None
        }
        Some(Silence::ButForGuards(reason)) => {
            entry.note(reason);
            attempt(&work(Scope::Guards), input, &mut entry)
        }
        None => attempt(&work(Scope::Everything), input, &mut entry),
    };
    if entry.is_worth_a_line() && !call.is_probe {
        entry.time = clock::now();
        entry.ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or_default();
        describe(call, &mut entry);
        trail::append(&directories.logs, &entry);
    }
    emission
}

/// The call that is worked on, and with what.
struct Work<'w> {
    call: &'w Call,
    slow: &'w SlowPath,
    /// When it began.
    begun: Instant,
    scope: Scope,
    directories: &'w Directories,
}

impl<'w> Work<'w> {
    fn request(&self, slot: Slot) -> Request<'w> {
        let may_install = self.scope == Scope::Everything && !self.call.is_probe;
        Request { slow: self.slow, directories: self.directories, slot, may_install }
    }

    /// Our directories as another call would have to name them.
    fn named(&self) -> NamedDirectories {
        NamedDirectories::to_find(self.directories, environment::home(&self.call.ours).as_deref())
    }

    /// What of a plan counts.
    fn limited(&self, mut plan: Plan) -> Plan {
        match self.scope {
            Scope::Everything => {}
            Scope::Guards => plan.keep_guards(),
        }
        plan
    }
}

/// What of a plan is asked and said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    Everything,
    /// Policies of the user alone.
    Guards,
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

fn attempt(work: &Work<'_>, input: stdin::Event, entry: &mut Entry) -> Option<Emission> {
    let Work { call, directories, .. } = *work;
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
    let canonical = match (host, event) {
        (Some(host), AgentEvent::Native(name)) => {
            let event = NativeEvent { dialect: dialect(host), name };
            return native_event(work, event, &raw, entry);
        }
        (_, event) => event.canonical()?,
    };
    let mut space = None;
    let peek = if host.is_some() { peeked(&raw, &mut space, entry)? } else { Peek::default() };
    let agent = host.map(|host| speaker(dialect(host), &peek));
    if let Some(agent) = agent {
        agent.name().clone_into(&mut entry.agent);
    }
    let by_hand = if host.is_none() { Some(canonical_input(canonical, &raw, entry)?) } else { None };
    let cwd = by_hand.as_ref().map_or(peek.cwd.as_deref(), |input| input.cwd.as_deref());
    let workspace = |name| workspace_of(work, host, cwd, name);
    let mut place = Place { workspace: workspace(OurName::AsGiven), ours: work.named() };
    entry.describe_workspace(place.workspace.as_deref());
    let again = || workspace(OurName::Resolved);
    let request = work.request(Slot::Canonical(canonical));
    let Ready { plan, skills_written } = refresh::ready(&request, &mut place, &again, entry)?;
    let plan = kept(work.limited(plan));
    if is_one_too_many(call, host, agent, &plan) || call.is_probe {
        return None;
    }
    if is_idle(&plan, canonical, &raw) {
        return None;
    }
    let read = match by_hand {
        Some(input) => Read { input, mended: None },
        None => agent_input(agent?, event, &raw, &plan, entry)?,
    };
    let (mut input, mended) = (kept(read.input), read.mended);
    let task = Task::new(agent, (&raw, mended.as_ref()), place.workspace.as_deref(), work.begun);
    let Heard { outcome, native } = outcome(&task, &plan, &mut input, directories, entry);
    if plan.session.as_ref().is_some_and(|said| said.update_notice) && !input.sub_agent {
        newest::look_later(directories, &place.ours);
    }
    if plan.session.as_ref().is_some_and(|said| said.fetches) && !input.sub_agent {
        sources::fetch_later(directories, &place.ours);
    }
    if outcome.is_neutral() && native.is_silent() && !skills_written {
        return None;
    }
    let told = answer::Told { skills_written, directories };
    let Some(agent) = agent else { return Some(answer::canonical(&input, &outcome)) };
    let (settled, happened, losses) = answer::for_agent(agent, event, &input, &outcome, told);
    happened.describe(&native, entry);
    for loss in losses {
        entry.note(loss.text());
    }
    if let Some(unsaid) = answer::unsaid(&outcome) {
        entry.note(unsaid);
    }
    Some(answer::with_native(agent, event, native, settled, entry))
}

/// For what is needed until the program ends, which is soon: giving its memory back piece by piece would be for nothing.
fn kept<T>(value: T) -> ManuallyDrop<T> {
    ManuallyDrop::new(value)
}

/// Answers an event of one agent alone. Gemini CLI raises some for every piece of an answer, with the whole conversation
/// in them, so that they are read only when somebody wants to hear of them.
fn native_event(work: &Work<'_>, event: NativeEvent, raw: &[u8], entry: &mut Entry) -> Option<Emission> {
    let call = work.call;
    let host = event.dialect;
    let told = host.project_variable.is_some_and(|variable| environment::variable(variable).is_some());
    let mut space = None;
    let peek = if told && host.guests.is_empty() { Peek::default() } else { peeked(raw, &mut space, entry)? };
    // Its handlers are for that agent alone.
    if speaker(host, &peek) != host.agent {
        return None;
    }
    let workspace = |name| workspace_of(work, Some(host.agent), peek.cwd.as_deref(), name);
    let mut place = Place { workspace: workspace(OurName::AsGiven), ours: work.named() };
    entry.describe_workspace(place.workspace.as_deref());
    let again = || workspace(OurName::Resolved);
    let request = work.request(Slot::Native(host.agent, event.name));
    let Ready { plan, .. } = refresh::ready(&request, &mut place, &again, entry)?;
    let plan = work.limited(plan);
    let one_too_many = is_one_too_many(call, Some(host.agent), Some(host.agent), &plan);
    if plan.handlers.is_empty() || one_too_many || call.is_probe {
        return None;
    }
    let task = Task::new(Some(host.agent), (raw, None), place.workspace.as_deref(), work.begun);
    let heard = native::heard(&task, event, &plan.handlers, entry)?;
    Some(native::told(event, heard, entry))
}

/// The little that is needed first; `space` is for the event as it is when it had to be mended.
fn peeked<'r>(raw: &'r [u8], space: &'r mut Option<Mended>, entry: &mut Entry) -> Option<Peek<'r>> {
    serde_json::from_slice(raw)
        .or_else(|_| serde_json::from_str(&space.insert(mended(raw)).text))
        .map_err(|error| entry.note(format!("The event is not the JSON of an agent: {}", about(&error))))
        .ok()
}

/// What comes of an event, safe to hand to an agent, with what the trail says about it.
pub(crate) fn outcome(
    task: &Task<'_>,
    plan: &Plan,
    input: &mut HookInput,
    directories: &Directories,
    entry: &mut Entry,
) -> Heard {
    // The name is the agent's to choose: what is kept of it is short and plain.
    entry.tool = input.tool().map(|tool| scan::clean(shortened(&tool.name, MAX_TOOL_NAME)).into_owned());
    let Heard { outcome, mut native } = decide(task, plan, input, directories, entry);
    let outcome = answer::cleaned(outcome);
    native.clean(&answer::clean);
    let decision = outcome.decision.or_else(|| native.refuses().then_some(Decision::Deny));
    entry.decision = decision.map(|decision| decision.name().to_owned());
    entry.context = outcome.context.as_ref().map_or(0, String::len) + native.context_bytes();
    entry.rewritten = outcome.updated_input.is_some();
    Heard { outcome, native }
}

/// Everything said about an event: by plugins, and by ourselves.
fn decide(task: &Task<'_>, plan: &Plan, input: &mut HookInput, directories: &Directories, entry: &mut Entry) -> Heard {
    let sessions = directories.config.join("sessions");
    let file = input.session_id.as_deref().map(|id| {
        let agent = task.agent.map_or("symposium", AgentId::name);
        session::file(&sessions, agent, id)
    });
    let mut outcome = Outcome::default();
    if let (Detail::SessionStart { source }, Some(said), false) = (&input.detail, &plan.session, input.sub_agent) {
        session::prune(&sessions);
        answer::prune(directories);
        if let (Some(file), Some("clear" | "compact")) = (&file, source.as_deref()) {
            session::remember(file, &[Fact::Forgotten]);
        }
        // What is told once is not told to an agent that does not listen: it hears of it through the MCP server.
        let listens = task.agent.is_none_or(|agent| dialect(agent).can.session_start.context == Context::Reaches);
        let heard_in = task.workspace.filter(|_| listens);
        let moved = heard_in.map(|workspace| start::moved_since(&sessions, workspace, &said.crates));
        let start = Start::from_source(source.as_deref());
        for text in start::texts(said, start, task.workspace, &moved.unwrap_or_default()) {
            outcome.add_context(&text);
        }
        let newest = if said.update_notice && start == Start::Anew { newest::notice(&sessions) } else { None };
        if let Some(notice) = newest {
            outcome.add_context(&notice);
        }
        // Said now and then, not at every start: many people have no use for it.
        if said.rtk && start == Start::Anew && heard_in.is_some() && session::is_due(&sessions, "rtk") {
            let deadline = Instant::now() + Duration::from_secs(1);
            if let Some(hint) = workflow::rtk_hint(task.workspace, deadline) {
                session::mark(&sessions, "rtk");
                outcome.add_context(hint);
            }
        }
    }
    let handlers = select::handlers(&plan.handlers, input, task.agent);
    let Heard { outcome: said, native } = dispatch::run(task, &handlers, input, entry);
    outcome.decision = said.decision;
    outcome.reason = said.reason;
    outcome.updated_input = said.updated_input;
    outcome.other = said.other;
    if let Some(context) = said.context {
        outcome.add_context(&context);
    }
    if !plan.changed.is_empty()
        && let Some(notice) = changed::notice(plan, task.agent, input, file.as_deref(), entry)
    {
        outcome.add_context(&notice);
    }
    let Some(file) = file else { return Heard { outcome, native } };
    match (&input.detail, &plan.nudges) {
        (Detail::UserPromptSubmit { prompt }, Some(nudges))
            if outcome.decision != Some(Decision::Deny) && !native.refuses() =>
        {
            let Some(session) = session::read(&file) else { return Heard { outcome, native } };
            let mut facts = vec![Fact::Prompt];
            if let Some(nudge) = nudge::for_prompt(prompt, nudges, &session) {
                facts.extend(nudge.skills().cloned().map(Fact::Named));
                outcome.add_context(&nudge.text());
            }
            session::remember(&file, &facts);
        }
        (Detail::PostToolUse(tool, result), _) if !result.failed => session::remember(&file, &loaded::by_tool(tool)),
        _ => {}
    }
    Heard { outcome, native }
}

/// Whether it is known, before the event is understood, that nothing will happen.
fn is_idle(plan: &Plan, event: Event, raw: &[u8]) -> bool {
    plan.handlers.is_empty()
        && plan.changed.is_empty()
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
    object(raw)
        .map_err(|error| about(&error))
        .and_then(|(whole, _)| HookInput::from_json(event, whole))
        .map_err(|fault| entry.note(format!("The event is not in the canonical form: {fault}")))
        .ok()
}

/// An event that was understood.
pub(crate) struct Read {
    pub(crate) input: HookInput,
    /// Its JSON, when that had to be mended.
    pub(crate) mended: Option<Mended>,
}

/// The event in an agent's bytes; what is wrong with them goes to the trail.
pub(crate) fn agent_input(
    agent: AgentId,
    event: AgentEvent,
    raw: &[u8],
    plan: &Plan,
    entry: &mut Entry,
) -> Option<Read> {
    object(raw)
        .map_err(|error| about(&error))
        .and_then(|(payload, mended)| {
            let input = decode(dialect(agent), event, payload, &plan.servers)?;
            Ok(Read { input, mended })
        })
        .map_err(|fault| entry.note(format!("The event could not be understood: {fault}")))
        .ok()
}

/// Where the fault is, without what stands there: events are not for logs.
fn about(error: &serde_json::Error) -> String {
    format!("line {}, column {}", error.line(), error.column())
}

/// The workspace is looked for from the agent's own project variable, else from where the agent works, else from here.
fn workspace_of(work: &Work<'_>, host: Option<AgentId>, cwd: Option<&str>, name: OurName) -> Option<PathBuf> {
    let variable = host.and_then(|host| dialect(host).project_variable).and_then(environment::variable);
    // A directory that is not there, or not in full, tells nothing.
    let told = [variable.map(PathBuf::from), cwd.map(PathBuf::from)].into_iter().flatten();
    let mut starts =
        told.filter(|path| path.is_absolute()).chain(std::iter::once_with(environment::current_dir).flatten());
    let start = starts.find_map(|path| disk::canonical(&path))?;
    root::find(&start, environment::home(&work.call.ours).as_deref(), &work.directories.config, name)
}
