//! The one table: what is tried with every agent, and who cannot do it for which reason.
//!
//! A scenario finds out whether something works, is cleanly absent, or went wrong. Everybody is expected to do
//! everything, except where the table says who cannot and why; then it must be cleanly absent.

mod cursor;
mod hooks;
mod registration;
mod servers;
mod skills;
mod together;

pub(crate) use cursor::{ENGINE_SCENARIOS, EngineScenario};

use crate::Outcome;
use crate::agents::Act;
use crate::model::Shown;
use crate::world::World;

/// A row of the table.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// What the support matrix calls it.
    pub(crate) capability: &'static str,
    /// With which agents a representative run plays it.
    pub(crate) breadth: Breadth,
    /// Finds out.
    pub(crate) play: fn(&World) -> Outcome<Verdict>,
    /// Who cannot, and why.
    pub(crate) cannot: &'static [(&'static str, &'static str)],
}

/// With which agents a representative run plays a scenario.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Breadth {
    /// With each.
    Every,
    /// With one; scenarios take turns.
    One,
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

/// The table.
pub(crate) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "skill",
        capability: "A skill is listed, and its text arrives when it is loaded",
        breadth: Breadth::Every,
        play: skills::listed_and_loaded,
        cannot: &[],
    },
    Scenario {
        name: "skill-of-another-version",
        capability: "A skill for another version of the crate is not listed",
        breadth: Breadth::One,
        play: skills::other_version_absent,
        cannot: &[],
    },
    Scenario {
        name: "skill-git-ignored",
        capability: "A skill in a git-ignored directory is listed and loaded",
        breadth: Breadth::One,
        play: skills::git_ignored,
        cannot: &[],
    },
    Scenario {
        name: "skill-files",
        capability: "The tool for reading files reads those beside SKILL.md",
        breadth: Breadth::One,
        play: skills::files_beside,
        cannot: &[],
    },
    Scenario {
        name: "skill-files-committed",
        capability: "The same with `[install] commit = true`",
        breadth: Breadth::One,
        play: skills::files_beside_committed,
        cannot: &[],
    },
    Scenario {
        name: "skill-in-subdirectory",
        capability: "Started in a subdirectory, skills are listed",
        breadth: Breadth::One,
        play: skills::from_subdirectory,
        cannot: &[
            ("gemini", "looks for skills in the directory it is started in, and in no other"),
            ("goose", "looks for skills in the directory it is started in, and in no other"),
        ],
    },
    Scenario {
        name: "mcp",
        capability: "The MCP server of a user registration is seen and called",
        breadth: Breadth::Every,
        play: servers::user_scope,
        cannot: &[],
    },
    Scenario {
        name: "mcp-project",
        capability: "The MCP server of a project registration is seen and called",
        breadth: Breadth::One,
        play: servers::project_scope,
        cannot: &[],
    },
    Scenario {
        name: "mcp-in-subdirectory",
        capability: "Started in a subdirectory, the user registration's MCP server answers",
        breadth: Breadth::One,
        play: servers::from_subdirectory,
        cannot: &[],
    },
    Scenario {
        name: "foreign",
        capability: "A user's own hook and MCP server work beside ours",
        breadth: Breadth::Every,
        play: registration::foreign_user,
        cannot: &[],
    },
    Scenario {
        name: "foreign-project",
        capability: "A project's own hook and MCP server work beside ours",
        breadth: Breadth::One,
        play: registration::foreign_project,
        cannot: &[],
    },
    Scenario {
        name: "second-init",
        capability: "A second `init`, also after the agent ran, changes nothing",
        breadth: Breadth::One,
        play: registration::second_init,
        cannot: &[],
    },
    Scenario {
        name: "missing-binary",
        capability: "With our program gone, tools still run",
        breadth: Breadth::One,
        play: registration::missing_binary,
        cannot: &[],
    },
    Scenario {
        name: "uninstall",
        capability: "`uninstall` gives every byte back",
        breadth: Breadth::One,
        play: registration::uninstall_byte_exact,
        cannot: &[],
    },
    Scenario {
        name: "uninstall-after-use",
        capability: "`uninstall` after the agent ran leaves nothing of ours and all of the user's",
        breadth: Breadth::Every,
        play: registration::uninstall_after_use,
        cannot: &[],
    },
    Scenario {
        name: "agent-dropped",
        capability: "Dropped from the configuration, it is as it was before",
        breadth: Breadth::One,
        play: registration::agent_dropped,
        cannot: &[],
    },
    Scenario {
        name: "beside-another-agent",
        capability: "Claude Code and another agent in one project: skills and tools are there once",
        breadth: Breadth::One,
        play: together::beside_another_agent,
        cannot: &[],
    },
    Scenario {
        name: "session-text",
        capability: "The session text of a plugin reaches the model",
        breadth: Breadth::One,
        play: hooks::session_text,
        cannot: &[],
    },
    Scenario {
        name: "session-context",
        capability: "Context of a session-start handler reaches the model",
        breadth: Breadth::Every,
        play: hooks::session_context,
        cannot: &[("goose", "takes no context from hooks")],
    },
    Scenario {
        name: "prompt-context",
        capability: "Context of a prompt handler reaches the model",
        breadth: Breadth::Every,
        play: hooks::prompt_context,
        cannot: &[("goose", "takes no context from hooks")],
    },
    Scenario {
        name: "nudge",
        capability: "A prompt that names a crate gets a pointer to its skill",
        breadth: Breadth::One,
        play: hooks::nudge,
        cannot: &[("goose", "takes no context from hooks")],
    },
    Scenario {
        name: "deny-by-exit-code",
        capability: "A handler's exit code 2 stops the tool, with the reason",
        breadth: Breadth::One,
        play: hooks::deny_by_exit_code,
        cannot: &[],
    },
    Scenario {
        name: "deny-by-json",
        capability: "A handler's deny stops the tool, with the reason",
        breadth: Breadth::Every,
        play: hooks::deny_by_json,
        cannot: &[],
    },
    Scenario {
        name: "rewrite",
        capability: "A handler changes the command of a tool",
        breadth: Breadth::One,
        play: hooks::rewrite,
        cannot: &[
            ("codex", "runs a changed command only together with an approval, which the handler did not give"),
            ("goose", "has no way to change the input of a tool"),
        ],
    },
    Scenario {
        name: "rewrite-and-allow",
        capability: "A handler changes the command of a tool and approves it",
        breadth: Breadth::Every,
        play: hooks::rewrite_and_allow,
        cannot: &[("goose", "has no way to change the input of a tool")],
    },
    Scenario {
        name: "pre-tool-context",
        capability: "Context of a handler before a tool reaches the model",
        breadth: Breadth::One,
        play: hooks::pre_tool_context,
        cannot: &[("gemini", "ignores context given before a tool"), ("goose", "takes no context from hooks")],
    },
    Scenario {
        name: "post-tool-context",
        capability: "Context of a handler after a tool reaches the model",
        breadth: Breadth::Every,
        play: hooks::post_tool_context,
        cannot: &[("goose", "takes no context from hooks")],
    },
    Scenario {
        name: "after-failure",
        capability: "A tool that fails is followed by its handlers, once",
        breadth: Breadth::One,
        play: hooks::after_failure,
        cannot: &[],
    },
    Scenario {
        name: "mcp-matcher",
        capability: "A matcher `mcp__SERVER__TOOL` finds MCP tools",
        breadth: Breadth::One,
        play: hooks::mcp_matcher,
        cannot: &[],
    },
    Scenario {
        name: "once",
        capability: "Each handler is called once: user registration",
        breadth: Breadth::One,
        play: hooks::once,
        cannot: &[],
    },
    Scenario {
        name: "once-project",
        capability: "Each handler is called once: project registration",
        breadth: Breadth::One,
        play: hooks::once_project,
        cannot: &[],
    },
    Scenario {
        name: "once-both",
        capability: "Each handler is called once: both registrations",
        breadth: Breadth::Every,
        play: hooks::once_both,
        cannot: &[],
    },
    Scenario {
        name: "once-beside-another-agent",
        capability: "Each handler is called once: beside Claude Code or another agent",
        breadth: Breadth::One,
        play: hooks::once_beside_another_agent,
        cannot: &[],
    },
    Scenario {
        name: "hooks-in-subdirectory",
        capability: "Started in a subdirectory, handlers of a user registration are called",
        breadth: Breadth::One,
        play: hooks::from_subdirectory,
        cannot: &[],
    },
    Scenario {
        name: "project-hooks-in-subdirectory",
        capability: "Started in a subdirectory, handlers of a project registration are called",
        breadth: Breadth::One,
        play: hooks::project_from_subdirectory,
        cannot: &[
            ("claude", "reads project settings only in the directory it is started in"),
            ("gemini", "reads project settings only in the directory it is started in"),
            ("goose", "reads project plugins only in the directory it is started in"),
        ],
    },
    Scenario {
        name: "unreviewed-hooks",
        capability: "Handlers are called before the person has reviewed our hooks",
        breadth: Breadth::One,
        play: hooks::unreviewed,
        cannot: &[("codex", "skips hooks, and nothing else, until the person has trusted them in it")],
    },
];

