//! The cursor at which a list that was too long for one answer continues.

use std::fmt;

/// The last item of an answer: a file, or a line of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceCursor {
    pub path: String,
    /// `None` when the whole file was included.
    pub line: Option<usize>,
}

impl SourceCursor {
    pub fn parse(written: &str) -> Self {
        let line = written.rsplit_once(':').and_then(|(path, line)| Some((path, line.parse().ok()?)));
        match line {
            Some((path, line)) => Self { path: path.to_owned(), line: Some(line) },
            None => Self { path: written.to_owned(), line: None },
        }
    }

    /// Returns the index of the first of these files that is not finished, and the line after which it continues;
    /// `None` when the file is not among them.
    pub fn resume<'p>(&self, mut paths: impl Iterator<Item = &'p str>) -> Option<(usize, usize)> {
        let at = paths.position(|path| path == self.path)?;
        Some(self.line.map_or((at + 1, 0), |line| (at, line)))
    }
}

impl fmt::Display for SourceCursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(formatter, "{}:{line}", self.path),
            None => formatter.write_str(&self.path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for written in ["src/lib.rs", "src/lib.rs:12", "a:b", "odd:name.rs:3", ":", ""] {
            assert_eq!(SourceCursor::parse(written).to_string(), written);
        }
    }

    #[test]
    fn files_before_it_are_done() {
        let paths = ["README.md", "src/lib.rs", "build.rs"];
        for (written, expected) in [
            ("README.md", Some((1, 0))),
            ("src/lib.rs:7", Some((1, 7))),
            ("build.rs", Some((3, 0))),
            ("src", None),
            ("src/lib.rs:x", None),
        ] {
            assert_eq!(SourceCursor::parse(written).resume(paths.into_iter()), expected, "{written}");
        }
    }
}
