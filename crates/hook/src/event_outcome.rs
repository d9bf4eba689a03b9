//! The decision about one decoded event: handlers, session text, notices, guidance and nudges together.

use symposium_model::agent::AgentId;
use symposium_model::config::AppDirectories;
use symposium_model::hook::hook_plan::HookPlan;
use symposium_model::hook::{EventDetail, HookDecision, HookInput, Outcome, shortened};
use symposium_model::scan;

use crate::dispatch::{self, DispatchFacts, EventOutcome};
use crate::guidance::index;
use crate::hook_log::LogEntry;
use crate::launch::EventContext;
use crate::session::SessionFact;
use crate::session_start::{SessionBeginning, SessionStart};
use crate::usage::{self, LoadOrigin};
use crate::{answer, guide, nudge, select, session, session_start, skill_loads, trust_notice};

/// Limits the tool's name in the log, in bytes.
pub(crate) const MAX_TOOL_NAME: usize = 200;

pub(crate) fn decide_event(
    task: &EventContext<'_>,
    plan: &HookPlan,
    input: &mut HookInput,
    directories: &AppDirectories,
    entry: &mut LogEntry,
) -> EventOutcome {
    // The agent chooses the name, so only a short and plain form of it is kept.
    entry.tool = input.tool().map(|tool| scan::one_line(shortened(&tool.name, MAX_TOOL_NAME)).into_owned());
    let EventOutcome { outcome, mut native } = decide(task, plan, input, directories, entry);
    let outcome = answer::cleaned(outcome);
    native.clean(&answer::clean);
    let decision = outcome.decision.or_else(|| native.refuses().then_some(HookDecision::Deny));
    entry.decision = decision.map(|decision| decision.name().to_owned());
    entry.context = outcome.context.as_ref().map_or(0, String::len) + native.context_bytes();
    entry.rewritten = outcome.updated_input.is_some();
    EventOutcome { outcome, native }
}

/// Merges the output of the handlers with Symposium's own session text, notices and nudges.
fn decide(
    task: &EventContext<'_>,
    plan: &HookPlan,
    input: &mut HookInput,
    directories: &AppDirectories,
    entry: &mut LogEntry,
) -> EventOutcome {
    let sessions = directories.config.join("sessions");
    let file = session::file_of(&sessions, task.agent, task.workspace, input);
    let mut outcome = Outcome::default();
    if let (EventDetail::SessionStart { source }, Some(said), false) =
        (&input.detail, &plan.session, input.sub_agent.is_some())
    {
        session::prune(&sessions);
        answer::prune(directories);
        if let Some(file) = &file {
            match (&input.session_id, source.as_deref()) {
                (Some(_), Some("clear" | "compact")) => {
                    session::remember(file, &[SessionFact::Forgotten]);
                }
                (Some(_), _) => {}
                // Without an id this event is the only sign of a new session.
                (None, _) => session::forget(file),
            }
        }
        let start = SessionStart::from_source(source.as_deref());
        let places = task.places(input.cwd.as_deref());
        let beginning = SessionBeginning { agent: task.agent, start, places, said };
        session_start::greet(&beginning, directories, &mut outcome);
    }
    let handlers = select::handlers(&plan.handlers, input, task.agent, &plan.servers);
    let EventOutcome { outcome: said, native } = {
        // A sub-agent's changes are its agent's, which stops later.
        let main = session::main_file_of(&sessions, task.agent, task.workspace, input);
        let facts = DispatchFacts { rules: &plan.rules, session: main.as_deref() };
        dispatch::run(task, &handlers, facts, input, entry)
    };
    outcome.decision = said.decision;
    outcome.reason = said.reason;
    outcome.updated_input = said.updated_input;
    outcome.updated_output = said.updated_output;
    outcome.other = said.other;
    if let Some(context) = said.context {
        outcome.add_context(&context);
    }
    if !(plan.changed.is_empty() && plan.ended.is_empty())
        && let Some(notice) = trust_notice::notice(plan, task.agent, input, file.as_deref(), entry)
    {
        outcome.add_context(&notice);
    }
    if let EventDetail::PostToolUse(tool, result) = &input.detail
        && !result.failed
    {
        let facts = skill_loads::by_tool(tool);
        if !plan.forgets_usage {
            let agent = task.agent.map_or("symposium", AgentId::name);
            usage::record(directories, &LoadOrigin { agent, workspace: task.workspace }, &facts);
        }
        if let Some(file) = &file {
            session::remember(file, &facts);
        }
    }
    let Some(file) = file else { return EventOutcome { outcome, native } };
    if !native.refuses() {
        guide::guide_file(task, plan, input, &file, directories, &mut outcome);
    }
    match (&input.detail, &plan.nudges) {
        (EventDetail::UserPromptSubmit { prompt }, Some(nudges))
            if outcome.decision != Some(HookDecision::Deny) && !native.refuses() =>
        {
            let Some(session) = session::read(&file) else { return EventOutcome { outcome, native } };
            let mut facts = vec![SessionFact::Prompt];
            let prompt = index::without_index(prompt);
            if let Some(nudge) = nudge::for_prompt(&prompt, nudges, task.agent, &session) {
                facts.extend(nudge.skills().cloned().map(SessionFact::Named));
                outcome.add_context(&nudge.text());
            }
            session::remember(&file, &facts);
        }
        _ => {}
    }
    EventOutcome { outcome, native }
}
