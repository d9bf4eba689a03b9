//! `symposium plugin index`: a directory of plugins as files for any web server.

use std::path::Path;

use serde::Serialize;

use crate::error::{CliError, CommandExit};
use crate::ops::author::plugin_index::write_index;
use crate::run_report::RunReport;
use crate::ui::printer::{OutputFormat, OutputPrinter};
use crate::ui::text::{StyledText, count_of};

#[derive(Serialize)]
struct IndexDocument {
    version: u32,
    plugins: usize,
    crates: usize,
    anywhere: usize,
    bytes: u64,
}

pub(super) fn run(source: &Path, out: &Path, printer: OutputPrinter) -> Result<CommandExit, CliError> {
    let made = write_index(source, out)?;
    let mut report = RunReport::default();
    report.add_briefly(&made.faults);
    printer.lines(report.take_lines());
    match printer.answer {
        OutputFormat::Json => printer.json(&IndexDocument {
            version: 1,
            plugins: made.plugins,
            crates: made.crates,
            anywhere: made.anywhere,
            bytes: made.bytes,
        }),
        OutputFormat::Human => {
            let plugins = count_of(made.plugins, "plugin");
            let crates = count_of(made.crates, "crate");
            let text =
                format!("Indexed {plugins} in `{}`: {crates}, {} for any workspace.", out.display(), made.anywhere);
            printer.text(&StyledText::default().line(text));
        }
    }
    Ok(report.exit(CommandExit::Ok))
}
