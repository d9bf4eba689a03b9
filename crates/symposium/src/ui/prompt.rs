//! The one place that asks a person.

use std::io;

use cliclack::{Theme, ThemeState};
use symposium_agents::spec;
use symposium_model::agent::AgentId;

/// The usual look, with a sign at the line the cursor is on: without colours nothing else tells.
struct Pointing;

struct Usual;

impl Theme for Usual {}

impl Theme for Pointing {
    fn checkbox_symbol(&self, state: &ThemeState, selected: bool, active: bool) -> String {
        let symbol = Usual.checkbox_symbol(state, selected, active);
        match state {
            ThemeState::Active | ThemeState::Error(_) if active => format!("> {symbol}"),
            ThemeState::Active | ThemeState::Error(_) => format!("  {symbol}"),
            ThemeState::Cancel | ThemeState::Submit => symbol,
        }
    }
}

/// Asks which agents to set up; those found, and those set up already, are selected.
pub(crate) fn agents(selected: &[AgentId], found: &[AgentId]) -> io::Result<Vec<AgentId>> {
    pick("Which agents do you use?  (space selects, enter goes on)", selected, found)
}

/// Asks whether a project has agents of its own; none is an answer, and the usual one.
pub(crate) fn project_agents(found: &[AgentId]) -> io::Result<Vec<AgentId>> {
    pick("Which agents should everybody in this project use?  (none: each person's own)", &[], found)
}

fn pick(question: &str, selected: &[AgentId], found: &[AgentId]) -> io::Result<Vec<AgentId>> {
    cliclack::set_theme(Pointing);
    let mut question = cliclack::multiselect(question).required(false);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_is_seen_without_colours() {
        let line = |active| Pointing.checkbox_symbol(&ThemeState::Active, true, active);
        assert!(line(true).starts_with("> ") && line(false).starts_with("  "));
        assert_eq!(Pointing.checkbox_symbol(&ThemeState::Submit, true, true), "");
    }
}
