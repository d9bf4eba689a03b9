//! Changes: the steps from the state on disk to the desired one, and what is left alone.

use std::path::{Path, PathBuf};

use super::ledger::{LedgerRecord, WrittenContent};
use super::observed::InstalledState;
use super::tree::SkillTree;
use super::written_entry::WrittenEntry;
use crate::agent::AgentId;
use crate::diagnostic::Diagnostic;
use crate::edit::{EditFormat, SettingsEntry};
use crate::git_index::GitTracking;

/// Something to do. `--dry-run`, `--check`, `--json`, `status` and the tests read the same list that is carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedChange {
    pub path: PathBuf,
    pub agents: Vec<AgentId>,
    /// For which extension; `None` for what registers ourselves or is our own configuration.
    pub extension: Option<String>,
    /// The workspace it belongs to; `None` for what is written once for the user.
    pub workspace: Option<PathBuf>,
    pub step: ChangeStep,
}

/// One step on a file or directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeStep {
    /// Entries of ours go into a file of others.
    Edit {
        format: EditFormat,
        entries: Vec<SettingsEntry>,
        /// The text of a new file, before the entries.
        starts_as: &'static str,
        /// Whether the file is not there yet.
        is_new: bool,
        /// The next record; written before the file is, so that a run that is killed can be taken back too.
        intended: WrittenContent,
    },
    /// Entries of ours leave a file of others.
    Restore {
        format: EditFormat,
        entries: Vec<WrittenEntry>,
        /// Containers that were made for them.
        created: Vec<Vec<String>>,
        /// Whether the file was not there before us.
        new_file: bool,
        /// Whether other entries of ours stay in it.
        rest: RemainingEntries,
    },
    /// Lines of ours leave a configuration that was there before us.
    GiveBack {
        text: String,
        /// The text it must have before.
        expected: String,
    },
    /// A configuration file of ours is written; what the user changed in it stays.
    Configure {
        text: String,
        /// The text it must have before; `None` when it must not be there.
        expected: Option<String>,
    },
    /// A file of ours is written.
    Write {
        text: String,
        /// The text it must have before; `None` when it must not be there.
        expected: Option<String>,
    },
    /// A file of ours goes.
    Delete {
        /// The text it must have before.
        expected: String,
    },
    /// A skill directory is put in place.
    Install {
        tree: SkillTree,
        /// The state it must have before.
        expected: InstalledState,
        edits: UserEdits,
        /// The source it comes from; `None` for a copy of a whole source.
        source: Option<String>,
    },
    Uninstall {
        /// The state it must have before.
        expected: InstalledState,
    },
}

/// Tells whether a user's edits to a skill are lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserEdits {
    None,
    /// They go, because the user said so.
    Discarded,
}

/// Whether entries of ours stay in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemainingEntries {
    Stays,
    Nothing,
}

impl PlannedChange {
    /// Returns the record of this change once it is made.
    pub fn record(&self, written: WrittenContent, now: u64) -> LedgerRecord {
        let source = match &self.step {
            ChangeStep::Install { source, .. } => source.clone(),
            ChangeStep::Edit { .. }
            | ChangeStep::Restore { .. }
            | ChangeStep::GiveBack { .. }
            | ChangeStep::Configure { .. }
            | ChangeStep::Write { .. }
            | ChangeStep::Delete { .. }
            | ChangeStep::Uninstall { .. } => None,
        };
        let (agents, extension) = (self.agents.clone(), self.extension.clone());
        let record = LedgerRecord::new(self.path.clone(), self.workspace.clone(), written, now);
        LedgerRecord { agents, extension, source, ..record }
    }

    /// Whether it only takes something of ours away.
    pub fn takes_away(&self) -> bool {
        match &self.step {
            ChangeStep::Restore { .. }
            | ChangeStep::GiveBack { .. }
            | ChangeStep::Delete { .. }
            | ChangeStep::Uninstall { .. } => true,
            ChangeStep::Edit { .. }
            | ChangeStep::Configure { .. }
            | ChangeStep::Write { .. }
            | ChangeStep::Install { .. } => false,
        }
    }

