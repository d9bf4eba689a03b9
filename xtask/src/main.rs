//! Chores of this repository: `cargo xtask <chore>`.

mod print;
mod tidy;

use std::ffi::OsStr;
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask <chore>

  tidy     check the rules of the architecture";

fn main() -> ExitCode {
    let chore = std::env::args_os().nth(1);
    match chore.as_deref().and_then(OsStr::to_str) {
        Some("tidy") => tidy::run(),
        Some("help" | "--help" | "-h") => {
            print::data(USAGE);
            ExitCode::SUCCESS
        }
        Some(_) | None => {
            print::talk(USAGE);
            ExitCode::from(2)
        }
    }
}
