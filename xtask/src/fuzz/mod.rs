//! `cargo xtask fuzz`: feeds every parser and editor with what nobody would write, for minutes.
//!
//! With cargo-fuzz and a nightly toolchain libFuzzer makes up the inputs, guided by what they reach; without, the
//! package's own driver mutates the corpus. Both run the functions that the tests run.

#![expect(clippy::disallowed_methods, reason = "chores start cargo; `symposium-io` is not theirs")]

mod report;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::print;
use report::{Run, executions, table};

const USAGE: &str = "\
Usage: cargo xtask fuzz [--minutes N] [--plain] [TARGET…]

  --minutes N   how long for each target; 1 if not said
  --plain       do not use libFuzzer, even if it is there
  TARGET        only these; `cargo run -p symposium-fuzz -- --list` names them";

/// More memory than this for one input is a fault.
const MEGABYTES: u32 = 512;

struct Options {
    minutes: f64,
    plain: bool,
    targets: Vec<String>,
}

pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let Some(options) = read(arguments) else {
        print::talk(USAGE);
        return ExitCode::from(2);
    };
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    if options.plain || !has_libfuzzer() {
        return plainly(&repository, &options);
    }
    let targets = match all_targets(&repository) {
        Ok(mut all) => {
            all.retain(|(name, _)| options.targets.is_empty() || options.targets.contains(name));
            all
        }
        Err(why) => {
            print::talk(&format!("error: {why}"));
            return ExitCode::FAILURE;
        }
    };
    let mut runs = Vec::new();
    for (target, seeds) in targets {
        let run = with_libfuzzer(&repository, &target, &seeds, options.minutes);
        print::talk(&format!(
            "{}: {} executions{}",
            run.target,
            run.executions,
            if run.broken { ", BROKEN" } else { "" }
        ));
        runs.push(run);
    }
    print::data(&table(&runs));
    if runs.iter().any(|run| run.broken) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn read(arguments: &[String]) -> Option<Options> {
    let mut options = Options { minutes: 1.0, plain: false, targets: Vec::new() };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--minutes" => options.minutes = arguments.next()?.parse().ok()?,
            "--plain" => options.plain = true,
            option if option.starts_with('-') => return None,
            target => options.targets.push(target.to_owned()),
        }
    }
    Some(options)
}

fn has_libfuzzer() -> bool {
    let mut asked = nightly(&["fuzz", "--version"]);
    asked.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Cargo of the nightly toolchain. The one that runs this chore would not understand `+nightly`, so rustup is asked.
fn nightly(arguments: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]).args(arguments).env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
    command
}

/// Every target, with the directories of its seeds.
fn all_targets(repository: &Path) -> Result<Vec<(String, Vec<PathBuf>)>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let listed = Command::new(cargo)
        .args(["run", "--quiet", "--package", "symposium-fuzz", "--", "--list"])
        .current_dir(repository)
        .output()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if !listed.status.success() {
        return Err(String::from_utf8_lossy(&listed.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    let target = |line: &str| {
        let mut words = line.split(' ').map(str::to_owned);
        Some((words.next()?, words.map(|directory| repository.join(directory)).filter(|path| path.is_dir()).collect()))
    };
    Ok(text.lines().filter_map(target).collect())
}

fn plainly(repository: &Path, options: &Options) -> ExitCode {
    print::talk("without libFuzzer (`cargo install cargo-fuzz` and a nightly toolchain bring it)");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--release", "--package", "symposium-fuzz", "--", "--minutes"]);
    let status = command.arg(options.minutes.to_string()).args(&options.targets).current_dir(repository).status();
    if status.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn with_libfuzzer(repository: &Path, target: &str, seeds: &[PathBuf], minutes: f64) -> Run {
    let working = repository.join("target/fuzz-corpus").join(target);
    let made = std::fs::create_dir_all(&working);
    let mut command = nightly(&["fuzz", "run", "--sanitizer", "none", "--fuzz-dir"]);
    command.arg(repository.join("fuzz/libfuzzer")).arg("--target-dir").arg(repository.join("target/libfuzzer"));
    command.arg(target).arg(&working).args(seeds);
    command.arg("--").arg(format!("-max_total_time={}", (minutes * 60.0).round())).arg("-print_final_stats=1");
    command.args(["-max_len=65536", "-timeout=10"]).arg(format!("-rss_limit_mb={MEGABYTES}"));
    command.current_dir(repository);
    let (broken, text) = match made.and_then(|()| command.output()) {
        Ok(output) => (!output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => (true, error.to_string()),
    };
    if broken {
        print::talk(&text);
    }
    Run { target: target.to_owned(), minutes, executions: executions(&text), broken }
}
