//! The support matrix: every capability and every agent, with the version it was observed on.

use std::path::{Path, PathBuf};

use crate::agents::Agent;
use crate::finding::{Ending, Finding};
use crate::programs::Programs;
use crate::scenarios::{Scenario, Verdict};

/// The page of the book.
pub(crate) fn page(agents: &[&Agent], scenarios: &[&Scenario], programs: &Programs, findings: &[Finding]) -> String {
    let mut text = String::from(
        "# Support matrix\n\n\
         Observed by running the real programs (`cargo xtask e2e`), each in a fresh home against a scripted model, and \
         compared with this page on every change. Kiro and Cursor cannot be installed from a registry and are not in \
         it: what is written for them, and how their events are read and answered, follows their documents and is \
         held by recorded examples. Of Cursor the hook engine could be run: see [Cursor's hook \
         engine](support-cursor.md).\n\n| |",
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
    }
}

/// Where findings and the page of the book disagree, for a run that played only some of it. Notes are not compared.
pub(crate) fn disagreements(book: &str, findings: &[Finding]) -> Vec<String> {
    let disagreeing = findings.iter().filter_map(|finding| {
        let (written, seen) = (written(book, finding), seen(finding)?);
        let (scenario, agent) = (finding.scenario.name, finding.agent.name);
        let said = || {
            format!("{scenario} with {agent}: {seen}, and the book says {}", written.as_deref().unwrap_or("nothing"))
        };
        (written.as_deref() != Some(seen)).then(said)
    });
    disagreeing.collect()
}

/// What was found, in the words of a cell; none when it went wrong.
pub(crate) fn seen(finding: &Finding) -> Option<&'static str> {
    match &finding.ending {
        Ending::AsExpected(Verdict::Works | Verdict::WorksBut(_)) => Some("yes"),
        Ending::AsExpected(Verdict::Absent(_)) => Some("no"),
        Ending::Failed(_) => None,
    }
}

/// The first word of the cell a page has for a finding.
pub(crate) fn written(book: &str, finding: &Finding) -> Option<String> {
    let cells = |line: &str| -> Vec<String> { line.split('|').map(|cell| cell.trim().to_owned()).collect() };
    let rows: Vec<Vec<String>> = book.lines().filter(|line| line.starts_with('|')).map(cells).collect();
    let column = rows.first()?.iter().position(|title| title.starts_with(finding.agent.title))?;
    let row = rows.iter().find(|row| row.get(1).is_some_and(|first| first == finding.scenario.capability))?;
    row.get(column)?.split(' ').next().map(str::to_owned)
}

fn number_of(note: String, notes: &mut Vec<String>) -> usize {
    let known = notes.iter().position(|other| *other == note);
    known.unwrap_or_else(|| {
        notes.push(note);
        notes.len() - 1
    }) + 1
}

/// Where a page of the book is.
pub(crate) fn book_page(name: &str) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).join("book/src").join(name)
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
    use crate::agents::AGENTS;
    use crate::scenarios::SCENARIOS;

    #[test]
    fn differences_are_lines() {
        assert_eq!(differences("a\nb\n", "a\nb\n"), "");
        assert_eq!(differences("a\nb\n", "a\nc\n"), "- b\n+ c\n");
        assert_eq!(differences("", "a\n"), "+ a\n");
    }

    #[test]
    fn single_findings_are_compared_with_the_page() {
        let finding = |ending| Finding { agent: AGENTS[0], scenario: &SCENARIOS[0], ending };
        let (title, capability) = (AGENTS[0].title, SCENARIOS[0].capability);
        let page = |cell: &str| {
            format!("# Title\n\n| | Other 1 | {title} 2.0 |\n|---|---|---|\n| {capability} | no | {cell} |\n")
        };
        let works = || [finding(Ending::AsExpected(Verdict::Works))];
        assert!(disagreements(&page("yes"), &works()).is_empty());
        assert!(disagreements(&page("yes (3)"), &works()).is_empty());
        assert_eq!(disagreements(&page("no (1)"), &works()).len(), 1);
        assert_eq!(disagreements("", &works()).len(), 1);
        let absent = [finding(Ending::AsExpected(Verdict::Absent("not there".to_owned())))];
        assert!(disagreements(&page("no (1)"), &absent).is_empty());
        assert_eq!(disagreements(&page("yes"), &absent).len(), 1);
    }

    #[test]
    fn the_book_says_what_the_table_says() {
        let book = include_str!("../../book/src/support-matrix.md");
        for scenario in SCENARIOS {
            for agent in AGENTS {
                let ending = match scenario.reason_against(agent.name) {
                    Some(_) => Ending::AsExpected(Verdict::Absent(String::new())),
                    None => Ending::AsExpected(Verdict::Works),
                };
                let finding = Finding { agent, scenario, ending };
                let (written, seen) = (written(book, &finding), seen(&finding));
                assert_eq!(written.as_deref(), seen, "{} with {}", scenario.name, agent.name);
            }
        }
    }

    #[test]
    fn a_note_is_written_once() {
        let mut notes = Vec::new();
        let numbers = ["x", "y", "x"].map(|note| number_of(note.to_owned(), &mut notes));
        assert_eq!((numbers, notes), ([1, 2, 1], vec!["x".to_owned(), "y".to_owned()]));
    }
}
