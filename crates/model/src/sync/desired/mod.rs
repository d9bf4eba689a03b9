//! The state that should be on disk: files that register us, and skill directories.

mod registrations;
mod skills;

use std::path::PathBuf;

use super::change::{ChangeStep, PlannedChange};
use super::ledger::{LedgerRecord, RegisteredEvent, WrittenContent};
use super::scope::SyncScope;
use super::tree::{CommitPolicy, SkillTree};
use crate::agent::AgentId;
use crate::edit::FileContent;
use crate::skill::{SkillDocument, SkillName};

pub use registrations::{
    AgentRegistration, PluginServer, RegistrationRequest, RegistrationSelection, RegistrationTarget, ServerScope,
};
pub use skills::{SkillContent, SkillOptions, SkillParent, SkillRecipient};

/// The state that should be on disk.
#[derive(Debug, Default)]
pub struct DesiredState {
    pub files: Vec<DesiredFile>,
    pub skills: Vec<DesiredSkill>,
    /// Notes to the user, for each agent.
    pub notes: Vec<(AgentId, String)>,
    pub warnings: Vec<String>,
    /// Warnings about the program agents will call.
    pub program_warnings: Vec<String>,
    /// Programs outside of the workspace that servers of plugins are started with.
    pub machine_programs: Vec<String>,
    /// Servers of plugins that are off here and stay in the user's own settings, each with a project that uses it.
    pub kept: Vec<(String, PathBuf)>,
    /// Events that plugins handle here besides the usual ones, in words of `hook AGENT EVENT`.
    pub handled: Vec<(AgentId, String)>,
    /// Events that are registered besides the usual ones: those, and what the ledger remembers.
    pub events: Vec<RegisteredEvent>,
}

impl DesiredState {
    /// Leaves out what a run does not cover.
    pub fn retain(&mut self, scope: SyncScope) {
        self.files.retain(|file| scope.covers(file.workspace.as_deref()));
        self.events.retain(|event| scope.covers(event.workspace.as_deref()));
    }
}

/// A file that registers us.
#[derive(Debug)]
pub struct DesiredFile {
    pub path: PathBuf,
    /// The workspace it is for; `None` for one written once for the user.
    pub workspace: Option<PathBuf>,
    /// The agents that read it.
    pub agents: Vec<AgentId>,
    pub content: FileContent,
    /// The text of a new file, before the entries.
    pub starts_as: &'static str,
}

impl DesiredFile {
    pub fn change(&self, step: ChangeStep) -> PlannedChange {
        PlannedChange {
            path: self.path.clone(),
            agents: self.agents.clone(),
            extension: None,
            workspace: self.workspace.clone(),
            step,
        }
    }

    pub(super) fn record(&self, written: WrittenContent, now: u64) -> LedgerRecord {
        let record = LedgerRecord::new(self.path.clone(), self.workspace.clone(), written, now);
        LedgerRecord { agents: self.agents.clone(), ..record }
    }
}

/// A skill directory in the workspace.
#[derive(Debug)]
pub struct DesiredSkill {
    /// The directory of all skills it goes into.
    pub parent: PathBuf,
    pub name: SkillName,
    /// The agents that read it.
    pub agents: Vec<AgentId>,
    pub source: SkillSource,
    /// The source that brings it.
    pub brought_by: String,
    /// Whether it may be written.
    pub hold: InstallPolicy,
    /// Directories of the user in which those agents look for skills too.
    pub user_directories: Vec<PathBuf>,
}

/// Whether a skill may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstallPolicy {
    None,
    /// The project is locked to another content of it: what is installed stays, and nothing comes.
    AsInstalled,
}

/// The content of a skill directory, whatever its name.
#[derive(Debug)]
pub struct SkillSource {
    pub content: SkillContent,
    pub document: SkillDocument,
    pub commit: CommitPolicy,
}

impl SkillSource {
    /// Returns the directory's content under a name.
    pub fn tree(&self, name: &SkillName) -> SkillTree {
        let SkillContent { files, text } = &self.content;
        SkillTree::installed(files.clone(), &self.document, text, name, self.commit)
    }
}
