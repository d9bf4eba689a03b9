//! What has to be done to get from what is on disk to what should be.

use std::path::{Path, PathBuf};

use symposium_agents::is_as_new;
use symposium_edit::remove;
use symposium_io::fs;
use symposium_io::install::{InstalledState, observe};
use symposium_io::write_blocker::{self, WriteBlocker};
use symposium_model::config::Scope;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::edit::FileContent;
use symposium_model::ownership::{Marker, OwnedPart};
use symposium_model::sync::{Ledger, LedgerRecord, WrittenContent, fingerprint};

use super::desired::{DesiredFile, DesiredSkill, DesiredState, InstallPolicy};
use super::diff_entries::compare_entries;
use super::install_name::free_name;
use super::prune_guard::PruneGuard;
use super::recorded_state::{RecordOwner, read, record};
use super::removals::removals;
use super::reverted_text::{RevertedText, without};
use super::sync_scope::SyncScope;
use super::{ChangeSet, ChangeStep, PlannedChange, RemainingEntries, SyncNotice, UserEdits};
use crate::ops::context::Context;
use crate::ops::lockfile_state::is_of_lock;

/// Compares. Skills in `restore` are put back even if the user edited them.
pub(crate) fn compare(
    context: &Context,
    desired: &DesiredState,
    ledger: &Ledger,
    sweep: SyncScope,
    absence: &PruneGuard<'_>,
    restore: &[String],
) -> ChangeSet {
    let mut comparison = ChangeSet::default();
    // Our own configuration stays until it is uninstalled.
    let mut wanted: Vec<PathBuf> =
        [Scope::User, Scope::Project].iter().filter_map(|of| context.config_file(*of)).collect();
    for file in &desired.files {
        wanted.push(file.path.clone());
        match &file.content {
            FileContent::Entries { .. } => compare_entries(file, ledger, &mut comparison),
            FileContent::Whole(text) => compare_whole(file, text, ledger, &mut comparison),
        }
    }
    let promised: Vec<PathBuf> = desired.skills.iter().map(|skill| skill.parent.join(skill.name.as_str())).collect();
    for skill in &desired.skills {
        wanted.extend(compare_skill(context, skill, ledger, (&promised, restore), &mut comparison));
    }
    for record in &ledger.records {
        let is_theirs = record.workspace.is_none() || record.is_for(context.root());
        let in_scope = is_theirs && sweep.covers(record.workspace.as_deref());
        // A source that could not be read may still hold the skill, and a configuration that could not may still name
        // the agent. What is in a workspace depends on both configurations.
        let unread = match (&record.written, &record.extension) {
            (WrittenContent::Skill { .. }, Some(name)) => !absence.skill_is_gone(name, record.source.as_deref()),
            (WrittenContent::Skill { .. }, None) => absence.is_unknown(),
            (WrittenContent::Entries { .. } | WrittenContent::File { .. } | WrittenContent::Amended { .. }, _) => false,
        };
        let unknown =
            !context.knows_agents(Scope::User) || (record.workspace.is_some() && !context.knows_agents(Scope::Project));
        let kept = unread || unknown;
        // Whether the lock and what is vendored are right depends on more than whether somebody wants them.
        let elsewhere = is_of_lock(context.root(), &record.path);
        if in_scope && !kept && !elsewhere && !wanted.contains(&record.path) {
            let_go(record, context.root(), &mut comparison);
        }
    }
    comparison
}

fn compare_whole(file: &DesiredFile, text: &str, ledger: &Ledger, comparison: &mut ChangeSet) {
    let current = match read(&file.path) {
        Ok(current) => current,
        Err(found) => {
            comparison.notices.push(SyncNotice::Unusable(*found));
            return;
        }
    };
    let known = ledger.record(&file.path);
    let action = |expected| file.action(ChangeStep::Write { text: text.to_owned(), expected });
    match current {
        None => comparison.actions.push(action(None)),
        Some(current) if current == text => {
            let written = WrittenContent::file(text);
            comparison.settled.push(record(&RecordOwner::of_file(file), written, known));
        }
        Some(current) if is_untouched(known, &current) || (known.is_none() && is_recognisably_ours(file, &current)) => {
            comparison.actions.push(action(Some(current)));
        }
        Some(_) => comparison.notices.push(SyncNotice::Drifted(file.path.clone())),
    }
}

