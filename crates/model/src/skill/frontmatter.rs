//! Splits a SKILL.md into the block between its `---` fences and the body after it.

use std::ops::Range;

/// The parts of a SKILL.md, in bytes of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frontmatter {
    pub opening: Range<usize>,
    pub yaml: Range<usize>,
    /// Everything after the line of the closing fence.
    pub body: Range<usize>,
    /// Must be nothing for some agents to read the file.
    pub before: FrontmatterPrefix,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrontmatterPrefix {
    Nothing,
    ByteOrderMark,
    /// Blank lines, with or without a byte order mark.
    BlankLines,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitError {
    pub problem: SplitProblem,
    /// In bytes of the text.
    pub span: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitProblem {
    Missing,
    Unclosed,
}

impl SplitProblem {
    pub fn message(self) -> &'static str {
        match self {
            Self::Missing => "The frontmatter is missing: the file does not begin with `---`",
            Self::Unclosed => "The frontmatter is never closed",
        }
    }

    pub fn help(self) -> &'static str {
        match self {
            Self::Missing => "begin the file with `---`, a `name:` and a `description:` line, and `---`",
            Self::Unclosed => "add a line `---` after the last key, before the body",
        }
    }
}

/// Finds the fences. Only the first closing fence counts: later `---` lines are rules of the body.
pub fn split(text: &str) -> Result<Frontmatter, SplitError> {
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut lines = lines_from(text, mark).skip_while(|line| blank(text, line));
    let opening = match lines.next() {
        Some(line) if is_fence(text, &line) => line,
        first => {
            let span = first.map_or(mark..mark, |line| content(text, &line));
            return Err(SplitError { problem: SplitProblem::Missing, span });
        }
    };
    let before = match opening.start {
        0 => FrontmatterPrefix::Nothing,
        start if start == mark => FrontmatterPrefix::ByteOrderMark,
        _ => FrontmatterPrefix::BlankLines,
    };
    let yaml_start = opening.end;
    let opening = content(text, &opening);
    match lines_from(text, yaml_start).find(|line| is_fence(text, line)) {
        Some(closing) => {
            Ok(Frontmatter { opening, yaml: yaml_start..closing.start, body: closing.end..text.len(), before })
        }
        None => Err(SplitError { problem: SplitProblem::Unclosed, span: opening }),
    }
}

fn lines_from(text: &str, start: usize) -> impl Iterator<Item = Range<usize>> {
    let mut at = start;
    text.get(start..).unwrap_or_default().split_inclusive('\n').map(move |line| {
        let from = at;
        at += line.len();
        from..at
    })
}

fn line_text<'t>(text: &'t str, line: &Range<usize>) -> &'t str {
    text.get(line.clone()).unwrap_or_default().trim_end_matches(['\n', '\r', ' ', '\t'])
}

fn is_fence(text: &str, line: &Range<usize>) -> bool {
    line_text(text, line) == "---"
}

fn blank(text: &str, line: &Range<usize>) -> bool {
    line_text(text, line).is_empty()
}

fn content(text: &str, line: &Range<usize>) -> Range<usize> {
    line.start..line.start + line_text(text, line).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, yaml: &str, body: &str) {
        let parts = split(text).unwrap();
        assert_eq!(text.get(parts.yaml).unwrap(), yaml, "{text:?}");
        assert_eq!(text.get(parts.body).unwrap(), body, "{text:?}");
    }

    #[test]
    fn the_block_and_the_body_are_told_apart() {
        check("---\na: 1\n---\nbody\n", "a: 1\n", "body\n");
        check("---\r\na: 1\r\n---\r\nbody\r\n", "a: 1\r\n", "body\r\n");
        check("\u{feff}---\na: 1\n---\nbody", "a: 1\n", "body");
        check("---  \na: 1\n---\t \nbody", "a: 1\n", "body");
        check("---\na: 1\n---", "a: 1\n", "");
        check("---\n---\n", "", "");
        check("\n \n---\na: 1\n---\n", "a: 1\n", "");
    }

    #[test]
    fn only_the_first_closing_fence_counts() {
        check("---\na: 1\n---\nx\n---\ny\n---\n", "a: 1\n", "x\n---\ny\n---\n");
        // Neither an indented fence, nor a longer rule, nor one inside a line closes the block.
        check("---\na: |\n  ---\n----\nb: a --- b\n---\n", "a: |\n  ---\n----\nb: a --- b\n", "");
    }

    #[test]
    fn what_stands_before_the_fence_is_told() {
        for (text, before) in [
            ("---\n---\n", FrontmatterPrefix::Nothing),
            ("\u{feff}---\n---\n", FrontmatterPrefix::ByteOrderMark),
            ("\n---\n---\n", FrontmatterPrefix::BlankLines),
            ("\u{feff}\n---\n---\n", FrontmatterPrefix::BlankLines),
        ] {
            assert_eq!(split(text).unwrap().before, before, "{text:?}");
        }
    }

    #[test]
    fn missing_fences_are_errors_with_a_place() {
        for (text, problem, span) in [
            ("", SplitProblem::Missing, 0..0),
            ("\u{feff}", SplitProblem::Missing, 3..3),
            ("# Title\n", SplitProblem::Missing, 0..7),
            ("\n\n# Title\r\n", SplitProblem::Missing, 2..9),
            (" ---\na: 1\n---\n", SplitProblem::Missing, 0..4),
            ("----\n", SplitProblem::Missing, 0..4),
            ("---\nname: x\n\n# Title\n", SplitProblem::Unclosed, 0..3),
            ("--- \r\nname: x", SplitProblem::Unclosed, 0..3),
        ] {
            assert_eq!(split(text), Err(SplitError { problem, span }), "{text:?}");
        }
    }
}
