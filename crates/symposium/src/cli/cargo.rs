//! `symposium cargo`: cargo with a short output.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::ops::cargo_run::{self, CargoReport};
use crate::ui::printer::OutputPrinter;
use crate::ui::response::CommandResponse;

pub(super) fn run(arguments: &[OsString], printer: OutputPrinter) -> ExitCode {
    match cargo_run::run(arguments) {
        Ok(CargoReport { output, kept, result }) => {
            printer.raw(&output);
            if let Some(file) = kept {
                printer
                    .raw(format!("[shortened by symposium; the whole output is in {}]\n", file.display()).as_bytes());
            }
            result.end()
        }
        Err(error) => CommandResponse::from(error).print(printer).into(),
    }
}
