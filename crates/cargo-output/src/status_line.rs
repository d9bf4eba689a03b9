//! Tells cargo's reports of its own progress from everything else.

/// A line in which cargo says what it is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatusLine<'o> {
    /// Says that a test program is started: `unittests src/lib.rs (target/debug/deps/a-0123)`, or `Doc-tests a`.
    SuiteStart(&'o str),
    Finished,
    Progress,
}

/// The column at which cargo's status words end.
const COLUMN: usize = 12;

/// Reads a status line whose content is of no use once the command has ended.
pub(crate) fn read_status(line: &str) -> Option<StatusLine<'_>> {
    let text = line.trim_start_matches(' ');
    let indent = line.len() - text.len();
    if indent >= COLUMN {
        return None;
    }
    let (word, rest) = text.split_once(' ')?;
    if indent + word.len() != COLUMN {
        return None;
    }
    match word {
        "Compiling" | "Checking" | "Fresh" | "Downloading" | "Downloaded" | "Locking" | "Blocking" | "Documenting" => {
            Some(StatusLine::Progress)
        }
        // `Updating a v1.0.0 -> v1.1.0` is news.
        "Updating" if !rest.contains(" -> ") => Some(StatusLine::Progress),
        "Building" if rest.starts_with('[') => Some(StatusLine::Progress),
        "Finished" => Some(StatusLine::Finished),
        "Running" if rest.ends_with(')') => Some(StatusLine::SuiteStart(rest)),
        "Doc-tests" => Some(StatusLine::SuiteStart(text)),
        _ => None,
    }
}

/// Shortens what a test program is called: the package of `(target/debug/deps/a-0123456789abcdef)` is `a`.
pub(crate) fn suite_name(started: &str) -> String {
    let short = started.rsplit_once(" (").and_then(|(source, program)| {
        let program = program.strip_suffix(')')?;
        let file = program.rsplit(['/', '\\']).next()?;
        let (package, hash) = file.rsplit_once('-')?;
        let is_hash = hash.trim_end_matches(".exe").chars().all(|letter| letter.is_ascii_hexdigit());
        is_hash.then(|| format!("Running {source} ({package})"))
    });
    short.unwrap_or_else(|| {
        if started.starts_with("Doc-tests") { started.to_owned() } else { format!("Running {started}") }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_lines_are_known_by_their_column() {
        for (line, expected) in [
            ("   Compiling a v0.1.0 (/project)", Some(StatusLine::Progress)),
            (" Downloading crates ...", Some(StatusLine::Progress)),
            ("    Building [====>   ] 2/8: itoa", Some(StatusLine::Progress)),
            ("    Blocking waiting for file lock on build directory", Some(StatusLine::Progress)),
            ("    Updating crates.io index", Some(StatusLine::Progress)),
            ("    Updating itoa v1.0.0 -> v1.0.1", None),
            ("    Finished `dev` profile", Some(StatusLine::Finished)),
            (
                "     Running tests/a.rs (target/debug/deps/a-00)",
                Some(StatusLine::SuiteStart("tests/a.rs (target/debug/deps/a-00)")),
            ),
            ("     Running `rustc a.rs`", None),
            ("   Doc-tests a", Some(StatusLine::SuiteStart("Doc-tests a"))),
            ("Compiling a v0.1.0", None),
            ("    Compiling a v0.1.0", None),
            ("      Adding a v0.1.0", None),
            ("   Compiling", None),
            ("", None),
            ("            Compiling a", None),
        ] {
            assert_eq!(read_status(line), expected, "{line:?}");
        }
    }

    #[test]
    fn suites_are_named_without_their_hash() {
        assert_eq!(
            suite_name("unittests src/lib.rs (target/debug/deps/alpha-e62994b938fd5803)"),
            "Running unittests src/lib.rs (alpha)"
        );
        assert_eq!(suite_name("benches/own.rs (elsewhere)"), "Running benches/own.rs (elsewhere)");
        assert_eq!(suite_name("Doc-tests a"), "Doc-tests a");
    }
}
