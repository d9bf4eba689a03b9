//! Carries out actions, one after the other; a failure costs only itself.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use symposium_agents::{is_as_new, spec};
use symposium_edit::{EditError, insert, remove};
use symposium_io::install::{InstallError, Installed, install, remove_empty, uninstall};
use symposium_io::settings::{self, Change, SettingsErrorKind};
use symposium_io::{clock, fs, leftovers};
use symposium_model::agent::AgentId;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::sync::{Fingerprint, Ledger, Record, Written, WrittenEntry, fingerprint};

use super::amended::{about_to_be, is_now};
use super::removals::removals;
use super::{Action, Comparison, Rest, Step, ledger_file};
use crate::app::context::Context;
use crate::ui::error::CliError;

/// Carries out everything and keeps the ledger in step, on disk too. Returns what failed; those actions are dropped, so
/// that nobody reports them as done. An error means that nothing was done.
pub(crate) fn apply(
    context: &Context,
    comparison: &mut Comparison,
    ledger: &mut Ledger,
) -> Result<Vec<Diagnostic>, CliError> {
    let mut failures: Vec<Diagnostic> = sweep_leftovers(context, comparison, ledger);
    for path in &comparison.gone {
        ledger.forget(path);
    }
    for (path, workspace) in &comparison.released {
        ledger.release(path, workspace);
    }
    for record in &comparison.settled {
        ledger.put(record.clone());
    }
    // What is only taken away needs no record of it beforehand; so that works on a full disk too.
    if !comparison.actions.iter().all(Action::takes_away) {
        intend(comparison, ledger);
        ledger_file::write(context, ledger).map_err(|found| CliError::because(*found))?;
    }
    carry_out_all(&mut comparison.actions, ledger, &mut failures);
    // Deepest first, so that one that held only another goes too. What anybody put something into stays.
    ledger.directories.sort_by_key(|directory| std::cmp::Reverse(directory.components().count()));
    let directories = std::mem::take(&mut ledger.directories);
    ledger.directories = remove_empty(directories);
    let stuck = ledger.directories.iter().filter(|directory| !fs::has_content(directory));
    failures.extend(stuck.map(|directory| {
        Diagnostic::error(directory.display().to_string(), "Failed to remove this directory, which is empty")
            .help("make the directory above it writable, and run the command again")
    }));
    ledger.forget_events_without_records();
    // What was done has to be shown all the same.
    failures.extend(ledger_file::write(context, ledger).err().map(|found| *found));
    Ok(failures)
}

/// Carries out the actions and drops those that failed.
fn carry_out_all(actions: &mut Vec<Action>, ledger: &mut Ledger, failures: &mut Vec<Diagnostic>) {
    let mut order: Vec<usize> = (0..actions.len()).collect();
    if actions.iter().all(Action::takes_away) {
        // On a full disk, restoring a file may need the space that the others free.
        let needs_space = |action: &Action| matches!(action.step, Step::Restore { .. } | Step::GiveBack { .. });
        order.sort_by_key(|index| actions.get(*index).is_some_and(needs_space));
    }
    let mut failed = Vec::new();
    for index in order {
        let Some(action) = actions.get(index) else { continue };
        tracing::info!(kind = action.kind(), path = %action.path.display(), "applying");
        if let Err(failure) = carry_out(action, ledger) {
            failures.push(*failure);
            failed.push(index);
        }
    }
    let mut index = 0;
    actions.retain(|_| {
        index += 1;
        !failed.contains(&(index - 1))
    });
}

/// Clears away what an earlier run left that was killed in the middle of writing; says what had to be kept.
fn sweep_leftovers(context: &Context, comparison: &Comparison, ledger: &Ledger) -> Vec<Diagnostic> {
    let written = ledger.records.iter().map(|record| &record.path);
    let mut parents: Vec<&Path> =
        written.chain(comparison.actions.iter().map(|action| &action.path)).filter_map(|path| path.parent()).collect();
    parents.push(&context.directories.config);
    // A configuration the user wrote is in no record, and is edited all the same.
    let project = context.root().map(|root| root.join(".symposium")).filter(|directory| !fs::is_link(directory));
    parents.extend(project.as_deref());
    // The last skill that went may have left something, and then no record leads there.
    let skills = skill_directories(context);
    parents.extend(skills.iter().map(PathBuf::as_path));
    parents.sort();
    parents.dedup();
    let kept = parents.into_iter().flat_map(leftovers::sweep);
    kept.map(|path| {
        let message = "Another program wrote this just when a run of Symposium was killed, and has written again since";
        let help = "compare it with the file whose name it ends in, then remove it";
        Diagnostic::warning(path.display().to_string(), message).help(help)
    })
    .collect()
}

/// Where agents look for skills in this project; a link may lead anywhere.
fn skill_directories(context: &Context) -> Vec<PathBuf> {
    let Some(root) = context.root() else { return Vec::new() };
    let places: BTreeSet<&str> = AgentId::ALL.into_iter().map(|agent| spec(agent).skills.project).collect();
    let is_inside = |path: &PathBuf| path.ancestors().take_while(|part| *part != root).all(|part| !fs::is_link(part));
    places.into_iter().map(|place| root.join(place)).filter(is_inside).collect()
}