/// Whether a file whose record was lost is ours all the same: every handler in it calls us, or it carries our mark.
pub(crate) fn is_recognisably_ours(file: &DesiredFile, current: &str) -> bool {
    if current.contains(symposium_agents::GENERATED_MARK) {
        return true;
    }
    let Ok(value) = serde_json::from_str::<serde_json::Value>(current) else { return false };
    let events = value.get("hooks").and_then(serde_json::Value::as_object);
    let handlers: Vec<&serde_json::Value> = events
        .into_iter()
        .flat_map(|events| events.values())
        .filter_map(serde_json::Value::as_array)
        .flatten()
        .collect();
    let ours = |handler: &&serde_json::Value| {
        file.agents.iter().any(|agent| Marker::HookOf(*agent).share(handler) == OwnedPart::All)
    };
    !handlers.is_empty() && handlers.iter().all(ours)
}

/// Whether a file of ours is still as we wrote it.
fn is_untouched(known: Option<&LedgerRecord>, current: &str) -> bool {
    known.is_some_and(|record| record.written.is_file(current))
}

/// Compares a skill directory; gives back the place it is wanted at.
pub(super) fn compare_skill(
    context: &Context,
    skill: &DesiredSkill,
    ledger: &Ledger,
    (promised, restore): (&[PathBuf], &[String]),
    comparison: &mut ChangeSet,
) -> Option<PathBuf> {
    let Some(name) = free_name(context, skill, ledger, promised) else {
        let path = skill.parent.join(skill.name.as_str());
        if let Some(obstacle @ WriteBlocker::NoDirectory(_)) = write_blocker::to_making_in(&skill.parent) {
            let found = Diagnostic::error(path.display().to_string(), format!("Not written: {obstacle}"));
            comparison.notices.push(SyncNotice::Unusable(found.help("fix the cause, and run the command again")));
            return Some(path);
        }
        let what = "something of your own has this skill's name, and stays as it is".to_owned();
        comparison.notices.push(SyncNotice::Foreign { path, what });
        return None;
    };
    let place = skill.parent.join(name.as_str());
    let tree = skill.source.tree(&name);
    let known = ledger.record(&place);
    let observed = match observe(&place) {
        Ok(observed) => observed,
        Err(error) => {
            let found = Diagnostic::error(place.display().to_string(), error.kind.to_string());
            comparison.notices.push(SyncNotice::Unusable(found.help("make it readable, or remove it")));
            return Some(place);
        }
    };
    let action = |edits| PlannedChange {
        path: place.clone(),
        agents: skill.agents.clone(),
        extension: Some(skill.name.as_str().to_owned()),
        workspace: context.root().map(Path::to_owned),
        step: ChangeStep::Install {
            tree: tree.clone(),
            expected: observed.clone(),
            edits,
            source: Some(skill.brought_by.clone()),
        },
    };
    match &observed {
        InstalledState::Absent | InstalledState::Directory(_) | InstalledState::Other
            if skill.hold == InstallPolicy::AsInstalled =>
        {
            comparison.settled.extend(known.cloned());
        }
        InstalledState::Absent => comparison.actions.push(action(UserEdits::None)),
        InstalledState::Directory(found) if *found == tree => {
            let written = WrittenContent::skill(tree.fingerprint());
            let owner = RecordOwner {
                path: &place,
                agents: &skill.agents,
                extension: Some(skill.name.as_str()),
                source: Some(&skill.brought_by),
                workspace: context.root(),
            };
            comparison.settled.push(record(&owner, written, known));
        }
        InstalledState::Directory(found) if known.is_some_and(|known| known.written.is_skill(found)) => {
            comparison.actions.push(action(UserEdits::None));
        }
        InstalledState::Directory(_) | InstalledState::Other if skill.is_called(restore, &name) => {
            comparison.actions.push(action(UserEdits::Discarded));
        }
        InstalledState::Directory(_) | InstalledState::Other => {
            comparison.notices.push(SyncNotice::Drifted(place.clone()));
        }
    }
    Some(place)
}

