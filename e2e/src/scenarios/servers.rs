//! Our MCP server: does the model learn of its tools, and is it answered?

use super::{Verdict, ensure, offers};
use crate::Outcome;
use crate::agents::{Act, Scope};
use crate::fixture::SKILL;
use crate::world::World;

/// The tool that lists the workspace's crates and skills.
const TOOL: Act = Act::Mcp { server: "symposium", tool: "list" };

/// Registered for the user.
pub(super) fn user_scope(world: &World) -> Outcome<Verdict> {
    world.set_up(Scope::User)?;
    called(world, "project")
}

/// Registered in the project.
pub(super) fn project_scope(world: &World) -> Outcome<Verdict> {
    world.set_up(Scope::Project)?;
    called(world, "project")
}

/// Registered for the user, started below the project's root: the answer is about the whole workspace.
pub(super) fn from_subdirectory(world: &World) -> Outcome<Verdict> {
    world.set_up(Scope::User)?;
    called(world, "project/inner")
}

fn called(world: &World, directory: &str) -> Outcome<Verdict> {
    let run = world.run_in(directory, "Which crates are there?", &[TOOL])?;
    if !offers(world, run.first()?, &TOOL) {
        return Ok(Verdict::Absent("the first request does not offer our tools".to_owned()));
    }
    let answer = run.last()?.results.last().cloned().unwrap_or_default();
    ensure(answer.contains(SKILL), || format!("the tool did not answer with our skill but: {answer:.300}"))?;
    Ok(Verdict::Works)
}
