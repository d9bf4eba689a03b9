//! `cargo xtask e2e`: builds Symposium as it is, and hands over to the harness that runs the real agents with it.

#![expect(clippy::disallowed_methods, reason = "chores start cargo; `symposium-io` is not theirs")]

use std::process::{Command, ExitCode};

use crate::print;

/// Builds what is needed and runs the harness.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    // Built one after the other: together, the harness's features would count for the program as well.
    for package in ["symposium", "symposium-e2e"] {
        match cargo(&["build", "--quiet", "--package", package], &[]) {
            Ok(0) => {}
            Ok(_) => return ExitCode::FAILURE,
            Err(why) => return failed(&why),
        }
    }
    match cargo(&["run", "--quiet", "--package", "symposium-e2e", "--"], arguments) {
        Ok(code) => ExitCode::from(code),
        Err(why) => failed(&why),
    }
}

fn failed(why: &str) -> ExitCode {
    print::talk(&format!("error: {why}"));
    ExitCode::FAILURE
}

/// Runs cargo to its end; its exit code.
fn cargo(first: &[&str], rest: &[String]) -> Result<u8, String> {
    // Set by `cargo run`: the very cargo that built this.
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let folder = env!("CARGO_MANIFEST_DIR");
    let status = Command::new(program).args(first).args(rest).current_dir(folder).status();
    let status = status.map_err(|error| format!("`cargo` did not start: {error}"))?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
