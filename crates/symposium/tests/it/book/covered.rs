//! The crates the program has skills for are listed, and the lines that install the program install this one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::repository;

/// What the skills in the program say of a crate.
#[derive(Default)]
struct Covered {
    versions: Vec<String>,
    skills: Vec<String>,
}

fn skill_files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(skill_files(&path));
        } else if path.file_name().is_some_and(|name| name == "SKILL.md") {
            found.push(path);
        }
    }
    found
}

/// `=1.0` is every 1.x, `=0.8` every 0.8.x, and `=2.1` every 2.x but the first.
fn shown_version(written: &str) -> String {
    let parts: Vec<&str> = written.split('.').collect();
    let fixed = if parts[0] == "0" { 2 } else { 1 };
    let range = format!("{}.x", parts[..fixed.min(parts.len())].join("."));
    let is_whole = parts.iter().skip(fixed).all(|part| *part == "0");
    if is_whole { range } else { format!("{range} from {written}") }
}

#[test]
fn versions_are_shown_as_the_range_that_they_mean() {
    for (written, expected) in [
        ("1", "1.x"),
        ("1.0", "1.x"),
        ("2.1", "2.x from 2.1"),
        ("0.8", "0.8.x"),
        ("0.8.0", "0.8.x"),
        ("0.3.6", "0.3.x from 0.3.6"),
    ] {
        assert_eq!(shown_version(written), expected);
    }
}

/// Numbers in the order of numbers.
fn version_key(shown: &str) -> Vec<u64> {
    shown.split('.').filter_map(|part| part.parse().ok()).collect()
}

fn covered() -> BTreeMap<String, Covered> {
    let mut crates: BTreeMap<String, Covered> = BTreeMap::new();
    for path in skill_files(&repository().join("recommendations")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).map(str::trim).map(str::to_owned);
        let name = value("name:").unwrap();
        for atom in value("crates:").unwrap_or_else(|| panic!("{}", path.display())).split(',') {
            let (krate, version) = atom.trim().split_once('=').unwrap();
            let covered = crates.entry(krate.to_owned()).or_default();
            covered.versions.push(shown_version(version));
            covered.skills.push(format!("`{name}`"));
        }
    }
    for covered in crates.values_mut() {
        covered.versions.sort_by_key(|version| version_key(version));
        covered.versions.dedup();
        covered.skills.sort();
        covered.skills.dedup();
    }
    crates
}

#[test]
fn the_crates_with_skills_are_listed() {
    let crates = covered();
    let mut table = "| crate | versions | skills |\n|---|---|---|\n".to_owned();
    for (name, covered) in &crates {
        table.push_str(&format!("| {name} | {} | {} |\n", covered.versions.join(", "), covered.skills.join(", ")));
    }
    let page = std::fs::read_to_string(repository().join("book/src/covered.md")).unwrap();
    assert!(page.contains(&table), "book/src/covered.md has to have this table:\n{table}");
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap().replace('\n', " ");
    let names: Vec<&str> = crates.keys().map(String::as_str).collect();
    let names = names.join(", ");
    assert!(readme.contains(&names), "README.md has to name them:\n{names}");
}

/// Cargo's registry has another program of this name, older than 0.6; npm and PyPI have others of this plain name.
fn leads_elsewhere(line: &str) -> bool {
    let elsewhere =
        ["npx", "npm install", "npm install --global", "uvx", "uv tool install", "pip install", "pipx install"];
    let is_ours = |rest: &str| rest.split([' ', '`', '@', '"']).next() == Some("symposium");
    if elsewhere.iter().any(|command| line.split(&format!("{command} ")).skip(1).any(is_ours)) {
        return true;
    }
    let installs = ["cargo install", "cargo binstall"].iter().any(|command| {
        line.split(command).skip(1).any(|rest| rest.split(['`', '|']).next().unwrap_or_default().contains("symposium"))
    });
    installs && !["--git", "--path", ">=0.6"].iter().any(|safe| line.contains(safe))
}

#[test]
fn every_line_that_installs_the_program_installs_this_one() {
    for (line, expected) in [
        ("- run: cargo install symposium --locked", true),
        ("`cargo binstall symposium` does it", true),
        ("$ cargo install --path crates/symposium --locked", false),
        ("cargo install symposium --version '>=0.6' --locked", false),
        ("told by `cargo install`, and symposium says", false),
        ("$ npx symposium", true),
        ("`npm install --global symposium@latest`", true),
        ("run `uvx symposium`", true),
        ("npm install --global @symposium-dev/symposium", false),
        ("uvx --from symposium-dev symposium", false),
        ("pip install symposium-dev", false),
    ] {
        assert_eq!(leads_elsewhere(line), expected, "{line}");
    }
    let mut faults = Vec::new();
    let mut open = vec![repository()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                if !name.starts_with('.') && !["target", "node_modules"].contains(&name.as_str()) {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|kind| kind == "md" || kind == "yml") {
                let text = std::fs::read_to_string(&path).unwrap();
                let lines = text.lines().filter(|line| leads_elsewhere(line));
                faults.extend(lines.map(|line| format!("{}: {line}", path.display())));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
