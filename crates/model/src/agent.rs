//! The identifiers of the agents that Symposium supports.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AgentId {
    Claude,
    Copilot,
    Gemini,
    Codex,
    Kiro,
    OpenCode,
    Goose,
    Cursor,
    Qwen,
    Kilo,
    Cline,
    Pi,
    Droid,
    Crush,
    Antigravity,
    /// Any program that reads `.agents/skills` and `.mcp.json`.
    Agents,
}

impl AgentId {
    /// Every agent, in the order in which they are listed to users.
    pub const ALL: [Self; 16] = [
        Self::Claude,
        Self::Copilot,
        Self::Gemini,
        Self::Codex,
        Self::Kiro,
        Self::OpenCode,
        Self::Goose,
        Self::Cursor,
        Self::Qwen,
        Self::Kilo,
        Self::Cline,
        Self::Pi,
        Self::Droid,
        Self::Crush,
        Self::Antigravity,
        Self::Agents,
    ];

    /// Returns the name in configuration, manifests and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Copilot => "copilot",
            Self::Gemini => "gemini",
            Self::Codex => "codex",
            Self::Kiro => "kiro",
            Self::OpenCode => "opencode",
            Self::Goose => "goose",
            Self::Cursor => "cursor",
            Self::Qwen => "qwen",
            Self::Kilo => "kilo",
            Self::Cline => "cline",
            Self::Pi => "pi",
            Self::Droid => "droid",
            Self::Crush => "crush",
            Self::Antigravity => "antigravity",
            Self::Agents => "agents",
        }
    }

    /// Finds an agent by its name or by a usual alias (`claude-code`, `gemini-cli`), letter case ignored.
    pub fn parse(text: &str) -> Option<Self> {
        let folded = text.trim().to_ascii_lowercase();
        let bare = folded.strip_suffix("-cli").unwrap_or(&folded);
        match bare {
            "claude-code" | "claudecode" => Some(Self::Claude),
            "github-copilot" => Some(Self::Copilot),
            "open-code" => Some(Self::OpenCode),
            "qwen-code" | "qwencode" => Some(Self::Qwen),
            "kilo-code" | "kilocode" => Some(Self::Kilo),
            "pi-coding-agent" => Some(Self::Pi),
            "factory" | "factory-droid" => Some(Self::Droid),
            "agy" => Some(Self::Antigravity),
            _ => Self::ALL.into_iter().find(|agent| agent.name() == bare),
        }
    }

    pub fn names() -> [&'static str; Self::ALL.len()] {
        Self::ALL.map(Self::name)
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_aliases() {
        for agent in AgentId::ALL {
            assert_eq!(serde_json::to_value(agent).unwrap(), agent.name());
            assert_eq!(AgentId::parse(agent.name()), Some(agent));
            assert_eq!(AgentId::parse(&agent.name().to_uppercase()), Some(agent));
        }
        for (alias, agent) in [
            ("claude-code", AgentId::Claude),
            ("gemini-cli", AgentId::Gemini),
            ("copilot-cli", AgentId::Copilot),
            ("github-copilot", AgentId::Copilot),
            ("codex-cli", AgentId::Codex),
            ("qwen-code", AgentId::Qwen),
            ("kilocode", AgentId::Kilo),
            ("cline-cli", AgentId::Cline),
            ("pi-coding-agent", AgentId::Pi),
            ("factory-droid", AgentId::Droid),
            ("agy", AgentId::Antigravity),
            ("antigravity-cli", AgentId::Antigravity),
        ] {
            assert_eq!(AgentId::parse(alias), Some(agent));
        }
        for unknown in ["", "claud", "emacs", "-cli"] {
            assert_eq!(AgentId::parse(unknown), None);
        }
    }
}
