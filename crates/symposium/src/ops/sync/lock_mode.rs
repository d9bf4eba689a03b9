//! Rejects a run whose demands cannot be met: an unchanged lockfile, a skill to restore.

use std::ffi::OsStr;
use std::path::PathBuf;

use symposium_model::catalog::Catalog;
use symposium_model::config::SourceRank;
use symposium_model::lockfile::Lockfile;
use symposium_model::suggest::advice;
use symposium_model::sync::{DesiredSkill, DesiredState, InstallPolicy};

use crate::error::CliError;
use crate::ops::lockfile::LockDiff;
use crate::ops::lockfile_state::LockfileState;
use crate::ops::reconcile::{ChangeSet, ChangeStep};

/// Checks that the lockfile exists and is up to date, as `--locked` demands.
pub(super) fn check_locked(
    lock: &LockfileState,
    outlook: Option<&LockDiff>,
    catalog: &Catalog,
) -> Result<(), CliError> {
    let pins = lock.lock().map(Lockfile::sources).unwrap_or_default();
    let mut sources = catalog.sources.iter().filter(|source| source.spec.rank == SourceRank::Project);
    let unpinned = sources.find(|source| source.is_missing() && pins.iter().all(|pin| pin.name != source.spec.name));
    match (lock, outlook) {
        (LockfileState::Absent, _) => Err(CliError::failed("There is no lockfile, but `--locked` was passed")
            .hint("run `symposium sync --lock`, and commit `.symposium/symposium.lock`")),
        // What is wrong with it was shown.
        (LockfileState::Broken, _) => Err(CliError::failed("The lockfile is invalid, so nothing was changed")),
        (LockfileState::Sound { .. }, Some(outlook)) if !outlook.changes.is_empty() => {
            let error = CliError::failed("The lockfile needs to be updated, but `--locked` was passed:");
            let changes = outlook.changes.iter().map(ToString::to_string);
            Err(error.list(changes).hint("run `symposium sync` without `--locked`, and commit the changes"))
        }
        (LockfileState::Sound { .. }, _) => match unpinned {
            Some(source) => Err(CliError::failed(format!(
                "The lockfile does not contain source `{}`, which is not fetched yet, but `--locked` was passed",
                source.spec.name
            ))
            .hint("run `symposium sync` where the source can be fetched, and commit the lockfile")),
            None => Ok(()),
        },
    }
}

/// Returns those of the skills to restore that are unchanged. A name of no skill here is an error.
pub(super) fn check_restored(
    names: &[String],
    wanted: &DesiredState,
    comparison: &ChangeSet,
) -> Result<Vec<String>, CliError> {
    // What nothing asks for any more has no source to be put back from.
    let installs = comparison.actions.iter().filter(|action| matches!(action.step, ChangeStep::Install { .. }));
    let of_action = installs.map(|action| (&action.extension, &action.path));
    let of_record = comparison.settled.iter().map(|record| (&record.extension, &record.path));
    let named = |(extension, path): (&Option<String>, &PathBuf), name: &str| {
        extension.is_some() && (extension.as_deref() == Some(name) || path.file_name() == Some(OsStr::new(name)))
    };
    let mut unchanged = Vec::new();
    for name in names {
        let candidates: Vec<&str> = wanted.skills.iter().map(|skill| skill.name.as_str()).collect();
        let to_do = of_action.clone().any(|place| named(place, name));
        let settled = of_record.clone().any(|place| named(place, name));
        if !to_do && !settled && !candidates.contains(&name.as_str()) {
            let help = advice(name, &candidates, || "run `symposium status` to list extensions".to_owned());
            return Err(CliError::no(format!("Skill `{name}` is not installed in this workspace")).hint(help));
        }
        if settled && !to_do {
            let is_held =
                |skill: &DesiredSkill| skill.name.as_str() == name && skill.hold == InstallPolicy::AsInstalled;
            if wanted.skills.iter().any(is_held) {
                let message = format!(
                    "Cannot restore skill `{name}`: its source is unreadable, or the lockfile pins different content"
                );
                return Err(CliError::failed(message).hint("run `symposium status` for details"));
            }
            unchanged.push(name.clone());
        }
    }
    Ok(unchanged)
}
