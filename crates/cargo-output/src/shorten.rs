//! Shortens the output of one cargo command.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::backtrace::shorten_backtrace;
use crate::captured_output::{is_backtrace_advice, shorten_captured};
use crate::diagnostic_group::is_diagnostic_start;
use crate::nextest_line::{NextestLine, drop_wrapper, is_output_line, is_output_start, read_nextest_line};
use crate::short_text::ShortText;
use crate::status_line::{StatusLine, read_status, suite_name};
use crate::subcommand::{CargoSubcommand, shortenable_subcommand};
use crate::summary_line::{OutputCounts, is_covered_summary, is_rerun_advice};
use crate::terminal_codes::strip_terminal_codes;
use crate::test_suite::{
    FailureList, TestLine, TestTotals, captured_name, find_failure_lists, find_list, find_section_end, is_suite_start,
    read_test_line,
};

/// Tells whether the output of `cargo ARGUMENTS` is one that can be shortened.
pub fn is_shortened<A: AsRef<str>>(arguments: &[A]) -> bool {
    shortenable_subcommand(arguments).is_some()
}

/// Shortens the text that `cargo ARGUMENTS` printed on both of its streams.
///
/// Returns the original when the command is not one of those that are understood, or when nothing is to be gained.
pub fn shorten_output<'o, A: AsRef<str>>(arguments: &[A], output: &'o str, exit_code: Option<i32>) -> Cow<'o, str> {
    let Some(subcommand) = shortenable_subcommand(arguments) else { return Cow::Borrowed(output) };
    let clean = strip_terminal_codes(output);
    let lines: Vec<&str> = clean.lines().collect();
    let mut shortener = OutputShortener::new(&lines);
    shortener.read_all();
    match shortener.finish(subcommand, exit_code) {
        Some(short) if short.len() < output.len() => Cow::Owned(short),
        Some(_) | None => Cow::Borrowed(output),
    }
}

/// Shortens output that may not be UTF-8; what is returned unchanged is byte for byte the original.
pub fn shorten_bytes<'o, A: AsRef<str>>(arguments: &[A], output: &'o [u8], exit_code: Option<i32>) -> Cow<'o, [u8]> {
    let text = String::from_utf8_lossy(output);
    match shorten_output(arguments, &text, exit_code) {
        Cow::Owned(short) if short.len() < output.len() => Cow::Owned(short.into_bytes()),
        Cow::Owned(_) | Cow::Borrowed(_) => Cow::Borrowed(output),
    }
}

/// Whether lines are cargo's and the compiler's, or those of a test program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OutputPhase {
    Build,
    TestRun,
}

struct OutputShortener<'l, 'o> {
    lines: &'l [&'o str],
    text: ShortText<'o>,
    phase: OutputPhase,
    /// Test programs that began and did not end; one inside another was started by a test, and its results are no totals.
    open_suites: usize,
    counts: OutputCounts,
    lists: Vec<FailureList<'o>>,
    /// Tests that the lists name.
    listed: HashSet<&'o str>,
    /// Tests that failed in the test program that is running.
    failed: HashSet<&'o str>,
    /// The start of a test program that was not shown yet.
    suite: Option<&'o str>,
    /// Cargo named the test program that is running. Its line may come late, since it is on the other stream.
    is_named: bool,
    started: u64,
    totals: TestTotals,
    /// Tests that nextest reported with a line of their own, with the first word of that line.
    reported: HashSet<(&'o str, &'o str)>,
    finished: bool,
    /// The number of totals of nextest.
    summaries: u64,
    /// A test program began, and its result is missing.
    is_unfinished: bool,
}

