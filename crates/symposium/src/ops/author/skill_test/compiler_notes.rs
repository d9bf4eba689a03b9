//! Messages of the compiler and of failing tests, as places in a skill.

use serde_json::Value;
use symposium_model::skill_text::RustBlock;

/// The beginning of the name of a file with a block, before the number of its first line.
pub(super) const BLOCK_FILE: &str = "line_";

/// The advice about a crate that a block uses and its project does not have.
const OWN_CRATES: &str = "a block can use the library of the crate that it is part of, and the crates in `crates` or in \
    `skill-test.toml`";

/// Something that is wrong with a block, or with a crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CompilerNote {
    pub(super) is_error: bool,
    /// Nothing if it is about another crate.
    pub(super) place: Option<NotePlace>,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

/// A place in a skill: the file with a block has its code on the same lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NotePlace {
    /// The first line of the block.
    pub(super) block: usize,
    pub(super) line: usize,
    /// In characters, from 1; the end is behind the last.
    pub(super) columns: (usize, usize),
    pub(super) edition: String,
    /// Says that the block is a program of its own, which must not compile.
    pub(super) is_example: bool,
}

impl CompilerNote {
    /// An error about a whole block.
    pub(super) fn about(block: &RustBlock, message: &str) -> Self {
        let place = NotePlace::at_start(block.line);
        Self { is_error: true, place: Some(place), message: message.to_owned(), help: None }
    }
}

impl NotePlace {
    /// The head of a function in a block.
    fn at_function(block: usize, path: &str, blocks: &[RustBlock]) -> Self {
        let head = format!("fn {}(", path.rsplit("::").next().unwrap_or(path));
        let own = blocks.iter().find(|own| own.line == block);
        let below = own.and_then(|own| own.code.lines().position(|line| line.contains(&head)));
        Self { line: block + below.unwrap_or_default(), ..Self::at_start(block) }
    }

    fn at_start(block: usize) -> Self {
        Self { block, line: block, columns: (1, 1), edition: String::new(), is_example: false }
    }
}

