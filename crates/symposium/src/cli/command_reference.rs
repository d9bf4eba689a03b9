//! The page of the book with every command and option, made from what the program itself knows.

use clap::{Arg, ArgAction, Command};

use super::args::GLOBAL_OPTIONS;
use super::help;

const INTRODUCTION: &str = "\
# Command reference

This page is generated from the program; `symposium COMMAND --help` prints the same text. `cargo agents …` is equivalent to
`symposium …`.

Exit codes: 0 success; 1 a negative result (`--check` found changes, a check found errors, the crate does not exist, you
answered no); 2 invalid command line; 3 some steps failed and are listed, and all others succeeded; 101 a bug in Symposium.
`symposium hook AGENT EVENT` exits with 0, or with 2 if the agent expects that code for a denial.
";

fn page() -> String {
    let mut program = help::command();
    program.build();
    let mut page = INTRODUCTION.to_owned();
    page.push_str("\n## Options of every command\n\n");
    page.push_str(&options(program.get_arguments().filter(|option| option.is_global_set())));
    for (title, names) in help::GROUPS {
        page.push_str(&format!("\n## {title}\n"));
        for command in names.iter().filter_map(|name| program.find_subcommand(name)) {
            section(command, &mut page);
        }
    }
    page
}

fn section(command: &Command, page: &mut String) {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    page.push_str(&format!("\n### {name}\n\n"));
    let about = command.get_long_about().or_else(|| command.get_about());
    page.push_str(&format!("{}\n", about.map(ToString::to_string).unwrap_or_default()));
    let inner: Vec<&Command> = command.get_subcommands().filter(|inner| inner.get_name() != "help").collect();
    if inner.is_empty() {
        let usage = command.clone().render_usage().to_string();
        page.push_str(&format!("\n```text\n{}\n```\n", usage.trim_start_matches("Usage: ")));
        let own = options(command.get_arguments().filter(|option| option.get_help_heading() != Some(GLOBAL_OPTIONS)));
        if !own.is_empty() {
            page.push_str(&format!("\n{own}"));
        }
    }
    for inner in inner {
        section(inner, page);
    }
}

/// A table of arguments and options; empty when there are none to tell of.
fn options<'a>(all: impl Iterator<Item = &'a Arg>) -> String {
    let mut rows = String::new();
    for option in all.filter(|option| !option.is_hide_set() && !is_of_every_program(option)) {
        let values = option.get_value_names().unwrap_or_default().join(" ");
        let takes = option.get_action().takes_values();
        let mut name = match (option.get_short(), option.get_long()) {
            (Some(short), Some(long)) => format!("-{short}, --{long}"),
            (None, Some(long)) => format!("--{long}"),
            (Some(short), None) => format!("-{short}"),
            (None, None) => values.clone(),
        };
        if takes && !option.is_positional() {
            name.push_str(&format!(" {values}"));
        }
        let mut about = option.get_help().map(ToString::to_string).unwrap_or_default();
        let words: Vec<String> =
            option.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
        if takes && !words.is_empty() && !option.is_hide_possible_values_set() {
            about.push_str(&format!(": {}", words.join(", ")));
        }
        rows.push_str(&format!("| `{name}` | {} |\n", about.replace('|', "\\|")));
    }
    if rows.is_empty() { rows } else { format!("| option | meaning |\n|---|---|\n{rows}") }
}

/// `--help` and `--version` of the program need no row; a `--version` with a value does.
fn is_of_every_program(option: &Arg) -> bool {
    matches!(option.get_action(), ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version)
}

#[test]
fn the_page_of_the_book_is_current() {
    expect_test::expect_file!["../../../../book/src/commands.md"].assert_eq(&page());
}
