//! `cargo xtask guidance-check`: the crates that files of real repositories name, held against the crates that the hook
//! tells an agent about.
//!
//! The truth comes from `syn` and the manifests alone. Every direct dependency gets a skill, and the real program answers
//! an event for each file.

#![expect(clippy::disallowed_methods, reason = "a chore reads repositories and starts the program")]

mod agent;
mod manifests;
mod truth;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use self::agent::ToldAgent;
use self::manifests::{PackageFacts, read_packages};
use crate::print;

/// The part of the named crates that must be told.
const LEAST: f64 = 0.99;

/// The results for one repository.
#[derive(Debug, Default)]
struct CheckCounts {
    files: usize,
    unparsed: usize,
    named: usize,
    told: usize,
    missed: Vec<String>,
    wrong: Vec<String>,
}

impl CheckCounts {
    fn row(&self, name: &str) -> String {
        let Self { files, unparsed, named, told, missed, wrong } = self;
        let part = if *named == 0 { 100.0 } else { 100.0 * ratio(*told, *named) };
        format!(
            "| {name} | {files} | {unparsed} | {named} | {told} | {} | {part:.2} % | {} |",
            missed.len(),
            wrong.len()
        )
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of files")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// Prints a table with a row for each repository, and fails when too little or anything wrong is told.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let [program, repositories @ ..] = arguments else {
        print::talk("Usage: cargo xtask guidance-check PROGRAM REPOSITORY…");
        return ExitCode::from(2);
    };
    let mut total = CheckCounts::default();
    print::data(
        "| repository | files | not parsed | named | told | missed | part | wrong |\n|---|---|---|---|---|---|---|---|",
    );
    for repository in repositories {
        let counts = match check(Path::new(program), Path::new(repository)) {
            Ok(counts) => counts,
            Err(error) => {
                print::talk(&format!("error: {repository}: {error}"));
                return ExitCode::FAILURE;
            }
        };
        let name = Path::new(repository).file_name().unwrap_or_default().to_string_lossy().replace('+', "/");
        print::data(&counts.row(&name));
        for (what, list) in [("missed", &counts.missed), ("wrong", &counts.wrong)] {
            for line in list {
                print::talk(&format!("  {what}: {line}"));
            }
        }
        total.files += counts.files;
        total.unparsed += counts.unparsed;
        total.named += counts.named;
        total.told += counts.told;
        total.missed.extend(counts.missed);
        total.wrong.extend(counts.wrong);
    }
    print::data(&total.row("all"));
    let is_right = total.wrong.is_empty() && ratio(total.told, total.named.max(1)) >= LEAST;
    if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn check(program: &Path, repository: &Path) -> Result<CheckCounts, String> {
    let repository = std::fs::canonicalize(repository).map_err(|error| error.to_string())?;
    let packages = read_packages(&repository)?;
    let crates: BTreeSet<&str> =
        packages.iter().flat_map(|package| package.dependencies.values()).map(String::as_str).collect();
    let program = std::fs::canonicalize(program).map_err(|error| error.to_string())?;
    let agent = ToldAgent::new(&program, &repository, &crates)?;
    let mut counts = CheckCounts::default();
    for package in &packages {
        for file in rust_files(package, &packages) {
            check_file(&agent, package, &file, &mut counts);
        }
    }
    Ok(counts)
}

fn check_file(agent: &ToldAgent<'_>, package: &PackageFacts, file: &Path, counts: &mut CheckCounts) {
    counts.files += 1;
    let Ok(text) = std::fs::read_to_string(file) else { return };
    let Ok(syntax) = syn::parse_file(&text) else {
        counts.unparsed += 1;
        return;
    };
    let named: BTreeSet<&str> = truth::named_crates(&syntax, &package.dependencies);
    let told = agent.read_file(file);
    let shown = file.display();
    counts.named += named.len();
    counts.told += named.iter().filter(|name| told.contains(**name)).count();
    counts.missed.extend(named.iter().filter(|name| !told.contains(**name)).map(|name| format!("{shown}: {name}")));
    let is_wrong = |name: &&String| !named.contains(name.as_str());
    counts.wrong.extend(told.iter().filter(is_wrong).map(|name| format!("{shown}: {name}")));
}

/// Returns the Rust files of a package without those of packages inside it.
fn rust_files(package: &PackageFacts, packages: &[PackageFacts]) -> Vec<PathBuf> {
    let is_other = |directory: &Path| {
        directory != package.directory
            && (packages.iter().any(|other| other.directory == directory) || directory.join("Cargo.toml").exists())
    };
    let mut files = Vec::new();
    let mut open = vec![package.directory.clone()];
    while let Some(directory) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&directory) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && !path.is_symlink() && !name.starts_with('.') && name != "target" && !is_other(&path) {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") && path.is_file() {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
