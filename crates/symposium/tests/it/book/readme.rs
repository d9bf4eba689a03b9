//! What the README promises is tested by what it names, and its numbers are those that were measured.

use serde_json::Value;

use super::repository;

fn readme() -> String {
    std::fs::read_to_string(repository().join("README.md")).unwrap()
}

/// The tests the README names: `[test_name](path)`.
fn named(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for part in text.split("[`").skip(1) {
        let Some((name, rest)) = part.split_once("`](") else { continue };
        let path = rest.split(')').next().unwrap_or_default();
        if std::path::Path::new(path).extension().is_some_and(|end| end == "rs") {
            found.push((name.to_owned(), path.to_owned()));
        }
    }
    found
}

#[test]
fn every_test_it_names_exists() {
    let named = named(&readme());
    assert!(named.len() >= 7, "{named:?}");
    for (name, path) in named {
        let text = std::fs::read_to_string(repository().join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let is_there = text.contains(&format!("fn {name}(")) || text.contains(&format!("\"{name}\""));
        assert!(is_there, "{path} has no `{name}`");
    }
}

/// The number in the first row of a table that begins with `label`.
fn row(text: &str, label: &str) -> u64 {
    let line = text.lines().find(|line| line.starts_with(&format!("| {label} |"))).unwrap_or_else(|| panic!("{label}"));
    let digits: String = line.split('|').nth(2).unwrap().chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

#[test]
fn its_numbers_are_those_of_the_last_measurement() {
    let baseline = std::fs::read_to_string(repository().join("xtask/perf-baseline.json")).unwrap();
    let baseline: Value = serde_json::from_str(&baseline).unwrap();
    let speed = std::fs::read_to_string(repository().join("book/src/speed.md")).unwrap();
    let readme = readme();
    let agents = symposium_model::agent::AgentId::names();
    // `AGENT EVENT`, with nothing to do.
    let is_idle =
        |name: &str| name.split_once(' ').is_some_and(|(agent, event)| agents.contains(&agent) && !event.contains(' '));
    let cases = baseline.as_object().unwrap().iter().filter(|(name, _)| is_idle(name));
    let opens = cases.filter_map(|(_, case)| case["opens"].as_u64()).max().unwrap();
    let measured =
        ["instructions", "system calls"].map(|label| (label, row(&speed, &format!("hook: {label}, static"))));
    for (label, worst) in measured.into_iter().chain([("files opened", opens)]) {
        let written = row(&readme, label);
        // Rounded up, and not by much.
        assert!(written >= worst && written <= worst + worst / 10 + 1, "{label}: {written}, measured {worst}");
    }
}

#[test]
fn it_has_the_two_commands_that_are_run_from_it() {
    let readme = readme();
    for (heading, command) in [
        ("## Quick start", "cargo run --release --bin symposium -- init --yes --agent claude"),
        ("## Tests", "cargo test --workspace --locked"),
    ] {
        let section = readme.split(heading).nth(1).unwrap_or_else(|| panic!("{heading}"));
        let block = section.split("```sh\n").nth(1).and_then(|rest| rest.split("\n```").next());
        assert_eq!(block, Some(command), "{heading}");
    }
    let (before, _) = readme.split_once("```sh\n").unwrap();
    let clone = before.split_once("$ git clone ").map(|(_, rest)| rest.lines().next().unwrap_or_default());
    assert_eq!(clone, Some(env!("CARGO_PKG_REPOSITORY")), "a command of a repository needs the repository");
}
