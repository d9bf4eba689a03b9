//! The program: arguments in, orchestration, printing.
//!
//! Every decision is `symposium-model`'s and every side effect `symposium-io`'s; this crate connects them and talks.

mod app;
mod cli;
mod hook_side;
mod ui;

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

/// What the hook cannot do by itself.
const SLOW: symposium_hook::SlowPath = symposium_hook::SlowPath {
    program: hook_side::PROGRAM,
    compile: hook_side::compile,
    synchronize: hook_side::synchronize,
};

/// Runs the program with its arguments, the program's own name first.
pub fn main(args: impl Iterator<Item = OsString>) -> ExitCode {
    let mut args: Vec<OsString> = args.collect();
    // `cargo agents x` starts `cargo-agents agents x`.
    if args.get(1).is_some_and(|first| first == "agents") {
        args.remove(1);
    }
    // The hook answers before anything slow is even looked at.
    if args.get(1).map(OsString::as_os_str) == Some(OsStr::new("hook")) {
        return symposium_hook::run(args.get(2..).unwrap_or_default(), &SLOW);
    }
    ui::exit::report_panics();
    cli::run(args)
}
