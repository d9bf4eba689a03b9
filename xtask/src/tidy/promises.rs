//! Every test that SECURITY.md names exists.

use std::collections::BTreeSet;

use super::source_file::SourceFile;
use super::violation::Violation;

const PAGE: &str = "SECURITY.md";

/// Finds names of tests that no Rust file has.
pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let Some(page) = files.iter().find(|file| file.path == PAGE) else { return Vec::new() };
    let functions: BTreeSet<&str> =
        files.iter().filter(|file| file.is_rust()).flat_map(|file| functions(&file.text)).collect();
    let mut violations = Vec::new();
    for (index, line) in page.text.lines().enumerate() {
        for name in line.split('`').skip(1).step_by(2).filter(|name| is_test_name(name)) {
            if !functions.contains(name) {
                violations.push(Violation {
                    file: PAGE.to_owned(),
                    line: index + 1,
                    message: format!("There is no test `{name}`"),
                    fix: "name the test that holds this promise now, or bring it back".to_owned(),
                });
            }
        }
    }
    violations
}

/// The names of functions, wherever they are.
fn functions(text: &str) -> impl Iterator<Item = &str> {
    text.split("fn ").skip(1).filter_map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next())
}

/// Tests are sentences: lower case, several words.
fn is_test_name(word: &str) -> bool {
    let letters = word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    letters && word.matches('_').count() >= 2
}

#[cfg(test)]
mod tests {
    use super::super::source_file::files;
    use super::*;

    #[test]
    fn names_without_a_test_are_found() {
        let page = "| a promise | `it_is_kept_here`, `it_is_not_kept` |\nrun `cargo xtask tidy` in `a_b`\n";
        let found = check(&files(&[("SECURITY.md", page), ("a/tests/b.rs", "#[test]\nfn it_is_kept_here() {}\n")]));
        let lines: Vec<String> =
            found.iter().map(|violation| format!("{}: {}", violation.line, violation.message)).collect();
        assert_eq!(lines, ["1: There is no test `it_is_not_kept`"]);
    }
}