impl<'l, 'o> OutputShortener<'l, 'o> {
    fn new(lines: &'l [&'o str]) -> Self {
        let lists = find_failure_lists(lines);
        let listed = lists.iter().flat_map(|list| list.names.iter().copied()).collect();
        Self {
            lines,
            text: ShortText::default(),
            phase: OutputPhase::Build,
            open_suites: 0,
            counts: OutputCounts::count(lines),
            lists,
            listed,
            failed: HashSet::new(),
            suite: None,
            is_named: false,
            started: 0,
            totals: TestTotals::default(),
            reported: HashSet::new(),
            finished: false,
            summaries: 0,
            is_unfinished: false,
        }
    }

    fn read_all(&mut self) {
        let mut at = 0;
        while let Some(line) = self.lines.get(at).copied() {
            at = self.read_line(at, line).max(at + 1);
        }
    }

    /// Reads what begins at a line, and returns the line after it.
    fn read_line(&mut self, at: usize, line: &'o str) -> usize {
        if line.is_empty() {
            self.text.add_blank();
            return at + 1;
        }
        if is_suite_start(line) {
            self.open_suites += 1;
            if self.open_suites > 1 {
                return self.keep_line(at, line);
            }
            self.phase = OutputPhase::TestRun;
            self.is_named = self.suite.is_some();
            self.failed.clear();
            return self.drop_line(at);
        }
        if let Some(totals) = TestTotals::parse(line) {
            self.open_suites = self.open_suites.saturating_sub(1);
            if self.open_suites > 0 {
                return self.keep_line(at, line);
            }
            self.totals.add(totals);
            self.phase = OutputPhase::Build;
            self.suite = None;
            return self.drop_line(at);
        }
        if let Some(short) = shorten_backtrace(self.lines.get(at..).unwrap_or_default()) {
            short.kept.into_iter().for_each(|line| self.text.add_line(line));
            return at + short.length;
        }
        if is_backtrace_advice(line) {
            return self.drop_line(at);
        }
        if let Some(StatusLine::SuiteStart(started)) = read_status(line) {
            if self.open_suites != 1 || self.is_named {
                self.phase = OutputPhase::Build;
                self.is_unfinished |= self.open_suites > 0;
                self.open_suites = 0;
            }
            self.is_named = true;
            self.suite = Some(started);
            self.started += u64::from(!started.starts_with("Doc-tests"));
            return self.drop_line(at);
        }
        if is_rerun_advice(line) && self.totals.failed > 0 && !self.is_explained(at) {
            return self.drop_line(at);
        }
        match self.phase {
            OutputPhase::TestRun => self.read_test_run(at, line),
            OutputPhase::Build => self.read_build(at, line),
        }
    }

    fn drop_line(&mut self, at: usize) -> usize {
        self.text.leave_out();
        at + 1
    }

    fn keep_line(&mut self, at: usize, line: &'o str) -> usize {
        self.text.add_line(line);
        at + 1
    }

    /// Whether the next line that is not blank gives the cause of this one.
    fn is_explained(&self, at: usize) -> bool {
        let mut later = self.lines.iter().skip(at + 1);
        later.find(|line| !line.is_empty()).is_some_and(|line| line.starts_with("Caused by:"))
    }

    fn read_test_run(&mut self, at: usize, line: &'o str) -> usize {
        if line == "failures:" {
            let end = find_section_end(&self.lists, at, &self.failed).map(|list| (list.at, list.end));
            // Without any captured output there is only the list.
            let is_list = find_list(&self.lists, at).is_some();
            return match end.filter(|_| !is_list) {
                Some((list, end)) => self.read_failures(at, list, end),
                None => self.keep_line(at, line),
            };
        }
        if line == "successes:" {
            return self.read_successes(at);
        }
        match read_test_line(line) {
            Some(TestLine::Failed(name)) => {
                self.failed.insert(name);
                if self.listed.contains(name) { self.drop_line(at) } else { self.keep_line(at, line) }
            }
            Some(TestLine::Passed | TestLine::Dots) => self.drop_line(at),
            None => self.keep_line(at, line),
        }
    }

    /// Reads captured output from the line `failures:` to the list of names, and returns the line with the result.
    fn read_failures(&mut self, start: usize, list_at: usize, end: usize) -> usize {
        let names = find_list(&self.lists, list_at).map(|list| list.names.clone()).unwrap_or_default();
        let known: HashSet<&str> = names.iter().copied().collect();
        if let Some(started) = self.suite.take().filter(|_| self.counts.suites > 1) {
            self.text.leave_out();
            self.text.add_line(suite_name(started));
        }
        let mut shown: HashSet<&str> = HashSet::new();
        let mut section: Vec<&'o str> = Vec::new();
        for line in self.lines.get(start + 1..list_at).unwrap_or_default() {
            if let Some(name) = captured_name(line).filter(|name| known.contains(name) && !shown.contains(name)) {
                self.add_captured(&std::mem::take(&mut section));
                shown.insert(name);
                self.text.leave_out();
                self.text.add_line(*line);
            } else {
                section.push(line);
            }
        }
        self.add_captured(&section);
        let unshown: Vec<&str> = names.into_iter().filter(|name| !shown.contains(name)).collect();
        self.text.leave_out();
        if !unshown.is_empty() {
            self.text.add_line(format!("failures: {}", unshown.join(", ")));
        }
        self.text.leave_out();
        end
    }

    fn add_captured(&mut self, lines: &[&'o str]) {
        for line in shorten_captured(lines, "") {
            if line.is_empty() { self.text.add_blank() } else { self.text.add_line(line) }
        }
    }

    /// Leaves out the list of tests that passed; what they printed stays.
    fn read_successes(&mut self, at: usize) -> usize {
        let later = self.lines.get(at + 1..).unwrap_or_default();
        let names = later.iter().take_while(|line| line.starts_with("    ")).count();
        self.text.leave_out();
        at + 1 + names
    }

    fn read_build(&mut self, at: usize, line: &'o str) -> usize {
        // Only a start right before the tests is theirs: the two streams may follow one another.
        self.suite = None;
        match read_status(line) {
            Some(StatusLine::Finished) => {
                self.finished = true;
                return self.drop_line(at);
            }
            Some(StatusLine::Progress | StatusLine::SuiteStart(_)) => return self.drop_line(at),
            None => {}
        }
        match read_nextest_line(line) {
            Some(NextestLine::Noise | NextestLine::Passed) => return self.drop_line(at),
            Some(NextestLine::Other(test)) => return self.read_nextest_test(at, line, test),
            Some(NextestLine::Summary(totals)) => {
                self.summaries += 1;
                self.text.leave_out();
                let none = totals.strip_prefix("0 tests run: ").map(|rest| format!("0 tests ran: {rest}"));
                self.text.add_line(none.map_or(Cow::Borrowed(line.trim_start()), Cow::Owned));
                return at + 1;
            }
            None => {}
        }
        if is_covered_summary(line, &self.counts) {
            return self.drop_line(at);
        }
        // Cargo separates this from its advice.
        let is_apart = line.starts_with("error: no such command: ");
        if is_diagnostic_start(line) && !is_apart && !self.is_explained(at) {
            return self.read_diagnostic(at, line);
        }
        self.keep_line(at, line)
    }

    /// Reads a diagnostic up to a blank line, the next diagnostic, or a line of cargo.
    fn read_diagnostic(&mut self, at: usize, header: &'o str) -> usize {
        let later = self.lines.get(at + 1..).unwrap_or_default();
        let is_inside = |line: &&&str| {
            !line.is_empty() && !is_diagnostic_start(line) && !is_suite_start(line) && read_status(line).is_none()
        };
        let body: Vec<&'o str> = later.iter().take_while(is_inside).copied().collect();
        self.text.add_diagnostic(header, &body);
        at + 1 + body.len()
    }

    /// Reads a test that nextest reports, and the output below it.
    fn read_nextest_test(&mut self, at: usize, line: &'o str, test: &'o str) -> usize {
        let status = line.split_whitespace().next().unwrap_or_default();
        let is_first = self.reported.insert((status, test));
        let mut at = at + 1;
        let has_output = self.lines.get(at).is_some_and(|line| is_output_start(line));
        self.text.leave_out();
        if is_first || has_output {
            self.text.add_line(line.trim_start());
        }
        let name = test.rsplit(' ').next().unwrap_or(test);
        while let Some(title) = self.lines.get(at).copied().filter(|line| is_output_start(line)) {
            let later = self.lines.get(at + 1..).unwrap_or_default();
            let section: Vec<&'o str> = later.iter().take_while(|line| is_output_line(line)).copied().collect();
            at += 1 + section.len();
            let short = shorten_captured(&drop_wrapper(&section, name), "    ");
            if short.is_empty() {
                continue;
            }
            self.text.leave_out();
            self.text.add_line(title);
            for line in short {
                if line.is_empty() { self.text.add_blank() } else { self.text.add_line(line) }
            }
        }
        self.text.leave_out();
        at
    }

    /// The short text; none if it would hide that the command failed.
    fn finish(mut self, subcommand: CargoSubcommand, exit_code: Option<i32>) -> Option<String> {
        // A success without the result of a test program is not one that was seen.
        if (self.is_unfinished || self.open_suites > 0) && exit_code.is_none_or(|code| code == 0) {
            return None;
        }
        if self.totals.suites > 0 {
            self.text.leave_out();
            self.text.add_line(self.totals.describe(self.started));
        }
        if self.text.is_empty() {
            let succeeded = exit_code.map_or(self.finished, |code| code == 0);
            return (succeeded && self.finished).then(|| format!("cargo {}: ok\n", subcommand.name()));
        }
        if exit_code == Some(0) && self.finished && self.totals.suites == 0 && self.summaries == 0 {
            self.text.leave_out();
            self.text.add_line(format!("cargo {}: ok", subcommand.name()));
        }
        Some(self.text.finish())
    }
}
