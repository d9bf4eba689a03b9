//! A plugin and its parts, as validated values.

use std::ops::Range;

use super::expected::TestCase;
use crate::agent::AgentId;
use crate::conditions::Conditions;
use crate::hook::{HookEvent, Matcher};
pub use crate::hook::{HookOrder, OnFailure, PayloadFormat};
use crate::transport::Transport;

/// A manifest and what it bundles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plugin {
    /// Its name in messages, toggles and grants.
    pub name: String,
    /// When it applies; without any, always.
    pub conditions: Conditions,
    /// Text for the start of a session.
    pub session_start_context: Option<String>,
    /// Where its skills are, and when they apply.
    pub skills: Vec<SkillGroup>,
    /// What it runs on which event.
    pub hooks: Vec<Hook>,
    pub mcp_servers: Vec<McpServer>,
    /// How to get the programs its hooks run.
    pub installations: Vec<Installation>,
    /// Other plugins it brings along.
    pub plugins: Vec<PluginReference>,
    /// Whether a directory `skills` beside it counts without being named.
    pub default_skills: DefaultSkills,
    /// The agent whose settings it was made of: where that agent still has them, what was made of them stands down.
    pub imported_from: Option<AgentId>,
}

/// Whether a directory `skills` counts without being named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultSkills {
    Used,
    /// It does not: the manifest says `[defaults] skills = false`, or one of its groups cannot be used.
    Refused,
}

impl Plugin {
    /// A plugin of that name with nothing in it: what a stand-alone skill is wrapped in.
    pub fn empty(name: String) -> Self {
        Self {
            name,
            conditions: Conditions::default(),
            session_start_context: None,
            skills: Vec::new(),
            hooks: Vec::new(),
            mcp_servers: Vec::new(),
            installations: Vec::new(),
            plugins: Vec::new(),
            default_skills: DefaultSkills::Used,
            imported_from: None,
        }
    }

    /// Whether it brings anything at all.
    pub fn has_content(&self) -> bool {
        !(self.skills.is_empty() && self.hooks.is_empty() && self.mcp_servers.is_empty() && self.plugins.is_empty())
            || self.session_start_context.is_some()
    }

    /// Whether it does more than bring skills: hooks, servers, session context.
    pub fn has_workflow(&self) -> bool {
        !(self.hooks.is_empty() && self.mcp_servers.is_empty()) || self.session_start_context.is_some()
    }

    /// The conditions of every part, for questions about all of them.
    pub fn all_conditions(&self) -> impl Iterator<Item = &Conditions> {
        std::iter::once(&self.conditions)
            .chain(self.skills.iter().map(|group| &group.conditions))
            .chain(self.hooks.iter().map(|hook| &hook.conditions))
            .chain(self.mcp_servers.iter().map(|server| &server.conditions))
            .chain(self.plugins.iter().map(|reference| &reference.conditions))
    }
}

/// A directory of skills that share conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillGroup {
    pub conditions: Conditions,
    pub source: GroupSource,
    /// Where the manifest says so, in bytes of its text.
    pub place: Range<usize>,
}

/// Where the skills of a group are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroupSource {
    /// A directory beside the manifest.
    Path(String),
    /// A directory of a git repository.
    Git(String),
    /// Inside the source of the crates that matched, where their metadata says.
    Crate,
    /// Inside the source of the crates that matched, at this path.
    CratePath(String),
}

/// A command that answers an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// Its name in messages and toggles.
    pub name: String,
    /// A sentence about it, for people.
    pub description: Option<String>,
    pub event: HookEvent,
    /// Which tools it is meant for.
    pub matcher: Matcher,
    pub command: CommandSpec,
    pub conditions: Conditions,
    /// The one agent it is meant for, if any.
    pub agent: Option<AgentId>,
    pub format: PayloadFormat,
    pub timeout: Option<u64>,
    /// Whether it runs before or after the others.
    pub order: HookOrder,
    pub on_failure: OnFailure,
    /// Installations it needs besides its command.
    pub requirements: Vec<String>,
    /// The command it was made of, in an agent's settings, when that is not the same text.
    pub imported_command: Option<String>,
    /// What it is expected to say, for its author to try.
    pub tests: Vec<TestCase>,
    /// Where the manifest declares it, in bytes of its text.
    pub place: Range<usize>,
    /// Where it says what; the header where it does not say it.
    pub places: HookPlaces,
}

/// Where a manifest has the values of a hook's keys, in bytes of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookPlaces {
    /// Of `event`.
    pub event: Range<usize>,
    /// Of `matcher`.
    pub matcher: Range<usize>,
    /// Of `command`.
    pub command: Range<usize>,
}

impl Hook {
    /// The one agent it is for.
    pub fn only_agent(&self) -> Option<AgentId> {
        match &self.event {
            HookEvent::Canonical(_) => self.agent,
            HookEvent::Native { agent, .. } => Some(*agent),
        }
    }

    /// The command line that stands in the settings of the agent it was imported from.
    pub fn command_there(&self) -> Option<&str> {
        match (&self.imported_command, &self.command) {
            (Some(line), _) | (None, CommandSpec::Line { line, .. }) => Some(line),
            (None, CommandSpec::Installed { .. }) => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandSpec {
    /// A command line; a first word with a `/` is a file of the plugin.
    Line { line: String, args: Vec<String> },
    /// A program of an installation.
    Installed {
        installation: String,
        /// The program in it; the installation's own when absent.
        program: Option<ProgramFile>,
        args: Vec<String>,
    },
}

/// A file that is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramFile {
    Executable(String),
    /// Run by `sh`.
    Script(String),
}

/// An MCP server a plugin offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServer {
    /// Its name in the agent's configuration.
    pub name: String,
    pub conditions: Conditions,
    pub transport: Transport,
}

/// How to get a program onto the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    pub name: String,
    pub source: InstallationSource,
    pub program: Option<ProgramFile>,
    pub args: Vec<String>,
    /// Commands run after it was fetched.
    pub install_commands: Vec<String>,
    pub requirements: Vec<String>,
}

/// Where an installation comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstallationSource {
    None,
    /// A crate with a binary.
    Cargo {
        package: String,
        /// Its version requirement; the newest when absent.
        version: Option<String>,
        /// A repository to install it from instead of the registry.
        git: Option<String>,
        /// Whether it goes to the user's own cargo directory.
        global: bool,
    },
    /// A GitHub repository or a directory of one.
    GitHub {
        url: String,
    },
}

/// Another plugin that comes along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginReference {
    pub source: ReferenceSource,
    pub conditions: Conditions,
    /// Where the manifest says so, in bytes of its text.
    pub place: Range<usize>,
}

impl PluginReference {
    /// Whether it lies in the same source.
    pub fn is_beside(&self) -> bool {
        match &self.source {
            ReferenceSource::Path(_) => true,
            ReferenceSource::Crate { .. } | ReferenceSource::Git(_) => false,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReferenceSource {
    Crate { name: String, version: Option<String> },
    Git(String),
    Path(String),
}