    /// Whether the file is not there yet.
    pub fn creates_file(&self) -> bool {
        match &self.step {
            ChangeStep::Edit { is_new, .. } => *is_new,
            ChangeStep::Configure { expected, .. } | ChangeStep::Write { expected, .. } => expected.is_none(),
            ChangeStep::Restore { .. }
            | ChangeStep::GiveBack { .. }
            | ChangeStep::Delete { .. }
            | ChangeStep::Install { .. }
            | ChangeStep::Uninstall { .. } => false,
        }
    }

    /// Returns the word for it in JSON.
    pub fn kind(&self) -> &'static str {
        match &self.step {
            ChangeStep::Edit { .. } => "edit",
            ChangeStep::Restore { .. } | ChangeStep::GiveBack { .. } => "restore",
            ChangeStep::Write { .. } | ChangeStep::Configure { .. } => "write",
            ChangeStep::Delete { .. } => "delete",
            ChangeStep::Install { .. } => "install",
            ChangeStep::Uninstall { .. } => "uninstall",
        }
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct ChangeSet {
    pub actions: Vec<PlannedChange>,
    /// Records that are right, or become right without touching anything.
    pub settled: Vec<LedgerRecord>,
    /// Records about things that are gone already.
    pub gone: Vec<PathBuf>,
    /// Places that a workspace no longer wants and another one does, each with the one that does not.
    pub released: Vec<(PathBuf, PathBuf)>,
    pub notices: Vec<SyncNotice>,
}

impl ChangeSet {
    /// Adds what could not be done, so that the report does not say that all is well.
    pub fn failed(&mut self, failures: Vec<Diagnostic>) {
        self.notices.extend(failures.into_iter().map(SyncNotice::Unusable));
    }

    /// Returns what cannot be read or understood.
    pub fn unusable(&self) -> impl Iterator<Item = &Diagnostic> {
        self.notices.iter().filter_map(|notice| match notice {
            SyncNotice::Unusable(found) => Some(found),
            SyncNotice::Drifted(_)
            | SyncNotice::Foreign { .. }
            | SyncNotice::RemovedRules { .. }
            | SyncNotice::Shared { .. }
            | SyncNotice::Committed { .. } => None,
        })
    }

    /// Drops changes to files of workspaces that git tracks, and notes each: only a person who asks for it changes them.
    pub fn spare_tracked(&mut self, mut tracking: impl FnMut(&Path) -> GitTracking) {
        let Self { actions, notices, .. } = self;
        actions.retain(|change| match change.workspace.as_ref().map(|_| tracking(&change.path)) {
            None | Some(GitTracking::Untracked) => true,
            Some(tracking @ (GitTracking::Tracked | GitTracking::Unknown)) => {
                notices.push(SyncNotice::Committed { path: change.path.clone(), tracking });
                false
            }
        });
    }

    /// Adds what another comparison yields.
    pub fn extend(&mut self, other: Self) {
        self.actions.extend(other.actions);
        self.settled.extend(other.settled);
        self.gone.extend(other.gone);
        self.released.extend(other.released);
        self.notices.extend(other.notices);
    }
}

/// Something that was left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyncNotice {
    /// The user edited what we wrote; it stays.
    Drifted(PathBuf),
    /// The user has something of their own there; it stays.
    Foreign { path: PathBuf, what: String },
    /// The user deleted these rules of ours since the last run; they are not written again.
    RemovedRules { path: PathBuf, rules: Vec<String> },
    /// Another workspace wants it too; it stays.
    Shared { path: PathBuf, with: PathBuf },
    /// Git tracks it, or that cannot be told; it stays.
    Committed { path: PathBuf, tracking: GitTracking },
    /// It cannot be read, understood or written; it stays.
    Unusable(Diagnostic),
}

#[cfg(test)]
#[path = "change_tests.rs"]
mod tests;
