//! Skills: does the model learn of them, and can it load them?

use super::{Verdict, ensure, listed, skill_file, with_others};
use crate::Outcome;
use crate::agents::{Act, Scope};
use crate::fixture::{
    BESIDE_SECRET, OTHER_SKILL, OTHER_SKILL_DESCRIPTION, PROJECT, SKILL, SKILL_DESCRIPTION, SKILL_SECRET,
};
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
    if listed(world, first, SKILL, SKILL_DESCRIPTION) == 0 {
        return Ok((Verdict::Absent("the description is not in the first request".to_owned()), run));
    }
    let verdict = if first.mentions(SKILL_DESCRIPTION) {
        Verdict::Works
    } else {
        Verdict::WorksBut("the model is shown the names of skills, without descriptions".to_owned())
    };
    ensure(first.mentions(SKILL), || "the skill is listed without its name".to_owned())?;
    ensure(!first.mentions(SKILL_SECRET), || "the whole skill is in the first request".to_owned())?;
    ensure(run.last()?.text.contains(SKILL_SECRET), || "the text of the skill did not arrive".to_owned())?;
    Ok((verdict, run))
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
    Ok(match listed(world, first, SKILL, SKILL_DESCRIPTION) {
        0 => Verdict::Absent("the skill for version 1 is not listed either".to_owned()),
        _ => Verdict::Works,
    })
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
    read_beside(world).map(|(verdict, _)| verdict)
}

/// The same where skills are installed to be committed, as those of a project's source are: the user's own never are. Then
/// agents that leave out what git ignores list the skill too.
pub(super) fn files_beside_committed(world: &World) -> Outcome<Verdict> {
    let source = "[[plugin-source]]\nname = \"ours\"\npath = \"plugins\"\n";
    world.put("project/.symposium/config.toml", &format!("[install]\ncommit = true\n\n{source}"))?;
    for (path, text) in PROJECT {
        if let Some(below) = path.strip_prefix(".symposium/") {
            world.put(&format!("project/{below}"), text)?;
            world.remove(path)?;
        }
    }
    let (verdict, run) = read_beside(world)?;
    let mark = world.tree()?.into_keys().find(|path| path.ends_with("/widget-guide/.gitignore"));
    ensure(mark.is_none(), || format!("git ignores the skill: {mark:?}"))?;
    ensure(listed(world, run.first()?, SKILL, SKILL_DESCRIPTION) > 0, || "the skill is not listed".to_owned())?;
    Ok(verdict)
}

fn read_beside(world: &World) -> Outcome<(Verdict, Run)> {
    world.set_up(Scope::User)?;
    let run = world.run("What can you do?", &[Act::Read(&file_beside(world))])?;
    let answer = run.last()?.results.last().cloned().unwrap_or_default();
    let verdict = if answer.contains(BESIDE_SECRET) {
        Verdict::Works
    } else {
        Verdict::Absent(format!("the tool says: {answer:.300}"))
    };
    Ok((verdict, run))
}

/// The skills of the project are there when the agent is started further down.
pub(super) fn from_subdirectory(world: &World) -> Outcome<Verdict> {
    world.set_up(Scope::User)?;
    let run = world.run_in("project/inner", "What can you do?", &[])?;
    Ok(if listed(world, run.first()?, SKILL, SKILL_DESCRIPTION) > 0 {
        Verdict::Works
    } else {
        Verdict::Absent("the description is not in the first request".to_owned())
    })
}

/// The workspace's own skills, by name and description: three where several agents look, one where none does.
const OF_WORKSPACE: [(&str, &str); 4] = [
    ("project/.agents/skills/release-steps/SKILL.md", "How the shop is put on sale"),
    ("project/.agents/skills/test-data/SKILL.md", "Where the shop gets its goods"),
    ("project/.agents/skills/code-owners/SKILL.md", "People who know the shop"),
    ("project/skills/shop-api/SKILL.md", "Calls that customers make"),
];

/// Each skill of the workspace is listed once, with the agent alone and beside others.
pub(super) fn of_workspace(world: &World) -> Outcome<Verdict> {
    for (path, description) in OF_WORKSPACE {
        let name = path.rsplit('/').nth(1).unwrap_or_default();
        world.put(path, &format!("---\nname: {name}\ndescription: {description}\n---\n\nText of {name}.\n"))?;
    }
    world.set_up(Scope::User)?;
    let alone = times_listed(world, &world.run("What can you do?", &[])?)?;
    world.set_up_agents(Scope::User, &with_others(world))?;
    let beside = times_listed(world, &world.run("What can you do?", &[])?)?;
    ensure(beside == alone, || format!("alone the skills are listed {alone:?} times, beside others {beside:?} times"))?;
    // Three lie where it looks; the fourth was installed for it.
    if alone == [1, 1, 1, 0] {
        return Ok(Verdict::Absent("the installed one is not listed".to_owned()));
    }
    ensure(alone.iter().all(|times| *times == 1), || format!("the skills are listed {alone:?} times"))?;
    Ok(Verdict::Works)
}

fn times_listed(world: &World, run: &Run) -> Outcome<Vec<usize>> {
    let first = run.first()?;
    let name = |path: &'static str| path.rsplit('/').nth(1).unwrap_or_default();
    Ok(OF_WORKSPACE.iter().map(|(path, description)| listed(world, first, name(path), description)).collect())
}
