//! The one place that asks a person.

use std::io;

use symposium_agents::spec;
use symposium_model::agent::AgentId;

/// Asks which agents to set up; those found are selected already.
pub(crate) fn agents(preselected: &[AgentId]) -> io::Result<Vec<AgentId>> {
    let mut question = cliclack::multiselect("Which agents do you use?").required(false);
    for agent in AgentId::ALL {
        let hint = if preselected.contains(&agent) { "found" } else { "" };
        question = question.item(agent, spec(agent).title, hint);
    }
    question.initial_values(preselected.to_vec()).interact()
}

/// Asks before something that cannot be undone.
pub(crate) fn confirm(question: &str) -> io::Result<bool> {
    cliclack::confirm(question).initial_value(false).interact()
}
