//! How long a Rust file may get: a remark above 400 lines, a failure above 600, tests not counted.

use super::source_file::SourceFile;
use super::violation::Violation;

/// Above this a file is mentioned.
const REMARK_ABOVE: usize = 400;

/// Above this a file fails.
const FAIL_ABOVE: usize = 600;

/// Files that may be longer because they are one big table.
const EXCEPTIONS: &[&str] = &[];

/// Finds files that are too long.
pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    long_files(files)
        .filter(|(_, lines)| *lines > FAIL_ABOVE)
        .map(|(file, lines)| Violation {
            file: file.path.clone(),
            line: FAIL_ABOVE + 1,
            message: format!("{lines} lines without tests; the limit is {FAIL_ABOVE}"),
            fix: "split the file into one file for each question it answers".to_owned(),
        })
        .collect()
}

/// Remarks on files that are getting long.
pub(super) fn remarks(files: &[SourceFile]) -> Vec<String> {
    long_files(files)
        .filter(|(_, lines)| *lines <= FAIL_ABOVE)
        .map(|(file, lines)| format!("{}: {lines} lines without tests, aim for {REMARK_ABOVE}", file.path))
        .collect()
}

fn long_files(files: &[SourceFile]) -> impl Iterator<Item = (&SourceFile, usize)> {
    files
        .iter()
        .filter(|file| file.is_shipped_rust() && !EXCEPTIONS.contains(&file.path.as_str()))
        .map(|file| (file, file.rust().shipped_lines))
        .filter(|(_, lines)| *lines > REMARK_ABOVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_without_tests_decides() {
        let code = |lines: usize| "x();\n".repeat(lines);
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", code(900));
        let in_front = "#[cfg(test)]\nuse a::b;\n".to_owned();
        for (path, text, remarks_expected, failures_expected) in [
            ("src/a.rs", code(400), 0, 0),
            ("src/a.rs", code(401), 1, 0),
            ("src/a.rs", code(600), 1, 0),
            ("src/a.rs", code(601), 0, 1),
            ("src/a.rs", code(400) + &tests, 0, 0),
            ("src/a.rs", in_front + &code(601), 0, 1),
            ("src/a_tests.rs", code(601), 0, 0),
            ("tests/it/a.rs", code(601), 0, 0),
            ("a.md", code(601), 0, 0),
        ] {
            let lines = text.lines().count();
            let files = [SourceFile::new(path, text)];
            let found = (remarks(&files).len(), check(&files).len());
            assert_eq!(found, (remarks_expected, failures_expected), "{path} with {lines} lines");
        }
    }

    #[test]
    fn messages_say_how_long() {
        let files = [SourceFile::new("src/a.rs", "x();\n".repeat(700))];
        let [violation] = check(&files).try_into().expect("one violation");
        assert_eq!(violation.message, "700 lines without tests; the limit is 600");
    }
}
