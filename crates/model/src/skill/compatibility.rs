//! The `compatibility` key: a restriction to some agents, or information for people.

use super::one_line::one_line;
use crate::agent::AgentId;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SkillCompatibility {
    #[default]
    Unsaid,
    /// Only these agents, in the author's order.
    Agents(Vec<AgentId>),
    /// Text for people, on one line; it restricts nothing.
    Information(String),
}

impl SkillCompatibility {
    /// Parses a text, which restricts only if every item between its commas names an agent.
    pub fn from_text(text: &str) -> Self {
        let text = one_line(text);
        if text.is_empty() {
            return Self::Unsaid;
        }
        let agents: Option<Vec<AgentId>> = text.split(',').map(AgentId::parse).collect();
        agents.map_or(Self::Information(text.clone()), |agents| Self::only(&agents))
    }

    /// Parses a list, which restricts if any item names an agent. Also returns the items that do not.
    pub fn from_list(items: &[String]) -> (Self, Vec<String>) {
        let agents: Vec<AgentId> = items.iter().filter_map(|item| AgentId::parse(item)).collect();
        let unknown: Vec<String> = items.iter().filter(|item| AgentId::parse(item).is_none()).cloned().collect();
        if agents.is_empty() {
            return (Self::from_text(&items.join(", ")), unknown);
        }
        (Self::only(&agents), unknown)
    }

    fn only(agents: &[AgentId]) -> Self {
        let mut named: Vec<AgentId> = Vec::new();
        for agent in agents {
            if !named.contains(agent) {
                named.push(*agent);
            }
        }
        Self::Agents(named)
    }

    pub fn allows(&self, agent: AgentId) -> bool {
        match self {
            Self::Unsaid | Self::Information(_) => true,
            Self::Agents(named) => named.contains(&agent),
        }
    }

    /// Returns the text that parses back to this value; empty without a restriction.
    pub fn to_text(&self) -> String {
        match self {
            Self::Unsaid => String::new(),
            Self::Agents(named) => named.iter().map(|agent| agent.name()).collect::<Vec<_>>().join(", "),
            Self::Information(text) => text.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agents(names: &[&str]) -> SkillCompatibility {
        SkillCompatibility::Agents(names.iter().map(|name| AgentId::parse(name).unwrap()).collect())
    }

    #[test]
    fn a_text_restricts_only_when_every_item_is_an_agent() {
        for (text, wanted) in [
            ("", SkillCompatibility::Unsaid),
            ("claude", agents(&["claude"])),
            ("Claude-Code, codex ,claude", agents(&["claude", "codex"])),
            ("claude, vscode", SkillCompatibility::Information("claude, vscode".into())),
            ("claude,", SkillCompatibility::Information("claude,".into())),
            ("Needs git\nand jq", SkillCompatibility::Information("Needs git and jq".into())),
            ("Designed for Claude Code", SkillCompatibility::Information("Designed for Claude Code".into())),
        ] {
            assert_eq!(SkillCompatibility::from_text(text), wanted, "{text:?}");
            assert_eq!(SkillCompatibility::from_text(&wanted.to_text()), wanted, "{text:?}");
        }
    }

    #[test]
    fn a_list_restricts_to_the_agents_it_names() {
        let list = |items: &[&str]| {
            SkillCompatibility::from_list(&items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(list(&["goose", "claude-code"]), (agents(&["goose", "claude"]), vec![]));
        assert_eq!(list(&["goose", "vscode"]), (agents(&["goose"]), vec!["vscode".to_owned()]));
        let (information, unknown) = list(&["git", "jq"]);
        assert_eq!((information, unknown.len()), (SkillCompatibility::Information("git, jq".into()), 2));
        assert_eq!(list(&[]), (SkillCompatibility::Unsaid, vec![]));
    }

    #[test]
    fn only_a_restriction_keeps_an_agent_out() {
        assert!(SkillCompatibility::Unsaid.allows(AgentId::Kiro));
        assert!(SkillCompatibility::Information("git".into()).allows(AgentId::Kiro));
        assert!(agents(&["kiro"]).allows(AgentId::Kiro));
        assert!(!agents(&["kiro"]).allows(AgentId::Goose));
    }
}
