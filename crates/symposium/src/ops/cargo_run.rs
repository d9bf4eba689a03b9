//! Runs cargo and shortens its output.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::{ExitCode, ExitStatus};
use std::sync::Arc;

use symposium_cargo_output::{is_shortened, shorten_bytes};
use symposium_hook::relay::{self, HeldSignals, RelayResult, RelayedProgram};
use symposium_io::env;
use symposium_io::env::NamesakeProgram;
use symposium_model::config::AppDirectories;

use super::cargo_shim::{NAME, is_wanted};
use super::environment::is_plain_call;
use super::held_output::{HeldOutput, OutputCopy};
use crate::error::CliError;

/// The file with the whole output is named if this many bytes, and one part in so many, are left out.
const LEAST_SAVED: usize = 1024;
const LEAST_PART: usize = 5;

/// A run of cargo that ended, before its output is shortened.
pub(crate) struct EndedRun<'a> {
    arguments: Vec<&'a str>,
    /// The whole output; empty if it was printed already.
    whole: Arc<Vec<u8>>,
    copy: Option<OutputCopy>,
    result: CargoResult,
}

/// The text to print after a run of cargo.
pub(crate) struct CargoReport {
    pub(crate) output: Vec<u8>,
    /// The file with the whole output, if much was left out.
    pub(crate) kept: Option<PathBuf>,
    pub(crate) result: CargoResult,
}

/// The end of cargo, which is to be the end of this process.
pub(crate) struct CargoResult {
    status: ExitStatus,
    /// Holds back a signal that arrived meanwhile.
    _signals: Option<HeldSignals>,
}

impl EndedRun<'_> {
    /// Returns the whole output, for the case that it cannot be shortened.
    pub(crate) fn whole(&self) -> Arc<Vec<u8>> {
        Arc::clone(&self.whole)
    }

    /// Returns the exit code with which a shell tells how cargo ended.
    pub(crate) fn shell_code(&self) -> u8 {
        relay::shell_code(self.result.status)
    }

    pub(crate) fn shorten(self) -> CargoReport {
        let Self { arguments, whole, copy, result } = self;
        // A cargo that a signal ended has no exit code, and did not succeed.
        let exit_code = result.status.code().unwrap_or(1);
        let output = shorten_bytes(&arguments, &whole, Some(exit_code)).into_owned();
        let kept = match copy {
            Some(copy) if output.len() < whole.len() => Some(copy.keep()),
            Some(copy) => {
                copy.remove();
                None
            }
            None => None,
        };
        let kept = kept.filter(|_| is_much_shorter(whole.len(), output.len()));
        CargoReport { output, kept, result }
    }
}

impl CargoResult {
    pub(crate) fn end(self) -> ExitCode {
        relay::end_as(self.status)
    }
}

/// The name by which this program was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallName {
    Symposium,
    /// The shim: everything but a plain command of an agent gets cargo's own output.
    Cargo,
}

/// Runs cargo. Its output is held if no terminal shows it and it can be shortened; otherwise `print` gets it at once.
pub(crate) fn run(
    arguments: &[OsString],
    name: CallName,
    print: impl FnMut(&[u8]) + Send + 'static,
) -> Result<EndedRun<'_>, CliError> {
    let words: Option<Vec<&str>> = arguments.iter().map(|argument| argument.to_str()).collect();
    let words = words.unwrap_or_default();
    let is_seen = || io::stdout().is_terminal() || io::stderr().is_terminal();
    let is_asked_for = || name == CallName::Symposium || (!changes_format() && is_plain_call() && is_wanted());
    let cargo = find_cargo()?;
    let variables = [("PATH", cargo.path), (env::NAMESAKES, cargo.tried)];
    let cargo = RelayedProgram { file: &cargo.file, args: arguments, variables: &variables };
    if !is_shortened(&words) || is_seen() || !is_asked_for() {
        let status = relay::hand_over(&cargo).map_err(|error| explain_failure(&error))?;
        let result = CargoResult { status, _signals: None };
        return Ok(EndedRun { arguments: words, whole: Arc::default(), copy: None, result });
    }
    let relayed = relay::run_relayed(&cargo, HeldOutput::new(print)).map_err(|error| explain_failure(&error))?;
    let RelayResult { status, receiver: HeldOutput { held, copy, .. }, signals } = relayed;
    // After a signal the output was printed, but may not be read any more.
    let copy = copy.filter(|_| held.is_some());
    let result = CargoResult { status, _signals: Some(signals) };
    Ok(EndedRun { arguments: words, whole: Arc::new(held.unwrap_or_default()), copy, result })
}

/// Whether a variable asks cargo for more output than usual.
fn changes_format() -> bool {
    env::is_set("CARGO_TERM_VERBOSE")
}

/// Returns a run that ended with an exit code, for tests.
#[cfg(all(test, unix))]
pub(crate) fn ended_run(code: i32, output: &[u8]) -> EndedRun<'static> {
    use std::os::unix::process::ExitStatusExt;
    let result = CargoResult { status: ExitStatus::from_raw(code << 8), _signals: None };
    EndedRun { arguments: vec!["build"], whole: Arc::new(output.to_vec()), copy: None, result }
}

/// Finds the user's cargo, which does not find the shim on its PATH.
fn find_cargo() -> Result<NamesakeProgram, CliError> {
    let usual = || NamesakeProgram { file: NAME.into(), path: env::path(), tried: OsString::new() };
    let shim = AppDirectories::resolve(&env::directory_variables()).map(|directories| directories.shim());
    let found = env::find_namesake(NAME, shim.as_deref()).or_else(|| (!cfg!(unix)).then(usual));
    found.ok_or_else(|| explain_failure(&io::ErrorKind::NotFound.into()))
}

fn is_much_shorter(whole: usize, short: usize) -> bool {
    let saved = whole.saturating_sub(short);
    saved >= LEAST_SAVED && saved >= whole / LEAST_PART
}

fn explain_failure(error: &io::Error) -> CliError {
    match error.kind() {
        io::ErrorKind::NotFound => CliError::failed("Failed to run `cargo`: it is not on PATH")
            .hint("install Rust from https://rustup.rs, or add cargo's directory to PATH"),
        _ => CliError::failed(format!("Failed to run `cargo`: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_if_much_is_left_out() {
        for (whole, short, expected) in [
            (10_000, 8_000, true),
            (10_000, 8_001, false),
            (2_000, 976, true),
            (2_000, 977, false),
            (100, 0, false),
            (0, 0, false),
        ] {
            assert_eq!(is_much_shorter(whole, short), expected, "{whole} {short}");
        }
    }
}
