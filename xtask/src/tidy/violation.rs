//! A broken rule: where, what, and how to mend it.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Violation {
    /// Path from the repository root, with forward slashes.
    pub(super) file: String,
    /// Line number, from 1; what concerns a whole file points at its first line.
    pub(super) line: usize,
    pub(super) message: String,
    /// What to do about it.
    pub(super) fix: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}\n    fix: {}", self.file, self.line, self.message, self.fix)
    }
}

/// Violations as the tests of the checks compare them, one block each.
#[cfg(test)]
pub(super) fn render(violations: &[Violation]) -> String {
    violations.iter().flat_map(|violation| [violation.to_string(), "\n".to_owned()]).collect()
}
