//! The support matrix: every capability and every agent, with the version it was observed on.

use std::path::{Path, PathBuf};

use crate::agents::Agent;
use crate::finding::{Ending, Finding};
use crate::programs::Programs;
use crate::scenarios::{Scenario, Verdict};

/// The page of the book. What was not run is as in `book`.
pub(crate) fn page(
    agents: &[&Agent],
    scenarios: &[&Scenario],
    programs: &Programs,
    findings: &[Finding],
    book: &str,
) -> String {
    let mut text = String::from(
        "# Support matrix\n\n\
         Observed by running the real programs (`cargo xtask e2e`), each in a fresh home against a scripted model, and \
         compared with this page: all of it before a release, every row and every agent on every change. Kiro, Cursor, Factory droid, Crush and Antigravity CLI could not be run and are not in \
         it: what is written for them, and how their events are read and answered, follows their documents and is \
         held by examples. Of Cursor the hook engine could be run: see [Cursor's hook \
         engine](support-cursor.md).\n\n\
         What some agent cannot do comes first. ✓ works, ✗ does not; a number leads to the reason below the table.\n\n| |",
    );
    for agent in agents {
        text += &format!(" {} |", heading(agent, programs.version_of(agent)));
    }
    text += &format!("\n|---|{}\n", "---|".repeat(agents.len()));
    let mut notes: Vec<String> = Vec::new();
    for scenario in limited_first(scenarios, agents) {
        text += &format!("| {} |", scenario.capability);
        for agent in agents {
            let found = findings
                .iter()
                .find(|finding| finding.agent.name == agent.name && finding.scenario.name == scenario.name);
            let cell = match (found, written(book, agent, scenario)) {
                (Some(finding), _) => cell(finding, &mut notes),
                (None, Some(Cell { word, note: Some(note) })) => format!("{word} ({})", number_of(note, &mut notes)),
                (None, Some(Cell { word, note: None })) => word,
                (None, None) => "not run".to_owned(),
            };
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

/// The rows in their order: first those that are not for every agent.
fn limited_first<'s>(scenarios: &[&'s Scenario], agents: &[&Agent]) -> Vec<&'s Scenario> {
    let mut sorted = scenarios.to_vec();
    sorted.sort_by_key(|scenario| agents.iter().all(|agent| scenario.reason_against(agent.name).is_none()));
    sorted
}

/// The mark of what works.
const WORKS: &str = "✓";
/// The mark of what an agent cannot do.
const ABSENT: &str = "✗";

/// What a cell says: a mark, and the note it points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    pub(crate) word: String,
    pub(crate) note: Option<String>,
}

impl std::fmt::Display for Cell {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.note {
            Some(note) => write!(formatter, "{} ({note})", self.word),
            None => formatter.write_str(&self.word),
        }
    }
}

fn cell(finding: &Finding, notes: &mut Vec<String>) -> String {
    match seen(finding) {
        Some(Cell { word, note: Some(note) }) => format!("{word} ({})", number_of(note, notes)),
        Some(Cell { word, note: None }) => word,
        None => "**wrong**".to_owned(),
    }
}

/// Where findings and the page of the book disagree, for a run that played only some of it.
pub(crate) fn disagreements(book: &str, findings: &[Finding]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for finding in findings {
        let Finding { agent, scenario, .. } = finding;
        let expected = heading(agent, agent.version);
        let heads = heads(book);
        if !heads.contains(&expected) && !found.iter().any(|said| said.starts_with(&expected)) {
            found.push(format!("{expected} was run, and the book is about {}", heads.join(", ")));
        }
        let (written, Some(seen)) = (written(book, agent, scenario), seen(finding)) else { continue };
        if written.as_ref() != Some(&seen) {
            let written = written.map_or("nothing".to_owned(), |cell| cell.to_string());
            found.push(format!("{} with {}: {seen}, and the book says {written}", scenario.name, agent.name));
        }
    }
    found
}

/// What was found, as a cell says it; none when it went wrong.
pub(crate) fn seen(finding: &Finding) -> Option<Cell> {
    let title = finding.agent.title;
    let cell = |word: &str, note| Cell { word: word.to_owned(), note };
    match &finding.ending {
        Ending::AsExpected(Verdict::Works) => Some(cell(WORKS, None)),
        Ending::AsExpected(Verdict::WorksBut(what)) => Some(cell(WORKS, Some(format!("{title}: {what}.")))),
        Ending::AsExpected(Verdict::Absent(_)) => {
            let reason = finding.scenario.reason_against(finding.agent.name).unwrap_or_default();
            Some(cell(ABSENT, Some(format!("{title} {reason}."))))
        }
        Ending::Failed(_) => None,
    }
}

