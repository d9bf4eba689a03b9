//! Names of types and functions, the first words of doc comments, and which layer imports which.

use std::collections::BTreeMap;

use super::declarations::{FileDeclarations, FunctionFact, TypeDeclaration, TypeVisibility};
use super::module_names::references;
use super::naming_rule::{NamingOffender, NamingRule};
use super::source_file::SourceFile;

/// The file with the glossary, and the heading above it.
const GLOSSARY: &str = "ARCHITECTURE.md";
const HEADING: &str = "## Glossary";

/// Types that every crate or command may have under this name.
const USUAL_TYPES: [&str; 2] = ["Error", "Args"];

/// Types that a file of `cli` may have under this name if no other file sees them.
const CLI_TYPES: [&str; 2] = ["Row", "Document"];

/// One-word types besides the glossary: the command line, and what every operation is handed.
const PROGRAM_TYPES: [&str; 3] = ["Cli", "Context", "Progress"];

const FUNCTION_NAMES: [&str; 5] = ["of", "look", "settle", "told", "heard"];
const QUESTION_WORDS: [&str; 6] = ["What", "Whatever", "Whoever", "Where", "Who", "How"];
const VAGUE_WORDS: [&str; 4] = ["somebody", "nobody", "anybody", "whoever"];

/// Finds every place that breaks a rule, listed or not.
pub(super) fn find(files: &[SourceFile]) -> Vec<NamingOffender> {
    let glossary = glossary(files);
    let mut found = Vec::new();
    let mut types: BTreeMap<String, Vec<(&SourceFile, usize)>> = BTreeMap::new();
    for file in files.iter().filter(|file| is_checked(file)) {
        let declared = FileDeclarations::read(file);
        for declared in declared.types.iter().filter(|declared| !is_usual(file, declared)) {
            types.entry(declared.name.clone()).or_default().push((file, declared.line));
            if is_one_word(&declared.name) && !glossary.contains(&declared.name) {
                found.push(offender(NamingRule::OneWordType, declared.name.clone(), file, declared.line));
            }
        }
        let facts = |rule: NamingRule, facts: Vec<FunctionFact>| {
            facts.into_iter().map(move |fact| offender(rule, fact.function, file, fact.line))
        };
        let misnamed = declared.functions.into_iter().filter(|fact| {
            let name = fact.function.rsplit("::").next().unwrap_or_default();
            FUNCTION_NAMES.contains(&name)
        });
        found.extend(facts(NamingRule::FunctionName, misnamed.collect()));
        found.extend(facts(NamingRule::TupleParameter, declared.tuple_parameters));
        if file.path.starts_with("crates/symposium/") {
            found.extend(facts(NamingRule::MutableContext, declared.mutable_contexts));
        }
        found.extend(headless_docs(file));
        found.extend(vague_words(file));
        found.extend(imports(file));
    }
    for (name, places) in types.into_iter().filter(|(_, places)| places.len() > 1) {
        found.extend(places.into_iter().map(|(file, line)| offender(NamingRule::TypeTwice, name.clone(), file, line)));
    }
    found
}

/// Whether the rules hold for a file: shipped code of the program.
fn is_checked(file: &SourceFile) -> bool {
    file.is_shipped_rust()
        && file.path.starts_with("crates/")
        && file.path.contains("/src/")
        && !file.path.starts_with("crates/testkit/")
}

fn offender(rule: NamingRule, subject: String, file: &SourceFile, line: usize) -> NamingOffender {
    NamingOffender { rule, subject, file: file.path.clone(), line }
}

/// The one-word types that are fine: the bold words of the glossary, and the usual ones.
fn glossary(files: &[SourceFile]) -> Vec<String> {
    let page = files.iter().find(|file| file.path == GLOSSARY).map_or("", |file| &file.text);
    let lines = page.lines().skip_while(|line| *line != HEADING).skip(1).take_while(|line| !line.starts_with("## "));
    let words = lines.flat_map(|line| line.split("**").skip(1).step_by(2)).map(|word| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default()
    });
    words.chain(PROGRAM_TYPES.map(str::to_owned)).collect()
}

