//! The index for new sub-agents, in the plans of the events by which agents report them.

use symposium_agents::dialect;
use symposium_model::agent::AgentId;
use symposium_model::hook::hook_plan::{GuidancePointer, HookPlan, SessionPlan};

pub(super) struct SubAgentPlans {
    /// Every agent has a plan, also without an index: a missing one would leave an older one in force.
    pub(super) events: Vec<(AgentId, &'static str)>,
    session: Option<SessionPlan>,
}

impl SubAgentPlans {
    /// Takes the index from the plan of session starts.
    pub(super) fn new(agents: &[AgentId], files: &[(String, HookPlan)]) -> Self {
        let events = agents.iter().filter_map(|agent| Some((*agent, dialect(*agent).sub_agent_start?))).collect();
        let session = files.iter().find_map(|(_, plan)| plan.session.clone());
        let session = session.and_then(|SessionPlan { index, index_bytes, holders, pointer, .. }| {
            let is_told = pointer == GuidancePointer::Shown && index_bytes > 0 && !index.is_empty();
            is_told.then(|| SessionPlan { index, index_bytes, holders, ..SessionPlan::default() })
        });
        Self { events, session }
    }

    /// Returns the part of a session's plan that a native event tells a new sub-agent.
    pub(super) fn session(&self, agent: AgentId, event: &'static str) -> Option<SessionPlan> {
        self.session.clone().filter(|_| self.events.contains(&(agent, event)))
    }
}
