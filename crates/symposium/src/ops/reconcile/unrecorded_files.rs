//! Finds what is ours though no record says so, and reverts it.

use std::path::Path;

use symposium_agents::{Scope, SymposiumProgram};
use symposium_io::fs;
use symposium_io::settings::MAX_SETTINGS;
use symposium_model::agent::AgentId;
use symposium_model::config::AgentSettings;
use symposium_model::sync::desired::{RegistrationRequest, RegistrationTarget};
use symposium_model::sync::diff::{ChangeBuilder, dropped_agents, removable};
use symposium_model::sync::{
    ChangeSet, DesiredState, Ledger, LedgerRecord, Observed, ObservedText, PruneGuard, SyncScope,
};

use super::compare::{diff_options, prune_options};
use super::observe::add_place;
use super::registrations::{existing, register};
use super::skill_content::skill_options;
use crate::ops::context::Context;
use crate::ops::resolve::{Resolution, ResolutionDetail};
use crate::run_report::RunReport;

/// Adds what has to be done to revert what no record names: what a registration in these scopes would write, and, in a
/// project, what would be installed.
pub(crate) fn revert_unrecorded(
    context: &Context,
    ledger: &Ledger,
    scopes: &[Scope],
    comparison: &mut ChangeSet,
    report: &mut RunReport,
) {
    let mut desired = DesiredState::default();
    for scope in scopes {
        add_registrations(context, ledger, *scope, &AgentId::ALL, &mut desired);
    }
    desired.files.retain(|file| ledger.record(&file.path).is_none());
    if scopes.contains(&Scope::Project) {
        let resolution = Resolution::load(context, ResolutionDetail::SOURCES);
        resolution.report_inputs(report);
        let options = skill_options(context, &AgentId::ALL, &resolution.catalog, &resolution.selection, &[], ledger);
        desired.add_skills(&options, ledger);
    }
    let observed = observe(&desired);
    let mut builder = ChangeBuilder::new(ledger, &observed, diff_options(context.root(), &[]));
    desired.files.iter().for_each(|file| builder.revert_unrecorded_file(file));
    desired.skills.iter().for_each(|skill| builder.revert_unrecorded_skill(skill));
    comparison.extend(builder.changes);
}

/// Returns what has to be done to revert the registrations of agents that are no longer chosen, where no record names
/// it: an agent may have moved Symposium's entries to another of its files.
pub(crate) fn revert_dropped(
    context: &Context,
    wanted: &DesiredState,
    ledger: &Ledger,
    scope: SyncScope,
    guard: &PruneGuard<'_>,
) -> ChangeSet {
    let prune = prune_options(context, scope, guard);
    let records: Vec<&LedgerRecord> = removable(wanted, ledger, context.root(), &prune).collect();
    let mut desired = DesiredState::default();
    for scope in [Scope::User, Scope::Project] {
        let agents = dropped_agents(wanted, &records, scope);
        if !agents.is_empty() {
            add_registrations(context, ledger, scope, &agents, &mut desired);
        }
    }
    let is_wanted = |path: &Path| wanted.files.iter().any(|file| file.path == path);
    desired.files.retain(|file| ledger.record(&file.path).is_none() && !is_wanted(&file.path));
    let observed = observe(&desired);
    let mut builder = ChangeBuilder::new(ledger, &observed, diff_options(context.root(), &[]));
    desired.files.iter().for_each(|file| builder.revert_unrecorded_file(file));
    builder.changes
}

/// Adds what registrations of agents in a scope would write.
fn add_registrations(context: &Context, ledger: &Ledger, scope: Scope, agents: &[AgentId], desired: &mut DesiredState) {
    let target = match scope {
        Scope::User => RegistrationTarget::User,
        Scope::Project if context.root().is_none() => return,
        Scope::Project => RegistrationTarget::Project,
    };
    let existing = existing(context.roots(), scope, &[], ledger);
    // The setting may be lost too. The rules are known by their text.
    let allow_symposium = scope == Scope::User;
    let switches = AgentSettings { allow_symposium, ..context.settings.agent_settings(scope) };
    for agent in agents {
        let request = RegistrationRequest::new(*agent, target);
        desired.add_registration(register(context, request, SymposiumProgram::Bare, &existing, switches));
    }
}

fn observe(desired: &DesiredState) -> Observed {
    let mut observed = Observed::default();
    for file in &desired.files {
        if let Ok(Some(text)) = fs::read_text_if_there(&file.path, MAX_SETTINGS) {
            let found = ObservedText { text, is_link: fs::is_link(&file.path) };
            observed.texts.insert(file.path.clone(), Ok(Some(found)));
        }
    }
    for skill in &desired.skills {
        add_place(&skill.place(), &mut observed);
    }
    observed
}
