//! `symposium skill check`: the rules of skills, for their authors.

use super::args::SkillCommand;
use super::report;
use crate::app::validate;
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::printer::Printer;

/// Runs the command.
pub(super) fn run(command: &SkillCommand, printer: Printer) -> Result<Exit, CliError> {
    match command {
        SkillCommand::Check { path } => Ok(report::items(&validate::skills(path)?, printer)),
    }
}