/// What a workspace, or the user, no longer wants is taken back, unless another workspace does. One that was deleted
/// wants nothing.
pub(crate) fn let_go(record: &LedgerRecord, workspace: Option<&Path>, comparison: &mut ChangeSet) {
    let others = record.workspaces().filter(|other| Some(*other) != workspace);
    match (workspace, others.into_iter().find(|other| !fs::is_gone(other))) {
        (Some(workspace), Some(other)) => {
            comparison.released.push((record.path.clone(), workspace.to_owned()));
            comparison.notices.push(SyncNotice::Shared { path: record.path.clone(), with: other.to_owned() });
        }
        (None, _) | (_, None) => take_back(record, comparison),
    }
}

/// What is no longer wanted is taken back, if it is still as we wrote it.
pub(crate) fn take_back(record: &LedgerRecord, comparison: &mut ChangeSet) {
    let action = |step| PlannedChange {
        path: record.path.clone(),
        agents: record.agents.clone(),
        extension: record.extension.clone(),
        workspace: record.workspace.clone(),
        step,
    };
    match &record.written {
        WrittenContent::Entries { format, entries, created, new_file } => match read(&record.path) {
            Ok(None) => comparison.gone.push(record.path.clone()),
            Ok(Some(text)) => {
                let removals = removals(entries, RemainingEntries::Nothing);
                // Of a file that was new, what is left empty goes; one in which nothing of ours is found is nobody's
                // but the user's.
                let goes = |text: &str| *new_file && is_as_new(text) && !fs::is_link(&record.path);
                match remove(&text, *format, &removals, created) {
                    Ok(edited) if edited.changed || goes(&edited.text) => {
                        comparison.actions.push(action(ChangeStep::Restore {
                            format: *format,
                            entries: entries.clone(),
                            created: created.clone(),
                            new_file: *new_file,
                            rest: RemainingEntries::Nothing,
                        }));
                    }
                    Ok(_) => comparison.gone.push(record.path.clone()),
                    Err(error) => {
                        let shown = record.path.display().to_string();
                        comparison.notices.push(SyncNotice::Unusable(error.diagnostic(&shown)));
                    }
                }
            }
            Err(found) => comparison.notices.push(SyncNotice::Unusable(*found)),
        },
        WrittenContent::File { .. } => match read(&record.path) {
            Ok(None) => comparison.gone.push(record.path.clone()),
            Ok(Some(text)) if record.written.is_file(&text) => {
                comparison.actions.push(action(ChangeStep::Delete { expected: text }));
            }
            Ok(Some(_)) => comparison.notices.push(SyncNotice::Drifted(record.path.clone())),
            Err(found) => comparison.notices.push(SyncNotice::Unusable(*found)),
        },
        WrittenContent::Amended { before, states } => match read(&record.path) {
            Ok(None) => comparison.gone.push(record.path.clone()),
            Ok(Some(text)) => {
                let (without, edited) = match without(before, states, &text) {
                    RevertedText::AsItIs if fingerprint(text.as_bytes()) == *before => {
                        comparison.gone.push(record.path.clone());
                        return;
                    }
                    RevertedText::AsItIs => (None, true),
                    RevertedText::Exactly(without) => (Some(without), false),
                    RevertedText::Mostly(without) => (Some(without), true),
                };
                let give_back = |without| action(ChangeStep::GiveBack { text: without, expected: text });
                comparison.actions.extend(without.map(give_back));
                comparison.notices.extend(edited.then(|| SyncNotice::Drifted(record.path.clone())));
            }
            Err(found) => comparison.notices.push(SyncNotice::Unusable(*found)),
        },
        WrittenContent::Skill { .. } => match observe(&record.path) {
            Ok(InstalledState::Absent) => comparison.gone.push(record.path.clone()),
            Ok(InstalledState::Directory(found)) if record.written.is_skill(&found) => {
                comparison.actions.push(action(ChangeStep::Uninstall { expected: InstalledState::Directory(found) }));
            }
            Ok(InstalledState::Directory(_) | InstalledState::Other) => {
                comparison.notices.push(SyncNotice::Drifted(record.path.clone()));
            }
            Err(error) if error.is_transient() => comparison.notices.push(SyncNotice::Unusable(unreadable(&error))),
            // What we would not have written.
            Err(_) => comparison.notices.push(SyncNotice::Drifted(record.path.clone())),
        },
    }
}

/// What is said about a directory of ours that may not be looked at.
fn unreadable(error: &fs::FsError) -> Diagnostic {
    let found = Diagnostic::error(error.path.display().to_string(), format!("Skipped: {}", error.kind));
    found.help("make it readable, and run the command again")
}
