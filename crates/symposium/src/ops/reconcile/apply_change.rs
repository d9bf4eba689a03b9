//! Carries out one action, and records it.

use std::path::Path;

use symposium_agents::is_as_new;
use symposium_edit::{EditError, insert, remove};
use symposium_io::settings::{self, SettingsChange, SettingsError, SettingsErrorKind, SettingsUpdate, WritePatience};
use symposium_io::skill_directory::{SkillInstallError, install, uninstall};
use symposium_io::{clock, fs};
use symposium_model::diagnostic::Diagnostic;
use symposium_model::sync::diff::{is_of_others, removals, written_after};
use symposium_model::sync::{Ledger, LedgerRecord, RemainingEntries, WrittenContent, WrittenEntry};

use super::compare::EDITOR;
use super::{ChangeStep, PlannedChange};

/// Carries out an action. After an error nothing is changed, and the ledger neither.
pub(super) fn carry_out(
    action: &PlannedChange,
    ledger: &mut Ledger,
    patience: WritePatience,
) -> Result<(), Box<Diagnostic>> {
    match &action.step {
        ChangeStep::Edit { format, entries, starts_as, intended, .. } => {
            let update = update(action, patience, |text| {
                let edited = insert(text.unwrap_or(starts_as), *format, entries)?;
                Ok::<_, EditError>(SettingsChange::Write(edited.text))
            })?;
            ledger.made(update.created);
            let known = ledger.record(&action.path);
            let written = known.map_or_else(|| intended.clone(), |known| intended.clone().beside(&known.written));
            ledger.put(record(action, written));
        }
        ChangeStep::Restore { format, entries, created, new_file, rest } => {
            let removals = removals(entries, *rest);
            update(action, patience, |text| {
                let Some(text) = text else { return Ok(SettingsChange::Keep) };
                let edited = remove(text, *format, &removals, created)?;
                // A file that Symposium created is deleted when nothing is left in it. If it has become a link since
                // then, the user chose its target: the file stays, emptied.
                let empty = *rest == RemainingEntries::Nothing
                    && *new_file
                    && is_as_new(&edited.text)
                    && !fs::is_link(&action.path);
                Ok::<_, EditError>(if empty { SettingsChange::Delete } else { SettingsChange::Write(edited.text) })
            })?;
            match rest {
                RemainingEntries::Nothing => ledger.forget(&action.path),
                RemainingEntries::Stays => forget_entries(ledger, &action.path, entries),
            }
        }
        ChangeStep::Configure { text, expected } => configure(action, text, expected.as_deref(), ledger, patience)?,
        ChangeStep::Write { text, expected } => {
            let update = update(action, patience, |current| replaced(current, expected.as_deref(), text))?;
            ledger.made(update.created);
            ledger.put(record(action, WrittenContent::file(text)));
        }
        ChangeStep::GiveBack { text, expected } => {
            update(action, patience, |current| taken(current, expected, || SettingsChange::Write(text.clone())))?;
            ledger.forget(&action.path);
        }
        ChangeStep::Delete { expected } => {
            update(action, patience, |current| taken(current, expected, || SettingsChange::Delete))?;
            ledger.forget(&action.path);
        }
        ChangeStep::Install { tree, expected, .. } => {
            let made = install(&action.path, tree, expected, inside(action));
            ledger.made(made.map_err(|error| install_failure(action, &error))?);
            ledger.put(record(action, WrittenContent::skill(tree.fingerprint())));
        }
        ChangeStep::Uninstall { expected } => {
            let gone = uninstall(&action.path, expected, inside(action));
            gone.map_err(|error| install_failure(action, &error))?;
            ledger.forget(&action.path);
        }
    }
    Ok(())
}

