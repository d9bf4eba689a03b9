//! What was compiled, when it last succeeded: `xtask/verified-skills.txt`, one line for each text.

use std::collections::BTreeMap;
use std::fmt;

use super::document::Document;
use super::document::Versions;
use super::table::{Dependencies, Table, render};

/// For each text, by path: the hash of what was compiled, and the crate versions it was compiled with.
#[derive(Default)]
pub(super) struct Record(BTreeMap<String, (String, String)>);

impl Record {
    /// Lines that are not of our form are dropped: their texts then count as not compiled.
    pub(super) fn parse(text: &str) -> Self {
        let entry = |line: &str| {
            let mut parts = line.splitn(3, ' ').map(str::to_owned);
            Some((parts.next()?, (parts.next()?, parts.next()?)))
        };
        Self(text.lines().filter_map(entry).collect())
    }

    pub(super) fn insert(&mut self, document: &Document, sets: &[Dependencies], versions: &[Versions]) {
        let one = |set: &Versions| {
            let crates: Vec<String> = set.iter().map(|(name, version)| format!("{name} {version}")).collect();
            if crates.is_empty() { "std".to_owned() } else { crates.join(", ") }
        };
        let versions: Vec<String> = versions.iter().map(one).collect();
        self.0.insert(document.path.clone(), (hash(document, sets), versions.join(" | ")));
    }

    /// Forgets texts that are gone.
    pub(super) fn retain(&mut self, documents: &[Document]) {
        self.0.retain(|path, _| documents.iter().any(|document| document.path == *path));
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (path, (hash, versions)) in &self.0 {
            writeln!(f, "{path} {hash} {versions}")?;
        }
        Ok(())
    }
}

/// Texts that are not compiled as they are now.
pub(super) fn differences(documents: &[Document], table: &Table, record: &Record) -> Vec<String> {
    let mut problems = table.problems(documents);
    for document in documents {
        let path = &document.path;
        let Some(sets) = table.sets(path) else { continue };
        match record.0.get(path) {
            None => problems.push(format!("`{path}` was never compiled")),
            Some((then, _)) if *then != hash(document, sets) => {
                problems.push(format!("`{path}`, or what it is compiled with, has changed since it was compiled"));
            }
            Some(_) => {}
        }
    }
    let gone = record.0.keys().filter(|path| !documents.iter().any(|document| document.path == **path));
    problems.extend(gone.map(|path| format!("`{path}` is recorded and does not exist")));
    problems
}

/// FNV-1a, 64 bits, over the text and its sets of dependencies. Line ends do not count: git may change them.
fn hash(document: &Document, sets: &[Dependencies]) -> String {
    let sets = sets.iter().map(|set| format!("\0{}", render(set)));
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in document.text.bytes().filter(|byte| *byte != b'\r').chain(sets.flat_map(String::into_bytes)) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(path: &str, text: &str) -> Document {
        Document { path: path.into(), text: text.into() }
    }

    fn table(version: &str) -> Table {
        Table::parse(&format!("[[\"a/SKILL.md\"]]\na = \"{version}\"\n")).unwrap()
    }

    fn recorded(text: &str) -> Record {
        let mut record = Record::default();
        let table = table("1");
        let versions = vec![("a".to_owned(), "1.2.3".to_owned()), ("b".to_owned(), "0.1.0".to_owned())];
        record.insert(&document("a/SKILL.md", text), table.sets("a/SKILL.md").unwrap(), &[versions]);
        Record::parse(&record.to_string())
    }

    #[test]
    fn differences_are_named() {
        let check = |documents: &[Document], table: &Table, record: &Record, expected: &[&str]| {
            let found = differences(documents, table, record);
            assert_eq!(found.len(), expected.len(), "{found:?}");
            assert!(found.iter().zip(expected).all(|(found, part)| found.contains(part)), "{found:?}");
        };
        let same = [document("a/SKILL.md", "one\n")];
        check(&same, &table("1"), &recorded("one\n"), &[]);
        check(&same, &table("1"), &recorded("one\r\n"), &[]);
        check(&same, &table("1"), &recorded("two\n"), &["`a/SKILL.md`, or what"]);
        check(&same, &table("2"), &recorded("one\n"), &["`a/SKILL.md`, or what"]);
        check(&same, &table("1"), &Record::default(), &["never compiled"]);
        check(&[], &table("1"), &recorded("one\n"), &["entry for `a/SKILL.md`", "recorded and does not exist"]);
        check(&same, &Table::parse("").unwrap(), &recorded("one\n"), &["no entry `[[\"a/SKILL.md\"]]`"]);
    }

    #[test]
    fn the_file_is_one_line_for_each_text() {
        assert_eq!(recorded("one\n").to_string(), "a/SKILL.md fe1b123626413ed4 a 1.2.3, b 0.1.0\n");
    }
}
