//! Which handlers of a plan an event is for.

use symposium_agents::native::StartMatcher;
use symposium_agents::wire::names_to_match;
use symposium_agents::{AgentEvent, dialect};
use symposium_model::agent::AgentId;
use symposium_model::hook::plan::Handler;
use symposium_model::hook::{Detail, Format, HookInput, Matcher};

use crate::matching;

/// The handlers an event is for, in the order of the plan. `agent` is the one that raised it, if one did.
pub(crate) fn handlers<'p>(all: &'p [Handler], input: &HookInput, agent: Option<AgentId>) -> Vec<&'p Handler> {
    let meant = meant(all, input, agent);
    // Of one plugin's handlers in several formats, those in the agent's own run, else the canonical ones, else those in
    // the first of the foreign formats.
    let speaks = |handler: &Handler| match handler.format {
        Format::Agent(format) if Some(format) == agent => 0,
        Format::Symposium => 1,
        Format::Agent(_) => 2,
    };
    let chosen = |handler: &&Handler| {
        // Whoever names the agent's own event wants to be asked whatever else the plugin has for that moment.
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

/// The handlers whose agent and matcher an event fits.
fn meant<'p>(all: &'p [Handler], input: &HookInput, agent: Option<AgentId>) -> Vec<&'p Handler> {
    let is_addressed = |handler: &&Handler| {
        let is_twin =
            matches!(&input.detail, Detail::PostToolUse(_, result) if is_for_twin(handler, agent, result.failed));
        !is_twin
            && handler.agent.is_none_or(|only| Some(only) == agent)
            && agent.is_none_or(|agent| !handler.not_for.contains(&agent))
    };
    let addressed: Vec<&Handler> = all.iter().filter(is_addressed).collect();
    let matchers: Vec<&Matcher> = addressed.iter().map(|handler| &handler.matcher).collect();
    let answers = match &input.detail {
        Detail::PreToolUse(tool) | Detail::PostToolUse(tool, _) => {
            matching::meant(&matchers, &names_to_match(agent.map(dialect), tool))
        }
        // As the agent a script is written for does; what nobody knows is a start like any other.
        Detail::SessionStart { source } => {
            let known = |word: &&str| matches!(*word, "startup" | "resume" | "clear" | "compact");
            let source = source.as_deref().filter(known).unwrap_or("startup");
            let is_meant = |handler: &&Handler| !looks_at_source(handler.format) || handler.matcher.matches(&[source]);
            addressed.iter().map(is_meant).collect()
        }
        Detail::UserPromptSubmit { .. } | Detail::Stop { .. } => return addressed,
    };
    addressed.into_iter().zip(answers).filter_map(|(handler, is_meant)| is_meant.then_some(handler)).collect()
}

/// Whether handlers in a format may be for some starts of a session only.
fn looks_at_source(format: Format) -> bool {
    match format {
        Format::Symposium => false,
        Format::Agent(agent) => dialect(agent).own.session_start == StartMatcher::Source,
    }
}

/// Whether a handler names its agent's own event for a tool that failed, or for one that did not, and this is the other.
fn is_for_twin(handler: &Handler, agent: Option<AgentId>, failed: bool) -> bool {
    let (Some(agent), Some(native)) = (agent, &handler.native) else { return false };
    let dialect = dialect(agent);
    let names_failure = dialect.event_from(native) == Some(AgentEvent::ToolFailed);
    dialect.events.tool_failed.is_some() && names_failure != failed
}

#[cfg(test)]
#[path = "select_tests.rs"]
mod tests;
