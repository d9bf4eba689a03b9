//! Carries out one action, and records it.

use std::path::Path;

use symposium_agents::is_as_new;
use symposium_edit::{EditError, insert, remove};
use symposium_io::fs;
use symposium_io::install::{InstallError, install, uninstall};
use symposium_io::settings::{self, Change, Patience, SettingsError, SettingsErrorKind, Update};
use symposium_model::diagnostic::Diagnostic;
use symposium_model::sync::{Ledger, Record, Written, WrittenEntry};

use super::amended::{is_now, is_of_others};
use super::known::{self, Owner};
use super::removals::removals;
use super::{Action, Rest, Step};

/// Carries out an action. After an error nothing is changed, and the ledger neither.
pub(super) fn carry_out(action: &Action, ledger: &mut Ledger, patience: Patience) -> Result<(), Box<Diagnostic>> {
    match &action.step {
        Step::Edit { format, entries, starts_as, intended, .. } => {
            let update = update(action, patience, |text| {
                let edited = insert(text.unwrap_or(starts_as), *format, entries)?;
                Ok::<_, EditError>(Change::Write(edited.text))
            })?;
            ledger.made(update.created);
            let known = ledger.record(&action.path);
            let written = known.map_or_else(|| intended.clone(), |known| intended.clone().beside(&known.written));
            ledger.put(record(action, written));
        }
        Step::Restore { format, entries, created, new_file, rest } => {
            let removals = removals(entries, *rest);
            update(action, patience, |text| {
                let Some(text) = text else { return Ok(Change::Keep) };
                let edited = remove(text, *format, &removals, created)?;
                // A file that was not there before us goes when nothing of anybody is left in it.
                // Behind a link made since then is a place of the user's own: the file stays, emptied.
                let empty =
                    *rest == Rest::Nothing && *new_file && is_as_new(&edited.text) && !fs::is_link(&action.path);
                Ok::<_, EditError>(if empty { Change::Delete } else { Change::Write(edited.text) })
            })?;
            match rest {
                Rest::Nothing => ledger.forget(&action.path),
                Rest::Stays => forget_entries(ledger, &action.path, entries),
            }
        }
        Step::Configure { text, expected } => configure(action, text, expected.as_deref(), ledger, patience)?,
        Step::Write { text, expected } => {
            let update = update(action, patience, |current| replaced(current, expected.as_deref(), text))?;
            ledger.made(update.created);
            ledger.put(record(action, Written::file(text)));
        }
        Step::GiveBack { text, expected } => {
            update(action, patience, |current| taken(current, expected, || Change::Write(text.clone())))?;
            ledger.forget(&action.path);
        }
        Step::Delete { expected } => {
            update(action, patience, |current| taken(current, expected, || Change::Delete))?;
            ledger.forget(&action.path);
        }
        Step::Install { tree, expected, .. } => {
            let made = install(&action.path, tree, expected, inside(action));
            ledger.made(made.map_err(|error| install_failure(action, &error))?);
            ledger.put(record(action, Written::skill(tree.fingerprint())));
        }
        Step::Uninstall { expected } => {
            let gone = uninstall(&action.path, expected, inside(action));
            gone.map_err(|error| install_failure(action, &error))?;
            ledger.forget(&action.path);
        }
    }
    Ok(())
}

/// Writes a configuration of ours. What it was before decides whose it is.
fn configure(
    action: &Action,
    text: &str,
    expected: Option<&str>,
    ledger: &mut Ledger,
    patience: Patience,
) -> Result<(), Box<Diagnostic>> {
    let edit = |current: Option<&str>| replaced(current, expected, text);
    let update = match (&action.workspace, expected) {
        (None, None) => {
            settings::update_private(&action.path, patience, edit).map_err(|error| settings_failure(&error))?
        }
        // A project's is everybody's, and one that is there has the mode its owner gave it.
        (Some(_), _) | (_, Some(_)) => update(action, patience, edit)?,
    };
    let known = ledger.record(&action.path).map(|record| record.written.clone());
    match expected {
        Some(before) if is_of_others(known.as_ref()) => match is_now(known.as_ref(), before, text) {
            Some(written) => ledger.put(record(action, written)),
            None => ledger.forget(&action.path),
        },
        Some(before) if known.is_some_and(|written| written.is_file(before)) => {
            ledger.put(record(action, Written::file(text)));
        }
        // Once the user has written in it, it is the user's: its record stays behind, so that it is never removed.
        Some(_) => {}
        None => ledger.put(record(action, Written::file(text))),
    }
    ledger.made(update.created);
    Ok(())
}

