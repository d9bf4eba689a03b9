//! The skills that passed, with a hash of what was tested: one line for each.

use std::collections::BTreeMap;
use std::fmt;

use symposium_model::hook::hook_plan::hash;
use symposium_model::skill_text::DependencySet;

/// Changes when a skill that passed could fail today.
const FORMAT: u32 = 1;

/// For each skill by its path: the hash, and the versions that it was tested with.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PassedRecord(BTreeMap<String, PassedLine>);

#[derive(Debug, PartialEq, Eq)]
struct PassedLine {
    hash: String,
    versions: String,
}

impl PassedRecord {
    /// Lines of another form are dropped: their skills are tested again.
    pub(super) fn parse(text: &str) -> Self {
        let lines = text.lines().filter_map(|line| {
            let (path, rest) = line.split_once(": ")?;
            let (hash, versions) = rest.split_once(' ').unwrap_or((rest, ""));
            Some((path.to_owned(), PassedLine { hash: hash.to_owned(), versions: versions.to_owned() }))
        });
        Self(lines.collect())
    }

    pub(super) fn has(&self, path: &str, hash: &str) -> bool {
        self.0.get(path).is_some_and(|line| line.hash == hash)
    }

    pub(super) fn set(&mut self, path: &str, hash: String, versions: &[String]) {
        self.0.insert(path.to_owned(), PassedLine { hash, versions: versions.join(" | ") });
    }

    pub(super) fn remove(&mut self, path: &str) {
        self.0.remove(path);
    }

    /// The paths that are recorded.
    pub(super) fn paths(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

impl fmt::Display for PassedRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (path, PassedLine { hash, versions }) in &self.0 {
            writeln!(f, "{}", format!("{path}: {hash} {versions}").trim_end())?;
        }
        Ok(())
    }
}

/// Sums up a skill and its dependencies. Line ends do not count: git may change them.
pub(super) fn hash_skill(text: &str, sets: &[DependencySet]) -> String {
    let mut whole = format!("{FORMAT}\n{}", text.replace('\r', ""));
    for set in sets {
        whole.push('\0');
        whole.push_str(&set.text());
    }
    format!("{:016x}", hash(whole.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_one_line_for_each_skill() {
        let mut record = PassedRecord::default();
        record.set("b/SKILL.md", hash_skill("text", &[]), &["b 1.2.3".to_owned(), "b 1.0.0".to_owned()]);
        record.set("a/SKILL.md", hash_skill("other", &[]), &[]);
        let read = PassedRecord::parse(&format!("no line\n{record}"));
        assert_eq!(read, record);
        assert_eq!(read.paths(), ["a/SKILL.md", "b/SKILL.md"]);
        assert!(read.has("b/SKILL.md", &hash_skill("text", &[])));
        assert!(!read.has("b/SKILL.md", &hash_skill("text\n", &[])));
        assert!(!read.has("b/SKILL.md", &hash_skill("text", &[DependencySet::default()])));
        assert_eq!(hash_skill("a\r\n", &[]), hash_skill("a\n", &[]));
    }
}
