//! Reads the parts of a test program's output: its result, and the list of what failed.

use std::collections::HashSet;

/// The numbers of one or more results of test programs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TestTotals {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) ignored: u64,
    pub(crate) measured: u64,
    pub(crate) filtered: u64,
    /// The number of results that were added up.
    pub(crate) suites: u64,
}

impl TestTotals {
    /// Reads `test result: ok. 5 passed; 0 failed; …`, also the sum of [`Self::describe`].
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("test result: ")?;
        let numbers = rest.strip_prefix("ok. ").or_else(|| rest.strip_prefix("FAILED. "))?;
        let sum = numbers.strip_suffix(" suites)").and_then(|rest| rest.rsplit_once(" ("));
        let sum = sum.and_then(|(numbers, suites)| Some((numbers, suites.parse().ok()?)));
        let (numbers, suites) = sum.unwrap_or((numbers, 1));
        let mut totals = Self { suites, ..Self::default() };
        let mut known = 0;
        for part in numbers.split("; ") {
            let Some((number, what)) = part.split_once(' ') else { continue };
            let Ok(number) = number.parse::<u64>() else { continue };
            match what {
                "passed" => {
                    totals.passed = number;
                    known += 1;
                }
                "failed" => {
                    totals.failed = number;
                    known += 1;
                }
                "ignored" => totals.ignored = number,
                "measured" => totals.measured = number,
                "filtered out" => totals.filtered = number,
                _ => {}
            }
        }
        // Another harness may mean something else by its result.
        (known == 2).then_some(totals)
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.passed = self.passed.saturating_add(other.passed);
        self.failed = self.failed.saturating_add(other.failed);
        self.ignored = self.ignored.saturating_add(other.ignored);
        self.measured = self.measured.saturating_add(other.measured);
        self.filtered = self.filtered.saturating_add(other.filtered);
        self.suites = self.suites.saturating_add(other.suites);
    }

    /// Counts the tests and benchmarks that were run.
    pub(crate) fn ran(self) -> u64 {
        self.passed.saturating_add(self.failed).saturating_add(self.measured)
    }

    /// Shows the sum; `started` is how many test programs cargo said it started.
    pub(crate) fn describe(self, started: u64) -> String {
        let mut text = if self.ran() == 0 && started <= self.suites {
            "0 tests ran".to_owned()
        } else {
            let word = if self.failed == 0 { "ok" } else { "FAILED" };
            format!("test result: {word}. {} passed; {} failed", self.passed, self.failed)
        };
        for (number, what) in [(self.ignored, "ignored"), (self.measured, "measured"), (self.filtered, "filtered out")]
        {
            if number > 0 {
                text.push_str(&format!("; {number} {what}"));
            }
        }
        if self.suites > 1 {
            text.push_str(&format!(" ({} suites)", self.suites));
        }
        text
    }
}

/// A report of one test, or of many by dots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TestLine<'o> {
    Passed,
    Failed(&'o str),
    /// Dots and letters, one for each test.
    Dots,
}

/// Reads `test NAME ... ok`, `test NAME ... FAILED`, `NAME --- FAILED` and a line of dots.
pub(crate) fn read_test_line(line: &str) -> Option<TestLine<'_>> {
    if let Some(rest) = line.strip_prefix("test ") {
        if let Some(rest) = rest.strip_suffix(" ... FAILED") {
            return Some(TestLine::Failed(bare_name(rest)));
        }
        // With `--report-time` the time follows.
        let ends_ok =
            rest.ends_with(" ... ok") || rest.rsplit_once(" ... ok <").is_some_and(|(_, time)| time.ends_with("s>"));
        return ends_ok.then_some(TestLine::Passed);
    }
    if let Some(name) = line.strip_suffix(" --- FAILED") {
        return Some(TestLine::Failed(name));
    }
    let (dots, count) = line.split_once(' ').unwrap_or((line, ""));
    let are_dots = !dots.is_empty() && dots.bytes().all(|byte| matches!(byte, b'.' | b'i' | b'F' | b'b'));
    let is_count = count.bytes().all(|byte| byte.is_ascii_digit() || byte == b'/');
    (are_dots && is_count && (dots.contains('.') || !count.is_empty())).then_some(TestLine::Dots)
}

/// Removes what is said about a test behind its name.
fn bare_name(text: &str) -> &str {
    let marks = [" - should panic", " - compile fail", " - compile"];
    marks.iter().find_map(|mark| text.strip_suffix(mark)).unwrap_or(text)
}

/// Tells whether a line is `running 12 tests`.
pub(crate) fn is_suite_start(line: &str) -> bool {
    let count = line
        .strip_prefix("running ")
        .and_then(|rest| rest.strip_suffix(" tests").or_else(|| rest.strip_suffix(" test")));
    count.is_some_and(|count| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The name in `---- NAME stdout ----`.
pub(crate) fn captured_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("---- ")?;
    rest.strip_suffix(" stdout ----").or_else(|| rest.strip_suffix(" ----"))
}

/// The list of failing tests at the end of a test program's output.
#[derive(Debug)]
pub(crate) struct FailureList<'o> {
    /// The line `failures:`.
    pub(crate) at: usize,
    /// The line `test result: FAILED`.
    pub(crate) end: usize,
    pub(crate) names: Vec<&'o str>,
}

