//! The parts of a hook plan that the model or the user reads: session text, index, reminders and guidance.

use serde::{Deserialize, Serialize};

use crate::agent::AgentId;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SessionPlan {
    /// Session texts of plugins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<String>,
    /// The installed names of the skills that apply, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<String>,
    /// The direct dependencies with skills, those that most members use first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub index: Vec<GuidanceLine>,
    /// `[guidance] index-bytes`.
    #[serde(default)]
    pub index_bytes: usize,
    #[serde(default, skip_serializing_if = "SkillAgents::is_empty")]
    pub holders: SkillAgents,
    /// Locked versions of crates that have a skill.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crates: Vec<LockedVersion>,
    #[serde(default, skip_serializing_if = "GuidancePointer::is_shown")]
    pub pointer: GuidancePointer,
    /// Rules for the model about decisions that only the user may make.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// Notes for the user, which the model does not read, such as changed plugins or a missing setup.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending: Vec<PendingGrant>,
    /// Set when the `rtk` workflow is on, so that a missing `rtk` is reported to the user.
    #[serde(default)]
    pub rtk: bool,
    /// Shell code for agents that take it at session start, to be read before each command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shell_line: Option<String>,
    /// Set when a newer version of the program is looked for once a day and reported.
    #[serde(default)]
    pub update_notice: bool,
    /// Set when there are sources to fetch in the background.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fetches: bool,
}

/// A hook or an MCP server that does not run because the user has not granted its plugin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingGrant {
    /// Its name, as it is shown.
    pub title: String,
    /// The only agent that it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    /// Identifies the content of a public recommendation in the name of the file [`ASKED`](super::hook_plan::ASKED). The
    /// user hears of it only once, since it comes without having been asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuidancePointer {
    #[default]
    Shown,
    /// The workspace has no cargo package, or the user switched everything off.
    Hidden,
}

impl GuidancePointer {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over like this")]
    fn is_shown(&self) -> bool {
        *self == Self::Shown
    }
}

/// A locked crate that has a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockedVersion {
    pub name: String,
    pub version: String,
    /// The installed names of the skills for this version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<String>,
}

/// The reminders of skills that a prompt may cause.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NudgePlan {
    /// The number of further prompts after which the same skill is named again; 0 for never.
    pub interval: u32,
    pub crates: Vec<NudgeCrate>,
    #[serde(default, skip_serializing_if = "SkillAgents::is_empty")]
    pub holders: SkillAgents,
}

/// A line of the index at session start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuidanceLine {
    pub name: String,
    pub version: String,
    /// The first line of the skill's digest.
    pub digest: String,
    /// The installed name of the skill.
    pub skill: String,
}

/// The guidance at a file. The crates and digests are in files of their own: most events need neither.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuidancePlan {
    pub mode: EditGuidance,
    #[serde(default, skip_serializing_if = "SkillAgents::is_empty")]
    pub holders: SkillAgents,
}

/// `[guidance] at-edit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EditGuidance {
    Off,
    #[default]
    Digest,
    /// The digest, and the text of skills that are always loaded.
    Full,
    /// The digest; and the first edit that names a crate not told yet is refused once.
    Gate,
}

impl EditGuidance {
    pub const ALL: [Self; 4] = [Self::Off, Self::Digest, Self::Full, Self::Gate];

    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Digest => "digest",
            Self::Full => "full",
            Self::Gate => "gate",
        }
    }
}

/// The agents that have skills installed here. A skill is named only to them; the others can run a command.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SkillAgents {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<AgentId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacking: Vec<LackedSkill>,
}

/// A skill that applies but is not installed for an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LackedSkill {
    pub agent: AgentId,
    pub skill: String,
}

impl SkillAgents {
    fn is_empty(&self) -> bool {
        self.agents.is_empty()
    }

    /// Returns true if the agent has the skill, or if the caller is no known agent, which may have it.
    pub fn has(&self, agent: Option<AgentId>, skill: &str) -> bool {
        let lacks = |agent| self.lacking.iter().any(|lacked| lacked.agent == agent && lacked.skill == skill);
        agent.is_none_or(|agent| self.agents.contains(&agent) && !lacks(agent))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NudgeCrate {
    pub name: String,
    pub skills: Vec<String>,
}
