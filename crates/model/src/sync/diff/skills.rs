//! Skill directories: installed, brought up to date, kept or removed.

use std::path::{Path, PathBuf};

use super::ChangeBuilder;
use crate::diagnostic::Diagnostic;
use crate::skill::SkillName;
use crate::sync::change::{ChangeStep, PlannedChange, SyncNotice, UserEdits};
use crate::sync::desired::{DesiredSkill, InstallPolicy};
use crate::sync::ledger::{Ledger, LedgerRecord, WrittenContent};
use crate::sync::observed::{InstalledState, Observed};

impl ChangeBuilder<'_> {
    /// Compares a skill directory; returns the place it is wanted at. `promised` are the places that skills have by
    /// their own names, which no other skill gets.
    pub fn diff_skill(&mut self, skill: &DesiredSkill, promised: &[PathBuf]) -> Option<PathBuf> {
        let is_lent = |name: &SkillName| *name != skill.name && promised.contains(&skill.parent.join(name.as_str()));
        let is_usable = |name: &SkillName| !is_lent(name) && is_free(skill, name, self.ledger, self.observed);
        let Some(name) = skill.names().find(is_usable) else { return self.keep_taken(skill) };
        let place = skill.parent.join(name.as_str());
        let known = self.ledger.record(&place);
        let found = match self.observed.skill(&place) {
            Ok(found) => found,
            Err(failure) => {
                let found = Diagnostic::error(place.display().to_string(), failure.reason);
                self.skip(found.help("make it readable, or remove it"));
                return Some(place);
            }
        };
        if skill.hold == InstallPolicy::AsInstalled {
            self.changes.settled.extend(known.cloned());
            return Some(place);
        }
        let tree = skill.source.tree(&name);
        let workspace = self.options.workspace.map(Path::to_owned);
        let edits = match found {
            InstalledState::Absent => UserEdits::None,
            InstalledState::Directory(found) if *found == tree => {
                let written = WrittenContent::skill(tree.fingerprint());
                let record = LedgerRecord {
                    agents: skill.agents.clone(),
                    extension: Some(skill.name.as_str().to_owned()),
                    source: Some(skill.brought_by.clone()),
                    ..LedgerRecord::new(place.clone(), workspace, written, self.options.now)
                };
                self.changes.settled.push(record.renewing(known));
                return Some(place);
            }
            InstalledState::Directory(found) if known.is_some_and(|known| known.written.is_skill(found)) => {
                UserEdits::None
            }
            InstalledState::Directory(_) | InstalledState::Other if skill.is_called(self.options.restore, &name) => {
                UserEdits::Discarded
            }
            InstalledState::Directory(_) | InstalledState::Other => {
                self.keep_drifted(&place);
                return Some(place);
            }
        };
        let step = ChangeStep::Install { tree, expected: found.clone(), edits, source: Some(skill.brought_by.clone()) };
        self.changes.actions.push(PlannedChange {
            path: place.clone(),
            agents: skill.agents.clone(),
            extension: Some(skill.name.as_str().to_owned()),
            workspace,
            step,
        });
        Some(place)
    }

    /// Reports a skill that cannot be installed under any name. Where only a file is in the way of its directory, it
    /// stays wanted.
    fn keep_taken(&mut self, skill: &DesiredSkill) -> Option<PathBuf> {
        let path = skill.place();
        if let Some(reason) = self.observed.blocked.get(&skill.parent) {
            let found = Diagnostic::error(path.display().to_string(), format!("Not written: {reason}"));
            self.skip(found.help("fix the cause, and run the command again"));
            return Some(path);
        }
        let what = "a file or directory of yours has the name of this skill; it is kept unchanged".to_owned();
        self.changes.notices.push(SyncNotice::Foreign { path, what });
        None
    }

    /// Removes a skill directory that is still as it was written.
    pub(super) fn revert_skill(&mut self, record: &LedgerRecord) {
        match self.observed.skill(&record.path) {
            Ok(InstalledState::Absent) => self.changes.gone.push(record.path.clone()),
            Ok(expected @ InstalledState::Directory(found)) if record.written.is_skill(found) => {
                self.undo(record, ChangeStep::Uninstall { expected: expected.clone() });
            }
            Err(failure) if failure.is_transient => {
                let message = format!("Skipped: {}", failure.reason);
                let found = Diagnostic::error(failure.path.display().to_string(), message);
                self.skip(found.help("make it readable, and run the command again"));
            }
            // Symposium writes nothing that cannot be read.
            Ok(InstalledState::Directory(_) | InstalledState::Other) | Err(_) => self.keep_drifted(&record.path),
        }
    }
}

/// Whether a skill can be installed under a name without touching anything of the user's.
pub fn is_free(skill: &DesiredSkill, name: &SkillName, ledger: &Ledger, observed: &Observed) -> bool {
    let place = skill.parent.join(name.as_str());
    let is_ours = ledger.record(&place).is_some_and(|record| matches!(record.written, WrittenContent::Skill { .. }));
    let is_free_here = is_ours
        || match observed.skill(&place) {
            Ok(InstalledState::Absent) => true,
            // Exactly what would be written: then the record of it was lost.
            Ok(InstalledState::Directory(found)) => *found == skill.source.tree(name),
            Ok(InstalledState::Other) | Err(_) => false,
        };
    let is_taken = |directory: &PathBuf| observed.existing.contains(&directory.join(name.as_str()));
    is_free_here && !skill.user_directories.iter().any(is_taken)
}

#[cfg(test)]
#[path = "skills_tests.rs"]
mod tests;
