//! What can be asked of the harness.

use crate::Outcome;
use crate::agents::{AGENTS, Agent, CURSOR_ENGINE};
use crate::programs::Versions;
use crate::scenarios::{SCENARIOS, Scenario};

pub(crate) const USAGE: &str = "\
Usage: cargo xtask e2e [OPTIONS]

  --agent NAME      only this agent (may be repeated)
  --scenario NAME   only this scenario (may be repeated)
  --list            show the scenarios and what is expected of whom
  --keep            keep requests, output and homes also when all is well
  --representative  every scenario with some agent, and every agent with the scenarios that matter most
  --cursor-engine   only the hook engine of Cursor's SDK
  --latest          run the newest published versions, and show what differs from the matrix in the book
  --with NAME=VERSION  run this version of an agent, and show the same (may be repeated)
  --write-matrix    write the matrix into the book instead of comparing it; what is not run stays as it is
  --record-tools    write down the tools that agents offer (scenario `tools`), and the texts of the picture in the
                    README (`first-minutes` with claude), instead of comparing them";

pub(crate) enum Wanted {
    Help,
    List,
    Run(Arguments),
}

#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
pub(crate) struct Arguments {
    pub(crate) agents: Vec<&'static Agent>,
    pub(crate) scenarios: Vec<&'static Scenario>,
    pub(crate) keep: bool,
    pub(crate) representative: bool,
    pub(crate) versions: Versions,
    /// Agents of which a certain version is run.
    pub(crate) chosen: Vec<(&'static str, String)>,
    pub(crate) write_matrix: bool,
    pub(crate) record_tools: bool,
    pub(crate) engine_only: bool,
}

impl Arguments {
    pub(crate) fn parse(given: &[String]) -> Outcome<Wanted> {
        let mut arguments = Self {
            agents: Vec::new(),
            scenarios: Vec::new(),
            keep: false,
            representative: false,
            versions: Versions::Pinned,
            chosen: Vec::new(),
            write_matrix: false,
            record_tools: false,
            engine_only: false,
        };
        let mut rest = given.iter();
        while let Some(option) = rest.next() {
            let (option, mut inline) = match option.split_once('=') {
                Some((option, value)) => (option, Some(value.to_owned())),
                None => (option.as_str(), None),
            };
            let mut value =
                || inline.take().or_else(|| rest.next().cloned()).ok_or(format!("`{option}` needs a value"));
            match option {
                "--agent" => {
                    let name = value()?;
                    let agent = AGENTS.iter().find(|agent| agent.name == name);
                    arguments
                        .agents
                        .push(agent.ok_or_else(|| unknown("agent", &name, AGENTS.iter().map(|agent| agent.name)))?);
                }
                "--scenario" => {
                    let name = value()?;
                    let scenario = SCENARIOS.iter().find(|scenario| scenario.name == name);
                    let known = SCENARIOS.iter().map(|scenario| scenario.name);
                    arguments.scenarios.push(scenario.ok_or_else(|| unknown("scenario", &name, known))?);
                }
                "--keep" => arguments.keep = true,
                "--representative" => arguments.representative = true,
                "--cursor-engine" => arguments.engine_only = true,
                "--latest" => arguments.versions = Versions::Latest,
                "--with" => {
                    let given = value()?;
                    let (name, version) = given.split_once('=').ok_or("`--with` needs an agent and a version")?;
                    let known = AGENTS.iter().chain([&&CURSOR_ENGINE]).find(|agent| agent.name == name);
                    let agent = known.ok_or_else(|| unknown("agent", name, AGENTS.iter().map(|agent| agent.name)))?;
                    arguments.chosen.push((agent.name, version.to_owned()));
                }
                "--write-matrix" => arguments.write_matrix = true,
                "--record-tools" => arguments.record_tools = true,
                "--list" => return Ok(Wanted::List),
                "--help" | "-h" => return Ok(Wanted::Help),
                other => return Err(format!("unknown option `{other}`\n\n{USAGE}")),
            }
        }
        if arguments.write_matrix && arguments.is_about_drift() {
            return Err("`--write-matrix` is about the pinned versions: leave out `--latest` and `--with`".to_owned());
        }
        if arguments.engine_only {
            return Ok(Wanted::Run(arguments));
        }
        if arguments.agents.is_empty() {
            arguments.agents = AGENTS.to_vec();
        }
        if arguments.scenarios.is_empty() {
            arguments.scenarios = SCENARIOS.iter().collect();
        }
        Ok(Wanted::Run(arguments))
    }

    /// Whether Cursor's hook engine is run too.
    pub(crate) fn plays_engine(&self) -> bool {
        self.engine_only || self.representative || self.is_complete()
    }

    /// Whether other versions are run than those the book is about.
    pub(crate) fn is_about_drift(&self) -> bool {
        self.versions == Versions::Latest || !self.chosen.is_empty()
    }

    /// Whether every scenario is run with every agent.
    pub(crate) fn is_complete(&self) -> bool {
        let all_agents = self.agents.is_empty() || self.agents.len() == AGENTS.len();
        let all_scenarios = self.scenarios.is_empty() || self.scenarios.len() == SCENARIOS.len();
        all_agents && all_scenarios && !self.representative && !self.engine_only
    }
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    format!("unknown {what} `{name}`; there are {}", known.collect::<Vec<_>>().join(", "))
}
