//! A plugin and its parts, as validated values.

use std::ops::Range;

use super::expected::TestCase;
use crate::agent::AgentId;
use crate::conditions::ConditionSet;
use crate::hook::{HookEvent, ToolMatcher};
pub use crate::hook::{HookOrder, OnFailure, PayloadFormat};
use crate::transport::ServerTransport;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plugin {
    pub name: String,
    pub conditions: ConditionSet,
    pub session_start_context: Option<String>,
    pub skills: Vec<SkillGroup>,
    pub hooks: Vec<Hook>,
    pub mcp_servers: Vec<McpServer>,
    pub installations: Vec<Installation>,
    pub plugins: Vec<PluginReference>,
    pub default_skills: DefaultSkills,
    /// The agent whose settings it was imported from. An imported part is inactive where that agent still has the
    /// original.
    pub imported_from: Option<AgentId>,
}

/// The use of a directory `skills` beside the manifest that no group names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultSkills {
    Used,
    /// The manifest has `[defaults] skills = false`, or one of its groups is invalid.
    Refused,
}

impl Plugin {
    /// Returns a plugin without parts: the wrapper of a stand-alone skill.
    pub fn empty(name: String) -> Self {
        Self {
            name,
            conditions: ConditionSet::default(),
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

    pub fn has_content(&self) -> bool {
        !(self.skills.is_empty() && self.hooks.is_empty() && self.mcp_servers.is_empty() && self.plugins.is_empty())
            || self.session_start_context.is_some()
    }

    pub fn has_workflow(&self) -> bool {
        !(self.hooks.is_empty() && self.mcp_servers.is_empty()) || self.session_start_context.is_some()
    }

    /// Returns the conditions of the plugin and of each part.
    pub fn all_conditions(&self) -> impl Iterator<Item = &ConditionSet> {
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
    pub conditions: ConditionSet,
    pub source: GroupSource,
    /// The bytes of its source in the manifest.
    pub place: Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroupSource {
    Path(String),
    Git(String),
    /// Inside the source of the matching crates, at the path in their metadata.
    Crate,
    CratePath(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    pub name: String,
    pub description: Option<String>,
    pub event: HookEvent,
    pub matcher: ToolMatcher,
    pub command: CommandSpec,
    pub conditions: ConditionSet,
    pub agent: Option<AgentId>,
    pub format: PayloadFormat,
    pub timeout: Option<u64>,
    pub order: HookOrder,
    pub on_failure: OnFailure,
    /// Installations it needs besides that of its command.
    pub requirements: Vec<String>,
    /// The original command in the agent's settings, when it is not the same text.
    pub imported_command: Option<String>,
    pub tests: Vec<TestCase>,
    pub place: Range<usize>,
    pub places: HookPlaces,
}

/// The bytes of the values of a hook's keys in the manifest; the header for a missing key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookPlaces {
    pub event: Range<usize>,
    pub matcher: Range<usize>,
    pub command: Range<usize>,
}

impl Hook {
    pub fn only_agent(&self) -> Option<AgentId> {
        match &self.event {
            HookEvent::Canonical(_) => self.agent,
            HookEvent::Native { agent, .. } => Some(*agent),
        }
    }

    /// Returns the command line in the settings of the agent it was imported from.
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
    Installed {
        installation: String,
        /// The program in it; the installation's own when absent.
        program: Option<ProgramFile>,
        args: Vec<String>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramFile {
    Executable(String),
    /// Run by `sh`.
    Script(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServer {
    pub name: String,
    pub conditions: ConditionSet,
    pub transport: ServerTransport,
}

/// The steps that install a program on the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    pub name: String,
    pub source: InstallationSource,
    pub program: Option<ProgramFile>,
    pub args: Vec<String>,
    /// Commands to run after the fetch.
    pub install_commands: Vec<String>,
    pub requirements: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstallationSource {
    None,
    Cargo {
        package: String,
        /// The version requirement; the newest version when absent.
        version: Option<String>,
        git: Option<String>,
        /// Installs it into the user's own cargo directory.
        global: bool,
    },
    /// A GitHub repository or a directory of one.
    GitHub {
        url: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginReference {
    pub source: ReferenceSource,
    pub conditions: ConditionSet,
    pub place: Range<usize>,
}

impl PluginReference {
    /// Tells whether the other plugin is in the same source.
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
