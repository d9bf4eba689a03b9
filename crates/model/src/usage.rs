//! Counts of skill loads: short lines appended to one file, and the sums of them.
//!
//! A line has a count, a time, an agent, the hash of a workspace, and a name. Nothing else of a session is kept.

use std::path::Path;

use crate::hook::hook_plan::hash;

/// The number of counts to keep, those of the latest loads.
pub const MOST: usize = 500;

/// In bytes; a longer name of a skill or crate is not counted.
const MAX_NAME: usize = 128;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadKind {
    Skill,
    Crate,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadCount {
    pub kind: LoadKind,
    pub name: String,
    /// The hash of the workspace's path.
    pub workspace: u64,
    pub count: u64,
    /// The time of the last load, in seconds since 1970.
    pub last: u64,
    pub agent: String,
}

/// Returns the hash that identifies a workspace; 0 for work outside any.
pub fn workspace_number(root: Option<&Path>) -> u64 {
    root.map_or(0, |root| hash(root.to_string_lossy().as_bytes()))
}

impl LoadCount {
    /// Formats the line; returns `None` for an invalid name, since names come from agents.
    pub fn to_line(&self) -> Option<String> {
        let letter = match self.kind {
            LoadKind::Skill => 's',
            LoadKind::Crate => 'c',
        };
        let Self { name, workspace, count, last, agent, .. } = self;
        let is_usable = is_name(name) && is_name(agent);
        is_usable.then(|| format!("{count} {last} {agent} {workspace:016x} {letter} {name}\n"))
    }

    fn from_line(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split(' ').collect();
        let [count, last, agent, workspace, letter, name] = words.as_slice() else { return None };
        let kind = match *letter {
            "s" => LoadKind::Skill,
            "c" => LoadKind::Crate,
            _ => return None,
        };
        let found = Self {
            kind,
            name: (*name).to_owned(),
            workspace: u64::from_str_radix(workspace, 16).ok()?,
            count: count.parse().ok()?,
            last: last.parse().ok()?,
            agent: (*agent).to_owned(),
        };
        (is_name(name) && is_name(agent)).then_some(found)
    }
}

fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !name.is_empty() && name.len() <= MAX_NAME && name.chars().all(is_plain)
}

/// Sums up the lines of the file: one count for each thing in each workspace. Invalid lines are ignored.
pub fn read_counts(text: &str) -> Vec<LoadCount> {
    let mut counts: Vec<LoadCount> = Vec::new();
    for found in text.lines().filter_map(LoadCount::from_line) {
        let is_same = |known: &&mut LoadCount| {
            known.kind == found.kind && known.workspace == found.workspace && known.name == found.name
        };
        match counts.iter_mut().find(is_same) {
            Some(known) => {
                known.count = known.count.saturating_add(found.count);
                if found.last >= known.last {
                    known.last = found.last;
                    known.agent = found.agent;
                }
            }
            None => counts.push(found),
        }
    }
    counts
}

/// Writes the same counts in as few lines as possible, without the oldest of very many.
pub fn folded_text(text: &str) -> String {
    let mut counts = read_counts(text);
    counts.sort_by_key(|found| std::cmp::Reverse(found.last));
    counts.truncate(MOST);
    counts.iter().filter_map(LoadCount::to_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(name: &str, last: u64, agent: &str) -> LoadCount {
        let (name, agent) = (name.to_owned(), agent.to_owned());
        LoadCount { kind: LoadKind::Skill, name, workspace: 7, count: 1, last, agent }
    }

    #[test]
    fn lines_add_up_and_folding_changes_no_count() {
        let lines: String = [load("rand", 5, "claude"), load("rand", 9, "codex"), load("serde", 6, "claude")]
            .iter()
            .filter_map(LoadCount::to_line)
            .collect();
        let text = format!("{lines}what is this\n1 2 claude zz s x\n1 5 claude 8 s rand\n1 2 claude 7 s");
        let counts = read_counts(&text);
        assert_eq!(counts.len(), 3, "{counts:?}");
        assert_eq!(counts.first(), Some(&LoadCount { count: 2, ..load("rand", 9, "codex") }));
        let folded = folded_text(&text);
        assert_eq!(folded.lines().count(), 3);
        assert_eq!(folded_text(&folded), folded);
    }

    #[test]
    fn names_that_are_none_leave_no_line() {
        for name in ["", "a b", "a\nb", "../x", "ü", &"x".repeat(200)] {
            assert_eq!(load(name, 1, "claude").to_line(), None, "{name}");
        }
    }

    #[test]
    fn only_the_latest_of_very_many_stay() {
        let lines: String =
            (0..MOST as u64 + 50).filter_map(|at| load(&format!("s{at}"), at, "claude").to_line()).collect();
        let folded = folded_text(&lines);
        assert_eq!(folded.lines().count(), MOST);
        assert!(!folded.contains(" s0\n") && folded.contains(&format!(" s{}\n", MOST + 49)));
    }
}
