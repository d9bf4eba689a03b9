//! Processing of one event, from its bytes to the answer.

use std::borrow::Cow;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::time::Instant;

use symposium_agents::wire::{EventPeek, speaker, unknown_reach, without_copy};
use symposium_agents::{AgentDialect, AgentEvent, HookAnswer, dialect};
use symposium_model::agent::AgentId;
use symposium_model::authority::project::{IgnoredProject, ProjectSearch};
use symposium_model::config::{AppDirectories, NamedDirectories};
use symposium_model::crates::dependency_tables::CrateRequest;
use symposium_model::hook::hook_plan::{Handler, HookPlan};
use symposium_model::hook::{Event, EventDetail, HookInput, Outcome, shortened};
use symposium_model::scan;

use crate::args::{HookArguments, HookCaller};
use crate::dispatch::EventOutcome;
use crate::edge::{clock, disk, environment, stdin};
use crate::event_input::{DecodedEvent, agent_input, canonical_input, complete_bytes, peeked};
use crate::event_outcome::{MAX_TOOL_NAME, decide_event};
use crate::guidance::{FileGuide, has_error, names_guided_file};
use crate::handler_environment::{EventPlaces, UserPlaces};
use crate::hook_log::{self, LogEntry};
use crate::hook_plan::PlanSlot;
use crate::hook_switch::{self, SilenceReason};
use crate::launch::EventContext;
use crate::native_events::NativeEvent;
use crate::plan_loader::{self, ItemQuery, LoadedPlan, PlanRequest, SlowPath, SlowPathTarget};
use crate::workspace_root::OurName;
use crate::{
    answer, background_fetch, directories, guide, native_events, select, session_start, skill_loads, update_check,
    workflow, workspace_root,
};

/// Answers an event; `None` stands for the neutral answer.
pub(crate) fn handle(
    call: &HookArguments,
    input: stdin::RawEvent,
    slow: &SlowPath,
    begun: Instant,
) -> Option<HookAnswer> {
    let mut entry = LogEntry::default();
    let directories = directories::find(call, &mut entry)?;
    let work = |scope| EventWork { call, slow, begun, scope, directories: &directories };
    let emission = match hook_switch::asked() {
        Some(SilenceReason::Whole(reason)) => {
            entry.note(reason);
            None
        }
        Some(SilenceReason::ButForGuards(reason)) => {
            entry.note(reason);
            answer_event(&work(AnswerScope::Guards), input, &mut entry)
        }
        None => answer_event(&work(AnswerScope::Everything), input, &mut entry),
    };
    if entry.is_worth_a_line() && !call.is_probe {
        entry.time = clock::now();
        entry.ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or_default();
        describe(call, &mut entry);
        hook_log::append(&directories.logs, &entry);
    }
    emission
}

struct EventWork<'w> {
    call: &'w HookArguments,
    slow: &'w SlowPath,
    begun: Instant,
    scope: AnswerScope,
    directories: &'w AppDirectories,
}

