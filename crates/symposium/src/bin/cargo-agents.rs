//! `cargo agents …`: the same program under the name cargo looks for.

use std::process::ExitCode;

fn main() -> ExitCode {
    symposium::main(std::env::args_os())
}