/// Records what is about to be written, and the directories that will be made for it: a run may be killed between
/// writing a file and recording it, and must still be taken back to the byte. What is recorded and was not written
/// after all does no harm; there is nothing to take back then.
fn intend(comparison: &Comparison, ledger: &mut Ledger) {
    for action in &comparison.actions {
        let missing = |path: &Path| {
            let parents = path.ancestors().skip(1).take_while(|parent| !fs::exists(parent));
            let mut missing: Vec<PathBuf> = parents.map(Path::to_owned).collect();
            missing.reverse();
            missing
        };
        match &action.step {
            Step::Edit { intended, .. } => {
                let known = ledger.record(&action.path);
                let either = known.map_or_else(|| intended.clone(), |known| intended.clone().or_still(&known.written));
                ledger.put(record(action, either));
                ledger.made(missing(&action.path));
            }
            Step::Write { text, expected } | Step::Configure { text, expected } => {
                let next = Some(fingerprint(text.as_bytes()));
                match (expected, ledger.record(&action.path)) {
                    // What is there all the same will not be written, so what is known of it stays.
                    (None, _) if fs::exists(&action.path) => {}
                    (None, _) => ledger.put(record(action, Written::file(text))),
                    // Either may be found by the next run.
                    (Some(before), Some(known)) if known.written.is_file(before) => {
                        let fingerprint = fingerprint(before.as_bytes());
                        ledger.put(record(action, Written::File { fingerprint, next }));
                    }
                    (Some(before), known) => {
                        let known = known.map(|known| known.written.clone());
                        if is_configuration(&action.step)
                            && is_of_others(known.as_ref())
                            && let Some(written) = about_to_be(known.as_ref(), before, text)
                        {
                            ledger.put(record(action, written));
                        }
                    }
                }
                ledger.made(missing(&action.path));
            }
            Step::Install { tree, expected, .. } => {
                match ledger.record(&action.path) {
                    None => ledger.put(record(action, Written::skill(tree.fingerprint()))),
                    Some(known) => {
                        let either = known.written.clone().or_next(fingerprint_of(expected), tree.fingerprint());
                        ledger.put(record(action, either));
                    }
                }
                ledger.made(missing(&action.path));
            }
            Step::Restore { .. } | Step::GiveBack { .. } | Step::Delete { .. } | Step::Uninstall { .. } => {}
        }
    }
}

fn is_configuration(step: &Step) -> bool {
    matches!(step, Step::Configure { .. })
}

/// Whether a configuration was there before us, as far as is known.
fn is_of_others(known: Option<&Written>) -> bool {
    match known {
        None | Some(Written::Amended { .. }) => true,
        Some(Written::Entries { .. } | Written::File { .. } | Written::Skill { .. }) => false,
    }
}

