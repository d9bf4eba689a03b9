//! The support matrix: every capability and every agent, with the version it was observed on.

use crate::agents::Agent;
use crate::finding::{Ending, Finding};
use crate::programs::Programs;
use crate::scenarios::{Scenario, Verdict};

/// The page of the book.
pub(crate) fn page(agents: &[&Agent], scenarios: &[&Scenario], programs: &Programs, findings: &[Finding]) -> String {
    let mut text = String::from(
        "# Support matrix\n\n\
         Observed by running the real programs (`cargo xtask e2e`), each in a fresh home against a scripted model, and \
         compared with this page on every change. Kiro and Cursor cannot be run this way and are not in it.\n\n| |",
    );
    for agent in agents {
        text += &format!(" {} {} |", agent.title, programs.version_of(agent));
    }
    text += &format!("\n|---|{}\n", "---|".repeat(agents.len()));
    let mut notes: Vec<String> = Vec::new();
    for scenario in scenarios {
        text += &format!("| {} |", scenario.capability);
        for agent in agents {
            let found = findings
                .iter()
                .find(|finding| finding.agent.name == agent.name && finding.scenario.name == scenario.name);
            let cell = found.map_or("not run".to_owned(), |finding| cell(finding, &mut notes));
            text += &format!(" {cell} |");
        }
        text.push('\n');
    }
    if !notes.is_empty() {
        text.push('\n');
    }
    for (number, note) in notes.iter().enumerate() {
        text += &format!("{}. {note}\n", number + 1);
    }
    text
}

fn cell(finding: &Finding, notes: &mut Vec<String>) -> String {
    let title = finding.agent.title;
    match &finding.ending {
        Ending::AsExpected(Verdict::Works) => "yes".to_owned(),
        Ending::AsExpected(Verdict::WorksBut(what)) => {
            format!("yes ({})", number_of(format!("{title}: {what}."), notes))
        }
        Ending::AsExpected(Verdict::Absent(_)) => {
            let reason = finding.scenario.reason_against(finding.agent.name).unwrap_or_default();
            format!("no ({})", number_of(format!("{title} {reason}."), notes))
        }
        Ending::Failed(_) => "**wrong**".to_owned(),
        Ending::Pending => "pending".to_owned(),
    }
}

fn number_of(note: String, notes: &mut Vec<String>) -> usize {
    let known = notes.iter().position(|other| *other == note);
    known.unwrap_or_else(|| {
        notes.push(note);
        notes.len() - 1
    }) + 1
}

/// The lines in which two pages differ; empty when they are the same.
pub(crate) fn differences(old: &str, new: &str) -> String {
    let only = |mark: char, these: &str, those: &str| -> String {
        let those: Vec<&str> = those.lines().collect();
        let lines = these.lines().filter(|line| !those.contains(line)).map(|line| format!("{mark} {line}\n"));
        lines.collect::<Vec<_>>().concat()
    };
    if old == new { String::new() } else { only('-', old, new) + &only('+', new, old) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_lines() {
        assert_eq!(differences("a\nb\n", "a\nb\n"), "");
        assert_eq!(differences("a\nb\n", "a\nc\n"), "- b\n+ c\n");
        assert_eq!(differences("", "a\n"), "+ a\n");
    }

    #[test]
    fn a_note_is_written_once() {
        let mut notes = Vec::new();
        let numbers = ["x", "y", "x"].map(|note| number_of(note.to_owned(), &mut notes));
        assert_eq!((numbers, notes), ([1, 2, 1], vec!["x".to_owned(), "y".to_owned()]));
    }
}