/// Writes a configuration of ours. What it was before decides whose it is.
fn configure(
    action: &PlannedChange,
    text: &str,
    expected: Option<&str>,
    ledger: &mut Ledger,
    patience: WritePatience,
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
        Some(before) if is_of_others(known.as_ref()) => match written_after(known.as_ref(), before, text, &EDITOR) {
            Some(written) => ledger.put(record(action, written)),
            None => ledger.forget(&action.path),
        },
        Some(before) if known.is_some_and(|written| written.is_file(before)) => {
            ledger.put(record(action, WrittenContent::file(text)));
        }
        // Once the user has written in it, it is the user's: its record stays behind, so that it is never removed.
        Some(_) => {}
        None => ledger.put(record(action, WrittenContent::file(text))),
    }
    ledger.made(update.created);
    Ok(())
}

/// A file is not what it was when it was compared.
#[derive(Debug, thiserror::Error)]
#[error("it changed while Symposium worked; run the command again")]
struct ChangedFile;

/// A new text in the place of what is expected.
fn replaced(current: Option<&str>, expected: Option<&str>, text: &str) -> Result<SettingsChange, ChangedFile> {
    if current == expected { Ok(SettingsChange::Write(text.to_owned())) } else { Err(ChangedFile) }
}

/// A change that takes something of ours away. What is gone already needs none.
fn taken(
    current: Option<&str>,
    expected: &str,
    change: impl FnOnce() -> SettingsChange,
) -> Result<SettingsChange, ChangedFile> {
    match current {
        Some(current) if current == expected => Ok(change()),
        Some(_) => Err(ChangedFile),
        None => Ok(SettingsChange::Keep),
    }
}

fn update<E: std::error::Error + 'static>(
    action: &PlannedChange,
    patience: WritePatience,
    edit: impl FnMut(Option<&str>) -> Result<SettingsChange, E>,
) -> Result<SettingsUpdate, Box<Diagnostic>> {
    settings::update(&action.path, confine(action), patience, edit).map_err(|error| settings_failure(&error))
}

/// Files of a project may not be reached through links that lead out of it. Copilot's lie at the git root above, and
/// may not leave that.
fn confine(action: &PlannedChange) -> Option<&Path> {
    let workspace = action.workspace.as_deref()?;
    workspace.ancestors().find(|directory| action.path.starts_with(directory))
}

/// The directory that a skill may not leave.
fn inside(action: &PlannedChange) -> &Path {
    action.workspace.as_deref().unwrap_or(&action.path)
}

fn record(action: &PlannedChange, written: WrittenContent) -> LedgerRecord {
    action.record(written, clock::now())
}

fn forget_entries(ledger: &mut Ledger, path: &Path, gone: &[WrittenEntry]) {
    let Some(mut known) = ledger.record(path).cloned() else { return };
    if let WrittenContent::Entries { entries, .. } = &mut known.written {
        entries.retain(|entry| !gone.contains(entry));
    }
    ledger.put(known);
}

fn settings_failure<E: std::error::Error + 'static>(error: &SettingsError<E>) -> Box<Diagnostic> {
    let help = match &error.kind {
        SettingsErrorKind::Busy => "nothing was written to it; run the command again after that program has finished",
        SettingsErrorKind::HardLink { .. } => {
            "nothing was written to it, because its other hard links would keep the old text; make it a symbolic link \
             or a separate file, and run the command again"
        }
        SettingsErrorKind::DanglingLink
        | SettingsErrorKind::LeavesProject
        | SettingsErrorKind::Edit(_)
        | SettingsErrorKind::File(_) => "nothing was written to it; fix the cause, and run the command again",
    };
    let found = Diagnostic::error(error.path.display().to_string(), format!("Skipped: {}", error.kind));
    Box::new(found.help(help))
}

fn install_failure(action: &PlannedChange, error: &SkillInstallError) -> Box<Diagnostic> {
    let reason = match error {
        SkillInstallError::LeavesProject(at) => format!("a link at `{}` leads outside the project", at.display()),
        SkillInstallError::Changed(_) => "it changed while Symposium worked; run the command again".to_owned(),
        SkillInstallError::File(error) if error.path == action.path => error.kind.to_string(),
        SkillInstallError::File(error) => error.to_string(),
    };
    let found = Diagnostic::error(action.path.display().to_string(), format!("Not written: {reason}"));
    Box::new(found.help("fix the cause, and run the command again"))
}
