//! Carries out actions, one after the other; a failure costs only itself.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use symposium_agents::spec;
use symposium_io::settings::WritePatience;
use symposium_io::skill_directory::remove_empty;
use symposium_io::{clock, fs, stale_temp};
use symposium_model::agent::AgentId;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::sync::Ledger;

use super::apply_change::carry_out;
use super::compare::EDITOR;
use super::{ChangeSet, ChangeStep, PlannedChange};
use crate::error::CliError;
use crate::ops::context::{CallAudience, Context};
use crate::ops::ledger_store;

/// Applies all changes and updates the ledger, also on disk. Returns the failures; failed changes are dropped, so that
/// they are not reported as done. An error means that nothing was changed.
pub(crate) fn apply(
    context: &Context,
    comparison: &mut ChangeSet,
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
    if !comparison.actions.iter().all(PlannedChange::takes_away) {
        intend(comparison, ledger);
        ledger_store::write(&context.directories, ledger).map_err(|found| CliError::because(*found))?;
    }
    carry_out_all(&mut comparison.actions, ledger, patience(context.options.audience), &mut failures);
    // Deepest first, so that a directory that contained only another one is removed too. A directory with content
    // stays.
    ledger.directories.sort_by_key(|directory| std::cmp::Reverse(directory.components().count()));
    let directories = std::mem::take(&mut ledger.directories);
    ledger.directories = remove_empty(directories);
    let stuck = ledger.directories.iter().filter(|directory| !fs::has_content(directory));
    failures.extend(stuck.map(|directory| {
        Diagnostic::error(directory.display().to_string(), "Failed to remove an empty directory")
            .help("make the directory above it writable, and run the command again")
    }));
    ledger.forget_events_without_records();
    // What was done has to be shown all the same.
    failures.extend(ledger_store::write(&context.directories, ledger).err().map(|found| *found));
    Ok(failures)
}

/// Returns how long to wait for other programs that write to the same file.
fn patience(audience: CallAudience) -> WritePatience {
    match audience {
        CallAudience::Background => WritePatience::Short,
        CallAudience::Person => WritePatience::Long,
    }
}

/// Carries out the actions and drops those that failed.
fn carry_out_all(
    actions: &mut Vec<PlannedChange>,
    ledger: &mut Ledger,
    patience: WritePatience,
    failures: &mut Vec<Diagnostic>,
) {
    let mut order: Vec<usize> = (0..actions.len()).collect();
    if actions.iter().all(PlannedChange::takes_away) {
        // On a full disk, restoring a file may need the space that the others free.
        let needs_space =
            |action: &PlannedChange| matches!(action.step, ChangeStep::Restore { .. } | ChangeStep::GiveBack { .. });
        order.sort_by_key(|index| actions.get(*index).is_some_and(needs_space));
    }
    let mut failed = Vec::new();
    for index in order {
        let Some(action) = actions.get(index) else { continue };
        tracing::info!(kind = action.kind(), path = %action.path.display(), "applying");
        if let Err(failure) = carry_out(action, ledger, patience) {
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
fn sweep_leftovers(context: &Context, comparison: &ChangeSet, ledger: &Ledger) -> Vec<Diagnostic> {
    let written = ledger.records.iter().map(|record| &record.path);
    let mut parents: Vec<&Path> =
        written.chain(comparison.actions.iter().map(|action| &action.path)).filter_map(|path| path.parent()).collect();
    parents.push(&context.directories.config);
    // A configuration the user wrote is in no record, and is edited all the same.
    let project = context.root().map(|root| root.join(".symposium")).filter(|directory| !fs::is_link(directory));
    parents.extend(project.as_deref());
    // The last skill that went may have left something, and then no record leads there.
    let skills = context.root().map(skill_directories).unwrap_or_default();
    parents.extend(skills.iter().map(PathBuf::as_path));
    parents.sort();
    parents.dedup();
    let kept = parents.into_iter().flat_map(stale_temp::sweep);
    kept.map(|path| {
        let message = "Another program wrote this file while a run of Symposium was killed, and has written its own \
                       file again since";
        let help = "compare it with the file whose name it ends in, then remove it";
        Diagnostic::warning(path.display().to_string(), message).help(help)
    })
    .collect()
}

/// Returns the skill directories of agents in this project, without those behind a link.
fn skill_directories(root: &Path) -> Vec<PathBuf> {
    let places: BTreeSet<&str> = AgentId::ALL.into_iter().map(|agent| spec(agent).skills.project).collect();
    let is_inside = |path: &PathBuf| path.ancestors().take_while(|part| *part != root).all(|part| !fs::is_link(part));
    places.into_iter().map(|place| root.join(place)).filter(is_inside).collect()
}

/// Records what is about to be written, and the directories that will be made for it: a run may be killed between
/// writing a file and recording it, and must still be taken back to the byte. What is recorded and was not written
/// after all does no harm; there is nothing to take back then.
fn intend(comparison: &ChangeSet, ledger: &mut Ledger) {
    for action in comparison.actions.iter().filter(|action| !action.takes_away()) {
        let known = ledger.record(&action.path).map(|record| &record.written);
        if let Some(written) = action.intended(known, || fs::exists(&action.path), &EDITOR) {
            ledger.put(action.record(written, clock::now()));
        }
        let parents = action.path.ancestors().skip(1).take_while(|parent| !fs::exists(parent));
        let mut missing: Vec<PathBuf> = parents.map(Path::to_owned).collect();
        missing.reverse();
        ledger.made(missing);
    }
}
