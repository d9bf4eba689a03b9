//! The one place that asks a person.

use std::io;

use symposium_agents::spec;
use symposium_model::agent::AgentId;

use super::question;

/// Asks which agents to set up; those found, and those set up already, are selected.
pub(crate) fn agents(selected: &[AgentId], found: &[AgentId]) -> io::Result<Vec<AgentId>> {
    pick("Which agents do you use?  (space selects, enter continues)", selected, found)
}

/// Asks whether a project has agents of its own; none is an answer, and the usual one.
pub(crate) fn project_agents(found: &[AgentId]) -> io::Result<Vec<AgentId>> {
    pick("Which agents does this project use?  (none: each user's own agents)", &[], found)
}

fn pick(question: &str, selected: &[AgentId], found: &[AgentId]) -> io::Result<Vec<AgentId>> {
    let title = |agent: AgentId| {
        let title = spec(agent).title;
        if found.contains(&agent) { format!("{title} (found)") } else { title.to_owned() }
    };
    let initial = AgentId::ALL.iter().map(|agent| selected.contains(agent)).collect();
    let picked = question::select_any(question, &AgentId::ALL.map(title), initial)?;
    Ok(AgentId::ALL.into_iter().zip(picked).filter_map(|(agent, is_picked)| is_picked.then_some(agent)).collect())
}

/// The answer to the question whether to set up what was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetupAnswer {
    Agree,
    Refuse,
    Show,
    /// Agents may use Symposium's read-only commands without asking.
    Allow,
}

/// Asks whether to set up what was shown; enter alone is a yes. `allowing` names the agents that could use Symposium
/// without asking.
pub(crate) fn set_up(question: &str, allowing: Option<&str>) -> io::Result<SetupAnswer> {
    let plain: &[AnswerWords<SetupAnswer>] = &[
        (&["y", "yes"], SetupAnswer::Agree),
        (&["n", "no"], SetupAnswer::Refuse),
        (&["s", "show"], SetupAnswer::Show),
    ];
    let Some(agents) = allowing else {
        return ask(question, "y, n, or s to show every file and its text", "y", plain);
    };
    // Too much for one line.
    let allow = format!("also let {agents} run `symposium start`, `crate` and `api` without asking you");
    question::explain(&[("y", "yes"), ("n", "no"), ("s", "show every file and its text"), ("a", &allow)])?;
    ask(question, "y, n, s or a", "y", &[plain, &[(&["a", "allow"], SetupAnswer::Allow)]].concat())
}

/// Asks before something that can be undone.
pub(crate) fn agree(question: &str) -> io::Result<bool> {
    question::decide(question, true)
}

/// Asks before something that cannot be undone.
pub(crate) fn confirm(question: &str) -> io::Result<bool> {
    question::decide(question, false)
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
    let plain: &[AnswerWords<ConsentAnswer>] =
        &[(&["y", "yes"], ConsentAnswer::Agree), (&["n", "no"], ConsentAnswer::Refuse)];
    match viewing {
        ViewOption::Offered => {
            let choices = [plain, &[(&["v", "view"], ConsentAnswer::View)]].concat();
            ask(question, "y, n, or v to view all files in full", "n", &choices)
        }
        ViewOption::Needless => ask(question, "y or n", "n", plain),
    }
}

/// The words of an answer, and their meaning.
type AnswerWords<T> = (&'static [&'static str], T);

/// `keys` names the answers for the person, `default` is the word that enter alone stands for.
fn ask<T: Copy + 'static>(
    question: &str,
    keys: &str,
    default: &'static str,
    choices: &[AnswerWords<T>],
) -> io::Result<T> {
    let check = |typed: &str| decision(typed, default, choices).map(|_| ()).ok_or_else(|| format!("type {keys}"));
    let answer = question::type_line(&format!("{question}  ({keys}; enter: {default})"), default, check)?;
    decision(&answer, default, choices).ok_or_else(|| io::Error::other("unknown answer"))
}

fn decision<T: Copy>(answer: &str, default: &str, choices: &[AnswerWords<T>]) -> Option<T> {
    let typed = answer.trim().to_ascii_lowercase();
    let word = if typed.is_empty() { default } else { &typed };
    choices.iter().find(|(words, _)| words.contains(&word)).map(|(_, meaning)| *meaning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_yes_is_one() {
        let choices: [AnswerWords<bool>; 2] = [(&["y", "yes"], true), (&["n", "no"], false)];
        for (answer, expected) in
            [("y", Some(true)), (" Yes", Some(true)), ("n", Some(false)), ("", Some(false)), ("yv", None), ("v", None)]
        {
            assert_eq!(decision(answer, "n", &choices), expected, "{answer}");
        }
    }
}
