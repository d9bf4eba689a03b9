//! Finds the skills that an agent should have and does not, with the reason. Nothing is written.

use std::path::{Path, PathBuf};

use symposium_io::{fs, write_blocker};
use symposium_model::agent::AgentId;
use symposium_model::config::Scope;
use symposium_model::select::{Selection, SkillState, SkillVerdict};
use symposium_model::sync::desired::{SkillOptions, SkillParent};
use symposium_model::sync::diff::ChangeBuilder;
use symposium_model::sync::{ChangeStep, DesiredSkill, DesiredState, InstallPolicy, Ledger, Observed, SyncNotice};

use super::compare::diff_options;
use super::observe::add_skill;
use super::skill_content::skill_options;
use crate::ops::context::Context;
use crate::ops::lockfile::{self, LockInputs, LockMode};
use crate::ops::resolve::Resolution;

/// A skill that some agents do not have.
#[derive(Debug)]
pub(crate) struct MissingSkill {
    pub(crate) name: String,
    pub(crate) agents: Vec<AgentId>,
    pub(crate) cause: MissingCause,
}

/// The reason why an agent does not have a skill.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum MissingCause {
    /// `sync` has not run since it applies.
    NotYet,
    /// It is there as it should be, and only the record of it is lost.
    Unrecorded,
    /// Something of the user's is at its place.
    Taken(PathBuf),
    Unwritable(String),
    /// The project is locked to another content of it.
    Locked,
}

/// The skills that apply and are not there, in the order of the selection.
pub(crate) fn missing(context: &Context, resolution: &Resolution) -> Vec<MissingSkill> {
    let Resolution { catalog, selection, ledger, .. } = resolution;
    // With a broken configuration it is unknown which skills should be installed.
    let Some(root) = context.root() else { return Vec::new() };
    if context.is_broken(Scope::User) || context.is_broken(Scope::Project) {
        return Vec::new();
    }
    let options = skill_options(context, &context.agents(), catalog, selection, &[], ledger);
    let mut promised = Vec::new();
    let mut unsettled: Vec<SkillVerdict> = Vec::new();
    for verdict in selection.skills.iter().filter(|verdict| verdict.state == SkillState::Applies) {
        let Some((_, skill)) = catalog.skill(verdict.id) else { continue };
        let name = skill.document.name.as_str();
        let parents = options.parents(verdict.id);
        if !parents.iter().all(|parent| is_installed(root, ledger, name, parent.directory)) {
            unsettled.push(verdict.clone());
        }
        promised.extend(parents.into_iter().map(|parent| parent.directory.join(name)));
    }
    if unsettled.is_empty() {
        return Vec::new();
    }
    let held = lockfile::outlook(context, resolution, LockMode::Update, LockInputs::Complete).unwrap_or_default().held;
    let narrowed = Selection { plugins: Vec::new(), skills: unsettled };
    let mut wanted = DesiredState::default();
    let options = SkillOptions { selection: &narrowed, held: &held, ..options };
    wanted.add_skills(&options, ledger);
    let mut found = unreadable(&options, &wanted);
    for skill in &wanted.skills {
        if !is_installed(root, ledger, skill.name.as_str(), &skill.parent)
            && let Some(cause) = cause(root, skill, ledger, &promised)
        {
            let name = skill.name.as_str();
            match found.iter_mut().find(|known| known.name == name && known.cause == cause) {
                Some(known) => known.agents.extend(&skill.agents),
                None => found.push(MissingSkill { name: name.to_owned(), agents: skill.agents.clone(), cause }),
            }
        }
    }
    found
}

/// Whether a skill is recorded and there.
fn is_installed(root: &Path, ledger: &Ledger, name: &str, parent: &Path) -> bool {
    ledger.records.iter().any(|record| {
        record.extension.as_deref() == Some(name)
            && record.is_for(Some(root))
            && record.path.parent() == Some(parent)
            && fs::exists(&record.path)
    })
}

/// Those whose files cannot be read.
fn unreadable(options: &SkillOptions<'_>, wanted: &DesiredState) -> Vec<MissingSkill> {
    let mut found = Vec::new();
    for verdict in &options.selection.skills {
        let Some((_, skill)) = options.catalog.skill(verdict.id) else { continue };
        let mark = format!("{}: not installed: ", skill.shown);
        let Some(reason) = wanted.warnings.iter().find_map(|warning| warning.strip_prefix(&mark)) else { continue };
        found.push(MissingSkill {
            name: skill.document.name.as_str().to_owned(),
            agents: options.parents(verdict.id).iter().flat_map(SkillParent::agents).collect(),
            cause: MissingCause::Unwritable(format!("its files cannot be read: {reason}")),
        });
    }
    found
}

/// Finds the reason why a skill is missing, from the change that `sync` would make.
fn cause(root: &Path, skill: &DesiredSkill, ledger: &Ledger, promised: &[PathBuf]) -> Option<MissingCause> {
    let mut observed = Observed::default();
    add_skill(skill, ledger, &mut observed);
    let mut builder = ChangeBuilder::new(ledger, &observed, diff_options(Some(root), &[]));
    builder.diff_skill(skill, promised);
    let comparison = builder.changes;
    if skill.hold == InstallPolicy::AsInstalled {
        return Some(MissingCause::Locked);
    }
    if comparison.actions.iter().any(|action| matches!(action.step, ChangeStep::Install { .. })) {
        return Some(match write_blocker::to_making_in(&skill.parent) {
            Some(obstacle) => MissingCause::Unwritable(obstacle.to_string()),
            None => MissingCause::NotYet,
        });
    }
    if !comparison.settled.is_empty() {
        return Some(MissingCause::Unrecorded);
    }
    comparison.notices.into_iter().find_map(|notice| match notice {
        SyncNotice::Foreign { path, .. } => Some(MissingCause::Taken(path)),
        SyncNotice::Unusable(found) => {
            Some(MissingCause::Unwritable(found.message.trim_start_matches("Not written: ").to_owned()))
        }
        // Told apart by what is recorded of it.
        SyncNotice::Drifted(_)
        | SyncNotice::RemovedRules { .. }
        | SyncNotice::Shared { .. }
        | SyncNotice::Committed { .. } => None,
    })
}
