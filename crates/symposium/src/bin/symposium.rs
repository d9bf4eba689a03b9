//! `symposium …`.

use std::process::ExitCode;

fn main() -> ExitCode {
    symposium::main(std::env::args_os())
}
