//! Finds lines that match a regular expression, within limits of size, number and time.

use regex_lite::{Regex, RegexBuilder};

use super::lines::shortened;

/// In bytes; a larger pattern would take too long on every line.
const MAX_COMPILED: usize = 64 * 1024;
/// In bytes, well above any pattern that a user types.
const MAX_WRITTEN: usize = 1000;
/// In bytes per line; the rest of a longer line, which no person wrote, is not searched.
const MAX_SEARCHED: usize = 8 * 1024;

/// A regular expression. The engine takes time in proportion to text and pattern, for any pattern.
#[derive(Debug)]
pub struct SearchPattern(Regex);

impl SearchPattern {
    /// Compiles a pattern; the error explains the problem.
    pub fn compile(written: &str) -> Result<Self, String> {
        if written.is_empty() {
            return Err("An empty pattern matches everything".to_owned());
        }
        if written.len() > MAX_WRITTEN {
            return Err(format!("A pattern has at most {MAX_WRITTEN} bytes"));
        }
        let mut builder = RegexBuilder::new(written);
        builder.size_limit(MAX_COMPILED).nest_limit(50);
        builder.build().map(Self).map_err(|error| format!("`{written}` is not a valid pattern: {error}"))
    }

    /// Returns true if any line of a text matches. Stops early once `wanted` returns false.
    pub fn is_in(&self, text: &str, wanted: &dyn Fn() -> bool) -> bool {
        let mut patience = PollThrottle::default();
        text.lines().take_while(|line| patience.lasts(line, wanted)).any(|line| self.matches(line))
    }

    fn matches(&self, line: &str) -> bool {
        let end = line.floor_char_boundary(MAX_SEARCHED);
        line.split_at_checked(end).is_some_and(|(searched, _)| self.0.is_match(searched))
    }
}

/// Limits the calls of `wanted`: one call per line would cost more than the search itself. Counts bytes too, since long
/// lines take long.
#[derive(Default)]
struct PollThrottle {
    lines: usize,
    bytes: usize,
}

impl PollThrottle {
    /// Returns false if the search should stop before this line.
    fn lasts(&mut self, line: &str, wanted: &dyn Fn() -> bool) -> bool {
        let is_due = self.lines == 0 || self.lines >= 32 || self.bytes >= MAX_SEARCHED;
        if is_due {
            *self = Self::default();
        }
        self.lines += 1;
        self.bytes += line.len().min(MAX_SEARCHED);
        !is_due || wanted()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineMatch {
    pub line: usize,
    pub text: String,
}

#[derive(Debug, Clone, Copy)]
pub struct OutputBudget {
    pub lines: usize,
    pub bytes: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub struct FileMatches {
    pub matches: Vec<LineMatch>,
    /// The last line searched, if it was not the last one of the file.
    pub stopped_after: Option<usize>,
}

/// Returns the matching lines after `after`, until `room` is used up or `wanted` returns false.
pub fn matching_lines(
    pattern: &SearchPattern,
    text: &str,
    after: usize,
    room: &mut OutputBudget,
    wanted: &dyn Fn() -> bool,
) -> FileMatches {
    let mut matches = Vec::new();
    let mut patience = PollThrottle::default();
    for (index, line) in text.lines().enumerate().skip(after) {
        if !patience.lasts(line, wanted) {
            return FileMatches { matches, stopped_after: Some(index) };
        }
        if !pattern.matches(line) {
            continue;
        }
        let text = shortened(line);
        if room.lines == 0 || room.bytes < text.len() {
            return FileMatches { matches, stopped_after: Some(index) };
        }
        room.lines -= 1;
        room.bytes -= text.len();
        matches.push(LineMatch { line: index + 1, text: text.into_owned() });
    }
    FileMatches { matches, stopped_after: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, text: &str, after: usize, lines: usize) -> (Vec<usize>, Option<usize>) {
        let mut room = OutputBudget { lines, bytes: 1000 };
        let found = matching_lines(&SearchPattern::compile(pattern).unwrap(), text, after, &mut room, &|| true);
        (found.matches.iter().map(|found| found.line).collect(), found.stopped_after)
    }

    #[test]
    fn pages_of_matches_make_up_the_whole() {
        let text = "fn a\nx\nfn b\nfn c\n";
        for (after, lines, expected) in [
            (0, 9, (vec![1, 3, 4], None)),
            (0, 2, (vec![1, 3], Some(3))),
            (3, 2, (vec![4], None)),
            (4, 2, (vec![], None)),
            (99, 2, (vec![], None)),
            (0, 0, (vec![], Some(0))),
        ] {
            assert_eq!(found("^fn ", text, after, lines), expected, "{after} {lines}");
        }
    }

    #[test]
    fn nobody_waits_for_what_is_not_wanted() {
        let mut room = OutputBudget { lines: 9, bytes: 99 };
        let found = matching_lines(&SearchPattern::compile("a").unwrap(), "a\na\n", 0, &mut room, &|| false);
        assert_eq!(found, FileMatches { matches: vec![], stopped_after: Some(0) });
    }

    #[test]
    fn long_lines_are_asked_about_one_by_one() {
        let text = format!("{}\n", "a".repeat(2 * MAX_SEARCHED)).repeat(10);
        let asked = std::cell::Cell::new(0);
        let wanted = || asked.replace(asked.get() + 1) < 3;
        let mut room = OutputBudget { lines: 99, bytes: 99 };
        let pattern = SearchPattern::compile("x").unwrap();
        assert_eq!(matching_lines(&pattern, &text, 0, &mut room, &wanted).stopped_after, Some(3));
        asked.set(0);
        assert!(!pattern.is_in(&text, &wanted));
        assert_eq!(asked.get(), 4);
    }

    #[test]
    fn patterns_that_explode_are_refused_or_harmless() {
        for pattern in ["(a{1000}){1000}", "((((a{99}){99}){99}){99})", &"(".repeat(500), &"a".repeat(2000), "a(", ""] {
            assert!(SearchPattern::compile(pattern).is_err(), "{pattern:.40}");
        }
        // A backtracking engine would never finish on these.
        let text = "a".repeat(100_000);
        for pattern in ["(a+)+$b", "(a|a)*b", "(.*)*x$", "^(([a-z])+.)+[A-Z]([a-z])+$"] {
            assert_eq!(found(pattern, &text, 0, 9), (vec![], None), "{pattern}");
        }
    }
}
