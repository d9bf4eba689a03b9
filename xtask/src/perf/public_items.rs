//! Questions about public items: a large crate for the first time and again, and words over many dependencies.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use serde_json::Value;

use super::counts::{Counters, Counts};
use super::figures::ApiFigures;
use super::home::{Contents, Home};
use super::job::Job;
use super::programs::Programs;
use super::times::{Cost, Entrant, Meter};
use super::workspace::Shape;

/// The crates of `cargo xtask api-check`.
const CRATES: &str = include_str!("../../api-crates.toml");
/// How many of them the project depends on. [`NEEDED`] is one of them.
const DEPENDENCIES: usize = 50;
const NEEDED: &str = "tokio =";
/// How often the index of one crate is made from nothing; the least counts. Of the others only the memory is compared.
const COLD_ROUNDS: u32 = 3;
const WARM_ROUNDS: u32 = 50;
const HOME: Shape = Shape { packages: 10, members: 1 };
/// The directory of crates.io in cargo's cache.
const REGISTRY: &str = ".cargo/registry/src/index.crates.io-1949cf8c6b5b557f";

/// The mark of a package that cargo has unpacked as a whole.
const UNPACKED: &str = ".cargo-ok";

const CRATE: [&str; 2] = ["api", "tokio"];
const PATH: [&str; 2] = ["api", "tokio::sync::Semaphore"];
const WORDS: [&str; 3] = ["api", "spawn", "blocking"];
/// A crate with a million items, in files that are nearly too large.
const HUGE: [&str; 2] = ["api", "huge"];
const HUGE_FILES: usize = 5;
const HUGE_ITEMS: usize = 200_000;

/// Measures the static release; nothing where the crates are not on this machine.
pub(super) fn measure(
    base: &Path,
    programs: &Programs,
    (counters, meter): (Counters, &Meter),
) -> Result<Option<ApiFigures>, String> {
    let contents = Contents { plugins: 10, skills: 1, handler: None, projects: &[HOME] };
    let home = Home::create(base, "items", &contents, &programs.shipped)?;
    let directory = base.join("items");
    let project = directory.join("project-items");
    let Some(dependencies) = write_project(&directory, &project)? else {
        crate::print::talk(
            "skipped: the crates of `cargo xtask api-check` are not on this machine, which fetches them",
        );
        return Ok(None);
    };
    crate::print::talk(&format!("asking for public items of {dependencies} dependencies"));
    let huge = directory.join("project-huge");
    write_huge(&huge).map_err(|error| format!("`{}`: {error}", huge.display()))?;
    let job = |args: &[&str]| home.job(&args.join(" "), if args == HUGE { &huge } else { &project }, args);
    let entrant = |program: &Path, job: Job| Entrant { program: program.to_owned(), job };
    let cache = directory.join(".symposium/cache/api");
    let mut cold = Vec::new();
    for (args, rounds) in [(&CRATE[..], COLD_ROUNDS), (&HUGE[..], 1), (&WORDS[..], 1)] {
        let mut best: Option<Cost> = None;
        for _ in 0..rounds {
            drop(fs::remove_dir_all(&cache));
            for cost in meter.measure(1, &[entrant(&programs.shipped, job(args))])? {
                best = Some(best.map_or(cost, |best| best.least(cost)));
            }
        }
        cold.extend(best.map(|best| (args.join(" "), best)));
    }
    let asked = [&CRATE[..], &PATH[..], &WORDS[..]];
    let mut entrants: Vec<Entrant> = asked.iter().map(|args| entrant(&programs.shipped, job(args))).collect();
    entrants.push(entrant(&programs.nothing, job(&[])));
    let mut costs = meter.measure(WARM_ROUNDS, &entrants)?;
    let nothing = costs.pop().ok_or("the meter reported too little")?;
    let warm = asked.iter().map(|args| args.join(" ")).zip(costs).collect();
    let mut counts = Counts::default();
    for args in asked {
        counts = counts.worst(counters.count(&programs.shipped, &job(args))?);
    }
    let cache_bytes = directory_size(&cache).map_err(|error| format!("`{}`: {error}", cache.display()))?;
    Ok(Some(ApiFigures { dependencies, cold, warm, nothing, counts, cache_bytes }))
}

