//! Judges whether a shell command really compiled or tested something, and whether any test ran.

use crate::nextest_line::{NextestLine, read_nextest_line};
use crate::shell_script::{OutputReader, ScriptRun, find_script_runs};
use crate::status_line::{StatusLine, read_status};
use crate::terminal_codes::strip_terminal_codes;
use crate::test_suite::{TestTotals, is_suite_start};

/// The result of a command with a cargo check, clippy, build or test in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunVerdict {
    pub outcome: RunOutcome,
    pub tests: TestPresence,
}

/// Whether the compiler and the tests had nothing to object to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunOutcome {
    Succeeded,
    Failed,
    /// Neither the exit code nor the output tells.
    Unclear,
}

/// Whether a test command ran any test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestPresence {
    /// It was not a test command, or it was to compile only.
    NotAsked,
    NoneRan,
    SomeRan,
    Unclear,
}

/// Judges a shell command by its text, output and exit code; none if it has no cargo check, clippy, build or test.
///
/// Behind a pipe, `|| true` or `;` the exit code is that of another program: there the output has to show success.
pub fn judge_run(command: &str, output: &str, exit_code: Option<i32>) -> Option<RunVerdict> {
    if !command.contains("cargo") {
        return None;
    }
    let runs = find_script_runs(command)?;
    if runs.is_empty() {
        return None;
    }
    let clean = strip_terminal_codes(output);
    let shown = ShownResults::read(&clean);
    let decides = runs.iter().any(|run| run.decides_exit);
    let tests_asked = runs.iter().any(|run| run.is_test);
    let outcome = match exit_code {
        _ if shown.error => RunOutcome::Failed,
        Some(0) if decides && shown.is_whole() => RunOutcome::Succeeded,
        Some(0) | None if shown.success(&runs) => RunOutcome::Succeeded,
        Some(0) | None => RunOutcome::Unclear,
        Some(_) => RunOutcome::Failed,
    };
    Some(RunVerdict { outcome, tests: if tests_asked { shown.tests(&runs) } else { TestPresence::NotAsked } })
}

/// The results that an output shows.
#[derive(Debug, Clone, Copy, Default)]
struct ShownResults {
    error: bool,
    finished: bool,
    totals: TestTotals,
    /// Test programs that began.
    started: u64,
    /// A summary of nextest, and how many tests it counts.
    summary: Option<u64>,
}

impl ShownResults {
    fn read(output: &str) -> Self {
        let mut shown = Self::default();
        for line in output.lines() {
            let line = without_line_number(line);
            shown.error |= shows_error(line);
            shown.started += u64::from(is_suite_start(line));
            shown.finished |= read_status(line) == Some(StatusLine::Finished) || says_ok(line);
            if let Some(totals) = TestTotals::parse(line.trim_start()) {
                shown.totals.add(totals);
            } else if line.starts_with("0 tests ran") || line.starts_with("error: no tests to run") {
                shown.summary = shown.summary.or(Some(0));
            } else if let Some(totals) = read_summary(line) {
                let number = totals.split(['/', ' ']).next().and_then(|number| number.parse().ok());
                shown.summary = number.or(shown.summary);
                shown.error |= totals.contains(" failed") || totals.contains(" timed out");
            }
        }
        shown
    }

    /// Whether every test program that began has a result.
    fn is_whole(&self) -> bool {
        self.started <= self.totals.suites
    }

    /// Whether the output says that all went well, of tests if tests were asked for.
    fn success(&self, runs: &[ScriptRun]) -> bool {
        // The beginning of an output says nothing about its end.
        if runs.iter().any(|run| run.reader == OutputReader::Beginning) {
            return false;
        }
        if runs.iter().any(|run| run.is_test) {
            (self.totals.suites > 0 && self.is_whole()) || self.summary.is_some()
        } else {
            self.finished
        }
    }

    fn tests(&self, runs: &[ScriptRun]) -> TestPresence {
        let ran = self.totals.ran().max(self.summary.unwrap_or(0));
        if ran > 0 {
            TestPresence::SomeRan
        } else if self.totals.suites + self.summary.map_or(0, |_| 1) > 0
            && runs.iter().all(|run| run.reader == OutputReader::Direct)
        {
            TestPresence::NoneRan
        } else {
            TestPresence::Unclear
        }
    }
}

/// The totals of nextest, also of a line that was shortened.
fn read_summary(line: &str) -> Option<&str> {
    match read_nextest_line(line) {
        Some(NextestLine::Summary(totals)) => Some(totals),
        Some(NextestLine::Noise | NextestLine::Passed | NextestLine::Other(_)) => None,
        None => line.strip_prefix("Summary [").and_then(|rest| rest.split_once("] ")).map(|(_, totals)| totals),
    }
}

/// Removes `12:` or `12-`, which `grep -n` puts before a line.
fn without_line_number(line: &str) -> &str {
    let text = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = text.len() < line.len();
    text.strip_prefix([':', '-']).filter(|_| is_numbered).unwrap_or(line)
}

/// Tells whether the short form of an output says only that a command succeeded.
fn says_ok(line: &str) -> bool {
    line.strip_prefix("cargo ").and_then(|rest| rest.strip_suffix(": ok")).is_some_and(|word| !word.contains(' '))
}

fn shows_error(line: &str) -> bool {
    let text = line.trim_start();
    text.starts_with("error:")
        || text.starts_with("error[")
        || text.starts_with("test result: FAILED")
        || text.starts_with("warning: build failed")
        || (text.starts_with("test ") && text.ends_with(" ... FAILED"))
        || text.contains("error: could not compile ")
        || text.contains(": error[E")
        || text.contains("cargo: command not found")
        || text.contains("cargo: not found")
}

#[cfg(test)]
#[path = "run_verdict_tests.rs"]
mod tests;
