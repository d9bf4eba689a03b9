//! The one place that asks a person.

use std::io;

use symposium_agents::spec;
use symposium_model::agent::AgentId;

/// Asks which agents to set up; those found, and those set up already, are selected.
pub(crate) fn agents(selected: &[AgentId], found: &[AgentId]) -> io::Result<Vec<AgentId>> {
    let mut question =
        cliclack::multiselect("Which agents do you use?  (space selects, enter goes on)").required(false);
    for agent in AgentId::ALL {
        let title = spec(agent).title;
        let title = if found.contains(&agent) { format!("{title} (found)") } else { title.to_owned() };
        question = question.item(agent, title, "");
    }
    question.initial_values(selected.to_vec()).interact()
}

/// Asks before something that can be taken back.
pub(crate) fn agree(question: &str) -> io::Result<bool> {
    cliclack::confirm(question).initial_value(true).interact()
}

/// Asks before something that cannot be undone.
pub(crate) fn confirm(question: &str) -> io::Result<bool> {
    cliclack::confirm(question).initial_value(false).interact()
}
