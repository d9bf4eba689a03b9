//! `cargo xtask perf`: what the program costs, against its budgets and an earlier run.
//!
//! The static release, the ordinary one and a program that does nothing are built first. Then every event of every agent
//! is answered, and every command run that people wait for, in homes with no plugin up to 10 000, which `symposium init`
//! itself sets up.
#![expect(clippy::disallowed_methods, reason = "a chore works on its own repository and is no part of the program")]

mod active_plugins;
mod baseline;
mod book;
mod budget;
mod build_cost;
mod cases;
mod chart;
mod checks;
mod commands;
mod counts;
mod figures;
mod home;
mod job;
mod options;
mod peer_sync;
mod places;
mod programs;
mod public_items;
mod report;
mod rounds;
mod scale;
mod session_start;
mod table;
mod times;
mod workspace;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use figures::Measured;
use options::Options;
use report::Report;

pub(crate) fn run(args: &[String]) -> ExitCode {
    let Some(options) = options::read(args) else {
        crate::print::talk(options::USAGE);
        return ExitCode::from(2);
    };
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        crate::print::talk("skipped: the budgets are for 64-bit Linux on Intel and AMD");
        return ExitCode::SUCCESS;
    }
    match perform(&options) {
        Ok(report) => {
            crate::print::data(&report.text);
            if report.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(problem) => {
            crate::print::talk(&format!("error: {problem}"));
            ExitCode::FAILURE
        }
    }
}

fn perform(options: &Options) -> Result<Report, String> {
    let repository = repository();
    let measured = rounds::measure(&repository, options)?;
    if options.write_book {
        book::write(&repository, &measured)?;
    }
    report::compose(&measured, &known(&repository, options, &measured)?)
}

/// The counts of an earlier run; those of this one if it is to be kept.
fn known(repository: &Path, options: &Options, measured: &Measured) -> Result<baseline::Baseline, String> {
    let file = repository.join(baseline::FILE);
    let about = |error: String| format!("`{}`: {error}", baseline::FILE);
    if options.write_baseline {
        fs::write(&file, baseline::render(&measured.counts())).map_err(|error| about(error.to_string()))?;
    }
    let text = fs::read_to_string(&file).map_err(|error| about(error.to_string()))?;
    baseline::parse(&text).map_err(about)
}

/// The root of this repository.
fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}
