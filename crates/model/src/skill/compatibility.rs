//! What `compatibility` says: a restriction to some agents, or information for people.

use super::one_line::one_line;

/// The names an agent may be called by, and the one we use.
const AGENTS: &[(&str, &str)] = &[
    ("claude", "claude"),
    ("claude-code", "claude"),
    ("copilot", "copilot"),
    ("gemini", "gemini"),
    ("codex", "codex"),
    ("kiro", "kiro"),
    ("opencode", "opencode"),
    ("goose", "goose"),
    ("cursor", "cursor"),
];

/// Which agents a skill is for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Compatibility {
    /// Nothing is said: every agent.
    #[default]
    Unsaid,
    /// Only these agents, by the names we use, in the author's order.
    Agents(Vec<String>),
    /// Something for people to read, on one line; it restricts nothing.
    Information(String),
}

impl Compatibility {
    /// A text restricts only if every item between its commas names an agent.
    pub fn from_text(text: &str) -> Self {
        let text = one_line(text);
        if text.is_empty() {
            return Self::Unsaid;
        }
        let agents: Option<Vec<&str>> = text.split(',').map(agent).collect();
        agents.map_or(Self::Information(text.clone()), |agents| Self::only(&agents))
    }

    /// A list restricts if any item names an agent; the items that do not are given back.
    pub fn from_list(items: &[String]) -> (Self, Vec<String>) {
        let agents: Vec<&str> = items.iter().filter_map(|item| agent(item)).collect();
        let unknown: Vec<String> = items.iter().filter(|item| agent(item).is_none()).cloned().collect();
        if agents.is_empty() {
            return (Self::from_text(&items.join(", ")), unknown);
        }
        (Self::only(&agents), unknown)
    }

    fn only(agents: &[&str]) -> Self {
        let mut names: Vec<String> = Vec::new();
        for agent in agents {
            if !names.iter().any(|name| name == agent) {
                names.push((*agent).to_owned());
            }
        }
        Self::Agents(names)
    }

    /// Whether the agent of this name may get the skill.
    pub fn allows(&self, agent: &str) -> bool {
        match self {
            Self::Unsaid | Self::Information(_) => true,
            Self::Agents(names) => names.iter().any(|name| name == agent),
        }
    }

    /// The text that reads back as this value; empty when nothing is said.
    pub fn to_text(&self) -> String {
        match self {
            Self::Unsaid => String::new(),
            Self::Agents(names) => names.join(", "),
            Self::Information(text) => text.clone(),
        }
    }
}

fn agent(text: &str) -> Option<&'static str> {
    let text = text.trim();
    AGENTS.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, agent)| *agent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agents(names: &[&str]) -> Compatibility {
        Compatibility::Agents(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn a_text_restricts_only_when_every_item_is_an_agent() {
        for (text, wanted) in [
            ("", Compatibility::Unsaid),
            ("claude", agents(&["claude"])),
            ("Claude-Code, codex ,claude", agents(&["claude", "codex"])),
            ("claude, vscode", Compatibility::Information("claude, vscode".into())),
            ("claude,", Compatibility::Information("claude,".into())),
            ("Needs git\nand jq", Compatibility::Information("Needs git and jq".into())),
            ("Designed for Claude Code", Compatibility::Information("Designed for Claude Code".into())),
        ] {
            assert_eq!(Compatibility::from_text(text), wanted, "{text:?}");
            assert_eq!(Compatibility::from_text(&wanted.to_text()), wanted, "{text:?}");
        }
    }

    #[test]
    fn a_list_restricts_to_the_agents_it_names() {
        let list =
            |items: &[&str]| Compatibility::from_list(&items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>());
        assert_eq!(list(&["goose", "claude-code"]), (agents(&["goose", "claude"]), vec![]));
        assert_eq!(list(&["goose", "vscode"]), (agents(&["goose"]), vec!["vscode".to_owned()]));
        let (information, unknown) = list(&["git", "jq"]);
        assert_eq!((information, unknown.len()), (Compatibility::Information("git, jq".into()), 2));
        assert_eq!(list(&[]), (Compatibility::Unsaid, vec![]));
    }

    #[test]
    fn only_a_restriction_keeps_an_agent_out() {
        assert!(Compatibility::Unsaid.allows("kiro"));
        assert!(Compatibility::Information("git".into()).allows("kiro"));
        assert!(agents(&["kiro"]).allows("kiro"));
        assert!(!agents(&["kiro"]).allows("goose"));
    }
}
