//! The changes from the observed to the desired state. Nothing is read here: the disk is handed in as [`Observed`].

mod config;
mod entries;
mod skills;
mod unrecorded;
mod vendored;
mod whole;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::change::{ChangeSet, ChangeStep, PlannedChange, SyncNotice};
use super::desired::{DesiredFile, DesiredSkill, DesiredState};
use super::ledger::{Ledger, LedgerRecord, WrittenContent};
use super::observed::Observed;
use super::prune_guard::PruneGuard;
use super::scope::SyncScope;
use crate::diagnostic::Diagnostic;
use crate::edit::{FileContent, SettingsEditor};
use crate::lockfile::is_of_lock;
use crate::ownership::Marker;

pub use config::{is_of_others, written_after, written_while};
pub use entries::{is_ours_alone, removals, removed_rules, rule_text};
pub use vendored::{VendorOptions, VendoredSource};

/// Values that every comparison needs.
#[derive(Debug, Clone, Copy)]
pub struct DiffOptions<'o> {
    pub workspace: Option<&'o Path>,
    /// Skills that are put back even if the user edited them.
    pub restore: &'o [String],
    pub removed_rules: RemovedRulePolicy,
    pub editor: SettingsEditor,
    /// The time of new records, in seconds since 1970.
    pub now: u64,
}

/// Says what happens to permission rules of ours that the user deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemovedRulePolicy {
    StayRemoved,
    /// The user asked for them again.
    WriteAgain,
}

/// Says which records may go when nothing desired names them.
pub struct PruneOptions<'o> {
    pub scope: SyncScope,
    pub guard: &'o PruneGuard<'o>,
    /// Configuration files, which stay until Symposium is uninstalled.
    pub configurations: Vec<PathBuf>,
    /// Whether it is known which agents the user wants.
    pub knows_user_agents: bool,
    /// Whether it is known which agents the project wants.
    pub knows_project_agents: bool,
}

/// Compares one thing after the other, and collects the changes.
pub struct ChangeBuilder<'c> {
    ledger: &'c Ledger,
    observed: &'c Observed,
    options: DiffOptions<'c>,
    /// Files that must hold entries and that cannot be edited.
    unusable: Vec<PathBuf>,
    pub changes: ChangeSet,
}

/// Compares the desired state with the observed one.
pub fn diff(
    desired: &DesiredState,
    ledger: &Ledger,
    observed: &Observed,
    options: DiffOptions<'_>,
    prune: &PruneOptions<'_>,
) -> ChangeSet {
    let mut builder = ChangeBuilder::new(ledger, observed, options);
    for file in &desired.files {
        match &file.content {
            FileContent::Entries { format, entries } => builder.diff_entries(file, *format, entries),
            FileContent::Whole(text) => builder.diff_whole(file, text),
        }
    }
    let promised: Vec<PathBuf> = desired.skills.iter().map(DesiredSkill::place).collect();
    let skills: BTreeSet<PathBuf> =
        desired.skills.iter().filter_map(|skill| builder.diff_skill(skill, &promised)).collect();
    for record in removable(desired, ledger, options.workspace, prune) {
        if !skills.contains(&record.path) && !builder.is_needed_here(desired, record) {
            builder.release(record);
        }
    }
    builder.changes
}

/// Returns the records that may go, unless a skill is wanted there: no file that is desired has their place, and nothing
/// that could not be read may ask for them.
pub fn removable<'l>(
    desired: &'l DesiredState,
    ledger: &'l Ledger,
    workspace: Option<&'l Path>,
    prune: &'l PruneOptions<'_>,
) -> impl Iterator<Item = &'l LedgerRecord> {
    ledger.records.iter().filter(move |record| {
        let is_theirs = record.workspace.is_none() || record.is_for(workspace);
        // A source that could not be read may still hold the skill.
        let is_unread = match (&record.written, &record.extension) {
            (WrittenContent::Skill { .. }, Some(name)) => !prune.guard.skill_is_gone(name, record.source.as_deref()),
            (WrittenContent::Skill { .. }, None) => prune.guard.is_unread,
            (WrittenContent::Entries { .. } | WrittenContent::File { .. } | WrittenContent::Amended { .. }, _) => false,
        };
        // What is in a workspace depends on both configurations.
        let knows_agents = prune.knows_user_agents && (record.workspace.is_none() || prune.knows_project_agents);
        let is_desired = desired.files.iter().any(|file| file.path == record.path)
            || prune.configurations.contains(&record.path)
            // The lockfile and vendored sources are compared by themselves.
            || is_of_lock(workspace, &record.path);
        is_theirs && prune.scope.covers(record.workspace.as_deref()) && !is_unread && knows_agents && !is_desired
    })
}

