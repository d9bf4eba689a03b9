//! `cargo xtask skills`: every Rust block of the recommendations compiles against the crate versions it is written for.
//!
//! A full run needs the registry and some minutes. So its result is recorded, with a hash of each text, and a unit test
//! compares the record: a skill that was edited and not compiled again fails `cargo test` at once.
#![expect(clippy::disallowed_methods, reason = "a chore works on its own repository and is no part of the program")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use document::Document;
use record::Record;
use table::Table;

mod blocks;
mod document;
mod record;
mod scratch;
mod table;

const TABLE: &str = "xtask/skills.toml";
const RECORD: &str = "xtask/verified-skills.txt";

/// Says how the chore is called.
pub(crate) fn usage() -> ExitCode {
    crate::print::talk("Usage: cargo xtask skills [--check | NAME…]");
    ExitCode::from(2)
}

/// Runs the chore: `--check` compares the record, names restrict the run to skills whose path contains one of them.
pub(crate) fn run(args: &[String]) -> ExitCode {
    let result = match args {
        [flag] if flag == "--check" => check(),
        names if names.iter().all(|name| !name.starts_with('-')) => verify(names),
        _ => return usage(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problems) => {
            for problem in problems {
                crate::print::talk(&format!("error: {problem}"));
            }
            ExitCode::FAILURE
        }
    }
}

/// Everything the chore knows before it compiles anything.
struct State {
    documents: Vec<Document>,
    table: Table,
    record: Record,
}

impl State {
    fn read() -> Result<Self, String> {
        let root = repository();
        let table = Table::parse(&text(&root.join(TABLE))?).map_err(|error| format!("`{TABLE}`: {error}"))?;
        let record = root.join(RECORD);
        let record = if record.exists() { Record::parse(&text(&record)?) } else { Record::default() };
        Ok(Self { documents: document::all(&root.join("recommendations"))?, table, record })
    }
}

fn check() -> Result<(), Vec<String>> {
    let state = State::read().map_err(|error| vec![error])?;
    let mut problems = document::frontmatter_problems(&state.documents);
    problems.extend(record::differences(&state.documents, &state.table, &state.record));
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

fn verify(names: &[String]) -> Result<(), Vec<String>> {
    let State { documents, table, mut record } = State::read().map_err(|error| vec![error])?;
    let mut problems = document::frontmatter_problems(&documents);
    problems.extend(table.problems(&documents));
    let mut count = 0;
    for document in &documents {
        let wanted = names.is_empty() || names.iter().any(|name| document.path.contains(name.as_str()));
        let Some(sets) = table.sets(&document.path).filter(|_| wanted) else { continue };
        let blocks = match blocks::extract(&document.text) {
            Ok(blocks) => blocks,
            Err(faults) => {
                problems.extend(faults.iter().map(|fault| format!("{}:{}: {}", document.path, fault.line, fault.what)));
                continue;
            }
        };
        let mut versions = Vec::new();
        for (index, dependencies) in sets.iter().enumerate() {
            match scratch::compile(&repository(), document, index, &blocks, dependencies) {
                Ok(found) => versions.push(found),
                Err(errors) => problems.extend(errors),
            }
        }
        if versions.len() == sets.len() {
            problems.extend(document.unverified_atoms(&versions));
            count += blocks.len();
            record.insert(document, sets, &versions);
        }
    }
    record.retain(&documents);
    if !problems.is_empty() {
        return Err(problems);
    }
    fs::write(repository().join(RECORD), record.to_string()).map_err(|error| vec![format!("`{RECORD}`: {error}")])?;
    crate::print::talk(&format!("{count} blocks compile"));
    Ok(())
}

/// The root of this repository.
fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

fn text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("`{}`: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_skill_was_compiled_as_it_is_now() {
        let state = State::read().unwrap();
        let problems = record::differences(&state.documents, &state.table, &state.record);
        assert!(problems.is_empty(), "{}\nrun `cargo xtask skills`", problems.join("\n"));
    }

    #[test]
    fn every_frontmatter_follows_the_house_form() {
        let state = State::read().unwrap();
        let problems = document::frontmatter_problems(&state.documents);
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}
