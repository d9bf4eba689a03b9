//! The moments in an agent's work at which a hook may act.

use std::fmt;

use crate::agent::AgentId;

/// An event every agent is translated to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// Before a tool is used.
    PreToolUse,
    /// After a tool was used.
    PostToolUse,
    /// The person sent a prompt.
    UserPromptSubmit,
    /// A session begins or goes on.
    SessionStart,
    /// The agent wants to end its turn.
    Stop,
}

impl Event {
    /// Every canonical event.
    pub const ALL: [Self; 5] =
        [Self::PreToolUse, Self::PostToolUse, Self::UserPromptSubmit, Self::SessionStart, Self::Stop];

    /// The name in manifests and in canonical JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::PreToolUse => "PreToolUse",
            Self::PostToolUse => "PostToolUse",
            Self::UserPromptSubmit => "UserPromptSubmit",
            Self::SessionStart => "SessionStart",
            Self::Stop => "Stop",
        }
    }

    /// The name on the command line.
    pub fn kebab(self) -> &'static str {
        match self {
            Self::PreToolUse => "pre-tool-use",
            Self::PostToolUse => "post-tool-use",
            Self::UserPromptSubmit => "user-prompt-submit",
            Self::SessionStart => "session-start",
            Self::Stop => "stop",
        }
    }

    /// Accepts both spellings.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == text || event.kebab() == text)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a hook listens to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookEvent {
    /// An event every agent is translated to.
    Canonical(Event),
    /// An event of one agent, passed through as it is: `gemini:BeforeModel`.
    Native {
        /// The agent.
        agent: AgentId,
        /// The event in that agent's own spelling.
        event: String,
    },
}

impl fmt::Display for HookEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Canonical(event) => write!(f, "{event}"),
            Self::Native { agent, event } => write!(f, "{agent}:{event}"),
        }
    }
}
