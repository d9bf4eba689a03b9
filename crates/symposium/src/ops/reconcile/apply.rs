//! Carries out actions, one after the other; a failure costs only itself.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use symposium_agents::spec;
use symposium_io::install::remove_empty;
use symposium_io::settings::WritePatience;
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

/// Carries out everything and keeps the ledger in step, on disk too. Returns what failed; those actions are dropped, so
/// that nobody reports them as done. An error means that nothing was done.
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
    carry_out_all(&mut comparison.actions, ledger, patience(context), &mut failures);
    // Deepest first, so that one that held only another goes too. What anybody put something into stays.
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

/// How long another program may keep us waiting.
fn patience(context: &Context) -> WritePatience {
    match context.options.audience {
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
    let skills = skill_directories(context);
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
