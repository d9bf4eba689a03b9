//! What it costs to build and to carry the program.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

#[derive(Debug, Clone, Default)]
pub(super) struct BuildCost {
    /// The bytes of the static release.
    pub(super) static_size: u64,
    /// The bytes of the ordinary release.
    pub(super) ordinary_size: Option<u64>,
    /// The packages of others that are linked.
    pub(super) dependencies: Option<u64>,
    /// The packages of others that the hook's crate links.
    pub(super) hook_dependencies: Option<u64>,
    pub(super) clean: Option<CleanBuild>,
}

/// What building everything from nothing takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct CleanBuild {
    /// On this machine as it was.
    pub(super) wall: Duration,
    pub(super) cpu: Duration,
}

/// The size of a program.
pub(super) fn size(program: &Path) -> Result<u64, String> {
    fs::metadata(program).map(|found| found.len()).map_err(|error| format!("`{}`: {error}", program.display()))
}

/// How many packages of others a package links on Linux.
pub(super) fn dependencies(repository: &Path, package: &str) -> Result<u64, String> {
    let mut command = cargo();
    command.args([
        "tree",
        "--locked",
        "--package",
        package,
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]);
    command.args(["--target", "x86_64-unknown-linux-gnu"]).current_dir(repository);
    let run = command.output().map_err(|error| format!("cargo does not start: {error}"))?;
    if !run.status.success() {
        return Err(format!("`cargo tree` failed: {}", String::from_utf8_lossy(&run.stderr)));
    }
    let text = String::from_utf8_lossy(&run.stdout);
    Ok(count(&text))
}

/// The packages in a listing that are not ours.
fn count(listing: &str) -> u64 {
    let lines = listing.lines().map(|line| line.trim_end_matches(" (*)")).filter(|line| !line.is_empty());
    // Ours have a directory behind their version.
    let others: BTreeSet<&str> = lines.filter(|line| !line.contains('/')).collect();
    others.len() as u64
}

/// Builds the ordinary release into an empty directory.
pub(super) fn clean_build(repository: &Path, target: &Path) -> Result<CleanBuild, String> {
    let args = ["build", "--release", "--quiet", "--locked", "--package", "symposium", "--bin", "symposium"];
    let (before, begun) = (children_cpu(), Instant::now());
    let mut command = cargo();
    command.args(args).current_dir(repository).env("CARGO_TARGET_DIR", target).stdout(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(format!("`cargo {}` failed: {status}", args.join(" "))),
        Err(error) => return Err(format!("cargo does not start: {error}")),
    }
    let cpu = children_cpu().zip(before).map(|(after, before)| after.saturating_sub(before));
    Ok(CleanBuild { wall: begun.elapsed(), cpu: cpu.unwrap_or_default() })
}

/// CPU time of all children that ended. The system counts it in hundredths of a second.
fn children_cpu() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields = stat.rsplit_once(')')?.1.split_whitespace();
    // Fields 16 and 17 of proc(5), counted from the state, which is field 3.
    let ticks: u64 = fields.skip(13).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Some(Duration::from_millis(ticks * 10))
}

fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_others_are_counted_once() {
        let listing = "symposium v0.1.0 (/home/user/x)\nserde v1.0.2\nserde_core v1.0.2\n\nserde v1.0.2 (*)\n";
        assert_eq!(count(listing), 2);
    }
}
