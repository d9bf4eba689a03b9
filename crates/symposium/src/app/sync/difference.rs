//! What has to be done to get from what is on disk to what should be.

use std::path::{Path, PathBuf};

use symposium_edit::{Outcome, insert, remove};
use symposium_io::install::{Installed, observe};
use symposium_io::settings::MAX_SETTINGS;
use symposium_io::{clock, fs};
use symposium_model::agent::AgentId;
use symposium_model::config::Scope;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::edit::{Entry, FileContent};
use symposium_model::ours::{Mark, Share};
use symposium_model::sync::{Ledger, Record, Written, WrittenEntry};

use super::absence::Absence;
use super::desired::{Desired, DesiredFile, DesiredSkill, free_name};
use super::{Action, Comparison, Notice, Rest, Step};
use crate::app::context::Context;

/// Whose records count as "no longer wanted" when nothing wants them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sweep {
    /// The user's, and those of this workspace.
    UserAndWorkspace,
    /// The user's only: there is no workspace.
    User,
}

/// Compares.
pub(crate) fn compare(
    context: &Context,
    desired: &Desired,
    ledger: &Ledger,
    sweep: Sweep,
    absence: &Absence<'_>,
) -> Comparison {
    let mut comparison = Comparison::default();
    // Our own configuration stays until it is uninstalled.
    let mut wanted: Vec<PathBuf> = vec![context.directories.config_file()];
    wanted.extend(context.root().map(|root| root.join(".symposium/config.toml")));
    for file in &desired.files {
        wanted.push(file.path.clone());
        match &file.content {
            FileContent::Entries { .. } => compare_entries(file, ledger, &mut comparison),
            FileContent::Whole(text) => compare_whole(file, text, ledger, &mut comparison),
        }
    }
    let promised: Vec<PathBuf> = desired.skills.iter().map(|skill| skill.parent.join(skill.name.as_str())).collect();
    for skill in &desired.skills {
        wanted.extend(compare_skill(context, skill, ledger, &promised, &mut comparison));
    }
    for record in &ledger.records {
        let in_scope = match (&record.workspace, sweep) {
            (None, _) => true,
            (Some(workspace), Sweep::UserAndWorkspace) => Some(workspace.as_path()) == context.root(),
            (Some(_), Sweep::User) => false,
        };
        // A source that could not be read may still hold the skill, and a configuration that could not may still name
        // the agent. What is in a workspace depends on both configurations.
        let unread = match (&record.written, &record.extension) {
            (Written::Skill { .. }, Some(name)) => !absence.skill_is_gone(name),
            (Written::Skill { .. }, None) => absence.is_unknown(),
            (Written::Entries { .. } | Written::File { .. }, _) => false,
        };
        let unknown =
            !context.knows_agents(Scope::User) || (record.workspace.is_some() && !context.knows_agents(Scope::Project));
        let kept = unread || unknown;
        if in_scope && !kept && !wanted.contains(&record.path) {
            take_back(record, &mut comparison);
        }
    }
    comparison
}

fn compare_entries(file: &DesiredFile, ledger: &Ledger, comparison: &mut Comparison) {
    let FileContent::Entries { format, entries } = &file.content else { return };
    let known = ledger.record(&file.path);
    let entries = &recognised(entries, known);
    let text = match read(&file.path) {
        Ok(text) => text,
        Err(found) => {
            comparison.notices.push(Notice::Unusable(*found));
            return;
        }
    };
    let start = text.as_deref().unwrap_or(file.starts_as);
    let edited = match insert(start, *format, entries) {
        Ok(edited) => edited,
        Err(error) => {
            let shown = file.path.display().to_string();
            comparison.notices.push(Notice::Unusable(error.diagnostic(&shown)));
            return;
        }
    };
    for (entry, outcome) in entries.iter().zip(&edited.outcomes) {
        if *outcome == Outcome::Foreign {
            let what = format!("`{}` is your own, and stays as it is", entry.path.join("."));
            comparison.notices.push(Notice::Foreign { path: file.path.clone(), what });
        }
    }
    let ours: Vec<WrittenEntry> = entries
        .iter()
        .zip(&edited.outcomes)
        .filter(|(_, outcome)| **outcome != Outcome::Foreign)
        .map(|(entry, _)| WrittenEntry { path: entry.path.clone(), slot: entry.slot, mark: mark_of(entry) })
        .collect();
    drop_stale(file, known, &ours, comparison);
    let action = |step| Action {
        path: file.path.clone(),
        agents: file.agents.clone(),
        extension: None,
        workspace: file.workspace.clone(),
        step,
    };
    let (mut created, new_file) = match known.map(|record| &record.written) {
        Some(Written::Entries { created, new_file, .. }) => (created.clone(), *new_file),
        Some(Written::File { .. } | Written::Skill { .. }) | None => (Vec::new(), text.is_none()),
    };
    for container in edited.created {
        if !created.contains(&container) {
            created.push(container);
        }
    }
    let written = Written::Entries { format: *format, entries: ours, created, new_file };
    if edited.changed {
        let (format, entries, starts_as) = (*format, entries.clone(), file.starts_as);
        comparison.actions.push(action(Step::Edit { format, entries, starts_as, intended: written }));
    } else if edited.outcomes.iter().any(|outcome| *outcome != Outcome::Foreign) {
        comparison.settled.push(record(&Owner::of_file(file), written, known));
    }
}

