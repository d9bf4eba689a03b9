//! The text that stands in a model's context because of Symposium, for each agent.

use symposium_agents::spec;
use symposium_agents::spec::ToolListing;
use symposium_model::agent::AgentId;
use symposium_model::hook::Event;
use symposium_model::hook::hook_plan::SessionPlan;

use crate::ops::context::Context;
use crate::ops::hook_plan;
use crate::ops::resolve::Resolution;
use crate::ops::skill_listing::{ListingWarning, SkillListing};

/// The bytes in the context of one agent's model.
#[derive(Debug)]
pub(crate) struct ContextCost {
    pub(crate) agent: AgentId,
    pub(crate) parts: Vec<ContextPart>,
    pub(crate) listing: SkillListing,
    pub(crate) warning: Option<ListingWarning>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ContextPart {
    pub(crate) what: &'static str,
    pub(crate) bytes: usize,
}

impl ContextCost {
    pub(crate) fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.bytes).sum()
    }
}

/// Measures the context of agents. `instructions` are those of the MCP server without the text of a session.
pub(crate) fn measure(
    context: &Context,
    resolution: &Resolution,
    agents: &[AgentId],
    instructions: &str,
) -> Vec<ContextCost> {
    let plans = hook_plan::compile(context, resolution);
    let said = plans.files.into_iter().find_map(|(_, plan)| plan.session).unwrap_or_default();
    let server = ServerTexts::new(instructions);
    let cost = |agent: &AgentId| {
        let listing = SkillListing::new(resolution, &context.agents(), *agent);
        let session = SessionBytes::new(context, *agent, &said);
        let part = |what, bytes| ContextPart { what, bytes };
        let parts = vec![
            part("skills", listing.bytes()),
            part("session text", session.text),
            part("index", session.index),
            part("MCP instructions", server.instructions(*agent)),
            part("MCP tools", server.tools(*agent)),
        ];
        ContextCost { agent: *agent, parts, warning: listing.warning(), listing }
    };
    agents.iter().map(cost).collect()
}

/// The size of the texts at session start.
struct SessionBytes {
    text: usize,
    index: usize,
}

impl SessionBytes {
    fn new(context: &Context, agent: AgentId, said: &SessionPlan) -> Self {
        let index = context.root().and_then(|_| symposium_hook::guidance_index(agent, said));
        let index = index.map_or(0, |index| index.len());
        let tells = spec(agent).dialect.can.tells(Event::SessionStart);
        let text = match context.root().filter(|_| tells) {
            Some(root) => symposium_hook::session_text(agent, root, said).len() - index,
            // The MCP server gives the texts of plugins to an agent that takes none from hooks.
            None => said.texts.iter().chain(&said.rules).map(String::len).sum(),
        };
        Self { text, index }
    }
}

/// The sizes of the texts of the MCP server.
struct ServerTexts {
    instructions: usize,
    tools: usize,
    names: usize,
}

impl ServerTexts {
    fn new(instructions: &str) -> Self {
        // An agent puts the name of the server before that of the tool.
        let names = symposium_mcp::tool_names().iter().map(|name| "mcp__symposium__".len() + name.len() + 1).sum();
        Self { instructions: instructions.len(), tools: symposium_mcp::describe_tools().len(), names }
    }

    fn instructions(&self, agent: AgentId) -> usize {
        match spec(agent).context.tools {
            ToolListing::Whole | ToolListing::Names | ToolListing::Instructions => self.instructions,
            ToolListing::Descriptions => 0,
        }
    }

    fn tools(&self, agent: AgentId) -> usize {
        match spec(agent).context.tools {
            ToolListing::Whole | ToolListing::Descriptions => self.tools,
            ToolListing::Names => self.names,
            ToolListing::Instructions => 0,
        }
    }
}
