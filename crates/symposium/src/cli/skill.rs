//! `symposium skill check`: the rules of skills, for their authors.

use super::args::SkillCommand;
use super::report::{self, FailureBar};
use crate::error::{CliError, CommandExit};
use crate::ops::author::validate;
use crate::ui::printer::Printer;

pub(super) fn run(command: &SkillCommand, printer: Printer) -> Result<CommandExit, CliError> {
    match command {
        SkillCommand::Check { path, strict } => {
            let nothing = format!("`{}` contains no SKILL.md, and neither does a directory below it", path.display());
            let hint = "put each skill into its own directory, as `my-skill/SKILL.md`";
            report::items(&validate::skills(path)?, FailureBar::strict(*strict), printer, &nothing, hint)
        }
    }
}
