//! A text file of the repository, and what its path says about it.

use std::cell::OnceCell;

use super::rust_text::RustText;

/// A file and what is in it.
#[derive(Debug)]
pub(crate) struct SourceFile {
    /// Path from the repository root, with forward slashes.
    pub(crate) path: String,
    pub(crate) text: String,
    rust: OnceCell<RustText>,
}

impl SourceFile {
    pub(super) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into(), rust: OnceCell::new() }
    }

    /// Takes a Rust file apart; once, however many rules ask.
    pub(super) fn rust(&self) -> &RustText {
        self.rust.get_or_init(|| RustText::of(&self.text))
    }

    /// Whether this is Rust that ships: no test file, no benchmark, no fixture.
    pub(super) fn is_shipped_rust(&self) -> bool {
        self.is_rust() && !self.is_test()
    }

    /// Whether this is a Rust file.
    pub(super) fn is_rust(&self) -> bool {
        self.path.strip_suffix(".rs").is_some()
    }

    /// Whether this is a fixture: made to look like other people's work, so that our rules do not bind it.
    pub(super) fn is_fixture(&self) -> bool {
        self.path.split('/').any(|part| part == "fixtures")
    }

    fn is_test(&self) -> bool {
        let (folders, name) = self.path.rsplit_once('/').unwrap_or(("", &self.path));
        name == "tests.rs"
            || name.ends_with("_tests.rs")
            || folders.split('/').any(|part| matches!(part, "tests" | "benches" | "fixtures"))
    }
}

/// Files for the tables of the checks.
#[cfg(test)]
pub(super) fn files(entries: &[(&str, &str)]) -> Vec<SourceFile> {
    entries.iter().map(|(path, text)| SourceFile::new(*path, *text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ships() {
        for (path, expected) in [
            ("crates/model/src/plan.rs", true),
            ("crates/model/src/contests.rs", true),
            ("crates/model/src/plan_tests.rs", false),
            ("crates/model/src/plan/tests.rs", false),
            ("crates/model/tests/prop.rs", false),
            ("crates/hook/benches/start.rs", false),
            ("crates/testkit/fixtures/a/src/lib.rs", false),
            ("README.md", false),
        ] {
            let file = SourceFile::new(path, "");
            assert_eq!(file.is_shipped_rust(), expected, "{path}");
        }
    }
}