/// Reads the messages of a run of cargo with `--message-format=json`.
pub(super) fn read_messages(stdout: &str) -> Vec<CompilerNote> {
    let mut notes: Vec<CompilerNote> = Vec::new();
    for line in stdout.lines().filter(|line| line.starts_with('{')) {
        let Ok(value) = serde_json::from_str::<Value>(line) else { continue };
        let Some(note) = value.get("message").and_then(|message| read_message(message, &value)) else { continue };
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}

fn read_message(message: &Value, whole: &Value) -> Option<CompilerNote> {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let is_error = match message.get("level")?.as_str()? {
        "error" => true,
        "warning" => false,
        _ => return None,
    };
    let title = text(message, "message")?;
    let spans = message.get("spans")?.as_array()?;
    // Sums such as "aborting due to 2 previous errors" have no place.
    let span = spans.iter().find(|span| span.get("is_primary").and_then(Value::as_bool) == Some(true));
    let place = span.and_then(|span| {
        // The place where a macro is called, and not the one inside of it.
        let mut span = span;
        while let Some(outer) = span.pointer("/expansion/span") {
            span = outer;
        }
        let number = |key: &str| span.get(key).and_then(Value::as_u64).and_then(|found| usize::try_from(found).ok());
        let (line, start) = (number("line_start")?, number("column_start")?);
        let end = if number("line_end") == Some(line) { number("column_end")? } else { usize::MAX };
        Some(NotePlace { line, columns: (start, end), ..read_file_name(span.get("file_name")?.as_str()?)? })
    });
    if place.is_none() && (!is_error || span.is_none()) {
        return None;
    }
    let code = message.pointer("/code/code").and_then(Value::as_str).filter(|code| code.starts_with('E'));
    let message = match (&place, code) {
        (None, _) => {
            let target = whole.pointer("/target/name").and_then(Value::as_str).unwrap_or("a crate");
            format!("`{target}` does not compile: {title}")
        }
        (Some(_), Some(code)) => format!("{title} ({code})"),
        (Some(_), None) => title,
    };
    Some(CompilerNote { is_error, place, message, help: read_help(whole.get("message")?, span) })
}

/// Finds what the compiler suggests, or else what it says at the place.
fn read_help(message: &Value, span: Option<&Value>) -> Option<String> {
    let children = message.get("children").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_help = |child: &&Value| child.get("level").and_then(Value::as_str) == Some("help");
    if let Some(help) = children.iter().find(is_help) {
        let replaced = help.pointer("/spans/0/suggested_replacement").and_then(Value::as_str).map(str::trim);
        let title = help.get("message").and_then(Value::as_str)?;
        if title.contains("`cargo add ") {
            return Some(OWN_CRATES.to_owned());
        }
        let replaced = replaced.filter(|replaced| !replaced.is_empty() && !title.contains(*replaced));
        return Some(replaced.map_or_else(|| title.to_owned(), |replaced| format!("{title}: `{replaced}`")));
    }
    span?.get("label")?.as_str().map(str::to_owned)
}

/// Reads `e2021/src/line_12.rs`.
fn read_file_name(file: &str) -> Option<NotePlace> {
    let mut parts = file.rsplit(['/', '\\']);
    let block = parts.next()?.strip_prefix(BLOCK_FILE)?.strip_suffix(".rs")?.parse().ok()?;
    let is_example = parts.next()? == "examples";
    let edition = parts.next()?.strip_prefix('e')?.to_owned();
    Some(NotePlace { edition, is_example, ..NotePlace::at_start(block) })
}

/// Reads the failures that a run of tests reports.
pub(super) fn read_failures(stdout: &str, blocks: &[RustBlock]) -> Vec<CompilerNote> {
    let mut notes = Vec::new();
    for part in stdout.split("\n---- ").skip(1) {
        let Some((name, output)) = part.split_once(" stdout ----\n") else { continue };
        let Some((module, test)) = name.split_once("::") else { continue };
        let Some(block) = module.strip_prefix(BLOCK_FILE).and_then(|line| line.parse().ok()) else { continue };
        let output = output.split("\n\n\n").next().unwrap_or(output);
        let mut lines = output.lines().skip_while(|line| !line.contains("panicked at ")).peekable();
        let place = lines.next().and_then(|line| {
            let mut place = line.split_once("panicked at ")?.1.trim_end_matches(':').rsplitn(3, ':');
            let column = place.next()?.parse().ok()?;
            let line = place.next()?.parse().ok()?;
            Some(NotePlace { line, columns: (column, column + 1), ..read_file_name(place.next()?)? })
        });
        let is_hint = |line: &&str| !line.starts_with("note: ") && !line.trim().is_empty();
        let said = lines.take_while(is_hint).map(str::trim).collect::<Vec<_>>().join("; ");
        let said = if said.is_empty() { output.trim().to_owned() } else { said };
        let message = if said.contains("test did not panic as expected") {
            "This block does not panic, although it says `should_panic`".to_owned()
        } else {
            format!("Test `{test}` fails: {said}")
        };
        notes.push(CompilerNote {
            is_error: true,
            place: Some(place.unwrap_or_else(|| NotePlace::at_function(block, test, blocks))),
            message,
            help: None,
        });
    }
    notes
}

#[cfg(test)]
mod tests {
    use symposium_model::skill_text::BlockUse;

    use super::*;

    #[test]
    fn messages_have_their_place_in_the_text() {
        let error = r#"{"reason":"compiler-message","target":{"name":"x"},"message":{"level":"error","code":{"code":"E0599"},
            "message":"no method named `a`","spans":[{"is_primary":true,"file_name":"e2021/src/line_12.rs","line_start":14,
            "line_end":14,"column_start":5,"column_end":6,"label":"unknown"}],"children":[{"level":"help",
            "message":"there is a method","spans":[{"suggested_replacement":"b"}]}]}}"#
            .replace('\n', " ");
        let sum =
            r#"{"message":{"level":"error","message":"aborting due to 1 previous error","spans":[],"children":[]}}"#;
        let other = error.replace("e2021/src/line_12.rs", "/registry/a/src/lib.rs");
        let found = read_messages(&[error.as_str(), &error, sum, &other, "no json", "{"].join("\n"));
        let [own, foreign] = found.as_slice() else { panic!("{found:?}") };
        let edition = "2021".to_owned();
        let place = NotePlace { block: 12, line: 14, columns: (5, 6), edition, is_example: false };
        assert_eq!(own.place, Some(place));
        assert_eq!(own.message, "no method named `a` (E0599)");
        assert_eq!(own.help.as_deref(), Some("there is a method: `b`"));
        assert_eq!((&foreign.place, foreign.message.as_str()), (&None, "`x` does not compile: no method named `a`"));
    }

    #[test]
    fn failing_tests_have_the_place_of_their_panic() {
        let output = "running 2 tests\n\nfailures:\n\n---- line_7::tests::adds stdout ----\n\n\
            thread 'line_7::tests::adds' (12) panicked at e2024/src/line_7.rs:9:5:\n\
            assertion `left == right` failed\n  left: 1\n right: 2\nnote: run with `RUST_BACKTRACE=1`\n\n\n\
            ---- line_20::block stdout ----\nnote: test did not panic as expected\n\n\nfailures:\n    line_7::tests::adds\n";
        let code = "\n\nfn block() {}\n".to_owned();
        let blocks = [RustBlock { line: 20, code, purpose: BlockUse::Run, edition: None }];
        let found = read_failures(output, &blocks);
        let [panicked, calm] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(panicked.message, "Test `tests::adds` fails: assertion `left == right` failed; left: 1; right: 2");
        assert_eq!(panicked.place.as_ref().map(|place| (place.block, place.line)), Some((7, 9)));
        assert!(calm.message.contains("does not panic"), "{calm:?}");
        assert_eq!(calm.place.as_ref().map(|place| place.line), Some(22));
    }
}
