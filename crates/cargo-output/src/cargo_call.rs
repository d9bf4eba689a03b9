//! Finds the one simple cargo call that a shell command consists of.

use std::path::PathBuf;

use crate::script_token::{ScriptToken, ScriptWord, split_shell};
use crate::subcommand::{CargoSubcommand, shortenable_subcommand};

/// A call of cargo as it stands in a shell command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CargoCall {
    pub subcommand: CargoSubcommand,
    /// The words after `cargo`, without a toolchain.
    pub arguments: Vec<String>,
    /// The toolchain of `cargo +nightly`.
    pub toolchain: Option<String>,
    /// The directory that `cd … &&` leads to, from the directory in which the command is run.
    pub directory: Option<String>,
}

/// Recognises a command that does nothing but call cargo once, for an output that `shorten_output` understands.
///
/// `cd … &&` and assignments may stand before it, and `2>&1` behind it. Pipes, scripts, several calls, here-documents,
/// aliases, variables and other output formats are not recognised.
pub fn recognise_cargo_call(command: &str) -> Option<CargoCall> {
    // Most commands have nothing to do with cargo.
    if !command.contains("cargo") {
        return None;
    }
    let tokens = split_shell(command.trim())?;
    let mut rest = tokens.as_slice();
    let mut directory: Option<PathBuf> = None;
    while let Some(changed) = read_change(rest) {
        directory = Some(directory.unwrap_or_default().join(&changed.directory));
        rest = changed.rest;
    }
    let words = read_words(rest)?;
    let mut words = words.into_iter().skip_while(|word| is_harmless_assignment(word)).peekable();
    let program = words.next().filter(|program| !program.is_quoted)?;
    if program.text != "cargo" && !program.text.ends_with("/cargo") {
        return None;
    }
    let toolchain =
        words.next_if(|word| word.text.starts_with('+')).map(|word| word.text.trim_start_matches('+').to_owned());
    let arguments: Vec<String> = words.map(|word| word.text.clone()).collect();
    let subcommand = shortenable_subcommand(&arguments)?;
    let directory = directory.map(|directory| directory.to_string_lossy().into_owned());
    Some(CargoCall { subcommand, arguments, toolchain, directory })
}

/// A change of directory at the beginning of a command.
struct DirectoryChange<'t> {
    directory: String,
    rest: &'t [ScriptToken],
}

fn read_change(tokens: &[ScriptToken]) -> Option<DirectoryChange<'_>> {
    let [ScriptToken::Word(change), ScriptToken::Word(directory), ScriptToken::And, rest @ ..] = tokens else {
        return None;
    };
    let is_known = !directory.is_expanded && !directory.text.is_empty() && !directory.text.starts_with('-');
    (change.text == "cd" && !change.is_quoted && is_known)
        .then(|| DirectoryChange { directory: directory.text.clone(), rest })
}

/// The words of one simple command; none if there is anything else but `2>&1`.
fn read_words(tokens: &[ScriptToken]) -> Option<Vec<&ScriptWord>> {
    let mut words = Vec::new();
    for token in tokens {
        match token {
            ScriptToken::Word(word) if !word.is_expanded => words.push(word),
            ScriptToken::Redirect(redirect) if redirect.sign == "2>&" && redirect.target.text == "1" => {}
            ScriptToken::Word(_)
            | ScriptToken::Redirect(_)
            | ScriptToken::And
            | ScriptToken::Or
            | ScriptToken::Pipe
            | ScriptToken::Next
            | ScriptToken::Background
            | ScriptToken::Group => return None,
        }
    }
    Some(words)
}

/// Tells whether a word sets a variable that leaves the form of the output alone.
fn is_harmless_assignment(word: &ScriptWord) -> bool {
    assigned_name(&word.text).is_some_and(|name| name != "CARGO_TERM_VERBOSE")
}

/// The name of `NAME=value`.
pub(crate) fn assigned_name(word: &str) -> Option<&str> {
    let (name, _) = word.split_once('=')?;
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(command: &str) -> String {
        recognise_cargo_call(command).map_or("none".to_owned(), |call| {
            let toolchain = call.toolchain.map(|toolchain| format!("+{toolchain} ")).unwrap_or_default();
            let directory = call.directory.map(|directory| format!(" in {directory}")).unwrap_or_default();
            let directory = directory.replace(std::path::MAIN_SEPARATOR, "/");
            format!("{toolchain}{}{directory}", call.arguments.join(" "))
        })
    }

    #[test]
    fn simple_calls_are_recognised() {
        for (command, expected) in [
            ("cargo test", "test"),
            ("  cargo build --release  \n", "build --release"),
            ("cargo test 2>&1", "test"),
            ("cargo check --workspace 2>&1", "check --workspace"),
            ("cd sub && cargo test", "test in sub"),
            ("cd /a && cd b && cargo test", "test in /a/b"),
            ("cd 'a b' && cargo test", "test in a b"),
            ("RUST_BACKTRACE=1 cargo test", "test"),
            ("cd a && A=1 B='x y' cargo clippy 2>&1", "clippy in a"),
            ("cargo +nightly fmt --check", "+nightly fmt --check"),
            ("cargo test -- --nocapture 'a b'", "test -- --nocapture a b"),
            ("cargo nextest run -p a", "nextest run -p a"),
            ("cargo add serde --features derive", "add serde --features derive"),
            ("cargo clippy -- -D warnings", "clippy -- -D warnings"),
            ("cargo \\\n  test", "test"),
            ("/opt/cargo/bin/cargo doc --no-deps", "doc --no-deps"),
            ("cargo --locked bench", "--locked bench"),
            ("cargo fix --allow-dirty", "fix --allow-dirty"),
        ] {
            assert_eq!(show(command), expected, "{command}");
        }
    }

    #[test]
    fn everything_else_is_left_alone() {
        for command in [
            "",
            "ls",
            "cargo",
            "cargo run",
            "cargo publish",
            "cargo t",
            "cargo b",
            "cargo xtask test",
            "cargo test | tail -5",
            "cargo test 2>&1 | tail",
            "cargo test || true",
            "cargo test; echo done",
            "cargo test && cargo clippy",
            "cargo build &",
            "cargo test > log",
            "cargo test 2>/dev/null",
            "cargo test &> log",
            "(cargo test)",
            "cargo test $NAME",
            "cargo test \"$NAME\"",
            "cargo test `name`",
            "cargo test -p $(name)",
            "cd $DIR && cargo test",
            "cd a; cargo test",
            "cd - && cargo test",
            "cd && cargo test",
            "cargo test -v",
            "cargo build --message-format=json",
            "cargo build --message-format short",
            "CARGO_TERM_VERBOSE=true cargo test",
            "time cargo test",
            "timeout 60 cargo test",
            "sudo cargo test",
            "echo cargo test",
            "'cargo' test",
            "cargo test 'a",
            "cargo test <<EOF\nx\nEOF",
            "cargo test\ncargo clippy",
            "for i in 1 2; do cargo test; done",
            "bash -c 'cargo test'",
            "A=$(x) cargo test",
            "cargo test tests/*.rs",
            "cargo nextest list",
            "cargotest",
            "cargo-nextest run",
            "alias c=cargo",
        ] {
            assert_eq!(show(command), "none", "{command}");
        }
    }
}
