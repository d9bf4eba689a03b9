//! A cargo project in the cache with the blocks of one skill, for one set of versions.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use semver::Version;
use symposium_api::holds_only_items;
use symposium_io::process::{ProgramCall, ProgramResult};
use symposium_io::{fs, state_file};
use symposium_model::skill_text::{BlockUse, DependencySet, RustBlock};

use super::compiler_notes::{BLOCK_FILE, CompilerNote, read_failures, read_messages};

/// The editions that a block is for unless it names one.
const EDITIONS: [&str; 2] = ["2021", "2024"];

/// The longest time for cargo, which may have to compile hundreds of crates.
const LIMIT: Duration = Duration::from_hours(1);

/// The lint that every block is free of: nothing calls its functions.
const ALLOWED: &str = "#![allow(dead_code)]\n";

/// A project to be compiled.
pub(super) struct ScratchProject<'a> {
    /// The directory of all projects and of what cargo builds.
    pub(super) base: &'a Path,
    pub(super) name: String,
    pub(super) is_offline: bool,
}

/// A run of cargo that did not come to its end.
#[derive(Debug)]
pub(super) struct ScratchError {
    pub(super) message: String,
}

impl ScratchProject<'_> {
    pub(super) fn directory(&self) -> PathBuf {
        self.base.join("projects").join(&self.name)
    }

    /// Writes the project anew: without its old Cargo.lock cargo takes the newest versions again.
    pub(super) fn write(
        &self,
        blocks: &[RustBlock],
        dependencies: &DependencySet,
        exact: Option<&Version>,
    ) -> Result<(), ScratchError> {
        let directory = self.directory();
        if fs::exists(&directory) {
            fs::remove_tree(&directory).map_err(ScratchError::from_display)?;
        }
        let lines = dependencies.lines.iter().enumerate();
        let lines: String = lines.map(|(at, line)| line.text(exact.filter(|_| at == 0))).collect();
        let write = |path: String, text: String| {
            state_file::write(&directory.join(path), text.as_bytes()).map_err(ScratchError::from_display)
        };
        let members: Vec<String> = EDITIONS.iter().map(|edition| format!("\"e{edition}\"")).collect();
        let root = format!(
            "[workspace]\nmembers = [{}]\nresolver = \"2\"\n\n[profile.dev]\ndebug = false\nincremental = false\n",
            members.join(", ")
        );
        write("Cargo.toml".to_owned(), root)?;
        for edition in EDITIONS {
            let manifest = format!(
                "[package]\nname = \"{}-{edition}\"\nversion = \"0.0.0\"\nedition = \"{edition}\"\npublish = false\n\n\
                 [lib]\ndoctest = false\n\n[dependencies]\n{lines}",
                self.name
            );
            write(format!("e{edition}/Cargo.toml"), manifest)?;
            let mut library = ALLOWED.to_owned();
            for block in blocks.iter().filter(|block| block.edition.as_deref().is_none_or(|own| own == edition)) {
                let file = format!("{BLOCK_FILE}{}", block.line);
                let place = if block.purpose == BlockUse::CompileFail { "examples" } else { "src" };
                if place == "src" {
                    library.push_str(&format!("mod {file};\n"));
                }
                write(format!("e{edition}/{place}/{file}.rs"), block_file(block))?;
            }
            write(format!("e{edition}/src/lib.rs"), library)?;
        }
        Ok(())
    }

    /// Brings the sources of the dependencies to this machine.
    pub(super) fn fetch(&self) -> Result<(), ScratchError> {
        let result = self.cargo(&["fetch"])?;
        if result.status.success() { Ok(()) } else { Err(ScratchError { message: last_error(&result.stderr) }) }
    }

    /// Compiles all blocks, and runs the tests in them.
    pub(super) fn test(&self, blocks: &[RustBlock]) -> Result<Vec<CompilerNote>, ScratchError> {
        let runs = |block: &&RustBlock| match block.purpose {
            BlockUse::Run => {
                block.code.contains("#[test]") || block.code.contains("::test]") || block.code.contains("proptest!")
            }
            BlockUse::ShouldPanic => true,
            BlockUse::NoRun | BlockUse::CompileFail => false,
        };
        let has_tests = blocks.iter().any(|block| runs(&block));
        let mut arguments = if has_tests { vec!["test", "--no-run"] } else { vec!["check"] };
        arguments.extend(["--workspace", "--tests", "--examples", "--keep-going", "--message-format=json"]);
        if has_tests {
            // `cargo test` has another name for it.
            arguments.retain(|argument| *argument != "--keep-going");
            arguments.push("--no-fail-fast");
        }
        let result = self.cargo(&arguments)?;
        let mut notes = read_messages(&result.stdout);
        let failed_blocks = blocks.iter().filter(|block| block.purpose == BlockUse::CompileFail);
        let expected = |note: &CompilerNote| note.place.as_ref().is_some_and(|place| place.is_example);
        let unexpected: Vec<CompilerNote> = failed_blocks
            .filter(|block| !notes.iter().any(|note| expected(note) && note.is_error && is_in(note, block)))
            .map(|block| CompilerNote::about(block, "This block compiles, although it says `compile_fail`"))
            .collect();
        let is_wrong = notes.iter().any(|note| note.is_error && !expected(note));
        let only_expected = notes.iter().any(|note| note.is_error && expected(note));
        notes.retain(|note| !expected(note));
        if !result.status.success() && !is_wrong && !only_expected {
            return Err(ScratchError { message: last_error(&result.stderr) });
        }
        // Cargo compiles these blocks after the others, and only if those compile.
        if !is_wrong {
            notes.extend(unexpected);
        }
        if has_tests && !is_wrong {
            let skipped =
                blocks.iter().filter(|block| !runs(block)).map(|block| format!("{BLOCK_FILE}{}::", block.line));
            let skipped: Vec<String> = skipped.collect();
            let mut arguments = vec!["test", "--workspace", "--lib", "--no-fail-fast", "--quiet", "--"];
            for name in &skipped {
                arguments.extend(["--skip", name]);
            }
            let result = self.cargo(&arguments)?;
            let failures = read_failures(&result.stdout, blocks);
            if failures.is_empty() && !result.status.success() {
                return Err(ScratchError { message: last_error(&result.stderr) });
            }
            notes.extend(failures);
        }
        Ok(notes)
    }

    fn cargo(&self, arguments: &[&str]) -> Result<ProgramResult, ScratchError> {
        let mut all = arguments.to_vec();
        if self.is_offline {
            all.insert(1, "--offline");
        }
        let variables = vec![
            ("CARGO_TARGET_DIR", Some(OsString::from(self.base.join("build")))),
            ("CARGO_TERM_COLOR", Some(OsString::from("never"))),
            ("RUST_BACKTRACE", Some(OsString::from("0"))),
        ];
        let directory = self.directory();
        let call = ProgramCall {
            program: Path::new("cargo"),
            args: &all,
            directory: &directory,
            input: "",
            limit: LIMIT,
            variables,
        };
        match call.run() {
            Ok(Some(result)) => Ok(result),
            Ok(None) => {
                Err(ScratchError { message: format!("cargo did not end within {} minutes", LIMIT.as_secs() / 60) })
            }
            Err(error) => Err(ScratchError { message: format!("cargo does not start: {error}") }),
        }
    }
}