fn is_usual(file: &SourceFile, declared: &TypeDeclaration) -> bool {
    let name = declared.name.as_str();
    let is_cli_own = file.path.contains("/cli/") && declared.visibility == TypeVisibility::Private;
    USUAL_TYPES.contains(&name) || (is_cli_own && CLI_TYPES.contains(&name))
}

fn is_one_word(name: &str) -> bool {
    name.chars().filter(char::is_ascii_uppercase).count() == 1
}

/// Doc comments that begin with a question word and ask nothing.
fn headless_docs(file: &SourceFile) -> Vec<NamingOffender> {
    let doc = |line: &str| {
        let line = line.trim();
        line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(|text| text.trim().to_owned())
    };
    let lines: Vec<Option<String>> = file.rust().comments.lines().map(doc).collect();
    let mut found = Vec::new();
    let mut before = false;
    for (index, line) in lines.iter().enumerate() {
        let begins = !std::mem::replace(&mut before, line.is_some());
        let Some(text) = line.as_ref().filter(|_| begins) else { continue };
        let first = text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
        if QUESTION_WORDS.contains(&first) {
            let block: Vec<&str> = lines.iter().skip(index).map_while(|line| line.as_deref()).collect();
            let asks =
                block.join(" ").split_inclusive(['.', '?', ':', ';']).next().is_some_and(|end| end.ends_with('?'));
            if !asks {
                found.push(offender(NamingRule::HeadlessDoc, text.clone(), file, index + 1));
            }
        }
    }
    found
}

/// Lines with a word for a person who is not named, in code, text and comments.
fn vague_words(file: &SourceFile) -> Vec<NamingOffender> {
    let tests = &file.rust().tests;
    let mut at = 0;
    let mut found = Vec::new();
    for (index, line) in file.text.split_inclusive('\n').enumerate() {
        let first = at + (line.len() - line.trim_start().len());
        at += line.len();
        let lower = line.to_ascii_lowercase();
        let mut words = lower.split(|letter: char| !letter.is_alphanumeric());
        if words.any(|word| VAGUE_WORDS.contains(&word)) && !tests.iter().any(|test| test.contains(&first)) {
            found.push(offender(NamingRule::VagueWord, line.trim().to_owned(), file, index + 1));
        }
    }
    found
}

/// Imports that a layer must not have.
fn imports(file: &SourceFile) -> Vec<NamingOffender> {
    let Some(path) = file.path.strip_prefix("crates/").and_then(|path| path.split_once("/src/")) else {
        return Vec::new();
    };
    let (krate, path) = path;
    let name = path.rsplit('/').next().unwrap_or_default();
    let decides = path.split('/').any(|part| matches!(part.trim_end_matches(".rs"), "diff" | "desired"));
    let in_layer = |layer: &str| krate == "symposium" && path.starts_with(layer);
    let mut found: Vec<NamingOffender> = Vec::new();
    for reference in references(&file.rust().code) {
        let parts: Vec<&str> = reference.parts.iter().map(String::as_str).collect();
        let broken = match parts.as_slice() {
            ["crate", "ui", rest @ ..] if in_layer("app/") || in_layer("ops/") => {
                let fine = rest.first() == Some(&"prompt") || rest.contains(&"Progress");
                (!fine).then_some(NamingRule::UiImport)
            }
            ["symposium_io", ..] if decides => Some(NamingRule::DecisionImport),
            ["symposium_io" | "symposium_edit", ..] if in_layer("cli/") => Some(NamingRule::CliImport),
            _ => None,
        };
        if let Some(rule) = broken {
            // Of another crate it is enough to say once that it is used.
            let imported = match rule {
                NamingRule::UiImport => parts.join("::"),
                _ => parts.first().copied().unwrap_or_default().to_owned(),
            };
            let subject = format!("{name} uses {imported}");
            if found.iter().all(|known| known.subject != subject) {
                found.push(offender(rule, subject, file, reference.line));
            }
        }
    }
    found
}

#[cfg(test)]
#[path = "naming_tests.rs"]
mod tests;
