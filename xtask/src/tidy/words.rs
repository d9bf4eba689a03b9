//! Words that have no place here: names that say nothing, paths of one machine, marks of unfinished work.

use super::rust_text::{Token, is_ident_byte, line_of};
use super::source_file::SourceFile;
use super::violation::Violation;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 6] = ["util", "utils", "helpers", "common", "manager", "misc"];

/// Folders at the top of a file system that exist on one machine only.
const MACHINE_FOLDERS: [&str; 2] = ["work", "root"];

/// Folders that hold people's homes, and the only person whose home may be shown.
const HOME_FOLDERS: [&str; 2] = ["home", "Users"];
const NOBODY: &str = "user";

/// Marks of unfinished work in comments.
const COMMENT_MARKS: [&str; 3] = ["TODO", "FIXME", "XXX"];

/// Macros that mark unfinished work in code.
const CODE_MARKS: [&str; 2] = ["todo", "unimplemented"];

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in files {
        violations.extend(empty_names(file));
        violations.extend(machine_paths(file));
        if file.is_shipped_rust() {
            let text = file.rust();
            violations.extend(empty_module_names(file, &text.code));
            violations.extend(COMMENT_MARKS.iter().flat_map(|mark| {
                words(&text.comments, mark).map(|at| unfinished(file, line_of(&text.comments, at), mark))
            }));
            violations.extend(text.code.windows(2).filter_map(|pair| match pair {
                [name, sign] if sign.text == "!" && CODE_MARKS.contains(&name.text.as_str()) => {
                    Some(unfinished(file, name.line, &format!("{}!", name.text)))
                }
                _ => None,
            }));
        }
    }
    violations
}

/// Empty names among the folders and the file of a path. What we bundle or imitate may be named as its authors like.
fn empty_names(file: &SourceFile) -> Option<Violation> {
    let bundled = file.path.starts_with("recommendations/") && !file.is_rust();
    if bundled || file.is_fixture() {
        return None;
    }
    let mut parts = file.path.split('/').map(|part| part.split_once('.').map_or(part, |(stem, _)| stem));
    let name = parts.find(|part| is_empty_name(part))?;
    Some(empty_name(file, 1, name))
}

fn empty_module_names(file: &SourceFile, code: &[Token]) -> Vec<Violation> {
    let names = code.windows(3).filter_map(|tokens| match tokens {
        // A module with a file of its own is reported there.
        [keyword, name, brace] if keyword.text == "mod" && brace.text == "{" => Some(name),
        _ => None,
    });
    names.filter(|name| is_empty_name(&name.text)).map(|name| empty_name(file, name.line, &name.text)).collect()
}

fn is_empty_name(name: &str) -> bool {
    let last = name.rsplit(['_', '-']).next().unwrap_or(name);
    EMPTY_NAMES.contains(&last)
}

fn empty_name(file: &SourceFile, line: usize, name: &str) -> Violation {
    Violation {
        file: file.path.clone(),
        line,
        message: format!("The name `{name}` says nothing about what is inside"),
        fix: "name it after the question it answers".to_owned(),
    }
}

fn machine_paths(file: &SourceFile) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (at, _) in file.text.match_indices('/') {
        let before = file.text.get(..at).and_then(|text| text.chars().next_back());
        // Only a path that begins here: not one below a folder, a host, a variable or a pattern.
        if before.is_some_and(|c| c.is_alphanumeric() || "/_-.~}$)>*".contains(c)) {
            continue;
        }
        let mut parts = file.text.get(at + 1..).unwrap_or_default().split('/');
        let top = parts.next().unwrap_or_default();
        let Some(next) = parts.next() else { continue };
        let person: String = next.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-')).collect();
        let somebody = HOME_FOLDERS.contains(&top) && !person.is_empty() && person != NOBODY;
        if somebody || MACHINE_FOLDERS.contains(&top) {
            let shown = if somebody { format!("/{top}/{person}") } else { format!("/{top}/") };
            violations.push(Violation {
                file: file.path.clone(),
                line: line_of(&file.text, at),
                message: format!("`{shown}` is a path of one machine"),
                fix: format!("use a path from the repository root, or `/home/{NOBODY}` in an example"),
            });
        }
    }
    violations
}

fn unfinished(file: &SourceFile, line: usize, mark: &str) -> Violation {
    Violation {
        file: file.path.clone(),
        line,
        message: format!("`{mark}` marks unfinished work"),
        fix: "finish it, or open an issue and say in the code what holds today".to_owned(),
    }
}

/// Where `word` stands alone in `text`.
fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let bytes = text.as_bytes();
    let is_part = move |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(|byte| is_ident_byte(*byte));
    text.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |at| !is_part(at.checked_sub(1)) && !is_part(Some(at + word.len())))
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
