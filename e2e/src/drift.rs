//! What changed since the versions the book is about: versions, and rows that came out otherwise.

use crate::agents::Agent;
use crate::finding::{Ending, Finding};
use crate::matrix;

/// The rows that differ from the page of the book, one line for each.
pub(crate) fn rows(book: &str, findings: &[Finding]) -> Vec<String> {
    let changed = findings.iter().filter_map(|finding| {
        let before = matrix::written(book, finding.agent, finding.scenario)
            .map_or("not in the book".to_owned(), |cell| cell.to_string());
        let now = match &finding.ending {
            Ending::Failed(why) => format!("wrong: {why}"),
            Ending::AsExpected(_) => matrix::seen(finding)?.to_string(),
        };
        let said = || format!("{} with {}: {before} before, now {now}", finding.scenario.name, finding.agent.name);
        (before != now).then(said)
    });
    changed.collect()
}

/// The agents with the version of the book and the one that was run, one line for each.
pub(crate) fn versions<'a>(run: impl Iterator<Item = (&'a Agent, &'a str)>) -> Vec<String> {
    let lines = run.map(|(agent, version)| {
        if version == agent.version {
            format!("{} {version}, as in the book", agent.title)
        } else {
            format!("{} {version} instead of {}", agent.title, agent.version)
        }
    });
    lines.collect()
}

pub(crate) fn report(versions: &[String], rows: &[String]) -> String {
    let mut text = String::from("What changed since the versions of the book:\n");
    for line in versions {
        text += &format!("  {line}\n");
    }
    if rows.is_empty() {
        return text + "No row came out otherwise";
    }
    text += "Rows that came out otherwise:\n";
    text + &rows.iter().map(|row| format!("  {row}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AGENTS;
    use crate::scenarios::{SCENARIOS, Verdict};

    #[test]
    fn versions_and_rows_are_told() {
        let (agent, scenario) = (AGENTS[0], &SCENARIOS[0]);
        let page = format!("| | {} 1 |\n|---|---|\n| {} | ✓ |\n", agent.title, scenario.capability);
        let told = |ending| rows(&page, &[Finding { agent, scenario, ending }]);
        assert!(told(Ending::AsExpected(Verdict::Works)).is_empty());
        let absent = told(Ending::AsExpected(Verdict::Absent("nothing there".to_owned())));
        assert_eq!(absent, [format!("{} with {}: ✓ before, now ✗ ({} .)", scenario.name, agent.name, agent.title)]);
        let twice = told(Ending::AsExpected(Verdict::WorksBut("twice".to_owned())));
        assert!(twice[0].ends_with(&format!("✓ before, now ✓ ({}: twice.)", agent.title)), "{twice:?}");
        assert!(told(Ending::Failed("it hangs".to_owned()))[0].ends_with("✓ before, now wrong: it hangs"));
        let told = versions([(agent, agent.version), (agent, "99")].into_iter());
        assert!(told[0].ends_with("as in the book") && told[1].contains("99 instead of"), "{told:?}");
        assert!(report(&told, &[]).ends_with("No row came out otherwise"));
    }
}
