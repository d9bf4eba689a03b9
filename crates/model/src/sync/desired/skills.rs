//! Skill directories: which agents get which skills, where, and whether they may be written.

use std::path::{Path, PathBuf};

use super::{DesiredSkill, DesiredState, InstallPolicy, SkillSource};
use crate::agent::AgentId;
use crate::authority::is_personal;
use crate::catalog::{Catalog, SkillId};
use crate::select::{Selection, SkillState};
use crate::sync::ledger::Ledger;
use crate::sync::tree::{CommitPolicy, SkillFile};

/// An agent that reads skills, and the directories in which it looks for them.
#[derive(Debug)]
pub struct SkillRecipient {
    pub agent: AgentId,
    pub project: PathBuf,
    /// Those of the user.
    pub user: Vec<PathBuf>,
    /// Whether an agent that looks there does not open what git ignores.
    pub refuses_ignored: bool,
}

/// The files of a skill, and its SKILL.md.
#[derive(Debug, Clone, Default)]
pub struct SkillContent {
    pub files: Vec<SkillFile>,
    pub text: String,
}

/// The skills that apply, and the agents they are for.
pub struct SkillOptions<'s> {
    pub catalog: &'s Catalog,
    pub selection: &'s Selection,
    /// Skills of which the project is locked to another content.
    pub held: &'s [SkillId],
    /// Whether the project wants skills in its repository.
    pub commits: bool,
    pub recipients: Vec<SkillRecipient>,
    /// Whether an agent has what a skill was imported from.
    pub is_owned: Box<dyn Fn(AgentId, SkillId) -> bool + 's>,
    /// Reads the files of a skill; the error is the reason why that failed.
    pub load: Box<dyn Fn(SkillId) -> Result<SkillContent, String> + 's>,
}

/// A directory a skill goes into, for the agents that look there.
#[derive(Debug)]
pub struct SkillParent<'s> {
    pub directory: &'s Path,
    recipients: Vec<&'s SkillRecipient>,
}

impl SkillParent<'_> {
    pub fn agents(&self) -> impl Iterator<Item = AgentId> {
        self.recipients.iter().map(|recipient| recipient.agent)
    }
}

impl SkillOptions<'_> {
    /// Returns the directories a skill goes into.
    pub fn parents(&self, id: SkillId) -> Vec<SkillParent<'_>> {
        let mut parents: Vec<SkillParent<'_>> = Vec::new();
        let Some((_, skill)) = self.catalog.skill(id) else { return parents };
        for recipient in &self.recipients {
            if (self.is_owned)(recipient.agent, id) || !skill.document.compatibility.allows(recipient.agent) {
                continue;
            }
            match parents.iter_mut().find(|known| known.directory == recipient.project) {
                Some(known) => known.recipients.push(recipient),
                None => parents.push(SkillParent { directory: &recipient.project, recipients: vec![recipient] }),
            }
        }
        parents
    }
}

impl DesiredState {
    /// Adds a directory for every skill that applies and every agent that may have it.
    pub fn add_skills(&mut self, options: &SkillOptions<'_>, ledger: &Ledger) {
        let SkillOptions { catalog, selection, .. } = options;
        for verdict in &selection.skills {
            if let (SkillState::Blocked(kind), Some((_, skill))) = (verdict.state, catalog.skill(verdict.id)) {
                self.warnings.push(format!("{}: not installed: its text has {}", skill.shown, kind.describe()));
            }
        }
        for verdict in selection.skills.iter().filter(|verdict| verdict.state == SkillState::Applies) {
            let Some((source, skill)) = catalog.skill(verdict.id) else { continue };
            let parents = options.parents(verdict.id);
            if parents.is_empty() {
                continue;
            }
            let name = &skill.document.name;
            let is_held = options.held.contains(&verdict.id);
            let (content, hold) = match (options.load)(verdict.id) {
                Ok(content) if is_held => (content, InstallPolicy::AsInstalled),
                Ok(content) => (content, InstallPolicy::None),
                // What cannot be read now is not gone.
                Err(reason) => {
                    let is_known =
                        |parent: &SkillParent<'_>| ledger.record(&parent.directory.join(name.as_str())).is_some();
                    let is_known = parents.iter().any(is_known);
                    let outcome = if is_known { "the installed copy is kept" } else { "not installed" };
                    self.warnings.push(format!("{}: {outcome}: {reason}", skill.shown));
                    (SkillContent::default(), InstallPolicy::AsInstalled)
                }
            };
            for parent in parents {
                // A skill that is the user's is not for the project's repository.
                let commit = match options.commits && !is_personal(source.spec.rank) {
                    true => CommitPolicy::Yes,
                    false if parent.recipients.iter().any(|recipient| recipient.refuses_ignored) => {
                        CommitPolicy::NoButOpened
                    }
                    false => CommitPolicy::No,
                };
                self.skills.push(DesiredSkill {
                    parent: parent.directory.to_owned(),
                    name: name.clone(),
                    user_directories: parent.recipients.iter().flat_map(|recipient| &recipient.user).cloned().collect(),
                    agents: parent.agents().collect(),
                    source: SkillSource { content: content.clone(), document: skill.document.clone(), commit },
                    brought_by: source.spec.name.clone(),
                    hold,
                });
            }
        }
    }
}

#[cfg(test)]
#[path = "skills_tests.rs"]
mod tests;
