//! The one place that asks a person.

use std::io;

use cliclack::{Theme, ThemeState};
use symposium_agents::spec;
use symposium_model::agent::AgentId;

/// The usual look, with a sign at the line the cursor is on: without colours nothing else tells.
struct PointingTheme;

struct DefaultTheme;

impl Theme for DefaultTheme {}

impl Theme for PointingTheme {
    fn checkbox_symbol(&self, state: &ThemeState, selected: bool, active: bool) -> String {
        let symbol = DefaultTheme.checkbox_symbol(state, selected, active);
        match state {
            ThemeState::Active | ThemeState::Error(_) if active => format!("> {symbol}"),
            ThemeState::Active | ThemeState::Error(_) => format!("  {symbol}"),
            ThemeState::Cancel | ThemeState::Submit => symbol,
        }
    }
}

/// Asks which agents to set up; those found, and those set up already, are selected.
pub(crate) fn agents(selected: &[AgentId], found: &[AgentId]) -> io::Result<Vec<AgentId>> {
    pick("Which agents do you use?  (space selects, enter continues)", selected, found)
}

/// Asks whether a project has agents of its own; none is an answer, and the usual one.
pub(crate) fn project_agents(found: &[AgentId]) -> io::Result<Vec<AgentId>> {
    pick("Which agents does this project use?  (none: each user's own agents)", &[], found)
}

fn pick(question: &str, selected: &[AgentId], found: &[AgentId]) -> io::Result<Vec<AgentId>> {
    cliclack::set_theme(PointingTheme);
    let mut question = cliclack::multiselect(question).required(false);
    for agent in AgentId::ALL {
        let title = spec(agent).title;
        let title = if found.contains(&agent) { format!("{title} (found)") } else { title.to_owned() };
        question = question.item(agent, title, "");
    }
    question.initial_values(selected.to_vec()).interact()
}

/// Asks before something that can be taken back; enter alone is a yes.
pub(crate) fn agree(question: &str) -> io::Result<ConsentAnswer> {
    let keys = "y, n, or s to show every file and its text";
    ask(question, keys, "y", &["s", "show"])
}

/// Asks before something that cannot be undone.
pub(crate) fn confirm(question: &str) -> io::Result<bool> {
    cliclack::confirm(question).initial_value(false).interact()
}

/// Whether there is more to look at than was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ViewOption {
    Offered,
    Needless,
}

/// The answer to a question about content that can be viewed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConsentAnswer {
    Agree,
    Refuse,
    View,
}

/// Asks for a yes to what was shown; enter alone is a no.
pub(crate) fn consent(question: &str, viewing: ViewOption) -> io::Result<ConsentAnswer> {
    match viewing {
        ViewOption::Offered => ask(question, "y, n, or v to view all files in full", "n", &["v", "view"]),
        ViewOption::Needless => ask(question, "y or n", "n", &[]),
    }
}

/// `keys` names the answers for the person, `default` is what enter alone means.
fn ask(
    question: &str,
    keys: &'static str,
    default: &'static str,
    view_words: &'static [&str],
) -> io::Result<ConsentAnswer> {
    let decide = move |answer: &str| decision(if answer.trim().is_empty() { default } else { answer }, view_words);
    let check = move |answer: &String| decide(answer).map(|_| ()).ok_or(format!("type {keys}"));
    let answer: String =
        cliclack::input(format!("{question}  ({keys})")).default_input(default).validate(check).interact()?;
    Ok(decide(&answer).unwrap_or(ConsentAnswer::Refuse))
}

fn decision(answer: &str, view_words: &[&str]) -> Option<ConsentAnswer> {
    match answer.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Some(ConsentAnswer::Agree),
        "n" | "no" => Some(ConsentAnswer::Refuse),
        word if view_words.contains(&word) => Some(ConsentAnswer::View),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_yes_is_one() {
        for (answer, with_view, without) in [
            ("y", Some(ConsentAnswer::Agree), Some(ConsentAnswer::Agree)),
            (" Yes", Some(ConsentAnswer::Agree), Some(ConsentAnswer::Agree)),
            ("n", Some(ConsentAnswer::Refuse), Some(ConsentAnswer::Refuse)),
            ("v", Some(ConsentAnswer::View), None),
            ("yv", None, None),
            ("", None, None),
        ] {
            assert_eq!(decision(answer, &["v", "view"]), with_view, "{answer}");
            assert_eq!(decision(answer, &[]), without, "{answer}");
        }
    }

    #[test]
    fn the_cursor_is_seen_without_colours() {
        let line = |active| PointingTheme.checkbox_symbol(&ThemeState::Active, true, active);
        assert!(line(true).starts_with("> ") && line(false).starts_with("  "));
        assert_eq!(PointingTheme.checkbox_symbol(&ThemeState::Submit, true, true), "");
    }
}
