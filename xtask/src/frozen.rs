//! `cargo xtask frozen`: whether any recorded output changed.
//!
//! One fingerprint for each kind of recorded output: the bodies of `expect!`, golden files, and schemas. Where a body stands
//! does not count, nor in which order: a change that only renames or moves code leaves every fingerprint alone.

#![expect(clippy::disallowed_methods, reason = "chores read the repository they belong to")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use sha2::{Digest, Sha256};

use crate::print;
use crate::tidy::repository;

/// The fingerprints of the last time.
const LIST: &str = "xtask/frozen.txt";

/// Compares the fingerprints with those of the last time, or writes them.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let root = repository::root();
    let files = repository::files(&root);
    let now = fingerprints(files.iter().map(|file| (file.path.as_str(), file.text.as_str())));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] => compare(&root, &now),
        ["--write"] => match repository::write(&root, LIST, &now) {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => fail(&why),
        },
        _ => fail("frozen knows `--write` only"),
    }
}

fn fail(why: &str) -> ExitCode {
    print::talk(&format!("error: {why}"));
    ExitCode::from(2)
}

fn compare(root: &Path, now: &str) -> ExitCode {
    let before = fs::read_to_string(root.join(LIST)).unwrap_or_default();
    for line in now.lines().filter(|line| !before.lines().any(|old| old == *line)) {
        print::data(&format!("changed: {line}"));
    }
    if before == now {
        print::data("frozen: every recorded output is as it was");
        ExitCode::SUCCESS
    } else {
        print::data("frozen: recorded output changed; `git diff` shows where, `cargo xtask frozen --write` accepts it");
        ExitCode::FAILURE
    }
}

/// One line for each kind: its name, how many bodies there are, and the fingerprint of all of them.
fn fingerprints<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let (mut expected, mut golden, mut schemas, mut cases) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (path, text) in files {
        let is_in = |folder: &str| path.starts_with("crates/") && path.contains(folder);
        if path.starts_with("crates/") && path.strip_suffix(".rs").is_some() {
            if let Ok(stream) = text.parse() {
                collect(stream, &mut expected);
            }
        } else if is_in("/tests/golden/") {
            golden.push(text.to_owned());
        } else if path.starts_with("schemas/") {
            schemas.push(text.to_owned());
        } else if is_in("/tests/cases/") {
            cases.push(text.to_owned());
        }
    }
    let mut lines = String::new();
    for (name, bodies) in [("expect!", expected), ("golden", golden), ("schemas", schemas), ("edit cases", cases)] {
        let _ = writeln!(lines, "{name}: {} bodies, sha256 {}", bodies.len(), fingerprint(bodies));
    }
    lines
}

/// Collects the literals that `expect![…]` and `expect![[…]]` hold, wherever they are.
fn collect(stream: TokenStream, found: &mut Vec<String>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    for (index, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        let before = |back: usize| index.checked_sub(back).and_then(|at| trees.get(at)).map(ToString::to_string);
        if before(1).as_deref() == Some("!") && before(2).as_deref() == Some("expect") {
            found.push(body(group.stream()));
        } else {
            collect(group.stream(), found);
        }
    }
}

/// The text of a literal as `expect!` compares it: without the indentation of the code around it.
fn body(stream: TokenStream) -> String {
    match stream.into_iter().next() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => body(group.stream()),
        Some(TokenTree::Literal(literal)) => {
            let text = syn::parse_str::<syn::LitStr>(&literal.to_string())
                .map_or_else(|_| literal.to_string(), |text| text.value());
            let indentation = |line: &&str| line.len() - line.trim_start().len();
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let shared = lines.map(|line| indentation(&line)).min().unwrap_or_default();
            let lines: Vec<&str> = text.lines().map(|line| line.get(shared..).unwrap_or_default()).collect();
            lines.join("\n")
        }
        _ => String::new(),
    }
}

fn fingerprint(mut bodies: Vec<String>) -> String {
    bodies.sort();
    let mut hash = Sha256::new();
    for body in bodies {
        hash.update(body.len().to_le_bytes());
        hash.update(body);
    }
    hash.finalize()
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_code(code: &str) -> String {
        fingerprints([("crates/a/src/x.rs", code)].into_iter())
    }

    #[test]
    fn moves_and_renames_leave_a_fingerprint_alone() {
        let code = "fn a() {\n    check(1, expect![[r#\"\n        one\n          two\n    \"#]]);\n    b(expect![\"x\"]);\n}\n";
        let moved = "mod m {\n    fn renamed() {\n        b(expect![\"x\"]);\n        other(expect![[r##\"\n            one\n              two\n        \"##]]);\n    }\n}\n";
        assert_eq!(of_code(code), of_code(moved));
        assert!(of_code(code).starts_with("expect!: 2 bodies, sha256 "));
        for changed in [
            code.replace("two", "too"),
            code.replace("          two", "        two"),
            code.replace("b(expect![\"x\"]);", ""),
        ] {
            assert_ne!(of_code(code), of_code(&changed), "{changed}");
        }
    }

    #[test]
    fn files_count_by_what_they_hold() {
        let files = |paths: [&'static str; 2]| fingerprints(paths.into_iter().zip(["a", "b"]));
        let before = files(["crates/x/tests/golden/a.txt", "schemas/a.json"]);
        assert_eq!(before, files(["crates/y/tests/golden/c.txt", "schemas/d.json"]));
        assert_ne!(before, files(["schemas/a.json", "crates/x/tests/golden/a.txt"]));
    }
}
