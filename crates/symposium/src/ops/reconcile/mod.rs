//! From what is configured to what is on disk: desired, compared, applied, recorded.

pub(crate) mod apply;
mod apply_change;
pub(crate) mod committed_files;
pub(crate) mod desired;
pub(crate) mod diff;
mod diff_entries;
mod extra_events;
mod install_name;
pub(crate) mod lock_changes;
pub(crate) mod machine_programs;
pub(crate) mod missing_skills;
pub(crate) mod name_warnings;
mod native_entries;
pub(crate) mod program_path;
pub(crate) mod project_config;
pub(crate) mod prune_guard;
pub(crate) mod recorded_state;
mod removals;
mod reverted_text;
pub(crate) mod servers;
pub(crate) mod sync_scope;
pub(crate) mod unrecorded_files;

use std::path::PathBuf;

use symposium_io::git_tracking::Tracking;
use symposium_io::install::InstalledState;
use symposium_model::agent::AgentId;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::edit::{EditFormat, SettingsEntry};
use symposium_model::sync::{LedgerRecord, SkillTree, WrittenContent, WrittenEntry};

use super::ledger_store;

/// Something to do. `--dry-run`, `--check`, `--json`, `status` and the tests read the same list that is carried out.
#[derive(Debug, Clone)]
pub(crate) struct PlannedChange {
    pub(crate) path: PathBuf,
    pub(crate) agents: Vec<AgentId>,
    /// For which extension; `None` for what registers ourselves or is our own configuration.
    pub(crate) extension: Option<String>,
    /// The workspace it belongs to; `None` for what is written once for the user.
    pub(crate) workspace: Option<PathBuf>,
    pub(crate) step: ChangeStep,
}

/// What is done to a file or directory.
#[derive(Debug, Clone)]
pub(crate) enum ChangeStep {
    /// Entries of ours go into a file of others.
    Edit {
        /// How the file is written.
        format: EditFormat,
        entries: Vec<SettingsEntry>,
        /// What a new file starts as.
        starts_as: &'static str,
        /// Whether the file is not there yet.
        is_new: bool,
        /// What the record will say; written before the file is, so that a run that is killed can be taken back too.
        intended: WrittenContent,
    },
    /// Entries of ours leave a file of others.
    Restore {
        /// How the file is written.
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
        /// What it must be before.
        expected: String,
    },
    /// A configuration file of ours is written; what the user changed in it stays.
    Configure {
        text: String,
        /// What it must be before; `None` when it must not be there.
        expected: Option<String>,
    },
    /// A file of ours is written.
    Write {
        text: String,
        /// What it must be before; `None` when it must not be there.
        expected: Option<String>,
    },
    /// A file of ours goes.
    Delete {
        /// What it must be before.
        expected: String,
    },
    /// A skill directory is put in place.
    Install {
        tree: SkillTree,
        /// What must be there before.
        expected: InstalledState,
        /// What becomes of what the user did to it.
        edits: UserEdits,
        /// The source it comes from; `None` for a copy of a whole source.
        source: Option<String>,
    },
    Uninstall {
        /// What must be there before.
        expected: InstalledState,
    },
}

/// What becomes of a user's edits to a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UserEdits {
    None,
    /// They go, because the user said so.
    Discarded,
}

/// Whether entries of ours stay in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RemainingEntries {
    Stays,
    Nothing,
}

impl PlannedChange {
    /// Whether it only takes something of ours away.
    pub(crate) fn takes_away(&self) -> bool {
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
    pub(crate) fn creates_file(&self) -> bool {
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

    /// The word for it in JSON.
    pub(crate) fn kind(&self) -> &'static str {
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

#[derive(Debug, Default)]
pub(crate) struct ChangeSet {
    pub(crate) actions: Vec<PlannedChange>,
    /// Records that are right, or become right without touching anything.
    pub(crate) settled: Vec<LedgerRecord>,
    /// Records about things that are gone already.
    pub(crate) gone: Vec<PathBuf>,
    /// What a workspace no longer wants and another one does, with the one that does not.
    pub(crate) released: Vec<(PathBuf, PathBuf)>,
    /// What was left alone, and why.
    pub(crate) notices: Vec<SyncNotice>,
}

impl ChangeSet {
    /// Notes what could not be done, so that nobody is told that all is well.
    pub(crate) fn failed(&mut self, failures: Vec<Diagnostic>) {
        self.notices.extend(failures.into_iter().map(SyncNotice::Unusable));
    }

    /// What cannot be read or understood.
    pub(crate) fn unusable(&self) -> impl Iterator<Item = &Diagnostic> {
        self.notices.iter().filter_map(|notice| match notice {
            SyncNotice::Unusable(found) => Some(found),
            SyncNotice::Drifted(_)
            | SyncNotice::Foreign { .. }
            | SyncNotice::Shared { .. }
            | SyncNotice::Committed { .. } => None,
        })
    }

    /// Adds what another comparison yields.
    pub(crate) fn extend(&mut self, other: Self) {
        self.actions.extend(other.actions);
        self.settled.extend(other.settled);
        self.gone.extend(other.gone);
        self.released.extend(other.released);
        self.notices.extend(other.notices);
    }
}

/// Something that was left alone.
#[derive(Debug, Clone)]
pub(crate) enum SyncNotice {
    /// The user edited what we wrote; it stays.
    Drifted(PathBuf),
    /// The user has something of their own there; it stays.
    Foreign { path: PathBuf, what: String },
    /// Another workspace wants it too; it stays.
    Shared { path: PathBuf, with: PathBuf },
    /// Git tracks it, or that cannot be told; it stays.
    Committed { path: PathBuf, tracking: Tracking },
    /// It cannot be read, understood or written; it stays.
    Unusable(Diagnostic),
}