impl ScratchError {
    fn from_display(error: impl std::fmt::Display) -> Self {
        Self { message: error.to_string() }
    }
}

fn is_in(note: &CompilerNote, block: &RustBlock) -> bool {
    note.place.as_ref().is_some_and(|place| place.block == block.line)
}

/// Finds the error in what cargo printed, with the reasons below it.
fn last_error(stderr: &str) -> String {
    let mut lines = stderr.lines().map(str::trim);
    // The name of the scratch project and cargo's advice tell an author nothing.
    let is_reason = |line: &&str| {
        !line.is_empty() && !line.starts_with("required by package `skill-") && !line.starts_with("As a reminder")
    };
    let mut from = lines.clone().skip_while(|line| !line.starts_with("error")).filter(is_reason).peekable();
    if from.peek().is_none() {
        return lines.rfind(|line| !line.is_empty()).unwrap_or("cargo gave no reason").to_owned();
    }
    from.take(6).map(|line| line.trim_start_matches("error: ")).collect::<Vec<_>>().join("; ")
}

/// Makes the file of a block. Blank lines before the code give it the line numbers of the skill; statements are put into a
/// function whose head is on the line of the fence.
fn block_file(block: &RustBlock) -> String {
    let RustBlock { line, code, purpose, .. } = block;
    let blank = "\n".repeat(line.saturating_sub(2));
    if *purpose == BlockUse::CompileFail {
        let is_program = holds_only_items(code);
        return match is_program {
            true if code.contains("fn main") => format!("{blank}\n{code}"),
            true => format!("{blank}\n{code}fn main() {{}}\n"),
            false => format!("{blank}{}\n{code}\n}}\n", function_head(code, "main")),
        };
    }
    let test = if *purpose == BlockUse::ShouldPanic { "#[test] #[should_panic] " } else { "" };
    match holds_only_items(code) {
        true if !test.is_empty() && code.contains("fn main(") => {
            format!("{blank}\n{code}\n{test}fn block() {{ main() }}\n")
        }
        true => format!("{blank}\n{code}"),
        false => format!("{blank}{test}{}\n{code}\n}}\n", function_head(code, "block")),
    }
}

