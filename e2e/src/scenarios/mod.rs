//! The one table: what is tried with every agent, and who cannot do it for which reason.
//!
//! A scenario finds out whether something works, is cleanly absent, or went wrong. Everybody is expected to do
//! everything, except where the table says who cannot and why; then it must be cleanly absent.

mod api;
mod cargo;
mod cursor;
mod first_minutes;
mod guidance;
mod hooks;
mod import;
mod native;
mod own_shell;
mod registration;
mod servers;
mod skills;
mod table;
mod together;
mod tools;

pub(crate) use cursor::{ENGINE_SCENARIOS, EngineScenario};
pub(crate) use table::SCENARIOS;

use crate::Outcome;
use crate::agents::{Act, Agent};
use crate::model::Shown;
use crate::world::World;

/// A row of the table.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// What the support matrix calls it.
    pub(crate) capability: &'static str,
    /// With which agents a representative run plays it.
    pub(crate) breadth: Breadth,
    pub(crate) play: fn(&World) -> Outcome<Verdict>,
    pub(crate) cannot: &'static [(&'static str, &'static str)],
}

/// With which agents a representative run plays a scenario.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Breadth {
    Every,
    /// With one; scenarios take turns. Where somebody cannot, with one who cannot as well.
    One,
    /// With this one, which can do it when hardly anybody else can, and with one that cannot.
    With(&'static str),
}

/// What a scenario found out. Anything half done is an error instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Works,
    /// It works, and people should know something about it.
    WorksBut(String),
    /// It is not there, and nothing of it is; what shows that.
    Absent(String),
}

impl Scenario {
    /// Why an agent cannot do it; none when it is expected to.
    pub(crate) fn reason_against(&self, agent: &str) -> Option<&'static str> {
        self.cannot.iter().find(|(name, _)| *name == agent).map(|(_, reason)| *reason)
    }
}

/// Whether a representative run plays this scenario, the `number`th, with this agent of those that are run: every scenario
/// with one that can and, where there is one, with one that cannot; and every agent with those that matter most.
pub(crate) fn is_representative(scenario: &Scenario, number: usize, agent: &Agent, agents: &[&Agent]) -> bool {
    let (unable, able): (Vec<&str>, Vec<&str>) =
        agents.iter().map(|agent| agent.name).partition(|name| scenario.reason_against(name).is_some());
    let is_unable = unable.first() == Some(&agent.name);
    match scenario.breadth {
        Breadth::Every => true,
        Breadth::One => is_unable || able.get(number % able.len().max(1)) == Some(&agent.name),
        Breadth::With(name) => is_unable || name == agent.name,
    }
}

pub(crate) fn list() -> String {
    let mut text = String::new();
    for scenario in SCENARIOS {
        text += &format!("{:30} {}\n", scenario.name, scenario.capability);
        for (agent, reason) in scenario.cannot {
            text += &format!("{:30} {agent} cannot: {reason}\n", "");
        }
    }
    text.trim_end().to_owned()
}

/// The absolute path of the skill as it is installed for this agent.
fn skill_file(world: &World, name: &str) -> String {
    let folder = if world.agent.name == "claude" { ".claude" } else { ".agents" };
    world.path(&format!("project/{folder}/skills/{name}/SKILL.md"))
}

/// How often a skill is listed: by its description or, where the agent lists nothing but names, by its name.
fn listed(world: &World, shown: &Shown, name: &str, description: &str) -> usize {
    match world.agent.name {
        "cline" => shown.definitions.matches(name).count(),
        _ => shown.count(description) + shown.definitions.matches(description).count(),
    }
}

/// The agent, after others whose files it reads or whose variables it sets.
fn with_others(world: &World) -> Vec<&'static str> {
    let others: &[&str] = match world.agent.name {
        "claude" => &["copilot"],
        "qwen" => &["claude", "gemini"],
        "kilo" => &["claude", "opencode"],
        _ => &["claude"],
    };
    [others, &[world.agent.name]].concat()
}

/// Whether the model learns of a tool of our MCP server: as a tool, in a list of tools to ask for, or, where only the
/// servers are named, by the server's name among the definitions.
fn offers(world: &World, shown: &Shown, tool: &Act) -> bool {
    let call = (world.agent.call)(tool);
    match call.namespace {
        Some(_) => shown.definitions.contains("symposium"),
        None => shown.mentions(&call.tool),
    }
}

/// An error unless something holds.
fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Outcome<()> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AGENTS;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_names_everybody_rightly() {
        let names: BTreeSet<&str> = SCENARIOS.iter().map(|scenario| scenario.name).collect();
        assert_eq!(names.len(), SCENARIOS.len(), "two scenarios have one name");
        for scenario in SCENARIOS {
            for (agent, reason) in scenario.cannot {
                assert!(AGENTS.iter().any(|known| known.name == *agent), "`{}`: who is `{agent}`?", scenario.name);
                assert!(reason.len() > 20, "`{}`: why can `{agent}` not?", scenario.name);
            }
        }
    }

    #[test]
    fn a_representative_run_leaves_out_nothing_and_nobody() {
        let mut played: BTreeSet<(&str, &str)> = BTreeSet::new();
        for (number, scenario) in SCENARIOS.iter().enumerate() {
            let players = AGENTS.iter().filter(|agent| is_representative(scenario, number, agent, &AGENTS));
            let (unable, able): (Vec<_>, Vec<_>) =
                players.map(|agent| agent.name).partition(|name| scenario.reason_against(name).is_some());
            assert!(!able.is_empty(), "`{}` is played by nobody who can", scenario.name);
            assert_eq!(unable.is_empty(), scenario.cannot.is_empty(), "`{}` is played by {unable:?}", scenario.name);
            played.extend(able.into_iter().chain(unable).map(|name| (scenario.name, name)));
        }
        let every = SCENARIOS.iter().filter(|scenario| scenario.breadth == Breadth::Every).count();
        for agent in AGENTS {
            let scenarios = played.iter().filter(|(_, name)| *name == agent.name).count();
            assert!(scenarios > every, "{} plays {scenarios} scenarios", agent.name);
        }
        assert!(played.len() * 2 < SCENARIOS.len() * AGENTS.len(), "{} jobs are no part", played.len());
    }
}
