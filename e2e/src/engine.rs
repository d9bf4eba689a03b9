//! Plays the scenarios of Cursor's hook engine, and keeps their page of the book.

#![expect(clippy::disallowed_methods, reason = "the harness cleans up after itself and compares a page of the book")]

use std::fs;
use std::path::Path;

use crate::Outcome;
use crate::agents::CURSOR_ENGINE;
use crate::arguments::Arguments;
use crate::finding::{Ending, judge};
use crate::matrix;
use crate::print;
use crate::programs::Programs;
use crate::scenarios::{ENGINE_SCENARIOS, EngineScenario};
use crate::world::World;

const PAGE: &str = "support-cursor.md";

/// Plays all of them; whether all is well and the page says so.
pub(crate) fn play(arguments: &Arguments, programs: &Programs, runs: &Path) -> Outcome<bool> {
    let mut failures = Vec::new();
    for scenario in ENGINE_SCENARIOS {
        if let Err(why) = play_one(scenario, programs, runs) {
            print::data(&format!("FAILED   cursor    {:30} {why}", scenario.name));
            failures.push(scenario.name);
        } else {
            print::data(&format!("ok       cursor    {}", scenario.name));
        }
    }
    let (page, book) = (page(&failures), matrix::book_page(PAGE));
    if arguments.write_matrix && failures.is_empty() {
        fs::write(&book, &page).map_err(|error| format!("writing `{}`: {error}", book.display()))?;
        print::data(&format!("wrote {}", book.display()));
    }
    let differences = matrix::differences(&fs::read_to_string(&book).unwrap_or_default(), &page);
    if !differences.is_empty() {
        print::data(&format!("The page on Cursor differs (`-` book, `+` this run):\n{differences}"));
    }
    Ok(failures.is_empty() && differences.is_empty())
}

fn play_one(scenario: &EngineScenario, programs: &Programs, runs: &Path) -> Outcome<()> {
    let root = runs.join(CURSOR_ENGINE.name).join(scenario.name);
    let world = World::new(&CURSOR_ENGINE, programs, root, false)?;
    match judge(None, (scenario.play)(&world)) {
        Ending::AsExpected(_) => Ok(()),
        Ending::Failed(why) => Err(why),
    }
}

fn page(failures: &[&str]) -> String {
    let mut text = format!(
        "# Cursor's hook engine\n\n\
         Cursor's agent needs an account and could not be run. The engine that runs its hooks is inside its SDK \
         (npm `{}` {}), and does without: observed by having that engine take the steps of a session in a fresh home \
         (`cargo xtask e2e --cursor-engine`). Whether Cursor lists our skills and starts our MCP server, and whether \
         its model is shown what the engine took, was not observed.\n\n| | {} |\n|---|---|\n",
        CURSOR_ENGINE.package, CURSOR_ENGINE.version, CURSOR_ENGINE.title
    );
    for scenario in ENGINE_SCENARIOS {
        let cell = if failures.contains(&scenario.name) { "**wrong**" } else { "yes" };
        text += &format!("| {} | {cell} |\n", scenario.capability);
    }
    text + "\nThe engine runs hooks in a login shell, with the PATH of that shell's profile: a project registration, which \
            calls `symposium` by name, needs it there. A user registration calls it by its path. It runs \
            the hooks of Claude Code's settings too, of a file in which at least one entry has a `matcher`.\n"
}