/// An entry that is ours only as long as it is untouched is looked for as it was written last.
fn recognised(entries: &[Entry], known: Option<&Record>) -> Vec<Entry> {
    let written = match known.map(|record| &record.written) {
        Some(Written::Entries { entries, .. }) => entries.as_slice(),
        Some(Written::File { .. } | Written::Skill { .. }) | None => &[],
    };
    let mut entries = entries.to_vec();
    for entry in entries.iter_mut().filter(|entry| matches!(entry.mark, Mark::Exactly(_))) {
        if let Some(last) = written.iter().find(|last| last.path == entry.path && last.slot == entry.slot) {
            entry.mark = last.mark.clone();
        }
    }
    entries
}

/// Whose a record is.
struct Owner<'o> {
    path: &'o Path,
    agents: &'o [AgentId],
    extension: Option<&'o str>,
    workspace: Option<&'o Path>,
}

impl<'o> Owner<'o> {
    fn of_file(file: &'o DesiredFile) -> Self {
        Self { path: &file.path, agents: &file.agents, extension: None, workspace: file.workspace.as_deref() }
    }
}

/// Our own hook entries and server are recognised by what they call; anything else only as long as it is untouched.
fn mark_of(entry: &Entry) -> Mark {
    match &entry.mark {
        Mark::Exactly(_) => Mark::Exactly(entry.value.clone()),
        mark @ (Mark::HookOf(_) | Mark::OwnServer) => mark.clone(),
    }
}

/// Entries we wrote earlier that nothing wants any more leave the file, the others stay.
fn drop_stale(file: &DesiredFile, known: Option<&Record>, ours: &[WrittenEntry], comparison: &mut Comparison) {
    let Some(Record { written: Written::Entries { format, entries, created, new_file }, .. }) = known else {
        return;
    };
    let stale: Vec<WrittenEntry> = entries
        .iter()
        .filter(|old| !ours.iter().any(|new| new.path == old.path && new.slot == old.slot))
        .cloned()
        .collect();
    if stale.is_empty() {
        return;
    }
    comparison.actions.push(Action {
        path: file.path.clone(),
        agents: file.agents.clone(),
        extension: None,
        workspace: file.workspace.clone(),
        step: Step::Restore {
            format: *format,
            entries: stale,
            created: created.clone(),
            new_file: *new_file,
            rest: Rest::Stays,
        },
    });
}

fn compare_whole(file: &DesiredFile, text: &str, ledger: &Ledger, comparison: &mut Comparison) {
    let current = match read(&file.path) {
        Ok(current) => current,
        Err(found) => {
            comparison.notices.push(Notice::Unusable(*found));
            return;
        }
    };
    let known = ledger.record(&file.path);
    let action = |expected| Action {
        path: file.path.clone(),
        agents: file.agents.clone(),
        extension: None,
        workspace: file.workspace.clone(),
        step: Step::Write { text: text.to_owned(), expected },
    };
    match current {
        None => comparison.actions.push(action(None)),
        Some(current) if current == text => {
            let written = Written::file(text);
            comparison.settled.push(record(&Owner::of_file(file), written, known));
        }
        Some(current) if is_untouched(known, &current) || (known.is_none() && is_recognisably_ours(file, &current)) => {
            comparison.actions.push(action(Some(current)));
        }
        Some(_) => comparison.notices.push(Notice::Drifted(file.path.clone())),
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
        file.agents.iter().any(|agent| Mark::HookOf(*agent).share(handler) == Share::All)
    };
    !handlers.is_empty() && handlers.iter().all(ours)
}

/// Whether a file of ours is still as we wrote it.
fn is_untouched(known: Option<&Record>, current: &str) -> bool {
    known.is_some_and(|record| record.written.is_file(current))
}

/// Compares a skill directory; gives back the place it is wanted at.
fn compare_skill(
    context: &Context,
    skill: &DesiredSkill,
    ledger: &Ledger,
    promised: &[PathBuf],
    comparison: &mut Comparison,
) -> Option<PathBuf> {
    let Some(name) = free_name(context, skill, ledger, promised) else {
        let path = skill.parent.join(skill.name.as_str());
        let what = "a directory of your own has this skill's name, and stays as it is".to_owned();
        comparison.notices.push(Notice::Foreign { path, what });
        return None;
    };
    let place = skill.parent.join(name.as_str());
    let tree = skill.source.tree(&name);
    let known = ledger.record(&place);
    let observed = match observe(&place) {
        Ok(observed) => observed,
        Err(error) => {
            let found = Diagnostic::error(place.display().to_string(), error.kind.to_string());
            comparison.notices.push(Notice::Unusable(found.help("make it readable, or remove it")));
            return Some(place);
        }
    };
    let action = Action {
        path: place.clone(),
        agents: skill.agents.clone(),
        extension: Some(skill.name.as_str().to_owned()),
        workspace: context.root().map(Path::to_owned),
        step: Step::Install { tree: tree.clone(), expected: observed.clone() },
    };
    match &observed {
        Installed::Absent => comparison.actions.push(action),
        Installed::Directory(found) if *found == tree => {
            let written = Written::Skill { fingerprint: tree.fingerprint() };
            let extension = Some(skill.name.as_str());
            let owner = Owner { path: &place, agents: &skill.agents, extension, workspace: context.root() };
            comparison.settled.push(record(&owner, written, known));
        }
        Installed::Directory(found) if is_as_written(known, found) => comparison.actions.push(action),
        Installed::Directory(_) | Installed::Other => {
            comparison.notices.push(Notice::Drifted(place.clone()));
        }
    }
    Some(place)
}