/// A file is not what it was when it was compared.
#[derive(Debug, thiserror::Error)]
#[error("it changed meanwhile; run the command again")]
struct Changed;

/// A new text in the place of what is expected.
fn replaced(current: Option<&str>, expected: Option<&str>, text: &str) -> Result<Change, Changed> {
    if current == expected { Ok(Change::Write(text.to_owned())) } else { Err(Changed) }
}

/// A change that takes something of ours away. What is gone already needs none.
fn taken(current: Option<&str>, expected: &str, change: impl FnOnce() -> Change) -> Result<Change, Changed> {
    match current {
        Some(current) if current == expected => Ok(change()),
        Some(_) => Err(Changed),
        None => Ok(Change::Keep),
    }
}

fn update<E: std::error::Error + 'static>(
    action: &Action,
    patience: Patience,
    edit: impl FnMut(Option<&str>) -> Result<Change, E>,
) -> Result<Update, Box<Diagnostic>> {
    settings::update(&action.path, confine(action), patience, edit).map_err(|error| settings_failure(&error))
}

/// Files of a project may not be reached through links that lead out of it. Copilot's lie at the git root above, and
/// may not leave that.
fn confine(action: &Action) -> Option<&Path> {
    let workspace = action.workspace.as_deref()?;
    workspace.ancestors().find(|directory| action.path.starts_with(directory))
}

/// The directory that a skill may not leave.
fn inside(action: &Action) -> &Path {
    action.workspace.as_deref().unwrap_or(&action.path)
}

fn record(action: &Action, written: Written) -> Record {
    known::record(&Owner::of_action(action), written, None)
}

fn forget_entries(ledger: &mut Ledger, path: &Path, gone: &[WrittenEntry]) {
    let Some(mut known) = ledger.record(path).cloned() else { return };
    if let Written::Entries { entries, .. } = &mut known.written {
        entries.retain(|entry| !gone.contains(entry));
    }
    ledger.put(known);
}

fn settings_failure<E: std::error::Error + 'static>(error: &SettingsError<E>) -> Box<Diagnostic> {
    let help = match &error.kind {
        SettingsErrorKind::Busy => "nothing was written to it; run the command again when that program is done",
        SettingsErrorKind::HardLink { .. } => {
            "nothing was written to it, since its other names would keep the old text; make it a symbolic link or a file \
             of its own, and run the command again"
        }
        SettingsErrorKind::DanglingLink
        | SettingsErrorKind::LeavesProject
        | SettingsErrorKind::Edit(_)
        | SettingsErrorKind::File(_) => "nothing was written to it; fix the cause, and run the command again",
    };
    let found = Diagnostic::error(error.path.display().to_string(), format!("Skipped: {}", error.kind));
    Box::new(found.help(help))
}

fn install_failure(action: &Action, error: &InstallError) -> Box<Diagnostic> {
    let reason = match error {
        InstallError::LeavesProject(at) => format!("a link at `{}` leads out of the project", at.display()),
        InstallError::Changed(_) => "it changed meanwhile; run the command again".to_owned(),
        InstallError::File(error) if error.path == action.path => error.kind.to_string(),
        InstallError::File(error) => error.to_string(),
    };
    let found = Diagnostic::error(action.path.display().to_string(), format!("Not written: {reason}"));
    Box::new(found.help("fix the cause, and run the command again"))
}