impl<'c> ChangeBuilder<'c> {
    pub fn new(ledger: &'c Ledger, observed: &'c Observed, options: DiffOptions<'c>) -> Self {
        Self { ledger, observed, options, unusable: Vec::new(), changes: ChangeSet::default() }
    }

    /// Reverts what this workspace, or the user, no longer wants, unless another workspace does. One that was deleted
    /// wants nothing.
    pub fn release(&mut self, record: &LedgerRecord) {
        let mut others = record.workspaces().filter(|other| Some(*other) != self.options.workspace);
        match (self.options.workspace, others.find(|other| !self.observed.gone.contains(*other))) {
            (Some(workspace), Some(other)) => {
                self.changes.released.push((record.path.clone(), workspace.to_owned()));
                self.changes.notices.push(SyncNotice::Shared { path: record.path.clone(), with: other.to_owned() });
            }
            (None, _) | (_, None) => self.revert(record),
        }
    }

    /// Reverts what was written, if it is still so.
    pub fn revert(&mut self, record: &LedgerRecord) {
        if let WrittenContent::Skill { .. } = record.written {
            return self.revert_skill(record);
        }
        let found = match self.observed.text(&record.path) {
            Ok(Some(found)) => found,
            Ok(None) => return self.changes.gone.push(record.path.clone()),
            Err(found) => return self.skip(*found),
        };
        match &record.written {
            WrittenContent::Entries { .. } => self.revert_entries(record, found),
            WrittenContent::Amended { before, states } => self.revert_amended(record, before, states, &found.text),
            WrittenContent::File { .. } | WrittenContent::Skill { .. } if record.written.is_file(&found.text) => {
                self.undo(record, ChangeStep::Delete { expected: found.text.clone() });
            }
            WrittenContent::File { .. } | WrittenContent::Skill { .. } => self.keep_drifted(&record.path),
        }
    }

    /// Returns whether a record has hooks that belong into a file that cannot be edited. They stay where they are until
    /// it can: the agent may take no hooks from that file either, and a guard must not be lost.
    fn is_needed_here(&self, desired: &DesiredState, record: &LedgerRecord) -> bool {
        let is_unusable =
            |file: &&DesiredFile| self.unusable.contains(&file.path) && file.workspace == record.workspace;
        let is_hook = |mark: &Marker| matches!(mark, Marker::HookOf(_) | Marker::HookBy { .. });
        let has = |mark: &Marker| is_hook(mark) && record.written.entries().iter().any(|entry| entry.mark() == mark);
        desired.files.iter().filter(is_unusable).any(|file| match &file.content {
            FileContent::Entries { entries, .. } => entries.iter().any(|entry| has(&entry.mark)),
            FileContent::Whole(_) => false,
        })
    }

    fn undo(&mut self, record: &LedgerRecord, step: ChangeStep) {
        self.changes.actions.push(PlannedChange {
            path: record.path.clone(),
            agents: record.agents.clone(),
            extension: record.extension.clone(),
            workspace: record.workspace.clone(),
            step,
        });
    }

    fn keep_drifted(&mut self, path: &Path) {
        self.changes.notices.push(SyncNotice::Drifted(path.to_owned()));
    }

    fn skip(&mut self, found: Diagnostic) {
        self.changes.notices.push(SyncNotice::Unusable(found));
    }
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
