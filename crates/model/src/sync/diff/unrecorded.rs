//! Things that are ours though no record says so: after the ledger was lost, in a clone of another user's project, or
//! after an agent moved them.

use std::path::{Path, PathBuf};

use super::ChangeBuilder;
use super::entries::removals;
use super::whole::is_recognisably_ours;
use crate::agent::AgentId;
use crate::config::Scope;
use crate::edit::{EntrySlot, FileContent, SettingsEntry};
use crate::sync::change::{ChangeStep, PlannedChange, RemainingEntries};
use crate::sync::desired::{DesiredFile, DesiredSkill, DesiredState};
use crate::sync::ledger::{LedgerRecord, WrittenContent};
use crate::sync::observed::InstalledState;
use crate::sync::written_entry::WrittenEntry;

impl ChangeBuilder<'_> {
    /// Reverts a file that a registration would write. Entries are told by what they call, files of ours by holding
    /// nothing else. Containers that hold only our entries go with them; a file stays, even when nothing is left in it.
    pub fn revert_unrecorded_file(&mut self, file: &DesiredFile) {
        let Ok(Some(found)) = self.observed.text(&file.path) else { return };
        let step = match &file.content {
            FileContent::Entries { format, entries } => {
                let (format, rest) = (*format, RemainingEntries::Nothing);
                let written =
                    |entry: &SettingsEntry| WrittenEntry::new(entry.path.clone(), entry.slot, entry.mark.clone());
                // An empty container of an entry that is not there is the user's.
                let is_there = |entry: &&SettingsEntry| {
                    let removals = removals(&[written(entry)], rest);
                    let edited = (self.options.editor.remove)(&file.path, &found.text, format, &removals, &[]);
                    edited.is_ok_and(|edited| edited.changed)
                };
                let there: Vec<&SettingsEntry> = entries.iter().filter(is_there).collect();
                let created = containers(&there);
                let entries: Vec<WrittenEntry> = there.into_iter().map(written).collect();
                let is_ours = !entries.is_empty();
                is_ours.then_some(ChangeStep::Restore { format, entries, created, new_file: false, rest })
            }
            FileContent::Whole(_) => {
                let step = || ChangeStep::Delete { expected: found.text.clone() };
                is_recognisably_ours(file, &found.text).then(step)
            }
        };
        self.changes.actions.extend(step.map(|step| file.change(step)));
    }

    /// Removes a skill directory that is exactly as it would be installed.
    pub fn revert_unrecorded_skill(&mut self, skill: &DesiredSkill) {
        let path = skill.place();
        let Ok(expected @ InstalledState::Directory(found)) = self.observed.skill(&path) else { return };
        if self.ledger.record(&path).is_none() && *found == skill.source.tree(&skill.name) {
            let step = ChangeStep::Uninstall { expected: expected.clone() };
            let (agents, extension) = (skill.agents.clone(), Some(skill.name.as_str().to_owned()));
            let workspace = self.options.workspace.map(Path::to_owned);
            self.changes.actions.push(PlannedChange { path, agents, extension, workspace, step });
        }
    }
}

/// Returns the agents whose registration goes: records that may go name them, and no file that is desired in that scope
/// is for them.
pub fn dropped_agents(desired: &DesiredState, removable: &[&LedgerRecord], scope: Scope) -> Vec<AgentId> {
    let is_in_scope = |workspace: &Option<PathBuf>| workspace.is_some() == (scope == Scope::Project);
    let is_served =
        |agent: AgentId| desired.files.iter().any(|file| is_in_scope(&file.workspace) && file.agents.contains(&agent));
    let is_registration = |record: &&&LedgerRecord| match record.written {
        WrittenContent::Entries { .. } | WrittenContent::File { .. } => is_in_scope(&record.workspace),
        WrittenContent::Skill { .. } | WrittenContent::Amended { .. } => false,
    };
    let named = removable.iter().filter(is_registration).flat_map(|record| &record.agents);
    let mut dropped: Vec<AgentId> = named.copied().filter(|agent| !is_served(*agent)).collect();
    dropped.sort_unstable();
    dropped.dedup();
    dropped
}

/// Returns every container on the way to an entry, outermost first.
fn containers(entries: &[&SettingsEntry]) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    for entry in entries {
        let depth = match entry.slot {
            EntrySlot::Element => entry.path.len(),
            EntrySlot::Key => entry.path.len().saturating_sub(1),
        };
        for end in 1..=depth {
            let container: Vec<String> = entry.path.iter().take(end).cloned().collect();
            if !found.contains(&container) {
                found.push(container);
            }
        }
    }
    found.sort_by_key(Vec::len);
    found
}

#[cfg(test)]
#[path = "unrecorded_tests.rs"]
mod tests;