/// Whether a representative run plays this scenario with this agent, by their places in the tables: every scenario with
/// some agent (one that cannot, where there is one), and every agent with the scenarios that matter most.
pub(crate) fn is_representative(scenario: &Scenario, number: usize, agent: &str, place: usize, agents: usize) -> bool {
    match scenario.breadth {
        Breadth::Every => true,
        Breadth::One if scenario.cannot.is_empty() => number % agents == place,
        Breadth::One => scenario.cannot.first().is_some_and(|(name, _)| *name == agent),
    }
}

/// The table as text.
pub(crate) fn list() -> String {
    let mut text = String::new();
    for scenario in SCENARIOS {
        text += &format!("{:26} {}\n", scenario.name, scenario.capability);
        for (agent, reason) in scenario.cannot {
            text += &format!("{:26} {agent} cannot: {reason}\n", "");
        }
    }
    text.trim_end().to_owned()
}

/// The absolute path of the skill as it is installed for this agent.
fn skill_file(world: &World, name: &str) -> String {
    let folder = if world.agent.name == "claude" { ".claude" } else { ".agents" };
    world.path(&format!("project/{folder}/skills/{name}/SKILL.md"))
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
            for (place, agent) in AGENTS.iter().enumerate() {
                if is_representative(scenario, number, agent.name, place, AGENTS.len()) {
                    played.insert((scenario.name, agent.name));
                }
            }
            assert!(played.iter().any(|(name, _)| *name == scenario.name), "`{}` is played by nobody", scenario.name);
        }
        let every = SCENARIOS.iter().filter(|scenario| scenario.breadth == Breadth::Every).count();
        for agent in AGENTS {
            let scenarios = played.iter().filter(|(_, name)| *name == agent.name).count();
            assert!(scenarios > every, "{} plays {scenarios} scenarios", agent.name);
        }
        assert!(played.len() * 2 < SCENARIOS.len() * AGENTS.len(), "{} jobs are no part", played.len());
    }
}
