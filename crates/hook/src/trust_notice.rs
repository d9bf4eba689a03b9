//! A notice, given once per session, that a granted handler no longer runs because its files changed.

use std::path::Path;

use symposium_agents::{ContextEffect, dialect};
use symposium_model::agent::AgentId;
use symposium_model::hook::hook_plan::{HookPlan, changed_notice, hash};
use symposium_model::hook::{Event, HookInput};

use crate::hook_log::LogEntry;
use crate::session::{self, SessionFact};

/// Returns the notice for the model. The hook log gets it at the first event, the model at the first event that carries
/// text.
pub(crate) fn notice(
    plan: &HookPlan,
    agent: Option<AgentId>,
    input: &HookInput,
    session: Option<&Path>,
    entry: &mut LogEntry,
) -> Option<String> {
    let text = changed_notice(&plan.changed)?;
    let mark = format!("{:016x}", hash(text.as_bytes()));
    let noted = format!("noted-{mark}");
    // In a session that is no longer followed it is unknown which notices were given.
    let told = match session {
        Some(file) => session::read(file)?.told,
        None => Vec::new(),
    };
    let mut facts = Vec::new();
    if !told.contains(&noted) {
        entry.note(format!("Changed since it was granted, so it does not run: {}", plan.changed.join(", ")));
        facts.push(SessionFact::Told(noted));
    }
    // At a session start the notice is part of the session text.
    let begins = input.event() == Event::SessionStart;
    let carries = agent.is_none_or(|agent| {
        dialect(agent).can.at(input.event()).is_some_and(|can| can.context != ContextEffect::Impossible)
    });
    let is_due = session.is_some() && carries && input.sub_agent.is_none() && !told.contains(&mark);
    if is_due {
        facts.push(SessionFact::Told(mark));
    }
    if let Some(file) = session {
        session::remember(file, &facts);
    }
    (is_due && !begins).then_some(text)
}
