//! `cargo xtask upgrades`: the upgrade guides lead from code that compiles to code that compiles.
//!
//! `xtask/upgrades/NAME` belongs to the guide `NAME-upgrade`: `before.rs` compiles with the old version, `after.rs` is what
//! the guide makes of it and compiles with the new one. Every path in a table of the guide occurs in one of them.
#![expect(clippy::disallowed_methods, reason = "a chore works on its own repository and is no part of the program")]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

/// Runs the chore for the guides that are named, or for all.
pub(crate) fn run(names: &[String]) -> ExitCode {
    let programs = repository().join("xtask").join("upgrades");
    let found =
        fs::read_dir(&programs).map_err(|error| format!("`{}`: {error}", programs.display())).and_then(|list| {
            let names = list.map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()));
            names.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())
        });
    let (mut all, mut problems) = match found {
        Ok(all) => (all, Vec::new()),
        Err(problem) => (Vec::new(), vec![problem]),
    };
    all.sort();
    for name in all.iter().filter(|name| names.is_empty() || names.contains(name)) {
        crate::print::talk(name);
        problems.extend(check(&programs.join(name), name).err());
    }
    for problem in &problems {
        crate::print::talk(&format!("error: {problem}"));
    }
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn check(directory: &Path, name: &str) -> Result<(), String> {
    let [before, after] = [read(&directory.join("before.rs"))?, read(&directory.join("after.rs"))?];
    let guide = find_guide(&repository().join("recommendations"), &format!("{name}-upgrade"))
        .ok_or_else(|| format!("there is no skill `{name}-upgrade`"))?;
    let missing = missing_names(&read(&guide)?, &before, &after);
    if !missing.is_empty() {
        return Err(format!("{name}: its programs do not contain {}", missing.join(", ")));
    }
    let versions = read(&directory.join("versions.toml"))?;
    let (old, new) = versions
        .strip_prefix("[before]\n")
        .and_then(|rest| rest.split_once("[after]\n"))
        .ok_or_else(|| format!("`{name}/versions.toml` does not consist of `[before]` and `[after]`"))?;
    compile(&format!("upgrade-{name}-before"), &before, old)?;
    compile(&format!("upgrade-{name}-after"), &after, new)
}

/// Finds the last parts of paths in tables of two columns that the program of their side does not contain.
fn missing_names(guide: &str, before: &str, after: &str) -> Vec<String> {
    let mut missing = Vec::new();
    for row in guide.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")) {
        let [old, new] = row.split(" | ").collect::<Vec<_>>()[..] else { continue };
        for (cell, program) in [(old, before), (new, after)] {
            let words = program.split(|c: char| !c.is_alphanumeric() && c != '_');
            if let Some(name) = path_end(cell).filter(|name| !words.clone().any(|word| word == *name)) {
                missing.push(format!("`{name}`"));
            }
        }
    }
    missing
}

/// Returns the last part of the path that a cell begins with, if the cell has one code span.
fn path_end(cell: &str) -> Option<&str> {
    let [_, code, _] = cell.split('`').collect::<Vec<_>>()[..] else { return None };
    let path = code.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':')).next()?;
    path.rsplit_once("::").map(|(_, end)| end).filter(|end| !end.is_empty())
}

fn compile(package: &str, code: &str, dependencies: &str) -> Result<(), String> {
    let base = repository().join("target").join("skills");
    let project = base.join("upgrades").join(package);
    let package_lines = format!("name = \"{package}\"\nversion = \"0.0.0\"\nedition = \"2021\"\npublish = false\n");
    let manifest = format!("[package]\n{package_lines}\n[workspace]\n\n[dependencies]\n{dependencies}");
    let write = |path: &str, text: &str| {
        let path = project.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&path)).and_then(|()| fs::write(&path, text))
    };
    write("Cargo.toml", &manifest)
        .and_then(|()| write("src/lib.rs", &format!("#![deny(warnings)]\n{code}")))
        .map_err(|error| format!("`{}`: {error}", project.display()))?;
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["check", "--quiet", "--tests"])
        .current_dir(&project)
        .env("CARGO_TARGET_DIR", base.join("build"))
        .output()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{package} does not compile\n{}", String::from_utf8_lossy(&output.stderr)))
}

fn find_guide(directory: &Path, name: &str) -> Option<PathBuf> {
    let file = directory.join(name).join("SKILL.md");
    if file.is_file() {
        return Some(file);
    }
    let below = fs::read_dir(directory).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    below.filter(|path| path.is_dir()).find_map(|path| find_guide(&path, name))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("`{}`: {error}", path.display()))
}

fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_tables_are_found_in_the_programs() {
        for (cell, expected) in [
            ("`rand::thread_rng()`", Some("thread_rng")),
            ("`Uniform::new(a, b)?`", Some("new")),
            ("`tonic::body::BoxBody` (0.12)", Some("BoxBody")),
            ("`LifetimeDef`", None),
            ("`a::b`, `a::c`", None),
            ("no provider", None),
        ] {
            assert_eq!(path_end(cell), expected, "{cell}");
        }
        let guide = "| old | new |\n|---|---|\n| `a::b` | `a::c()` |\n| `a::d` | gone |\n";
        assert_eq!(missing_names(guide, "a::b; d", "x.c();"), Vec::<String>::new());
        assert_eq!(missing_names(guide, "a::bb; d", "x;"), ["`b`", "`c`"]);
    }

    #[test]
    fn every_program_contains_the_names_of_its_guide() {
        for entry in fs::read_dir(repository().join("xtask/upgrades")).unwrap() {
            let directory = entry.unwrap().path();
            let name = directory.file_name().unwrap().to_string_lossy().into_owned();
            let guide = find_guide(&repository().join("recommendations"), &format!("{name}-upgrade")).unwrap();
            let [before, after] = ["before.rs", "after.rs"].map(|file| read(&directory.join(file)).unwrap());
            let missing = missing_names(&read(&guide).unwrap(), &before, &after);
            assert!(missing.is_empty(), "{name}: {missing:?}");
        }
    }
}
