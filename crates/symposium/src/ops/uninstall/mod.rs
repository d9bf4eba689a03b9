//! Everything back to what it was: what is taken back, and that done.

mod own_files;

use std::path::{Path, PathBuf};

use symposium_agents::Scope;
use symposium_io::fs;
use symposium_model::config::AppDirectories;
use symposium_model::sync::diff::ChangeBuilder;
use symposium_model::sync::{Ledger, LedgerRecord};

use super::context::Context;
use super::reconcile::committed_files::spare_tracked;
use super::reconcile::compare::diff_options;
use super::reconcile::observe::observe_records;
use super::reconcile::unrecorded_files::revert_unrecorded;
use super::reconcile::{ChangeSet, SyncNotice, apply};
use super::{cargo_shim, hook_plan, ledger_store, user_toggles};
use crate::error::CliError;
use crate::run_report::RunReport;

#[derive(Debug, Clone, Copy)]
pub(crate) struct UninstallScope {
    /// The files that were written for the user, and Symposium's own directories.
    pub(crate) user: bool,
    pub(crate) project: bool,
    pub(crate) all: bool,
}

impl UninstallScope {
    /// Whether a workspace is over: it was deleted, or nothing of ours stays in it.
    fn ends(self, workspace: &Path, root: Option<&Path>) -> bool {
        fs::is_gone(workspace) || (self.project && (self.all || Some(workspace) == root))
    }

    fn reverts(self, record: &LedgerRecord) -> bool {
        // A deleted workspace took its files along, and files above it serve no other workspace.
        let deserted = record.workspace.is_some() && record.workspaces().all(fs::is_gone);
        let elsewhere = self.project && self.all && record.workspace.is_some();
        deserted || elsewhere || (self.user && record.workspace.is_none())
    }
}

pub(crate) struct UninstallReport {
    /// The changes that were made, and those that were not.
    pub(crate) comparison: ChangeSet,
    /// Other workspaces that are still set up.
    pub(crate) elsewhere: Vec<PathBuf>,
    /// Files of the user in Symposium's own directories that are not reported elsewhere.
    pub(crate) kept: Vec<PathBuf>,
    /// Symposium's own directories from which files were removed.
    pub(crate) own: Vec<PathBuf>,
}

/// Returns Symposium's own directories from which files would be removed.
pub(crate) fn own_outlook(context: &Context, ledger: &Ledger, reach: UninstallScope) -> Vec<PathBuf> {
    let is_over = |record: &LedgerRecord| reach.reverts(record) || (reach.project && record.is_for(context.root()));
    let is_last = reach.user && ledger.records.iter().all(is_over);
    if is_last { own_files::directories_with_content(&context.directories) } else { Vec::new() }
}

pub(crate) fn outlook(context: &Context, ledger: &Ledger, reach: UninstallScope, report: &mut RunReport) -> ChangeSet {
    let is_over = |record: &&LedgerRecord| reach.reverts(record) || (reach.project && record.is_for(context.root()));
    let observed = observe_records(ledger.records.iter().filter(is_over));
    let mut builder = ChangeBuilder::new(ledger, &observed, diff_options(context.root(), &[]));
    for record in ledger.records.iter().filter(is_over) {
        if reach.reverts(record) {
            builder.revert(record);
        } else {
            builder.release(record);
        }
    }
    let mut comparison = builder.changes;
    let scopes = [(reach.user, Scope::User), (reach.project, Scope::Project)];
    let scopes: Vec<Scope> = scopes.iter().filter(|(wanted, _)| *wanted).map(|(_, scope)| *scope).collect();
    revert_unrecorded(context, ledger, &scopes, &mut comparison, report);
    spare_tracked(&mut comparison);
    comparison
}

pub(crate) fn carry_out(
    context: &Context,
    reach: UninstallScope,
    report: &mut RunReport,
) -> Result<UninstallReport, CliError> {
    let mut own = own_files::directories_with_content(&context.directories);
    let _held = ledger_store::lock(&context.directories)?;
    let mut ledger = ledger_store::read_to_write(&context.directories, report)?;
    let mut comparison = outlook(context, &ledger, reach, report);
    // What the user edited is the user's from now on, and what git tracks the team's.
    let edited: Vec<PathBuf> = comparison
        .notices
        .iter()
        .filter_map(|notice| match notice {
            SyncNotice::Drifted(path) | SyncNotice::Committed { path, .. } => Some(path.clone()),
            SyncNotice::Foreign { .. }
            | SyncNotice::RemovedRules { .. }
            | SyncNotice::Shared { .. }
            | SyncNotice::Unusable(_) => None,
        })
        .collect();
    comparison.gone.extend(edited.iter().cloned());
    forget(&context.directories, context.root(), &mut ledger, reach);
    let failures = apply::apply(context, &mut comparison, &mut ledger)?;
    let elsewhere = ledger.workspaces().into_iter();
    let elsewhere = elsewhere.filter(|workspace| Some(*workspace) != context.root() && !fs::is_gone(workspace));
    let elsewhere = elsewhere.map(Path::to_owned).collect();
    // Nothing of the user's leads to it any more.
    if reach.user && failures.is_empty() {
        cargo_shim::remove(&context.directories);
    }
    // Our own directories go when nothing of the user's is in them, and no workspace needs the ledger any more.
    let mut kept = Vec::new();
    if reach.user && failures.is_empty() && ledger.records.is_empty() {
        kept = own_files::remove(&context.directories);
        kept.retain(|path| !edited.contains(path));
    } else {
        own.clear();
    }
    comparison.failed(failures);
    Ok(UninstallReport { comparison, elsewhere, kept, own })
}

/// Drops what is kept about workspaces besides what was written there.
fn forget(directories: &AppDirectories, root: Option<&Path>, ledger: &mut Ledger, reach: UninstallScope) {
    let known = ledger.synchronised.iter().map(PathBuf::as_path).chain(ledger.workspaces()).chain(root);
    let over: Vec<PathBuf> = known.filter(|workspace| reach.ends(workspace, root)).map(Path::to_owned).collect();
    for workspace in &over {
        hook_plan::remove(directories, workspace);
        user_toggles::remove(directories, workspace);
    }
    ledger.synchronised.retain(|workspace| !over.contains(workspace));
}
