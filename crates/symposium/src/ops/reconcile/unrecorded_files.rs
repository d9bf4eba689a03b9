//! What is ours though no record says so: after the ledger was lost, or in a clone of somebody else's project.

use symposium_agents::{Scope, SymposiumProgram};
use symposium_edit::remove;
use symposium_io::fs;
use symposium_io::install::{InstalledState, observe};
use symposium_io::settings::MAX_SETTINGS;
use symposium_model::agent::AgentId;
use symposium_model::edit::{EntrySlot, FileContent, SettingsEntry};
use symposium_model::sync::{Ledger, WrittenEntry};

use super::desired::{DesiredFile, DesiredState, PluginParts, add_registration, existing, skills};
use super::diff::is_recognisably_ours;
use super::removals::removals;
use super::{ChangeSet, ChangeStep, PlannedChange, RemainingEntries};
use crate::ops::context::Context;
use crate::ops::resolve::{Resolution, ResolutionDetail};
use crate::run_report::RunReport;

/// Adds what has to be done to take back what no record names. `home` and `project` say where to look.
///
/// Entries are told by what they call, files of ours by holding nothing else, skills by being exactly what would be
/// installed. Containers that hold only our entries go with them; a file stays, even when nothing is left in it.
pub(crate) fn take_back_unrecorded(
    context: &Context,
    ledger: &Ledger,
    scopes: &[Scope],
    comparison: &mut ChangeSet,
    report: &mut RunReport,
) {
    let mut desired = DesiredState::default();
    for scope in scopes {
        if *scope == Scope::Project && context.root().is_none() {
            continue;
        }
        let existing = existing(context, *scope, &[], ledger);
        for agent in AgentId::ALL {
            add_registration(
                context,
                (agent, *scope),
                SymposiumProgram::Bare,
                (PluginParts::default(), &existing),
                &mut desired,
            );
        }
    }
    for file in desired.files.iter().filter(|file| ledger.record(&file.path).is_none()) {
        let Ok(Some(text)) = fs::read_text_if_there(&file.path, MAX_SETTINGS) else { continue };
        comparison.actions.extend(of_file(file, text));
    }
    if scopes.contains(&Scope::Project) {
        comparison.actions.extend(of_skills(context, ledger, report));
    }
}

fn of_file(file: &DesiredFile, text: String) -> Option<PlannedChange> {
    match &file.content {
        FileContent::Entries { format, entries } => {
            let created = containers(entries);
            let entries: Vec<WrittenEntry> = entries
                .iter()
                .map(|entry| WrittenEntry::new(entry.path.clone(), entry.slot, entry.mark.clone()))
                .collect();
            let changes = remove(&text, *format, &removals(&entries, RemainingEntries::Nothing), &[])
                .is_ok_and(|edited| edited.changed);
            let step = ChangeStep::Restore {
                format: *format,
                entries,
                created,
                new_file: false,
                rest: RemainingEntries::Nothing,
            };
            changes.then(|| file.action(step))
        }
        FileContent::Whole(_) if is_recognisably_ours(file, &text) => {
            Some(file.action(ChangeStep::Delete { expected: text }))
        }
        FileContent::Whole(_) => None,
    }
}

/// Every container on the way to an entry, outermost first.
fn containers(entries: &[SettingsEntry]) -> Vec<Vec<String>> {
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

fn of_skills(context: &Context, ledger: &Ledger, report: &mut RunReport) -> Vec<PlannedChange> {
    let resolution = Resolution::load(context, ResolutionDetail::SOURCES);
    resolution.report_inputs(report);
    let Resolution { catalog, selection, .. } = &resolution;
    let mut desired = DesiredState::default();
    skills(context, &AgentId::ALL, (catalog, selection), (ledger, &[]), &mut desired);
    let mut actions: Vec<PlannedChange> = Vec::new();
    for skill in &desired.skills {
        let place = skill.parent.join(skill.name.as_str());
        let Ok(InstalledState::Directory(found)) = observe(&place) else { continue };
        if ledger.record(&place).is_none() && found == skill.source.tree(&skill.name) {
            actions.push(PlannedChange {
                path: place,
                agents: skill.agents.clone(),
                extension: Some(skill.name.as_str().to_owned()),
                workspace: context.root().map(std::path::Path::to_owned),
                step: ChangeStep::Uninstall { expected: InstalledState::Directory(found) },
            });
        }
    }
    actions
}
