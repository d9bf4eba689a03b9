//! Skills: does the model learn of them, and can it load them?

use super::{Verdict, ensure, skill_file};
use crate::Outcome;
use crate::agents::{Act, Scope};
use crate::fixture::{BESIDE_SECRET, OTHER_SKILL, OTHER_SKILL_DESCRIPTION, SKILL, SKILL_DESCRIPTION, SKILL_SECRET};
use crate::world::{Run, World};

/// Listed from the first request on, and its text arrives when it is asked for.
pub(super) fn listed_and_loaded(world: &World) -> Outcome<Verdict> {
    let file = skill_file(world, SKILL);
    load(world, &[Act::Skill { name: SKILL, file: &file }]).map(|(verdict, _)| verdict)
}

/// Has the model load the skill, and perhaps do something with it.
fn load(world: &World, acts: &[Act]) -> Outcome<(Verdict, Run)> {
    world.set_up(Scope::User)?;
    let run = world.run("What can you do?", acts)?;
    let first = run.first()?;
    if !first.mentions(SKILL_DESCRIPTION) {
        return Ok((Verdict::Absent("the description is not in the first request".to_owned()), run));
    }
    ensure(first.mentions(SKILL), || "the skill is listed without its name".to_owned())?;
    ensure(!first.mentions(SKILL_SECRET), || "the whole skill is in the first request".to_owned())?;
    ensure(run.last()?.text.contains(SKILL_SECRET), || "the text of the skill did not arrive".to_owned())?;
    Ok((Verdict::Works, run))
}

/// A skill for a version that is not locked is neither installed nor listed.
pub(super) fn other_version_absent(world: &World) -> Outcome<Verdict> {
    world.set_up(Scope::User)?;
    let run = world.run("What can you do?", &[])?;
    let first = run.first()?;
    let shown = [OTHER_SKILL, OTHER_SKILL_DESCRIPTION].iter().any(|text| first.mentions(text));
    ensure(!shown, || "the skill for version 2 is listed".to_owned())?;
    let installed = world.tree()?.into_keys().find(|path| path.starts_with("project/") && path.contains(OTHER_SKILL));
    ensure(installed.is_none(), || format!("the skill for version 2 is installed: {installed:?}"))?;
    // Absence proves nothing where no skill is listed at all.
    ensure(first.mentions(SKILL_DESCRIPTION), || "the skill for version 1 is not listed either".to_owned())?;
    Ok(Verdict::Works)
}

/// Directories git ignores are listed all the same, and what is in them can be read.
pub(super) fn git_ignored(world: &World) -> Outcome<Verdict> {
    world.put("project/.gitignore", ".claude/\n.agents/\n")?;
    let (file, beside) = (skill_file(world, SKILL), file_beside(world));
    let (verdict, run) = load(world, &[Act::Skill { name: SKILL, file: &file }, Act::Read(&beside)])?;
    let is_read = run.last()?.answered(BESIDE_SECRET);
    Ok(match verdict {
        Verdict::Works if !is_read => {
            Verdict::WorksBut("of the skill's other files, its tool for reading files reads none".to_owned())
        }
        verdict => verdict,
    })
}

/// The path of a file beside the skill's text.
fn file_beside(world: &World) -> String {
    skill_file(world, SKILL).replace("SKILL.md", "colours.md")
}

/// A skill's other files can be read with the tool for files, as its text tells the model to.
pub(super) fn files_beside(world: &World) -> Outcome<Verdict> {
    read_beside(world)
}

/// The same where skills are installed to be committed.
pub(super) fn files_beside_committed(world: &World) -> Outcome<Verdict> {
    world.put("project/.symposium/config.toml", "[install]\ncommit = true\n")?;
    read_beside(world)
}

fn read_beside(world: &World) -> Outcome<Verdict> {
    world.set_up(Scope::User)?;
    let run = world.run("What can you do?", &[Act::Read(&file_beside(world))])?;
    let answer = run.last()?.results.last().cloned().unwrap_or_default();
    Ok(if answer.contains(BESIDE_SECRET) {
        Verdict::Works
    } else {
        Verdict::Absent(format!("the tool says: {answer:.300}"))
    })
}

/// The skills of the project are there when the agent is started further down.
pub(super) fn from_subdirectory(world: &World) -> Outcome<Verdict> {
    world.set_up(Scope::User)?;
    let run = world.run_in("project/inner", "What can you do?", &[])?;
    Ok(if run.first()?.mentions(SKILL_DESCRIPTION) {
        Verdict::Works
    } else {
        Verdict::Absent("the description is not in the first request".to_owned())
    })
}
