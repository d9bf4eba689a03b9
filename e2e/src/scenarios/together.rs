//! Several agents in one project: some read each other's files.

use super::{Verdict, ensure, listed, with_others};
use crate::Outcome;
use crate::agents::{Act, Scope};
use crate::fixture::{SKILL, SKILL_DESCRIPTION};
use crate::world::World;

/// The agent and others set up in one project; the agent is run.
pub(super) fn beside_another_agent(world: &World) -> Outcome<Verdict> {
    let agents = with_others(world);
    world.set_up_agents(Scope::User, &agents)?;
    world.set_up_agents(Scope::Project, &agents)?;
    let run = world.run("What can you do?", &[Act::Mcp { server: "symposium", tool: "list" }])?;
    let first = run.first()?;
    let listed = listed(world, first, SKILL, SKILL_DESCRIPTION);
    let tool = (world.agent.call)(&Act::Mcp { server: "symposium", tool: "list" }).tool;
    let offered = first.tools.iter().filter(|name| **name == tool).count();
    ensure(offered <= 1, || format!("our tool `{tool}` is offered {offered} times"))?;
    ensure(run.last()?.answered(SKILL), || "our MCP server did not answer".to_owned())?;
    Ok(match listed {
        0 => Verdict::Absent("the skill is not listed".to_owned()),
        1 => Verdict::Works,
        _ => Verdict::WorksBut(format!("the skill is listed {listed} times")),
    })
}
