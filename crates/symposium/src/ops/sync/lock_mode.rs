//! What somebody demanded of a run that cannot be had: a lock that must not change, a skill that is not there.

use std::ffi::OsStr;
use std::path::PathBuf;

use symposium_model::suggest::advice;
use symposium_model::sync::{DesiredSkill, DesiredState, InstallPolicy};

use crate::error::CliError;
use crate::ops::lockfile::LockDiff;
use crate::ops::lockfile_state::LockfileState;
use crate::ops::reconcile::{ChangeSet, ChangeStep};

/// Whether the lock is there and says what it should, as somebody demands who wants nothing written to it.
pub(super) fn check_exact(lock: &LockfileState, outlook: Option<&LockDiff>) -> Result<(), CliError> {
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
        (LockfileState::Sound { .. }, _) => Ok(()),
    }
}

/// Which of the skills to be restored need nothing. A name that means no skill here is a no.
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
