//! `symposium completions` and `symposium man`: made from the command line's own description.

use clap::CommandFactory;

use super::args::Cli;
use super::help;
use crate::ui::exit::Exit;
use crate::ui::printer::Printer;

/// Prints a completion script.
pub(super) fn completions(shell: clap_complete::Shell, printer: Printer) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut help::command(), "symposium", &mut script);
    printer.raw(&script);
    Exit::Ok
}

/// Prints the manual: one page for the program and one for each command.
pub(super) fn manual(printer: Printer) -> Exit {
    let mut pages = Vec::new();
    let mut program = Cli::command();
    program.build();
    render(&program, &mut pages);
    printer.raw(&pages);
    Exit::Ok
}

fn render(command: &clap::Command, pages: &mut Vec<u8>) {
    let man = clap_mangen::Man::new(command.clone());
    // Writing to memory cannot fail.
    let _ = man.render(pages);
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set() && inner.get_name() != "help") {
        render(inner, pages);
    }
}
