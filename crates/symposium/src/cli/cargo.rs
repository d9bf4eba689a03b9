//! `symposium cargo`: cargo with a short output.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::ops::cargo_run::{self, CallName, CargoReport};
use crate::ui::printer::OutputPrinter;
use crate::ui::response::CommandResponse;

/// The exit code of a shell that finds no program.
const NOT_FOUND: u8 = 127;

pub(super) fn run(arguments: &[OsString], name: CallName, printer: OutputPrinter) -> ExitCode {
    match cargo_run::run(arguments, name, move |bytes| printer.raw(bytes)) {
        Ok(CargoReport { output, kept, result }) => {
            printer.raw(&output);
            if let Some(file) = kept {
                printer
                    .raw(format!("[shortened by symposium; the whole output is in {}]\n", file.display()).as_bytes());
            }
            result.end()
        }
        Err(error) => {
            let exit = CommandResponse::from(error).print(printer).into();
            if name == CallName::Cargo { ExitCode::from(NOT_FOUND) } else { exit }
        }
    }
}
