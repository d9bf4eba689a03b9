//! Says, once in a session, that what somebody agreed to is no longer run because it changed.

use std::path::Path;

use symposium_agents::{ContextEffect, dialect};
use symposium_model::agent::AgentId;
use symposium_model::hook::hook_plan::{HookPlan, changed_notice, hash};
use symposium_model::hook::{Event, HookInput};

use crate::hook_log::LogEntry;
use crate::session::{self, SessionFact};

/// What the model is told about it now. The trail is told at the first event; the model at the first that carries text.
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
    // In a session that is no longer followed nobody knows what was said.
    let told = match session {
        Some(file) => session::read(file)?.told,
        None => Vec::new(),
    };
    let mut facts = Vec::new();
    if !told.contains(&noted) {
        entry.note(format!("Changed since granted, so not run: {}", plan.changed.join(", ")));
        facts.push(SessionFact::Told(noted));
    }
    // Where a session begins, it is among what is said then.
    let begins = input.event() == Event::SessionStart;
    let carries = agent.is_none_or(|agent| {
        dialect(agent).can.at(input.event()).is_some_and(|can| can.context != ContextEffect::Impossible)
    });
    let is_due = session.is_some() && carries && !input.sub_agent && !told.contains(&mark);
    if is_due {
        facts.push(SessionFact::Told(mark));
    }
    if let Some(file) = session {
        session::remember(file, &facts);
    }
    (is_due && !begins).then_some(text)
}