fn is_as_written(known: Option<&Record>, found: &symposium_model::sync::SkillTree) -> bool {
    match known.map(|record| &record.written) {
        Some(Written::Skill { fingerprint }) => *fingerprint == found.fingerprint(),
        Some(Written::Entries { .. } | Written::File { .. }) | None => false,
    }
}

/// A record like the known one; its time changes only with its content.
fn record(owner: &Owner<'_>, written: Written, known: Option<&Record>) -> Record {
    let mut fresh = Record {
        path: owner.path.to_owned(),
        workspace: owner.workspace.map(Path::to_owned),
        agents: owner.agents.to_vec(),
        extension: owner.extension.map(str::to_owned),
        written,
        time: clock::now(),
    };
    if let Some(known) = known {
        let time = known.time;
        if (Record { time, ..fresh.clone() }) == *known {
            fresh.time = time;
        }
    }
    fresh
}

/// What is no longer wanted is taken back, if it is still as we wrote it.
pub(crate) fn take_back(record: &Record, comparison: &mut Comparison) {
    let action = |step| Action {
        path: record.path.clone(),
        agents: record.agents.clone(),
        extension: record.extension.clone(),
        workspace: record.workspace.clone(),
        step,
    };
    match &record.written {
        Written::Entries { format, entries, created, new_file } => match read(&record.path) {
            Ok(None) => comparison.gone.push(record.path.clone()),
            Ok(Some(text)) => {
                let removals: Vec<_> = entries.iter().map(removal).collect();
                match remove(&text, *format, &removals, created) {
                    Ok(edited) if edited.changed || *new_file => comparison.actions.push(action(Step::Restore {
                        format: *format,
                        entries: entries.clone(),
                        created: created.clone(),
                        new_file: *new_file,
                        rest: Rest::Nothing,
                    })),
                    Ok(_) => comparison.gone.push(record.path.clone()),
                    Err(error) => {
                        let shown = record.path.display().to_string();
                        comparison.notices.push(Notice::Unusable(error.diagnostic(&shown)));
                    }
                }
            }
            Err(found) => comparison.notices.push(Notice::Unusable(*found)),
        },
        Written::File { .. } => match read(&record.path) {
            Ok(None) => comparison.gone.push(record.path.clone()),
            Ok(Some(text)) if record.written.is_file(&text) => {
                comparison.actions.push(action(Step::Delete { expected: text }));
            }
            Ok(Some(_)) => comparison.notices.push(Notice::Drifted(record.path.clone())),
            Err(found) => comparison.notices.push(Notice::Unusable(*found)),
        },
        Written::Skill { fingerprint: written } => match observe(&record.path) {
            Ok(Installed::Absent) => comparison.gone.push(record.path.clone()),
            Ok(observed @ Installed::Directory(_)) if is_fingerprint(&observed, written) => {
                comparison.actions.push(action(Step::Uninstall { expected: observed }));
            }
            Ok(_) | Err(_) => comparison.notices.push(Notice::Drifted(record.path.clone())),
        },
    }
}

fn is_fingerprint(observed: &Installed, written: &symposium_model::sync::Fingerprint) -> bool {
    match observed {
        Installed::Directory(tree) => tree.fingerprint() == *written,
        Installed::Absent | Installed::Other => false,
    }
}

/// What the editor needs to find an entry again.
pub(crate) fn removal(entry: &WrittenEntry) -> symposium_edit::Removal {
    symposium_edit::Removal { path: entry.path.clone(), slot: entry.slot, mark: entry.mark.clone() }
}

fn read(path: &Path) -> Result<Option<String>, Box<Diagnostic>> {
    if fs::is_link(path) && !fs::exists(path) {
        let found = Diagnostic::error(path.display().to_string(), "A link that leads nowhere is left alone");
        return Err(Box::new(found.help("remove the link, or create what it points to")));
    }
    fs::read_text_if_there(path, MAX_SETTINGS).map_err(|error| {
        let found = Diagnostic::error(path.display().to_string(), format!("Left alone: {}", error.kind));
        Box::new(found.help("make it a readable text file; nothing was written to it"))
    })
}