/// Finds every such list: `failures:`, names, a blank line, and a result that counts as many.
pub(crate) fn find_failure_lists<'o>(lines: &[&'o str]) -> Vec<FailureList<'o>> {
    let mut lists = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if *line != "failures:" {
            continue;
        }
        let after = lines.get(at + 1..).unwrap_or_default();
        let names: Vec<&str> = after.iter().map_while(|line| line.strip_prefix("    ")).collect();
        let end = at + 1 + names.len() + 1;
        let blank = lines.get(end - 1).is_some_and(|line| line.is_empty());
        let failed = lines.get(end).and_then(|line| TestTotals::parse(line)).map(|totals| totals.failed);
        if blank && !names.is_empty() && failed == u64::try_from(names.len()).ok() {
            lists.push(FailureList { at, end, names });
        }
    }
    lists
}

/// The list that begins at a line.
pub(crate) fn find_list<'l, 'o>(lists: &'l [FailureList<'o>], at: usize) -> Option<&'l FailureList<'o>> {
    lists.get(lists.partition_point(|list| list.at < at)).filter(|list| list.at == at)
}

/// The most lists that are tried for one test program: output of a test may hold lists of other programs.
const MOST_LISTS: usize = 64;

/// Finds the list that ends the section of failures which begins at the line `start`; it names all of `failed`.
pub(crate) fn find_section_end<'l, 'o>(
    lists: &'l [FailureList<'o>],
    start: usize,
    failed: &HashSet<&str>,
) -> Option<&'l FailureList<'o>> {
    let first = lists.partition_point(|list| list.at <= start);
    let later = lists.get(first..).unwrap_or_default().iter().take(MOST_LISTS);
    later.into_iter().find(|list| {
        let known = list.names.iter().filter(|name| failed.contains(**name)).count();
        known >= failed.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_and_added() {
        let line = "test result: FAILED. 20 passed; 4 failed; 1 ignored; 0 measured; 7 filtered out; finished in 0.00s";
        let mut totals = TestTotals::parse(line).unwrap();
        assert_eq!((totals.passed, totals.failed, totals.ignored, totals.filtered), (20, 4, 1, 7));
        totals.add(
            TestTotals::parse("test result: ok. 3 passed; 0 failed; 0 ignored; 2 measured; 0 filtered out").unwrap(),
        );
        assert_eq!(
            totals.describe(2),
            "test result: FAILED. 23 passed; 4 failed; 1 ignored; 2 measured; 7 filtered out (2 suites)"
        );
        assert_eq!(TestTotals::parse(&totals.describe(2)), Some(totals));
        let sum = TestTotals::parse("test result: ok. 5 passed; 0 failed (2 suites)").unwrap();
        assert_eq!((sum.passed, sum.failed, sum.suites), (5, 0, 2));
        assert_eq!(TestTotals::parse("test result: maybe"), None);
        assert_eq!(TestTotals::parse(" test result: ok. 1 passed"), None);
    }

    #[test]
    fn no_test_is_said_only_when_every_program_was_heard() {
        let none = TestTotals { suites: 1, filtered: 5, ..TestTotals::default() };
        assert_eq!(none.describe(1), "0 tests ran; 5 filtered out");
        assert_eq!(none.describe(2), "test result: ok. 0 passed; 0 failed; 5 filtered out");
    }

    #[test]
    fn lines_about_tests() {
        for (line, expected) in [
            ("test tests::a ... ok", Some(TestLine::Passed)),
            ("test src/lib.rs - a (line 3) - compile ... ok", Some(TestLine::Passed)),
            ("test a ... ok <0.001s>", Some(TestLine::Passed)),
            ("test a ... FAILED", Some(TestLine::Failed("a"))),
            ("test a - should panic ... FAILED", Some(TestLine::Failed("a"))),
            ("a::b --- FAILED", Some(TestLine::Failed("a::b"))),
            ("test a ... ignored, slow", None),
            ("test a ... bench: 1 ns/iter (+/- 0)", None),
            ("..F..i. 25/87", Some(TestLine::Dots)),
            ("i 23/25", Some(TestLine::Dots)),
            (".", Some(TestLine::Dots)),
            ("F", None),
            ("...", Some(TestLine::Dots)),
            ("... and more", None),
            ("", None),
            ("test a ... about to add", None),
        ] {
            assert_eq!(read_test_line(line), expected, "{line:?}");
        }
        assert!(is_suite_start("running 0 tests") && is_suite_start("running 1 test"));
        assert!(!is_suite_start("running tests") && !is_suite_start("running  tests"));
    }

    #[test]
    fn only_a_list_with_its_result_ends_a_section() {
        let text = "failures:\n\n---- a stdout ----\nfailures:\n    inner\n\ntest result: FAILED. 0 passed; 1 failed;\nfailures:\n    a\n    b\n\ntest result: FAILED. 0 passed; 2 failed; 0 ignored\n";
        let lines: Vec<&str> = text.lines().collect();
        let lists = find_failure_lists(&lines);
        assert_eq!(lists.iter().map(|list| list.at).collect::<Vec<_>>(), [7], "`1 failed;` is no number");
        let end = find_section_end(&lists, 0, &HashSet::from(["a", "b"])).unwrap();
        assert_eq!((end.at, end.end), (7, 11));
        assert!(find_section_end(&lists, 0, &HashSet::from(["c"])).is_none());
        assert!(find_section_end(&lists, 7, &HashSet::new()).is_none());
    }
}
