//! The events at which a hook may act.

use std::fmt;

use crate::agent::AgentId;

/// A canonical event, to which the events of every agent are translated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    PreToolUse,
    PostToolUse,
    UserPromptSubmit,
    /// Sent when a session begins, and when an earlier one is resumed.
    SessionStart,
    /// Sent when the agent is about to end its turn.
    Stop,
}

impl Event {
    pub const ALL: [Self; 5] =
        [Self::PreToolUse, Self::PostToolUse, Self::UserPromptSubmit, Self::SessionStart, Self::Stop];

    /// The order of a session, in which registrations name them.
    pub const IN_SESSION: [Self; 5] =
        [Self::SessionStart, Self::UserPromptSubmit, Self::PreToolUse, Self::PostToolUse, Self::Stop];

    /// Tells if it is about the call of a tool.
    pub fn is_about_tool(self) -> bool {
        match self {
            Self::PreToolUse | Self::PostToolUse => true,
            Self::UserPromptSubmit | Self::SessionStart | Self::Stop => false,
        }
    }

    /// Returns the name in manifests and in canonical JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::PreToolUse => "PreToolUse",
            Self::PostToolUse => "PostToolUse",
            Self::UserPromptSubmit => "UserPromptSubmit",
            Self::SessionStart => "SessionStart",
            Self::Stop => "Stop",
        }
    }

    /// Returns the name on the command line.
    pub fn kebab(self) -> &'static str {
        match self {
            Self::PreToolUse => "pre-tool-use",
            Self::PostToolUse => "post-tool-use",
            Self::UserPromptSubmit => "user-prompt-submit",
            Self::SessionStart => "session-start",
            Self::Stop => "stop",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == text || event.kebab() == text)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookEvent {
    Canonical(Event),
    /// An event of one agent, passed through as it is: `gemini:BeforeModel`.
    Native {
        agent: AgentId,
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
