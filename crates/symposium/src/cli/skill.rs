//! `symposium skill check`: the rules of skills, for their authors.

use super::args::SkillCommand;
use super::report::{self, Bar};
use crate::app::validate;
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::printer::Printer;

/// Runs the command.
pub(super) fn run(command: &SkillCommand, printer: Printer) -> Result<Exit, CliError> {
    match command {
        SkillCommand::Check { path, strict } => {
            let nothing = format!("There is no SKILL.md in `{}` or below it", path.display());
            let hint = "put each skill into a directory of its own, as `my-skill/SKILL.md`";
            report::items(&validate::skills(path)?, Bar::strict(*strict), printer, &nothing, hint)
        }
    }
}
