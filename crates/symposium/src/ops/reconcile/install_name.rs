//! Under which name a skill can be installed without touching what is the user's.

use std::path::{Path, PathBuf};

use symposium_agents::spec;
use symposium_io::fs;
use symposium_io::install::{InstalledState, observe};
use symposium_model::skill::SkillName;
use symposium_model::sync::{Ledger, SkillTree, WrittenContent};

use super::desired::DesiredSkill;
use crate::ops::context::Context;

/// The name under which a skill is installed: its own, unless the user has something of that name where the agent looks.
pub(super) fn free_name(
    context: &Context,
    skill: &DesiredSkill,
    ledger: &Ledger,
    promised: &[PathBuf],
) -> Option<SkillName> {
    let own = &skill.name;
    let suffixed = SkillName::parse(&format!("{}-symposium", own.as_str())).ok();
    [Some(own.clone()), suffixed].into_iter().flatten().find(|name| {
        let place = skill.parent.join(name.as_str());
        // A place that is another skill's by its own name is not for lending.
        if name != own && promised.contains(&place) {
            return false;
        }
        let ours = ledger.record(&place).is_some_and(|record| matches!(record.written, WrittenContent::Skill { .. }));
        let free_here = ours || is_free(&place, &skill.source.tree(name));
        free_here && !taken_globally(context, skill, name)
    })
}

/// Nothing is there, or exactly what we would write: then the record of it was lost.
fn is_free(place: &Path, tree: &SkillTree) -> bool {
    match observe(place) {
        Ok(InstalledState::Absent) => true,
        Ok(InstalledState::Directory(found)) => found == *tree,
        Ok(InstalledState::Other) | Err(_) => false,
    }
}

fn taken_globally(context: &Context, skill: &DesiredSkill, name: &SkillName) -> bool {
    let Some(home) = &context.home else { return false };
    let globals = skill.agents.iter().flat_map(|agent| spec(*agent).skills.global);
    globals.into_iter().any(|directory| fs::exists(&home.join(directory).join(name.as_str())))
}
