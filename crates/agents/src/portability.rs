//! The features of a hook at an event that some agents lack.

use symposium_model::agent::AgentId;
use symposium_model::hook::Event;

use crate::dialect;
use crate::dialect::{AskEffect, ContextEffect, DenyEffect, OutputEffect, RewriteEffect};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortabilityLimit {
    NoEvent,
    DenyIsContext,
    DenyIsLost,
    NoContext,
    NoRewrite,
    RewriteNeedsAllow,
    AskDenies,
    NoOutput,
    OutputOfFailures,
    OutputOfSuccesses,
}

impl PortabilityLimit {
    const ALL: [Self; 10] = [
        Self::NoEvent,
        Self::DenyIsContext,
        Self::DenyIsLost,
        Self::NoContext,
        Self::NoRewrite,
        Self::RewriteNeedsAllow,
        Self::AskDenies,
        Self::NoOutput,
        Self::OutputOfFailures,
        Self::OutputOfSuccesses,
    ];

    /// Returns the consequence, to be followed by "on" and the name of an agent.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::NoEvent => "never runs",
            Self::DenyIsContext => "a deny only tells its reason",
            Self::DenyIsLost => "a deny has no effect",
            Self::NoContext => "no context",
            Self::NoRewrite => "no changed input",
            Self::RewriteNeedsAllow => "a changed input only with `allow`",
            Self::AskDenies => "`ask` denies",
            Self::NoOutput => "no changed output",
            Self::OutputOfFailures => "a changed output only of a tool that failed",
            Self::OutputOfSuccesses => "a changed output only of a tool that succeeded",
        }
    }

    fn holds(self, agent: AgentId, event: Event) -> bool {
        // An agent that runs no hook at all says nothing about this one.
        let Some(can) = dialect(agent).can.at(event) else {
            return self == Self::NoEvent && dialect(agent).has_events();
        };
        match self {
            Self::NoEvent => false,
            Self::DenyIsContext => can.deny == DenyEffect::BecomesContext,
            Self::DenyIsLost => can.deny == DenyEffect::TrailOnly,
            Self::NoContext => can.context == ContextEffect::Impossible,
            Self::NoRewrite => can.rewrite == RewriteEffect::Impossible,
            Self::RewriteNeedsAllow => can.rewrite == RewriteEffect::NeedsAllow,
            Self::AskDenies => can.ask == AskEffect::Denies,
            Self::NoOutput => can.output == OutputEffect::Impossible,
            Self::OutputOfFailures => can.output == OutputEffect::OfFailures,
            Self::OutputOfSuccesses => {
                let failed = dialect(agent).can.after_failure();
                can.output == OutputEffect::Works && failed.is_some_and(|can| can.output == OutputEffect::Impossible)
            }
        }
    }

    /// Returns whether some agent does better at an event; a hook does not ask for a feature that no agent has.
    fn is_avoidable(self, event: Event) -> bool {
        let mut abilities = AgentId::ALL.into_iter().filter_map(|agent| dialect(agent).can.at(event));
        abilities.any(|can| match self {
            Self::NoEvent => true,
            Self::DenyIsContext => matches!(can.deny, DenyEffect::Blocks | DenyEffect::AnotherTurn),
            Self::DenyIsLost => can.deny != DenyEffect::TrailOnly,
            Self::NoContext => can.context == ContextEffect::Reaches,
            Self::NoRewrite | Self::RewriteNeedsAllow => can.rewrite == RewriteEffect::Works,
            Self::AskDenies => can.ask == AskEffect::Works,
            Self::NoOutput | Self::OutputOfFailures | Self::OutputOfSuccesses => can.output == OutputEffect::Works,
        })
    }
}

pub fn limits(event: Event, agents: &[AgentId]) -> Vec<(PortabilityLimit, Vec<AgentId>)> {
    let avoidable = PortabilityLimit::ALL.into_iter().filter(|limit| limit.is_avoidable(event));
    let with_agents = avoidable.map(|limit| {
        let on = agents.iter().copied().filter(|agent| limit.holds(*agent, event));
        (limit, on.collect::<Vec<_>>())
    });
    with_agents.filter(|(_, on)| !on.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn shown(event: Event, agents: &[AgentId]) -> String {
        let limits = limits(event, agents).into_iter().map(|(limit, on)| {
            let on: Vec<&str> = on.into_iter().map(AgentId::name).collect();
            format!("{} on {}", limit.phrase(), on.join(", "))
        });
        limits.collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn every_event_on_every_agent() {
        let lines = Event::ALL.map(|event| format!("{event}: {}\n", shown(event, &AgentId::ALL)));
        expect![[r#"
            PreToolUse: no context on gemini, kiro, goose, qwen, droid; no changed input on kiro, goose, qwen; a changed input only with `allow` on codex, droid; `ask` denies on gemini, codex, kiro, opencode, goose, qwen, kilo, cline, pi, crush
            PostToolUse: never runs on crush; a deny has no effect on kiro, goose; no context on kiro, goose; no changed output on kiro, goose, cursor, qwen, cline, droid; a changed output only of a tool that failed on gemini; a changed output only of a tool that succeeded on claude, copilot, opencode, kilo
            UserPromptSubmit: never runs on crush; a deny only tells its reason on kiro, opencode, kilo, cline, pi; a deny has no effect on goose; no context on goose
            SessionStart: never runs on crush; no context on goose
            Stop: never runs on opencode, kilo, cline, crush; a deny has no effect on kiro
        "#]].assert_eq(&lines.concat());
    }

    #[test]
    fn a_hook_for_one_agent_is_told_about_that_one() {
        assert_eq!(shown(Event::PreToolUse, &[AgentId::Claude]), "");
        assert_eq!(shown(Event::PreToolUse, &[AgentId::Gemini]), "no context on gemini; `ask` denies on gemini");
    }
}
