//! Every Rust file is part of a crate: a file that no `mod` leads to is silently not compiled, and its tests never run.

use std::collections::BTreeSet;

use super::module_tree::{Scope, modules, roots};
use super::source_file::SourceFile;
use super::violation::Violation;

/// Finds files below `src/` and below folders of integration tests that no `mod` leads to, in the crates in `folders`.
pub(super) fn check(files: &[SourceFile], folders: &[&str]) -> Vec<Violation> {
    folders.iter().flat_map(|folder| check_crate(files, folder)).collect()
}

fn check_crate(files: &[SourceFile], folder: &str) -> Vec<Violation> {
    let sources = (format!("{folder}/src/"), roots(files, folder));
    // `tests/<name>/main.rs` is one test program with its modules beside it.
    let test_programs = files.iter().filter_map(|file| {
        let name = file.path.strip_prefix(folder)?.strip_prefix("/tests/")?.strip_suffix("/main.rs")?;
        (!name.contains('/')).then(|| (format!("{folder}/tests/{name}/"), vec![file.path.as_str()]))
    });
    std::iter::once(sources).chain(test_programs).flat_map(|(below, roots)| undeclared(files, &below, &roots)).collect()
}

fn undeclared(files: &[SourceFile], below: &str, roots: &[&str]) -> Vec<Violation> {
    let declared: BTreeSet<String> =
        roots.iter().flat_map(|root| modules(files, root, Scope::Everything)).map(|module| module.file).collect();
    files
        .iter()
        .filter(|file| file.is_rust() && !file.is_fixture())
        .filter(|file| file.path.starts_with(below) && !declared.contains(&file.path))
        .map(|file| {
            let from = match roots {
                [root] => format!("`{root}`"),
                _ => format!("a root file in `{below}`"),
            };
            Violation {
                file: file.path.clone(),
                line: 1,
                message: format!("No `mod` leads from {from} to this file, so it is not compiled"),
                fix: "declare it with `mod` in its parent, or delete it".to_owned(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::source_file::files;
    use super::*;

    fn check_files(entries: &[(&str, &str)], expected: &[&str]) {
        let found: Vec<String> = check(&files(entries), &["c"]).into_iter().map(|violation| violation.file).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn declared_files_are_fine() {
        check_files(
            &[
                ("c/src/lib.rs", "mod a; #[cfg(test)] #[path = \"x_tests.rs\"] mod tests;"),
                ("c/src/a.rs", ""),
                ("c/src/x_tests.rs", ""),
                ("c/src/bin/tool.rs", ""),
                ("c/tests/prop.rs", ""),
                ("c/tests/it/main.rs", "mod start; mod plugin;"),
                ("c/tests/it/start.rs", ""),
                ("c/tests/it/plugin/mod.rs", "mod list;"),
                ("c/tests/it/plugin/list.rs", ""),
                ("c/tests/it/fixtures/x/src/lib.rs", ""),
                ("c/build.rs", ""),
                ("d/src/lost.rs", ""),
            ],
            &[],
        );
    }

    #[test]
    fn forgotten_files_are_named() {
        check_files(
            &[
                ("c/src/main.rs", "mod a; // mod lost;"),
                ("c/src/a.rs", ""),
                ("c/src/lost.rs", ""),
                ("c/tests/it/main.rs", "mod start;"),
                ("c/tests/it/start.rs", ""),
                ("c/tests/it/why.rs", ""),
                ("c/tests/it/plugin/list.rs", ""),
            ],
            &["c/src/lost.rs", "c/tests/it/why.rs", "c/tests/it/plugin/list.rs"],
        );
    }
}
