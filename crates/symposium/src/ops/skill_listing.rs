//! The list of installed skills as an agent shows it to its model, and whether it has room for all of them.

use symposium_agents::spec;
use symposium_agents::spec::ListingLimit;
use symposium_model::agent::AgentId;
use symposium_model::select::SkillState;

use super::resolve::Resolution;

/// So many skills are named in a warning.
const NAMED: usize = 5;

/// The skills of the workspace in the list of one agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SkillListing {
    pub(crate) agent: AgentId,
    pub(crate) skills: Vec<ListedSkill>,
}

/// A skill, with the bytes that it takes in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedSkill {
    pub(crate) name: String,
    pub(crate) bytes: usize,
}

/// A list that passes its limit, and the way to change that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListingWarning {
    pub(crate) message: String,
    pub(crate) fix: String,
}

impl SkillListing {
    /// Lists the skills that an agent sees when skills are installed for the `served` agents.
    pub(crate) fn new(resolution: &Resolution, served: &[AgentId], agent: AgentId) -> Self {
        let facts = spec(agent);
        let is_read = |other: &&AgentId| {
            let directory = spec(**other).skills.project;
            directory == facts.skills.project || facts.skills.also_in_project.contains(&directory)
        };
        let holders: Vec<AgentId> = served.iter().filter(is_read).copied().collect();
        let applying = resolution.selection.skills.iter().filter(|verdict| verdict.state == SkillState::Applies);
        let documents = applying.filter_map(|verdict| Some(&resolution.catalog.skill(verdict.id)?.1.document));
        let installed =
            documents.filter(|document| holders.iter().any(|holder| document.compatibility.allows(*holder)));
        let skills = installed.map(|document| {
            let name = document.name.as_str().to_owned();
            let bytes = facts.context.skill_bytes(&name, &document.listed_description());
            ListedSkill { name, bytes }
        });
        Self { agent, skills: skills.collect() }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.skills.iter().map(|skill| skill.bytes).sum()
    }

    pub(crate) fn limit(&self) -> Option<ListingLimit> {
        spec(self.agent).context.limit
    }

    pub(crate) fn is_over(&self) -> bool {
        !self.skills.is_empty() && spec(self.agent).context.is_over(self.bytes())
    }

    /// Returns a warning if the list passes the agent's limit.
    pub(crate) fn warning(&self) -> Option<ListingWarning> {
        let limit = self.limit().filter(|_| self.is_over())?;
        let title = spec(self.agent).title;
        let on = if limit.models.is_empty() { String::new() } else { format!(" on {}", limit.models) };
        let (count, bytes, room) = (self.skills.len(), self.bytes(), limit.room - limit.taken);
        let message = format!(
            "The {count} skills for this workspace take {bytes} bytes in the list that {title} shows its model, which \
             has room for {room}{on}: it {}",
            limit.beyond
        );
        let setting = limit.setting.map(|setting| format!("; or raise {setting}")).unwrap_or_default();
        let fix =
            format!("switch off skills that you do not need, such as `symposium off {}`{setting}", self.largest());
        Some(ListingWarning { message, fix })
    }

    /// Returns the names of the skills that take most room, as arguments of `symposium off`.
    fn largest(&self) -> String {
        let mut skills: Vec<&ListedSkill> = self.skills.iter().collect();
        skills.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
        skills.iter().take(NAMED).map(|skill| skill.name.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// Returns the warnings about the agents that skills are installed for.
pub(crate) fn warnings(resolution: &Resolution, served: &[AgentId]) -> Vec<ListingWarning> {
    served.iter().filter_map(|agent| SkillListing::new(resolution, served, *agent).warning()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(agent: AgentId, count: usize, length: usize) -> SkillListing {
        let skill = |number| ListedSkill { name: format!("skill{number}"), bytes: length + number % 3 };
        SkillListing { agent, skills: (0..count).map(skill).collect() }
    }

    #[test]
    fn a_list_that_passes_the_limit_names_skills_and_the_setting() {
        let warning = listing(AgentId::Claude, 80, 270).warning().unwrap();
        assert_eq!(
            warning.message,
            "The 80 skills for this workspace take 21679 bytes in the list that Claude Code shows its model, which has \
             room for 1800 on models with 200k tokens: it shows the others by name only"
        );
        assert_eq!(
            warning.fix,
            "switch off skills that you do not need, such as `symposium off skill11 skill14 skill17 skill2 skill20`; or \
             raise `skillListingBudgetFraction` in its settings.json above its default of 0.01"
        );
        let codex = listing(AgentId::Codex, 80, 306).warning().unwrap();
        assert!(codex.message.contains("room for 20200: it shortens every description"), "{}", codex.message);
        assert!(!codex.fix.contains("raise"), "{}", codex.fix);
    }

    #[test]
    fn a_list_that_fits_is_no_reason_to_warn() {
        for (agent, count) in [
            (AgentId::Claude, 6),
            (AgentId::Claude, 0),
            (AgentId::Codex, 66),
            (AgentId::Gemini, 500),
            (AgentId::Kiro, 500),
        ] {
            assert_eq!(listing(agent, count, 269).warning(), None, "{agent} {count}");
        }
    }
}
