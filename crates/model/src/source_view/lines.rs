//! Excerpts of a file by line numbers.

use std::borrow::Cow;

/// Lines of a file, counted from 1, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineRange {
    pub first: usize,
    /// `None` for as many lines as fit.
    pub last: Option<usize>,
}

impl LineRange {
    pub const START: Self = Self { first: 1, last: None };

    /// Parses `120-180`, `120-` and `120`, which means from there on.
    pub fn parse(written: &str) -> Result<Self, String> {
        let refused = || format!("`{written}` is not a range of lines");
        let number = |text: &str| text.trim().parse::<usize>().map_err(|_| refused());
        let (first, last) = match written.split_once(['-', ':']) {
            None => (number(written)?, None),
            Some((first, last)) if last.trim().is_empty() => (number(first)?, None),
            Some((first, last)) => (number(first)?, Some(number(last)?)),
        };
        let first = first.max(1);
        if last.is_some_and(|last| last < first) {
            return Err(refused());
        }
        Ok(Self { first, last })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceExcerpt {
    pub lines: Vec<(usize, String)>,
    pub total: usize,
    /// Set if requested lines did not fit.
    pub cut: bool,
}

impl SourceExcerpt {
    pub fn bounds(&self) -> Option<(usize, usize)> {
        Some((self.lines.first()?.0, self.lines.last()?.0))
    }
}

/// Takes lines until the next one does not fit; overlong lines are shortened.
pub fn excerpt(text: &str, range: LineRange, max_lines: usize, max_bytes: usize) -> SourceExcerpt {
    let mut lines = Vec::new();
    let mut bytes = 0;
    let mut total = 0;
    let mut cut = false;
    for (index, line) in text.lines().enumerate() {
        total = index + 1;
        if total < range.first || range.last.is_some_and(|last| total > last) {
            continue;
        }
        let line = shortened(line);
        if cut || lines.len() == max_lines || bytes + line.len() > max_bytes {
            cut = true;
            continue;
        }
        bytes += line.len();
        lines.push((total, line.into_owned()));
    }
    SourceExcerpt { lines, total, cut }
}

/// In characters.
const LONGEST: usize = 1000;

/// Truncates a line to 1000 characters, with a note on the number of omitted bytes.
pub fn shortened(line: &str) -> Cow<'_, str> {
    let line = line.trim_end();
    match line.char_indices().nth(LONGEST).and_then(|(at, _)| line.split_at_checked(at)) {
        None => Cow::Borrowed(line),
        Some((shown, rest)) => Cow::Owned(format!("{shown} [{} more bytes]", rest.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        let range = |first, last| Ok(LineRange { first, last });
        for (written, expected) in [
            ("12", range(12, None)),
            ("12-", range(12, None)),
            ("12-20", range(12, Some(20))),
            (" 12 - 20 ", range(12, Some(20))),
            ("12:20", range(12, Some(20))),
            ("0", range(1, None)),
            ("3-2", Err("`3-2` is not a range of lines".to_owned())),
            ("all", Err("`all` is not a range of lines".to_owned())),
            ("-5", Err("`-5` is not a range of lines".to_owned())),
            ("", Err("`` is not a range of lines".to_owned())),
        ] {
            assert_eq!(LineRange::parse(written), expected, "{written}");
        }
    }

    fn shown(text: &str, range: &str, max_lines: usize, max_bytes: usize) -> (String, usize, bool) {
        let excerpt = excerpt(text, LineRange::parse(range).unwrap(), max_lines, max_bytes);
        let lines: Vec<String> = excerpt.lines.iter().map(|(number, line)| format!("{number}{line}")).collect();
        (lines.join(" "), excerpt.total, excerpt.cut)
    }

    #[test]
    fn lines_are_taken_while_there_is_room() {
        let text = "a\nb\r\n\nd\ne";
        for (range, max_lines, max_bytes, expected) in [
            ("1", 9, 99, ("1a 2b 3 4d 5e", 5, false)),
            ("2-3", 9, 99, ("2b 3", 5, false)),
            ("2-3", 2, 99, ("2b 3", 5, false)),
            ("2", 2, 99, ("2b 3", 5, true)),
            ("1", 9, 2, ("1a 2b 3", 5, true)),
            ("6", 9, 99, ("", 5, false)),
        ] {
            let (lines, total, cut) = shown(text, range, max_lines, max_bytes);
            assert_eq!((lines.as_str(), total, cut), expected, "{range} {max_lines} {max_bytes}");
        }
    }

    #[test]
    fn a_line_nobody_reads_to_its_end_is_shortened() {
        let line = "ä".repeat(LONGEST + 5);
        let shown = shortened(&line);
        assert!(shown.ends_with("ä [10 more bytes]"), "{shown}");
        assert_eq!(shortened("short \t"), "short");
    }
}
