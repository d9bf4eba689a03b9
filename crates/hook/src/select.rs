//! Selection of the handlers that run for an event.

use symposium_agents::native::StartMatcher;
use symposium_agents::wire::names_to_match;
use symposium_agents::{AgentEvent, dialect};
use symposium_model::agent::AgentId;
use symposium_model::hook::hook_plan::Handler;
use symposium_model::hook::{EventDetail, HookInput, PayloadFormat, ToolMatcher};

use crate::matcher_eval;

/// Selects the handlers for an event, in the order of the plan. `agent` is the one that raised it, if any; `servers`
/// are the names of the known MCP servers.
pub(crate) fn handlers<'p>(
    all: &'p [Handler],
    input: &HookInput,
    agent: Option<AgentId>,
    servers: &[String],
) -> Vec<&'p Handler> {
    let meant = meant(all, input, agent, servers);
    // If a plugin has handlers in several formats, those in the agent's own format run, else the canonical ones, else
    // those in the first foreign format.
    let speaks = |handler: &Handler| match handler.format {
        PayloadFormat::Agent(format) if Some(format) == agent => 0,
        PayloadFormat::Symposium => 1,
        PayloadFormat::Agent(_) => 2,
    };
    let chosen = |handler: &&Handler| {
        // A handler for the agent's native event runs regardless of the other handlers of its plugin.
        if handler.native.is_some() || handler.apart {
            return true;
        }
        let siblings = || meant.iter().filter(|other| other.plugin == handler.plugin && other.native.is_none());
        let best = siblings().map(|other| speaks(other)).min().unwrap_or_default();
        let first_foreign = siblings().find(|other| speaks(other) == 2).map(|other| other.format);
        speaks(handler) == best && (best < 2 || Some(handler.format) == first_foreign)
    };
    meant.iter().copied().filter(chosen).collect()
}

/// Finds a guard for commands or file changes that does not apply to the tool of this event.
pub(crate) fn passed_by<'p>(
    all: &'p [Handler],
    input: &HookInput,
    agent: Option<AgentId>,
    servers: &[String],
) -> Option<&'p Handler> {
    let guards = |handler: &&Handler| ["Bash", "Edit", "Write"].iter().any(|name| handler.matcher.matches(&[name]));
    let asked_here = all.iter().filter(|handler| is_for(handler, agent));
    // A workflow guards nothing.
    let guards = asked_here.filter(|handler| !handler.run.is_built_in()).filter(guards);
    guards.into_iter().find(|handler| meant(std::slice::from_ref(*handler), input, agent, servers).is_empty())
}

fn is_for(handler: &Handler, agent: Option<AgentId>) -> bool {
    handler.agent.is_none_or(|only| Some(only) == agent) && agent.is_none_or(|agent| !handler.not_for.contains(&agent))
}

fn meant<'p>(all: &'p [Handler], input: &HookInput, agent: Option<AgentId>, servers: &[String]) -> Vec<&'p Handler> {
    let is_addressed = |handler: &&Handler| {
        let is_twin =
            matches!(&input.detail, EventDetail::PostToolUse(_, result) if is_for_twin(handler, agent, result.failed));
        !is_twin && is_for(handler, agent)
    };
    let addressed: Vec<&Handler> = all.iter().filter(is_addressed).collect();
    let matchers: Vec<&ToolMatcher> = addressed.iter().map(|handler| &handler.matcher).collect();
    let answers = match &input.detail {
        EventDetail::PreToolUse(tool) | EventDetail::PostToolUse(tool, _) => {
            let names = names_to_match(agent.map(dialect), tool, servers);
            matcher_eval::meant(&matchers, &names.iter().map(AsRef::as_ref).collect::<Vec<_>>())
        }
        // Same as the agent that a script is written for; an unknown source counts as a normal start.
        EventDetail::SessionStart { source } => {
            let known = |word: &&str| matches!(*word, "startup" | "resume" | "clear" | "compact");
            let source = source.as_deref().filter(known).unwrap_or("startup");
            let is_meant = |handler: &&Handler| !looks_at_source(handler.format) || handler.matcher.matches(&[source]);
            addressed.iter().map(is_meant).collect()
        }
        EventDetail::UserPromptSubmit { .. } | EventDetail::Stop { .. } => return addressed,
    };
    addressed.into_iter().zip(answers).filter_map(|(handler, is_meant)| is_meant.then_some(handler)).collect()
}

fn looks_at_source(format: PayloadFormat) -> bool {
    match format {
        PayloadFormat::Symposium => false,
        PayloadFormat::Agent(agent) => dialect(agent).own.session_start == StartMatcher::Source,
    }
}

/// Returns true if a handler is for the agent's native event of a failed tool and the tool succeeded, or the other way
/// round.
fn is_for_twin(handler: &Handler, agent: Option<AgentId>, failed: bool) -> bool {
    let (Some(agent), Some(native)) = (agent, &handler.native) else { return false };
    let dialect = dialect(agent);
    let names_failure = dialect.event_from(native) == Some(AgentEvent::ToolFailed);
    dialect.events.tool_failed.is_some() && names_failure != failed
}

#[cfg(test)]
#[path = "select_tests.rs"]
mod tests;
