//! Chores of this repository: `cargo xtask <chore>`.

use std::process::ExitCode;

mod skills;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned());
    match args.next().as_deref() {
        Some("skills") => skills::run(&args.collect::<Vec<_>>()),
        _ => skills::usage(),
    }
}
