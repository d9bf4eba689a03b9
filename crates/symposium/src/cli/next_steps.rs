//! Builds the end of the output of `init`: the skills for the dependencies, the next steps, and the command that
//! reverts it.

use symposium_agents::spec;
use symposium_model::agent::AgentId;

use super::session::CliSession;
use crate::ops::guidance::SkillCoverage;
use crate::ui::text::{StyledText, pad};

/// The text; `project` is what was found out about the project's dependencies, if it was set up.
pub(super) fn text(CliSession { context, report, .. }: &CliSession, project: Option<&SkillCoverage>) -> StyledText {
    let mut text = StyledText::default().end();
    if let Some(coverage) = project {
        text = text.line(counted(coverage)).end();
    }
    text = text.heading("Next");
    if !context.agents().is_empty() && !report.is_partial() {
        let knowing = knowing_agents(context.user_agents(), &context.unserved_agents());
        text = match project {
            None => text,
            Some(SkillCoverage { with_skills: 0, without: None, .. }) => text.line(
                "  start your agent in this directory; when there are dependencies, `symposium sync` installs the skills \
                 for them",
            ),
            Some(SkillCoverage { example, .. }) => match knowing.zip(example.as_ref()) {
                Some((agents, krate)) => text.line(format!(
                    "  start {agents} in this directory, and ask for code that uses {krate}; it has the skills for your \
                     crates"
                )),
                None => text.line("  start your agent in this directory; it can read the source of your crates"),
            },
        };
    }
    let source = project.and_then(|coverage| coverage.without.as_ref()).map(|name| format!("symposium crate {name}"));
    let source = source.as_deref().map(|command| (command, "show the source and docs of a crate without skills"));
    let undo = if project.is_some() { "symposium uninstall" } else { "symposium uninstall --user" };
    let usual = [
        ("symposium status", "list extensions, their sources and agents"),
        ("symposium doctor", "check the setup of each agent"),
        (undo, "remove everything that Symposium wrote"),
    ];
    for (command, what) in source.into_iter().chain(usual) {
        text = text.strong(command_column(command)).line(what);
    }
    text
}

/// The column of a command, which a longer command leaves with a blank.
fn command_column(command: &str) -> String {
    format!("  {} ", pad(command, 27))
}

/// Names the user's agents that get the skills of this project, where not all do; `None` when none does.
fn knowing_agents(user: Vec<AgentId>, unserved: &[AgentId]) -> Option<String> {
    if unserved.is_empty() {
        return Some("your agent".to_owned());
    }
    let served: Vec<&str> =
        user.into_iter().filter(|agent| !unserved.contains(agent)).map(|agent| spec(agent).title).collect();
    (!served.is_empty()).then(|| served.join(" or "))
}

/// "2 of 14 direct dependencies have skills."
fn counted(coverage: &SkillCoverage) -> String {
    match (coverage.with_skills, coverage.direct) {
        (_, 0) => "This workspace has no dependencies yet, so there are no skills for it.".to_owned(),
        (with_skills, 1) => format!("{with_skills} of 1 direct dependency has skills."),
        (with_skills, direct) => format!("{with_skills} of {direct} direct dependencies have skills."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_command_is_followed_by_a_blank() {
        let cases = [
            ("symposium status", "  symposium status            "),
            ("symposium crate annotate-sn", "  symposium crate annotate-sn "),
            ("symposium crate annotate-snippets", "  symposium crate annotate-snippets "),
        ];
        for (command, expected) in cases {
            assert_eq!(command_column(command), expected);
        }
    }
}
