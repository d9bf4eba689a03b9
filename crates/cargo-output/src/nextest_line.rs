//! Reads the lines of cargo-nextest.

/// A line that cargo-nextest prints about its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NextestLine<'o> {
    /// Rules, the number of the run, how many tests are started.
    Noise,
    Passed,
    /// A test that did not simply pass; the binary and the name of the test.
    Other(&'o str),
    /// The totals.
    Summary(&'o str),
}

/// Reads a line of cargo-nextest; of a test's own output it is never asked.
pub(crate) fn read_nextest_line(line: &str) -> Option<NextestLine<'_>> {
    let text = line.trim_start_matches(' ');
    let indent = line.len() - text.len();
    if indent == 0 {
        let is_rule = line.len() > 3 && line.chars().all(|letter| letter == '─');
        return is_rule.then_some(NextestLine::Noise);
    }
    if indent == 1 && text.starts_with("Nextest run ID ") {
        return Some(NextestLine::Noise);
    }
    if indent == 4 && text.starts_with("Starting ") && text.contains(" tests across ") | text.contains(" test across ")
    {
        return Some(NextestLine::Noise);
    }
    let (word, rest) = text.split_once(" [")?;
    let (time, about) = rest.split_once("] ")?;
    let is_time = time.trim_start_matches([' ', '>', '<']).strip_suffix('s').is_some_and(is_number);
    // Status words end at one column, like cargo's.
    if !is_time || indent + word.len() != 12 {
        return None;
    }
    match word {
        "PASS" => Some(NextestLine::Passed),
        "Summary" => Some(NextestLine::Summary(about)),
        _ => Some(NextestLine::Other(without_count(about))),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Removes `(3/24)` before the name.
fn without_count(about: &str) -> &str {
    about.strip_prefix('(').and_then(|rest| rest.split_once(") ")).map_or(about, |(_, name)| name)
}

/// Tells whether a line begins the output of a test: `  stdout ───`.
pub(crate) fn is_output_start(line: &str) -> bool {
    let Some(text) = line.strip_prefix("  ") else { return false };
    let (word, rule) = text.split_once(' ').unwrap_or((text, ""));
    matches!(word, "stdout" | "stderr" | "output") && !rule.is_empty() && rule.chars().all(|letter| letter == '─')
}

/// Tells whether a line belongs to the output of a test: it is blank or stands four columns in, and is no status line.
pub(crate) fn is_output_line(line: &str) -> bool {
    line.is_empty() || (line.starts_with("    ") && read_nextest_line(line).is_none())
}

/// Removes what the test program says about its one test, whose name is known.
pub(crate) fn drop_wrapper<'o>(lines: &[&'o str], name: &str) -> Vec<&'o str> {
    let says_name = |text: &str, before: &str, after: &str| {
        text.strip_prefix(before)
            .and_then(|text| text.strip_suffix(after))
            .is_some_and(|text| text.strip_suffix(" - should panic").unwrap_or(text) == name)
    };
    let is_wrapper = |line: &str| {
        let text = line.strip_prefix("    ").unwrap_or(line);
        text == "running 1 test"
            || text == "failures:"
            || says_name(text, "test ", " ... FAILED")
            || says_name(text, "    ", "")
            || says_name(text, "---- ", " stdout ----")
            || text.starts_with("test result: FAILED. 0 passed; 1 failed; 0 ignored; ")
    };
    // Only the whole frame is known to be the test program's; a part of it may be the test's own words.
    let is_frame = lines.iter().any(|line| line.trim_start() == "running 1 test")
        && lines.iter().any(|line| line.trim_start().starts_with("test result: FAILED. 0 passed; 1 failed; "));
    if is_frame { lines.iter().copied().filter(|line| !is_wrapper(line)).collect() } else { lines.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_run() {
        for (line, expected) in [
            ("────────────", Some(NextestLine::Noise)),
            (" Nextest run ID d83c with nextest profile: default", Some(NextestLine::Noise)),
            ("    Starting 24 tests across 1 binary (1 test skipped)", Some(NextestLine::Noise)),
            ("    Starting 1 test across 1 binary", Some(NextestLine::Noise)),
            ("        PASS [   0.058s] a tests::b", Some(NextestLine::Passed)),
            ("        PASS [   0.058s] (1/24) a tests::b", Some(NextestLine::Passed)),
            ("        FAIL [   0.058s] (1/24) a tests::b", Some(NextestLine::Other("a tests::b"))),
            ("     SIGABRT [   0.028s] a tests::c", Some(NextestLine::Other("a tests::c"))),
            ("        SLOW [> 60.000s] a tests::d", Some(NextestLine::Other("a tests::d"))),
            ("     Summary [   0.174s] 24 tests run: 20 passed", Some(NextestLine::Summary("24 tests run: 20 passed"))),
            ("    PASS [   0.058s] a tests::b", None),
            ("  Cancelling due to test failure", None),
            ("PASS [   0.058s] a", None),
            ("", None),
        ] {
            assert_eq!(read_nextest_line(line), expected, "{line:?}");
        }
        assert!(is_output_start("  stdout ───") && is_output_start("  stderr ───"));
        assert!(!is_output_start("  stdout") && !is_output_start("stdout ───"));
    }

    #[test]
    fn only_a_whole_frame_is_removed() {
        let whole = [
            "    running 1 test",
            "    said",
            "    test a ... FAILED",
            "",
            "    failures:",
            "",
            "    failures:",
            "        a",
            "",
            "    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured",
        ];
        let kept: Vec<&str> = drop_wrapper(&whole, "a").into_iter().filter(|line| !line.is_empty()).collect();
        assert_eq!(kept, ["    said"]);
        assert_eq!(drop_wrapper(&whole[..4], "a"), &whole[..4]);
    }
}