fn carry_out(action: &Action, ledger: &mut Ledger) -> Result<(), Box<Diagnostic>> {
    let inside = action.workspace.as_deref();
    match &action.step {
        Step::Edit { format, entries, starts_as, intended } => {
            let update = settings::update(&action.path, confine(action), |text| {
                let edited = insert(text.unwrap_or(starts_as), *format, entries)?;
                Ok::<_, EditError>(Change::Write(edited.text))
            });
            let update = update.map_err(|error| settings_failure(&action.path, &error.kind))?;
            ledger.made(update.created);
            let known = ledger.record(&action.path);
            let written = known.map_or_else(|| intended.clone(), |known| intended.clone().beside(&known.written));
            ledger.put(record(action, written));
        }
        Step::Restore { format, entries, created, new_file, rest } => {
            let removals = removals(entries, *rest);
            let update = settings::update(&action.path, confine(action), |text| {
                let Some(text) = text else { return Ok(Change::Keep) };
                let edited = remove(text, *format, &removals, created)?;
                // A file that was not there before us goes when nothing of anybody is left in it.
                // Behind a link made since then is a place of the user's own: the file stays, emptied.
                let empty =
                    *rest == Rest::Nothing && *new_file && is_as_new(&edited.text) && !fs::is_link(&action.path);
                Ok::<_, EditError>(if empty { Change::Delete } else { Change::Write(edited.text) })
            });
            update.map_err(|error| settings_failure(&action.path, &error.kind))?;
            match rest {
                Rest::Nothing => ledger.forget(&action.path),
                Rest::Stays => forget_entries(ledger, &action.path, entries),
            }
        }
        Step::Configure { text, expected } => {
            let edit = |current: Option<&str>| {
                if current == expected.as_deref() { Ok(Change::Write(text.clone())) } else { Err(Changed) }
            };
            let update = match (&action.workspace, expected) {
                (None, None) => settings::update_private(&action.path, edit),
                // A project's is everybody's, and one that is there has the mode its owner gave it.
                (Some(_), _) | (_, Some(_)) => settings::update(&action.path, confine(action), edit),
            };
            let update = update.map_err(|error| settings_failure(&action.path, &error.kind))?;
            let known = ledger.record(&action.path).map(|record| record.written.clone());
            match expected {
                Some(before) if is_of_others(known.as_ref()) => match is_now(known.as_ref(), before, text) {
                    Some(written) => ledger.put(record(action, written)),
                    None => ledger.forget(&action.path),
                },
                Some(before) if known.is_some_and(|written| written.is_file(before)) => {
                    ledger.put(record(action, Written::file(text)));
                }
                // Once the user has written in it, it is the user's: its record stays behind, so that it is never
                // removed.
                Some(_) => {}
                None => ledger.put(record(action, Written::file(text))),
            }
            ledger.made(update.created);
        }
        Step::Write { text, expected } => {
            let update = settings::update(&action.path, confine(action), |current| {
                if current == expected.as_deref() { Ok(Change::Write(text.clone())) } else { Err(Changed) }
            });
            let update = update.map_err(|error| settings_failure(&action.path, &error.kind))?;
            ledger.made(update.created);
            ledger.put(record(action, Written::file(text)));
        }
        Step::GiveBack { text, expected } => {
            settings::update(&action.path, confine(action), |current| match current {
                Some(current) if current == expected => Ok(Change::Write(text.clone())),
                Some(_) => Err(Changed),
                None => Ok(Change::Keep),
            })
            .map_err(|error| settings_failure(&action.path, &error.kind))?;
            ledger.forget(&action.path);
        }
        Step::Delete { expected } => {
            settings::update(&action.path, confine(action), |current| match current {
                Some(text) if text == expected => Ok(Change::Delete),
                Some(_) => Err(Changed),
                None => Ok(Change::Keep),
            })
            .map_err(|error| settings_failure(&action.path, &error.kind))?;
            ledger.forget(&action.path);
        }
        Step::Install { tree, expected, .. } => {
            let inside = inside.unwrap_or(&action.path);
            let made =
                install(&action.path, tree, expected, inside).map_err(|error| install_failure(action, &error))?;
            ledger.made(made);
            ledger.put(record(action, Written::skill(tree.fingerprint())));
        }
        Step::Uninstall { expected } => {
            let inside = inside.unwrap_or(&action.path);
            uninstall(&action.path, expected, inside).map_err(|error| install_failure(action, &error))?;
            ledger.forget(&action.path);
        }
    }
    Ok(())
}

fn fingerprint_of(installed: &Installed) -> Option<Fingerprint> {
    match installed {
        Installed::Directory(tree) => Some(tree.fingerprint()),
        Installed::Absent | Installed::Other => None,
    }
}

/// Files of a project may not be reached through links that lead out of it. Copilot's lie at the git root above, and
/// may not leave that.
fn confine(action: &Action) -> Option<&Path> {
    let workspace = action.workspace.as_deref()?;
    workspace.ancestors().find(|directory| action.path.starts_with(directory))
}

fn record(action: &Action, written: Written) -> Record {
    Record {
        path: action.path.clone(),
        workspace: action.workspace.clone(),
        also_for: Vec::new(),
        agents: action.agents.clone(),
        extension: action.extension.clone(),
        source: match &action.step {
            Step::Install { source, .. } => source.clone(),
            Step::Edit { .. }
            | Step::Restore { .. }
            | Step::GiveBack { .. }
            | Step::Configure { .. }
            | Step::Write { .. }
            | Step::Delete { .. }
            | Step::Uninstall { .. } => None,
        },
        written,
        time: clock::now(),
    }
}

fn forget_entries(ledger: &mut Ledger, path: &Path, gone: &[WrittenEntry]) {
    let Some(mut known) = ledger.record(path).cloned() else { return };
    if let Written::Entries { entries, .. } = &mut known.written {
        entries.retain(|entry| !gone.contains(entry));
    }
    ledger.put(known);
}

/// A file is not what it was when it was compared.
#[derive(Debug, thiserror::Error)]
#[error("it changed meanwhile; run the command again")]
struct Changed;

fn settings_failure<E: std::error::Error + 'static>(path: &Path, kind: &SettingsErrorKind<E>) -> Box<Diagnostic> {
    let found = Diagnostic::error(path.display().to_string(), format!("Left alone: {kind}"));
    Box::new(found.help("nothing was written to it; mend the cause and run the command again"))
}

fn install_failure(action: &Action, error: &InstallError) -> Box<Diagnostic> {
    let reason = match error {
        InstallError::LeavesProject(at) => format!("a link at `{}` leads out of the project", at.display()),
        InstallError::Changed(_) => "it changed meanwhile; run the command again".to_owned(),
        InstallError::File(error) if error.path == action.path => error.kind.to_string(),
        InstallError::File(error) => error.to_string(),
    };
    let found = Diagnostic::error(action.path.display().to_string(), format!("Not written: {reason}"));
    Box::new(found.help("mend the cause and run the command again"))
}