/// Writes a project, and into the home's cargo cache the sources of everything that it needs. Returns the number of direct
/// dependencies; nothing if some are not on this machine.
fn write_project(home: &Path, project: &Path) -> Result<Option<usize>, String> {
    let about = |error: io::Error| format!("`{}`: {error}", project.display());
    let all = CRATES.split_inclusive('\n').filter(|line| line.contains(" = "));
    let (mut dependencies, others): (Vec<&str>, Vec<&str>) = all.partition(|line| line.starts_with(NEEDED));
    dependencies.extend(others.into_iter().take(DEPENDENCIES - dependencies.len()));
    let head = "[package]\nname = \"asking\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n[dependencies]\n";
    fs::create_dir_all(project.join("src")).map_err(about)?;
    fs::write(project.join("src/lib.rs"), "").map_err(about)?;
    fs::write(project.join("Cargo.toml"), head.to_owned() + &dependencies.concat()).map_err(about)?;
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["metadata", "--offline", "--format-version", "1", "--filter-platform", "x86_64-unknown-linux-gnu"]);
    let output = cargo.current_dir(project).output().map_err(|error| format!("cargo does not start: {error}"))?;
    if !output.status.success() {
        return Ok(None);
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let packages = metadata.get("packages").and_then(Value::as_array).into_iter().flatten();
    for package in packages.filter(|package| package.get("source").is_some_and(Value::is_string)) {
        let manifest = PathBuf::from(package.get("manifest_path").and_then(Value::as_str).unwrap_or_default());
        let Some((from, name)) = manifest.parent().and_then(|from| Some((from, from.file_name()?))) else { continue };
        copy_source(from, &home.join(REGISTRY).join(name)).map_err(about)?;
    }
    Ok(Some(dependencies.len()))
}

/// Writes a project that depends on the crate with a million items.
fn write_huge(project: &Path) -> io::Result<()> {
    let package = |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    let entry = |name: &str, more: &str| format!("[[package]]\nname = \"{name}\"\nversion = \"0.1.0\"\n{more}");
    for directory in [project.join("src"), project.join("huge/src")] {
        fs::create_dir_all(&directory)?;
        fs::write(directory.join("lib.rs"), "")?;
    }
    fs::write(project.join("Cargo.toml"), package("asking") + "[dependencies]\nhuge = { path = \"huge\" }\n")?;
    fs::write(project.join("huge/Cargo.toml"), package("huge"))?;
    let needs = entry("asking", "dependencies = [\"huge\"]\n") + &entry("huge", "");
    fs::write(project.join("Cargo.lock"), format!("version = 4\n{needs}"))?;
    let modules: Vec<String> = (0..HUGE_FILES).map(|file| format!("pub mod part_{file};\n")).collect();
    fs::write(project.join("huge/src/lib.rs"), modules.concat())?;
    let items: Vec<String> = (0..HUGE_ITEMS).map(|item| format!("pub fn f{item}() {{}}\n")).collect();
    (0..HUGE_FILES).try_for_each(|file| fs::write(project.join(format!("huge/src/part_{file}.rs")), items.concat()))
}

/// Copies a directory of sources with everything below it.
fn copy_source(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (entry, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
        let target = to.join(entry.file_name().unwrap_or_default());
        let is_source = entry.extension().is_some_and(|end| end == "rs" || end == "toml" || end == "md")
            || entry.ends_with(UNPACKED);
        if kind.is_dir() {
            copy_source(&entry, &target)?;
        } else if kind.is_file() && is_source {
            fs::copy(&entry, &target)?;
        }
    }
    Ok(())
}

fn directory_size(directory: &Path) -> io::Result<u64> {
    fs::read_dir(directory)?.map(|entry| Ok(entry?.metadata()?.len())).sum()
}
