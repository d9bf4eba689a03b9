//! The first page of help, with the commands grouped by who needs them.

use clap::{Command, CommandFactory};

use super::args::CliArgs;

pub(super) const GROUPS: [(&str, &[&str]); 3] = [
    (
        "Everyday",
        &[
            "init",
            "sync",
            "on",
            "off",
            "import",
            "status",
            "trust",
            "doctor",
            "diff",
            "context",
            "search",
            "crate",
            "api",
            "why",
            "cargo",
            "config",
            "self-update",
            "uninstall",
            "completions",
            "man",
        ],
    ),
    ("For crate authors", &["plugin", "skill", "hook"]),
    ("For agents", &["start", "mcp"]),
];

/// The command line as clap sees it, with our first page.
pub(crate) fn command() -> Command {
    let command = CliArgs::command();
    let template = template(&command);
    command.help_template(template)
}

fn template(command: &Command) -> String {
    // As clap shows its own headings and names.
    let (heading, literal) = (command.get_styles().get_header(), command.get_styles().get_literal());
    let mut page = String::from("{about}\n\n{usage-heading} {usage}\n");
    for (title, names) in GROUPS {
        page.push_str(&format!("\n{heading}{title}:{heading:#}\n"));
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let gap = " ".repeat(13_usize.saturating_sub(name.len()));
            page.push_str(&format!("  {literal}{name}{literal:#}{gap}{}\n", about.trim_end_matches('.')));
        }
    }
    page.push_str(&format!("\n{heading}Options:{heading:#}\n"));
    page.push_str("{options}\n\nRun `symposium COMMAND --help` for details about a command.\n");
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_page_fits_a_terminal() {
        let page = command().term_width(80).render_help().to_string();
        let long: Vec<&str> = page.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{long:?}");
    }

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        grouped.sort_unstable();
        let command = CliArgs::command();
        let mut known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        known.sort_unstable();
        assert_eq!(grouped, known);
        command.debug_assert();
    }
}
