//! `symposium completions` and `symposium man`: made from the command line's own description.

use std::ffi::OsStr;
use std::path::Path;

use clap::{Command, CommandFactory};
use symposium_model::suggest::advice;

use super::args::CliArgs;
use super::help;
use crate::error::{CliError, CommandExit};
use crate::ui::printer::Printer;

/// The program under the name cargo looks for.
const CARGO_AGENTS: &str = "cargo-agents";

/// Makes bash use the completions of `symposium` after `cargo-agents` and `cargo agents`, and those of cargo itself after
/// the rest of what cargo does.
const THROUGH_CARGO: &str = r#"
complete -F _symposium -o bashdefault -o default cargo-agents
_cargo_with_agents() {
    if [[ ${COMP_WORDS[1]} == agents && $COMP_CWORD -ge 2 ]]; then
        COMP_WORDS=(cargo-agents "${COMP_WORDS[@]:2}")
        COMP_CWORD=$((COMP_CWORD - 1))
        _symposium cargo-agents "$2" "$3"
        return
    fi
    if ! declare -F _cargo >/dev/null; then
        { _comp_load cargo || _completion_loader cargo; } 2>/dev/null
        complete -F _cargo_with_agents -o bashdefault -o default cargo
    fi
    if declare -F _cargo >/dev/null; then
        _cargo "$@"
    fi
}
complete -F _cargo_with_agents -o bashdefault -o default cargo
"#;

/// Prints a completion script for the name the program was started by. Zsh finds the one for `cargo-agents` after
/// `cargo agents` by itself.
pub(super) fn completions(shell: clap_complete::Shell, program: Option<&OsStr>, printer: Printer) -> CommandExit {
    let name = program.and_then(|program| Path::new(program).file_stem());
    let through_cargo = name == Some(OsStr::new(CARGO_AGENTS));
    let in_bash = shell == clap_complete::Shell::Bash;
    // What is made for bash takes the hyphen in a name for the end of a command, and finds nothing below it.
    let name = if through_cargo && !in_bash { CARGO_AGENTS } else { "symposium" };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut help::command(), name, &mut script);
    if through_cargo && in_bash {
        script.extend_from_slice(THROUGH_CARGO.as_bytes());
    }
    printer.raw(&script);
    CommandExit::Ok
}

/// Prints the page of one command, or the manual: a page for the program and one for each command.
pub(super) fn manual(words: &[String], printer: Printer) -> Result<CommandExit, CliError> {
    let mut program = CliArgs::command();
    program.build();
    let mut pages = Vec::new();
    match words {
        [] => render_all(&program, &mut pages),
        words => render(find(&program, words)?, &mut pages),
    }
    printer.raw(&pages);
    Ok(CommandExit::Ok)
}

fn find<'c>(program: &'c Command, words: &[String]) -> Result<&'c Command, CliError> {
    let mut command = program;
    for word in words {
        let known: Vec<&str> = pages_below(command).map(Command::get_name).collect();
        let Some(inner) = pages_below(command).find(|inner| inner.get_name() == word) else {
            let help = advice(word, &known, || "run `symposium --help` to list the commands".to_owned());
            return Err(CliError::usage(format!("Unknown command `{}`", words.join(" "))).hint(help));
        };
        command = inner;
    }
    Ok(command)
}

fn pages_below(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|inner| !inner.is_hide_set() && inner.get_name() != "help")
}

fn render_all(command: &Command, pages: &mut Vec<u8>) {
    render(command, pages);
    for inner in pages_below(command) {
        render_all(inner, pages);
    }
}

fn render(command: &Command, pages: &mut Vec<u8>) {
    let man = clap_mangen::Man::new(command.clone());
    // Writing to memory cannot fail.
    let _ = man.render(pages);
}
