//! The name that a skill is installed under: its own, or a longer one where another skill has that.

use std::path::PathBuf;

use super::desired::DesiredSkill;
use super::ledger::{Ledger, WrittenContent};
use super::observed::{InstalledState, Observed};
use crate::skill::SkillName;

impl DesiredSkill {
    /// Returns the names under which it may be installed, the best first.
    pub fn names(&self) -> impl Iterator<Item = SkillName> {
        let suffixed = SkillName::parse(&format!("{}-symposium", self.name.as_str())).ok();
        std::iter::once(self.name.clone()).chain(suffixed)
    }

    /// Returns the place it has by its own name.
    pub fn place(&self) -> PathBuf {
        self.parent.join(self.name.as_str())
    }

    /// Whether one of these names it: by its own name, or by the one it is installed under.
    pub fn is_called(&self, names: &[String], installed: &SkillName) -> bool {
        names.iter().any(|name| name == self.name.as_str() || name == installed.as_str())
    }
}

/// Whether a skill can be installed under a name without touching anything of the user's.
pub fn is_name_free(skill: &DesiredSkill, name: &SkillName, ledger: &Ledger, observed: &Observed) -> bool {
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