/// Writes the head of a function around statements: they may wait, and end with a `Result`, as in rustdoc.
fn function_head(code: &str, name: &str) -> String {
    let is_async = if code.contains(".await") && name != "main" { "async " } else { "" };
    let last = code.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    let result = if last.trim().ends_with("(())") { " -> Result<(), impl core::fmt::Debug>" } else { "" };
    format!("{is_async}fn {name}(){result} {{")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(code: &str, purpose: BlockUse) -> String {
        block_file(&RustBlock { line: 3, code: code.to_owned(), purpose, edition: None })
    }

    #[test]
    fn code_keeps_its_lines() {
        for (code, purpose, expected) in [
            ("fn a() {}\n", BlockUse::Run, "\n\nfn a() {}\n"),
            ("let a = 1;\n", BlockUse::Run, "\nfn block() {\nlet a = 1;\n\n}\n"),
            ("a().await;\n", BlockUse::NoRun, "\nasync fn block() {\na().await;\n\n}\n"),
            (
                "a()?;\nOk::<(), E>(())\n",
                BlockUse::Run,
                "\nfn block() -> Result<(), impl core::fmt::Debug> {\na()?;\nOk::<(), E>(())\n\n}\n",
            ),
            ("panic!();\n", BlockUse::ShouldPanic, "\n#[test] #[should_panic] fn block() {\npanic!();\n\n}\n"),
            ("fn a() {}\n", BlockUse::CompileFail, "\n\nfn a() {}\nfn main() {}\n"),
        ] {
            assert_eq!(file(code, purpose), expected);
        }
    }

    #[test]
    fn the_reason_of_cargo_is_found() {
        let text = "    Updating index\nerror: failed to select a version\n    required by x\n\nnote: y\n";
        assert_eq!(last_error(text), "failed to select a version; required by x; note: y");
        let text = "error: no matching package named `a` found\nlocation searched: index\n\
            required by package `skill-1f v0.0.0 (/cache)`\nAs a reminder, you're using offline mode\n";
        assert_eq!(last_error(text), "no matching package named `a` found; location searched: index");
        assert_eq!(last_error("other\n"), "other");
    }
}