/// What a page says about an agent in a scenario.
pub(crate) fn written(book: &str, agent: &Agent, scenario: &Scenario) -> Option<Cell> {
    let is_its = |head: &String| head.strip_prefix(agent.title).is_some_and(|rest| rest.starts_with(' '));
    let column = heads(book).iter().position(is_its)?;
    let rows = rows(book);
    let row = rows.iter().find(|row| row.first().is_some_and(|first| *first == scenario.capability))?;
    let text = row.get(column + 1)?;
    let Some((word, number)) = text.split_once(' ') else { return Some(Cell { word: (*text).to_owned(), note: None }) };
    let number = number.trim_matches(['(', ')']);
    let notes = book.lines().filter_map(|line| line.split_once(". "));
    let note = notes.filter(|(of, _)| *of == number).map(|(_, note)| note.to_owned()).next();
    Some(Cell { word: word.to_owned(), note })
}

/// The cells of every row of a page's table, its head first.
fn rows(book: &str) -> Vec<Vec<&str>> {
    let rows = book.lines().filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
    rows.map(|row| row.split('|').map(str::trim).collect()).collect()
}

/// The agents a page is about, each with the version.
fn heads(book: &str) -> Vec<String> {
    let head = rows(book).into_iter().next().unwrap_or_default();
    head.into_iter().skip(1).map(str::to_owned).collect()
}

fn heading(agent: &Agent, version: &str) -> String {
    format!("{} {version}", agent.title)
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
        let (title, version, capability) = (AGENTS[0].title, AGENTS[0].version, SCENARIOS[0].capability);
        let notes = format!("1. {title} .\n2. {title}: twice.\n");
        let table = |version: &str, cell: &str| {
            let rows = format!("|---|---|---|\n| {capability} | ✗ | {cell} |\n");
            format!("# Title\n\n| | Other 1 | {title} {version} |\n{rows}\n{notes}")
        };
        let page = |cell: &str| table(version, cell);
        let works = [finding(Ending::AsExpected(Verdict::Works))];
        let twice = [finding(Ending::AsExpected(Verdict::WorksBut("twice".to_owned())))];
        let absent = [finding(Ending::AsExpected(Verdict::Absent("not there".to_owned())))];
        for (cell, findings, disagreeing) in [
            ("✓", &works, 0),
            ("✓ (2)", &works, 1),
            ("✗ (1)", &works, 1),
            ("✓ (2)", &twice, 0),
            ("✓ (1)", &twice, 1),
            ("✓", &twice, 1),
            ("✗ (1)", &absent, 0),
            ("✗ (2)", &absent, 1),
            ("✓", &absent, 1),
        ] {
            assert_eq!(disagreements(&page(cell), findings).len(), disagreeing, "{cell} {:?}", findings[0].ending);
        }
        let of_another_version = disagreements(&table("0.0.1", "✓"), &works);
        assert_eq!(of_another_version.len(), 1, "{of_another_version:?}");
        assert_eq!(disagreements("", &works).len(), 2);
    }

    /// Without running anybody: only what works in a special way is known to a run alone.
    #[test]
    fn the_book_says_what_the_table_says() {
        let book = include_str!("../../book/src/support-matrix.md");
        assert_eq!(heads(book), AGENTS.map(|agent| heading(agent, agent.version)));
        let scenarios: Vec<&Scenario> = SCENARIOS.iter().collect();
        let capabilities: Vec<&str> =
            limited_first(&scenarios, &AGENTS).into_iter().map(|scenario| scenario.capability).collect();
        let rows = rows(book);
        let written_capabilities: Vec<&str> = rows.iter().skip(2).filter_map(|row| row.first().copied()).collect();
        assert_eq!(written_capabilities, capabilities);
        for scenario in SCENARIOS {
            for agent in AGENTS {
                let expected = match scenario.reason_against(agent.name) {
                    Some(_) => Verdict::Absent(String::new()),
                    None => Verdict::Works,
                };
                let finding = Finding { agent, scenario, ending: Ending::AsExpected(expected.clone()) };
                let (written, seen) =
                    (written(book, finding.agent, finding.scenario).unwrap(), seen(&finding).unwrap());
                assert_eq!(written.word, seen.word, "{} with {}", scenario.name, agent.name);
                if expected != Verdict::Works {
                    assert_eq!(written.note, seen.note, "{} with {}", scenario.name, agent.name);
                }
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
