//! The part of a model's context that an agent fills with skills and tools, as observed.

/// The list of skills and tools that an agent shows its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextFacts {
    /// The number of times that the name of a skill stands in the list.
    pub skill_names: usize,
    /// The characters that it adds to the names and the description of each skill.
    pub skill_frame: usize,
    pub limit: Option<ListingLimit>,
    pub tools: ToolListing,
}

/// The most that the list of skills may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListingLimit {
    /// In characters.
    pub room: usize,
    /// The part of the room that the agent's own skills take.
    pub taken: usize,
    /// The models that have this limit; empty for all.
    pub models: &'static str,
    /// The agent's way to deal with skills that do not fit, as a sentence without its subject.
    pub beyond: &'static str,
    /// The user's setting that gives more room.
    pub setting: Option<&'static str>,
}

/// The part of an MCP server that is in the context from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolListing {
    /// Its instructions, and its tools with their descriptions.
    Whole,
    /// Its tools with their descriptions, without its instructions.
    Descriptions,
    /// Its instructions, and the names of its tools: the model asks for the descriptions it wants.
    Names,
    /// Its instructions alone: the model searches for tools.
    Instructions,
}

impl ContextFacts {
    /// Facts about an agent that was not run: names and descriptions count as they are.
    pub const UNKNOWN: Self = Self { skill_names: 1, skill_frame: 0, limit: None, tools: ToolListing::Whole };

    pub fn skill_bytes(&self, name: &str, description: &str) -> usize {
        self.skill_names * name.len() + description.len() + self.skill_frame
    }

    /// Tells whether skills of this size pass the limit.
    pub fn is_over(&self, listed: usize) -> bool {
        self.limit.is_some_and(|limit| listed + limit.taken > limit.room)
    }
}

#[cfg(test)]
mod tests {
    use symposium_model::agent::AgentId;

    use crate::spec;

    /// The observed number of skills with names of 15 and descriptions of 250 characters that fit.
    #[test]
    fn as_many_skills_fit_as_were_observed() {
        let (name, description) = ("n".repeat(15), "d".repeat(250));
        for (agent, fitting) in [(AgentId::Claude, 6), (AgentId::Codex, 66), (AgentId::Copilot, 41)] {
            let facts = spec(agent).context;
            let one = facts.skill_bytes(&name, &description);
            assert!(!facts.is_over(fitting * one), "{agent}");
            assert!(facts.is_over((fitting + 1) * one), "{agent}");
        }
        for agent in [AgentId::Gemini, AgentId::OpenCode, AgentId::Goose] {
            assert!(!spec(agent).context.is_over(1_000_000), "{agent}");
        }
    }
}
