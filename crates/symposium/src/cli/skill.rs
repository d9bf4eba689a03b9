//! `symposium skill`: the rules of skills, and tests of what they say, for their authors.

use super::args::{GlobalArgs, SkillCommand, SkillTestArgs};
use super::report::{self, FailureBar};
use super::session::CliSession;
use crate::error::{CliError, CommandExit};
use crate::ops::author::skill_test::{self, SkillTestOptions, TestCounts, TestExtent};
use crate::ops::author::validate;
use crate::ui::printer::{OutputFormat, OutputPrinter};
use crate::ui::text::{StyledText, count_of};

const WITHOUT_SKILLS: &str = "put each skill into its own directory, as `my-skill/SKILL.md`";

pub(super) fn run(
    command: &SkillCommand,
    global: &GlobalArgs,
    printer: OutputPrinter,
) -> Result<CommandExit, CliError> {
    match command {
        SkillCommand::Check { paths, strict } => {
            let nothing = "contains no SKILL.md, and neither does a directory below it";
            let (items, empty) = report::check_each(paths, validate::skills)?;
            let nothing = empty.map(|path| format!("`{}` {nothing}", path.display()));
            report::items(&items, FailureBar::strict(*strict), printer, nothing.as_deref(), WITHOUT_SKILLS)
        }
        SkillCommand::Test(args) => test(args, global, printer),
    }
}

fn test(args: &SkillTestArgs, global: &GlobalArgs, printer: OutputPrinter) -> Result<CommandExit, CliError> {
    let session = CliSession::logged(printer, global)?;
    let extent = match (args.check, args.all) {
        (true, _) => TestExtent::Compare,
        (false, true) => TestExtent::All,
        (false, false) => TestExtent::Changed,
    };
    if extent != TestExtent::Compare && printer.answer == OutputFormat::Human {
        printer
            .note("Cargo runs the build scripts of the crates that the skills are for, and the tests in their blocks");
    }
    let is_offline = super::is_offline(global);
    let options = SkillTestOptions { paths: args.paths.clone(), is_offline, record: args.record.clone(), extent };
    let tested = skill_test::run(&session.context, &options)?;
    let nothing = tested.items.is_empty().then_some("The given paths contain no SKILL.md");
    let exit = report::items(&tested.items, FailureBar::strict(args.strict), printer, nothing, WITHOUT_SKILLS)?;
    if extent != TestExtent::Compare && printer.answer == OutputFormat::Human {
        printer.text(&StyledText::default().line(counts_text(tested.counts)));
    }
    Ok(session.exit(exit))
}

fn counts_text(counts: TestCounts) -> String {
    let TestCounts { blocks, names, renames, versions, unchanged } = counts;
    let tested = [count_of(blocks, "block"), count_of(names, "name"), format!("{renames} in renames")].join(", ");
    let unchanged = if unchanged == 0 { String::new() } else { format!("; {} unchanged", count_of(unchanged, "file")) };
    format!("Tested {tested}, with {}{unchanged}", count_of(versions, "version set"))
}