impl EventWork<'_> {
    fn request<'r>(
        &'r self,
        slot: PlanSlot,
        named: &'r dyn Fn() -> NamedDirectories,
        event: &'r [u8],
    ) -> PlanRequest<'r> {
        let may_install = self.scope == AnswerScope::Everything && !self.call.is_probe;
        PlanRequest { slow: self.slow, directories: self.directories, named, slot, event, may_install }
    }

    /// Returns Symposium's directories as another call would have to name them.
    fn named(&self) -> NamedDirectories {
        NamedDirectories::to_find(self.directories, environment::home(&self.call.ours).as_deref())
    }

    fn user(&self) -> UserPlaces {
        let config = &self.directories.config;
        let named = self.call.ours.user_home().map(Path::to_owned);
        // The variable counts only if the location of the configuration confirms it.
        let told = || environment::home(&self.call.ours).filter(|home| config.starts_with(home));
        UserPlaces { home: named.or_else(told), config: Some(config.clone()) }
    }

    fn target(&self, workspace: Option<&Path>) -> SlowPathTarget {
        SlowPathTarget { workspace: workspace.map(Path::to_owned), ours: self.named() }
    }

    fn finds_us(&self, workspace: Option<&Path>, cwd: Option<&str>) -> bool {
        let user = self.user();
        EventPlaces { workspace, cwd: cwd.map(Path::new), user: &user }.finds_us()
    }

    fn limited(&self, mut plan: HookPlan) -> HookPlan {
        match self.scope {
            AnswerScope::Everything => {}
            AnswerScope::Guards => plan.keep_guards(),
        }
        plan
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswerScope {
    Everything,
    /// Only the user's policies.
    Guards,
}

fn describe(call: &HookArguments, entry: &mut LogEntry) {
    let (agent, event) = match call.caller {
        HookCaller::Agent(agent, event) => (agent.name(), event.word()),
        HookCaller::Canonical(event) => ("symposium", event.kebab()),
        HookCaller::UnknownEvent(agent) => (agent.name(), "unknown"),
        HookCaller::Unknown => ("unknown", "unknown"),
    };
    if entry.agent.is_empty() {
        agent.clone_into(&mut entry.agent);
    }
    event.clone_into(&mut entry.event);
}

/// Returns the agent and the event that the command names; no agent for a canonical event.
fn called_event(call: &HookArguments, entry: &mut LogEntry) -> Option<(Option<AgentId>, AgentEvent)> {
    match call.caller {
        HookCaller::Agent(agent, event) => return Some((Some(agent), event)),
        HookCaller::Canonical(event) => return Some((None, AgentEvent::Canonical(event))),
        HookCaller::UnknownEvent(agent) => entry.note(format!(
            "This version of Symposium does not know this event of {agent}; it may be older than the registration"
        )),
        HookCaller::Unknown => {
            entry.note("The command names no agent and event that this version of Symposium knows");
        }
    }
    None
}

fn answer_event(work: &EventWork<'_>, input: stdin::RawEvent, entry: &mut LogEntry) -> Option<HookAnswer> {
    let EventWork { call, directories, .. } = *work;
    let raw = leak_until_exit(complete_bytes(input, entry)?);
    let (host, event) = called_event(call, entry)?;
    let canonical = match (host, event) {
        (Some(host), AgentEvent::Native(name)) => {
            let event = NativeEvent { dialect: dialect(host), name };
            return native_event(work, event, &raw, entry);
        }
        (_, event) => event.canonical()?,
    };
    let mut space = None;
    // Only a program of a plugin may need the copy of a file.
    let short = leak_until_exit(host.map_or(Cow::Borrowed(raw.as_slice()), |host| without_copy(dialect(host), &raw)));
    let peek = if host.is_some() { peeked(&short, &mut space, entry)? } else { EventPeek::default() };
    let speaker = host.map(|host| speaker(dialect(host), &peek));
    let agent = speaker.and_then(|speaker| speaker.owner.agent());
    if let Some(speaker) = speaker {
        speaker.owner.name().clone_into(&mut entry.agent);
    }
    let by_hand = if host.is_none() { Some(canonical_input(canonical, &raw, entry)?) } else { None };
    let cwd = by_hand.as_ref().map_or(peek.cwd.as_deref(), |input| input.cwd.as_deref());
    let first = project_of(work, host, cwd, OurName::AsGiven, &[]);
    let allowed = allowed_directories(work, &first, entry);
    let look = |name| project_of(work, host, cwd, name, &allowed);
    let ProjectSearch { found, ignored } = if allowed.is_empty() { first } else { look(OurName::AsGiven) };
    let mut workspace = found.map(|(root, _)| root);
    entry.describe_workspace(workspace.as_deref());
    let again = || look(OurName::Resolved).found.map(|(root, _)| root);
    let named = || work.named();
    let request = work.request(PlanSlot::Canonical(canonical), &named, &raw);
    let LoadedPlan { plan, skills_written } = plan_loader::ready(&request, &mut workspace, &again, entry)?;
    let plan = leak_until_exit(work.limited(asked_where_it_happens(work, plan, cwd, &allowed)));
    if is_one_too_many(call, host, agent, &plan, &|| work.finds_us(workspace.as_deref(), cwd)) || call.is_probe {
        return None;
    }
    if is_idle(&plan, canonical, &short) {
        return None;
    }
    let read = match by_hand {
        Some(input) => DecodedEvent { input, mended: None },
        None => {
            let read = agent_input(speaker?, event, &short, &plan, entry)?;
            let needs_copy = || {
                let handlers = select::handlers(&plan.handlers, &read.input, agent, &plan.servers);
                handlers.iter().any(|handler| workflow::is_program(&handler.run))
            };
            let is_cut = short.len() < raw.len();
            if is_cut && needs_copy() { agent_input(speaker?, event, &raw, &plan, entry)? } else { read }
        }
    };
    let (mut input, mended) = (leak_until_exit(read.input), read.mended);
    note_unknown_tool(speaker, &plan, &input, entry);
    if let Some(root) = workspace.as_deref().filter(|_| plan.guidance.is_some())
        && FileGuide::brings_dependency(&input, root)
    {
        plan_loader::renew(&request, &work.target(Some(root)), entry);
    }
    let draft = |new: &[CrateRequest]| work.slow.draft(&work.target(workspace.as_deref()), new);
    let task = EventContext {
        draft: Some(&draft),
        ..EventContext::new(agent, &raw, mended.as_ref(), workspace.as_deref(), work.begun, work.user())
    };
    let EventOutcome { mut outcome, native } = decide_event(&task, &plan, &mut input, directories, entry);
    let nearest = |query: &ItemQuery| work.slow.find_nearest(&work.target(workspace.as_deref()), query);
    guide::guide_error(&task, &plan, &input, directories, &nearest, &mut outcome);
    if canonical == Event::SessionStart && input.sub_agent.is_none() {
        say_ignored(&ignored, &mut outcome);
    }
    if plan.session.as_ref().is_some_and(|said| said.update_notice) && input.sub_agent.is_none() {
        update_check::look_later(directories, &work.target(workspace.as_deref()));
    }
    if plan.session.as_ref().is_some_and(|said| said.fetches) && input.sub_agent.is_none() {
        background_fetch::fetch_later(directories, &work.target(workspace.as_deref()));
    }
    if outcome.is_neutral() && native.is_silent() && !skills_written {
        return None;
    }
    let told = answer::AnswerOptions { skills_written, directories };
    let Some(speaker) = speaker else { return Some(answer::canonical(&input, &outcome)) };
    let (settled, happened, losses) = answer::for_agent(speaker, event, &input, &outcome, told);
    happened.describe(&native, entry);
    for loss in losses {
        entry.note(loss.text());
    }
    for note in answer::unshown(speaker, &outcome) {
        entry.note(note);
    }
    if let Some(unsaid) = answer::unsaid(&outcome) {
        entry.note(unsaid);
    }
    Some(answer::with_native(speaker, event, native, settled, entry))
}

/// Logs that a tool unknown to this version bypassed a guard that may have been meant for it. The tool's input is not
/// logged.
fn note_unknown_tool(speaker: Option<&AgentDialect>, plan: &HookPlan, input: &HookInput, entry: &mut LogEntry) {
    let (Some(speaker), EventDetail::PreToolUse(tool)) = (speaker, &input.detail) else { return };
    let Some(key) = unknown_reach(speaker, tool) else { return };
    if let Some(guard) = select::passed_by(&plan.handlers, input, speaker.owner.agent(), &plan.servers) {
        let name = scan::clean(shortened(&tool.name, MAX_TOOL_NAME));
        entry.note(format!("Unknown tool `{name}` with a `{key}`: {} was not called for it", guard.title()));
    }
}

/// Skips the destructor: the program ends soon, so freeing memory piece by piece would be wasted time.
fn leak_until_exit<T>(value: T) -> ManuallyDrop<T> {
    ManuallyDrop::new(value)
}

/// Answers a native event of one agent. Gemini CLI raises some of them for every piece of an answer, with the whole
/// conversation in them, so the payload is parsed only if it is needed.
fn native_event(work: &EventWork<'_>, event: NativeEvent, raw: &[u8], entry: &mut LogEntry) -> Option<HookAnswer> {
    let call = work.call;
    let host = event.dialect;
    let told = host.project_variable.is_some_and(|variable| environment::variable(variable).is_some());
    let (mut space, mut again_space) = (None, None);
    let peek = if told && host.guests.is_empty() { EventPeek::default() } else { peeked(raw, &mut space, entry)? };
    let agent = host.owner.agent()?;
    // The handlers of a native event are for that agent alone.
    if speaker(host, &peek).owner != host.owner {
        return None;
    }
    let first = project_of(work, Some(agent), peek.cwd.as_deref(), OurName::AsGiven, &[]);
    let allowed = allowed_directories(work, &first, entry);
    let look = |name| project_of(work, Some(agent), peek.cwd.as_deref(), name, &allowed).found.map(|(root, _)| root);
    let mut workspace = if allowed.is_empty() { first.found.map(|(root, _)| root) } else { look(OurName::AsGiven) };
    entry.describe_workspace(workspace.as_deref());
    let again = || look(OurName::Resolved);
    let named = || work.named();
    let request = work.request(PlanSlot::Native(agent, event.name), &named, raw);
    let LoadedPlan { plan, .. } = plan_loader::ready(&request, &mut workspace, &again, entry)?;
    // The working directory is needed only if the plan has unsure policies.
    let whole = if plan.unsure.is_empty() { EventPeek::default() } else { peeked(raw, &mut again_space, entry)? };
    let plan = work.limited(asked_where_it_happens(work, plan, whole.cwd.as_deref(), &allowed));
    let one_too_many = is_one_too_many(call, Some(agent), Some(agent), &plan, &|| {
        work.finds_us(workspace.as_deref(), peek.cwd.as_deref())
    });
    let index = plan.session.as_ref().filter(|_| host.sub_agent_start == Some(event.name));
    let index = index.and_then(|said| session_start::guidance_index(agent, said));
    if (plan.handlers.is_empty() && index.is_none()) || one_too_many || call.is_probe {
        return None;
    }
    let task = EventContext::new(Some(agent), raw, None, workspace.as_deref(), work.begun, work.user());
    let heard =
        if plan.handlers.is_empty() { None } else { native_events::run_handlers(&task, event, &plan.handlers, entry) };
    match index {
        Some(index) => native_events::render_with_sub_agent_text(event, heard, index, entry),
        None => Some(native_events::render_answer(event, heard?, entry)),
    }
}

/// Returns true if nothing can happen at this event, judged before it is decoded.
fn is_idle(plan: &HookPlan, event: Event, raw: &[u8]) -> bool {
    let is_always_run = |handler: &Handler| workflow::is_always_concerned(&handler.run);
    !plan.handlers.iter().any(is_always_run)
        && !plan.handlers.iter().any(|handler| workflow::may_concern(&handler.run, event, raw))
        && plan.changed.is_empty()
        && plan.ended.is_empty()
        && match event {
            Event::PreToolUse => plan.guidance.is_none() || !names_guided_file(raw),
            Event::Stop => true,
            Event::PostToolUse => {
                // An edited Rust file is found at once, near the beginning of its event.
                let is_guided = plan.guidance.is_some() && (names_guided_file(raw) || has_error(raw));
                !is_guided && !skill_loads::may_load(raw)
            }
            Event::UserPromptSubmit => plan.nudges.as_ref().is_none_or(|nudges| nudges.crates.is_empty()),
            Event::SessionStart => false,
        }
}

/// Returns true if another registration of Symposium answers the same event.
fn is_one_too_many(
    call: &HookArguments,
    host: Option<AgentId>,
    agent: Option<AgentId>,
    plan: &HookPlan,
    finds_us: &dyn Fn() -> bool,
) -> bool {
    let Some(agent) = agent else { return false };
    let by_user_too = call.from_project && plan.global.contains(&agent);
    // An agent that reads another agent's settings but has its own registration. A project's registration names the
    // program by its bare name, so it counts only if PATH finds it.
    let is_guest = host != Some(agent);
    let has_own = || plan.global.contains(&agent) || (plan.registered.contains(&agent) && finds_us());
    by_user_too || (is_guest && has_own())
}

fn say_ignored(ignored: &[IgnoredProject], outcome: &mut Outcome) {
    for passed_by in ignored {
        let sentence = format!("{passed_by}; its settings for this project are ignored; {}", passed_by.help());
        outcome.add_message(&scan::clean(&sentence));
    }
}

/// Enables the policies that the user disabled for a workspace, if the event happens outside it. A variable may name
/// the workspace, and that is not the user's decision.
fn asked_where_it_happens(work: &EventWork<'_>, mut plan: HookPlan, cwd: Option<&str>, allowed: &[String]) -> HookPlan {
    if plan.unsure.is_empty() || plan.workspace.is_none() {
        return plan;
    }
    let here = project_of(work, None, cwd, OurName::AsGiven, allowed).found.map(|(root, _)| root);
    if here.as_deref() != plan.workspace.as_deref().map(Path::new) {
        plan.ask_unsure();
    }
    plan
}

/// Returns the directories of other owners that the user allowed, if the search ignored one. The plan for work outside
/// every workspace lists them.
fn allowed_directories(work: &EventWork<'_>, search: &ProjectSearch, entry: &mut LogEntry) -> Vec<String> {
    if search.ignored.is_empty() {
        return Vec::new();
    }
    let named = || work.named();
    let request = PlanRequest { may_install: false, ..work.request(PlanSlot::Canonical(Event::Stop), &named, b"") };
    let ready = plan_loader::ready(&request, &mut None, &|| None, entry);
    ready.map(|ready| ready.plan.allowed).unwrap_or_default()
}

/// Searches for the project from the agent's project variable, else from its working directory, else from the current
/// directory.
fn project_of(
    work: &EventWork<'_>,
    host: Option<AgentId>,
    cwd: Option<&str>,
    name: OurName,
    allowed: &[String],
) -> ProjectSearch {
    let variable = host.and_then(|host| dialect(host).project_variable).and_then(environment::variable);
    // A missing or relative directory is ignored.
    let told = [variable.map(PathBuf::from), cwd.map(PathBuf::from)].into_iter().flatten();
    let mut starts =
        told.filter(|path| path.is_absolute()).chain(std::iter::once_with(environment::current_dir).flatten());
    let Some(start) = starts.find_map(|path| disk::canonical(&path)) else { return ProjectSearch::default() };
    workspace_root::find(&start, environment::home(&work.call.ours).as_deref(), &work.directories.config, name, allowed)
}
