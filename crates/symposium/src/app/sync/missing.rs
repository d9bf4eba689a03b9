//! Which skills are not where an agent looks for them, and why. Nothing is written to find out.

use std::path::PathBuf;

use symposium_io::{fs, obstacle};
use symposium_model::agent::AgentId;
use symposium_model::catalog::Catalog;
use symposium_model::config::Scope;
use symposium_model::select::{Selection, SkillState, SkillVerdict};
use symposium_model::sync::Ledger;

use super::desired::{self, Desired, DesiredSkill, Hold};
use super::difference::compare_skill;
use super::{Comparison, Notice, Step};
use crate::app::context::Context;
use crate::app::locking::{self, Demand};

/// A skill that some agents do not have.
#[derive(Debug)]
pub(crate) struct Missing {
    /// Its name.
    pub(crate) name: String,
    /// The agents.
    pub(crate) agents: Vec<AgentId>,
    /// Why.
    pub(crate) cause: Cause,
}

/// Why an agent does not have a skill.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Nobody ran `sync` since it applies.
    NotYet,
    /// It is there as it should be, and only the record of it is lost.
    Unrecorded,
    /// Something of the user's is at its place.
    Taken(PathBuf),
    /// It cannot be written.
    Unwritable(String),
    /// The project is locked to another content of it.
    Locked,
}

/// The skills that apply and are not there, in the order of the selection.
pub(crate) fn missing(
    context: &Context,
    (catalog, selection): (&Catalog, &Selection),
    ledger: &Ledger,
) -> Vec<Missing> {
    // What nobody can tell is not missing.
    if context.root().is_none() || context.is_broken(Scope::User) || context.is_broken(Scope::Project) {
        return Vec::new();
    }
    let agents = context.agents();
    let mut promised = Vec::new();
    let mut unsettled: Vec<SkillVerdict> = Vec::new();
    for verdict in selection.skills.iter().filter(|verdict| verdict.state == SkillState::Applies) {
        let Some((_, skill)) = catalog.skill(verdict.id) else { continue };
        let name = skill.document.name.as_str();
        let parents = desired::parents(context, &agents, (catalog, verdict.id), ledger);
        if !parents.iter().all(|(parent, _)| is_installed(context, ledger, name, parent)) {
            unsettled.push(verdict.clone());
        }
        promised.extend(parents.into_iter().map(|(parent, _)| parent.join(name)));
    }
    if unsettled.is_empty() {
        return Vec::new();
    }
    let held = locking::outlook(context, catalog, selection, Demand::InStep).unwrap_or_default().held;
    let narrowed = Selection { plugins: Vec::new(), skills: unsettled };
    let mut wanted = Desired::default();
    desired::skills(context, &agents, (catalog, &narrowed), (ledger, &held), &mut wanted);
    let mut found = unreadable(context, catalog, &narrowed, ledger, &wanted);
    for skill in &wanted.skills {
        if !is_installed(context, ledger, skill.name.as_str(), &skill.parent)
            && let Some(cause) = cause(context, skill, ledger, &promised)
        {
            let name = skill.name.as_str();
            match found.iter_mut().find(|known| known.name == name && known.cause == cause) {
                Some(known) => known.agents.extend(&skill.agents),
                None => found.push(Missing { name: name.to_owned(), agents: skill.agents.clone(), cause }),
            }
        }
    }
    found
}

/// Whether a skill is recorded and there.
fn is_installed(context: &Context, ledger: &Ledger, name: &str, parent: &std::path::Path) -> bool {
    ledger.records.iter().any(|record| {
        record.extension.as_deref() == Some(name)
            && record.is_for(context.root())
            && record.path.parent() == Some(parent)
            && fs::exists(&record.path)
    })
}

/// Those whose files cannot be read.
fn unreadable(
    context: &Context,
    catalog: &Catalog,
    selection: &Selection,
    ledger: &Ledger,
    wanted: &Desired,
) -> Vec<Missing> {
    let mut found = Vec::new();
    for verdict in &selection.skills {
        let Some((_, skill)) = catalog.skill(verdict.id) else { continue };
        let mark = format!("{}: not installed: ", skill.shown);
        let Some(reason) = wanted.warnings.iter().find_map(|warning| warning.strip_prefix(&mark)) else { continue };
        let parents = desired::parents(context, &context.agents(), (catalog, verdict.id), ledger);
        found.push(Missing {
            name: skill.document.name.as_str().to_owned(),
            agents: parents.into_iter().flat_map(|(_, agents)| agents).collect(),
            cause: Cause::Unwritable(format!("its files cannot be read: {reason}")),
        });
    }
    found
}

/// Why a skill is not there, by what `sync` would do about it.
fn cause(context: &Context, skill: &DesiredSkill, ledger: &Ledger, promised: &[PathBuf]) -> Option<Cause> {
    let mut comparison = Comparison::default();
    compare_skill(context, skill, ledger, (promised, &[]), &mut comparison);
    if skill.hold == Hold::AsInstalled {
        return Some(Cause::Locked);
    }
    if comparison.actions.iter().any(|action| matches!(action.step, Step::Install { .. })) {
        return Some(match obstacle::to_making_in(&skill.parent) {
            Some(obstacle) => Cause::Unwritable(obstacle.to_string()),
            None => Cause::NotYet,
        });
    }
    if !comparison.settled.is_empty() {
        return Some(Cause::Unrecorded);
    }
    comparison.notices.into_iter().find_map(|notice| match notice {
        Notice::Foreign { path, .. } => Some(Cause::Taken(path)),
        Notice::Unusable(found) => {
            Some(Cause::Unwritable(found.message.trim_start_matches("Not written: ").to_owned()))
        }
        // Told apart by what is recorded of it.
        Notice::Drifted(_) | Notice::Shared { .. } | Notice::Committed { .. } => None,
    })
}
