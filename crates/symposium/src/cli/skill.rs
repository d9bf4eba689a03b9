//! `symposium skill check`: the rules of skills, for their authors.

use super::args::SkillCommand;
use super::report::{self, FailureBar};
use crate::error::{CliError, CommandExit};
use crate::ops::author::validate;
use crate::ui::printer::OutputPrinter;

pub(super) fn run(command: &SkillCommand, printer: OutputPrinter) -> Result<CommandExit, CliError> {
    match command {
        SkillCommand::Check { path, strict } => {
            let nothing = format!("There is no SKILL.md in `{}` or below it", path.display());
            let hint = "put each skill into a directory of its own, as `my-skill/SKILL.md`";
            report::items(&validate::skills(path)?, FailureBar::strict(*strict), printer, &nothing, hint)
        }
    }
}
