//! The program: arguments in, orchestration, printing.
//!
//! Every decision is `symposium-model`'s and every side effect `symposium-io`'s; this crate connects them and talks.

#[cfg(target_env = "musl")]
mod allocator;
mod cli;
mod error;
mod logging;
mod ops;
mod run_report;
mod slow_path;
mod ui;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use crate::ops::cargo_run::CallName;

/// The operations that the hook leaves to the slow path.
const SLOW: symposium_hook::SlowPath = symposium_hook::SlowPath {
    program: slow_path::PROGRAM,
    compile: slow_path::compile,
    synchronize: slow_path::synchronize,
    nearest_items: slow_path::nearest_items,
    index_crates: slow_path::index_crates,
    draft_guidance: slow_path::draft_guidance,
};

/// Answers an event, whose agent and name are the words.
pub(crate) fn answer_event(words: &[OsString]) -> ExitCode {
    symposium_hook::run(words, &SLOW)
}

/// Runs the program with its arguments, the program's own name first.
pub fn main(args: impl Iterator<Item = OsString>) -> ExitCode {
    let mut args: Vec<OsString> = args.collect();
    if let Some((_, arguments)) = args.split_first().filter(|(program, _)| is_cargo(program)) {
        ui::exit::report_panics();
        return cli::run_cargo(arguments, CallName::Cargo);
    }
    // `cargo agents x` starts `cargo-agents agents x`.
    if args.get(1).is_some_and(|first| first == "agents") {
        args.remove(1);
    }
    // The hook answers before anything slow is even looked at.
    if args.get(1).map(OsString::as_os_str) == Some(OsStr::new("hook")) && !is_for_people(args.get(2)) {
        return answer_event(args.get(2..).unwrap_or_default());
    }
    ui::exit::report_panics();
    if let [_, first, arguments @ ..] = args.as_slice()
        && first == "cargo"
        && arguments.first().is_some_and(|argument| argument != "--help" && argument != "-h")
    {
        return cli::run_cargo(arguments, CallName::Symposium);
    }
    cli::run(args)
}

/// Whether the program was called by cargo's name, through the link of `[cargo] shim`.
fn is_cargo(program: &OsString) -> bool {
    Path::new(program).file_name() == Some(OsStr::new(ops::cargo_shim::NAME))
}

/// Whether what follows `hook` is a word of a person's; agents have other names.
fn is_for_people(word: Option<&OsString>) -> bool {
    const WORDS: [&str; 6] = ["list", "log", "test", "help", "--help", "-h"];
    word.is_some_and(|word| WORDS.iter().any(|known| word == known))
}
