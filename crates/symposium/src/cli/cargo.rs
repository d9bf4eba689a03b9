//! `symposium cargo`: cargo with a short output.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::ops::cargo_run::{self, CallName, CargoReport, EndedRun};
use crate::ui::exit;
use crate::ui::printer::OutputPrinter;
use crate::ui::response::CommandResponse;

/// The exit code of a shell that finds no program.
const NOT_FOUND: u8 = 127;

pub(super) fn run(arguments: &[OsString], name: CallName, printer: OutputPrinter) -> ExitCode {
    match cargo_run::run(arguments, name, move |bytes| printer.raw(bytes)) {
        Ok(ended) => print_short(ended, EndedRun::shorten, printer),
        Err(error) => {
            let exit = CommandResponse::from(error).print(printer).into();
            if name == CallName::Cargo { ExitCode::from(NOT_FOUND) } else { exit }
        }
    }
}

/// Prints the short form of an output. If it panics, cargo's own output is printed, and cargo's exit code stays.
fn print_short<'a>(
    ended: EndedRun<'a>,
    shorten: impl FnOnce(EndedRun<'a>) -> CargoReport,
    printer: OutputPrinter,
) -> ExitCode {
    let (whole, code) = (ended.whole(), ended.shell_code());
    exit::rescue_panics(move || {
        printer.raw(&whole);
        code
    });
    let CargoReport { output, kept, result } = shorten(ended);
    printer.raw(&output);
    if let Some(file) = kept {
        printer.raw(format!("[shortened by symposium; the whole output is in {}]\n", file.display()).as_bytes());
    }
    result.end()
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "the test starts itself and looks at how it ends")]

    use anstream::ColorChoice;

    use super::*;
    use crate::ui::printer::{OutputFormat, VerbosityLevel};

    const WHOLE: &[u8] = b"   Compiling a v1.0.0\nerror: \xff real\n";

    /// A process of its own, which panics while it shortens.
    #[test]
    #[ignore = "started by the other test"]
    fn panics() {
        let printer =
            OutputPrinter { verbosity: VerbosityLevel::Normal, answer: OutputFormat::Human, color: ColorChoice::Never };
        exit::report_panics();
        print_short(cargo_run::ended_run(77, WHOLE), |_| panic!("injected"), printer);
    }

    #[test]
    fn a_panic_loses_neither_the_output_nor_the_exit_code() {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "cli::cargo::tests::panics", "--ignored", "--nocapture", "--quiet"])
            .output()
            .unwrap();
        assert!(output.stdout.ends_with(WHOLE), "{output:?}");
        assert_eq!(output.status.code(), Some(77));
        assert!(String::from_utf8_lossy(&output.stderr).contains("a bug in Symposium: injected"), "{output:?}");
    }
}
