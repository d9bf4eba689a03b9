//! Everything back to what it was: what is taken back, and that done.

mod own_files;

use std::path::{Path, PathBuf};

use symposium_agents::Scope;
use symposium_io::fs;
use symposium_model::sync::diff::ChangeBuilder;
use symposium_model::sync::{Ledger, LedgerRecord};

use super::context::Context;
use super::reconcile::committed_files::spare_tracked;
use super::reconcile::compare::diff_options;
use super::reconcile::observe::observe_records;
use super::reconcile::unrecorded_files::take_back_unrecorded;
use super::reconcile::{ChangeSet, SyncNotice, apply, ledger_store};
use super::{hook_plan, user_toggles};
use crate::ui::error::CliError;

/// How far taking back goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UninstallScope {
    /// What was written once for the user, and our own directories.
    pub(crate) user: bool,
    /// What was written for this workspace.
    pub(crate) project: bool,
    /// What was written for every other workspace too.
    pub(crate) all: bool,
}

impl UninstallScope {
    /// Whether a workspace is over: it was deleted, or nothing of ours stays in it.
    fn ends(self, workspace: &Path, context: &Context) -> bool {
        fs::is_gone(workspace) || (self.project && (self.all || Some(workspace) == context.root()))
    }

    fn takes_back(self, record: &LedgerRecord) -> bool {
        // A workspace that was deleted took what was in it along; what lies above it nobody wants any more.
        let deserted = record.workspace.is_some() && record.workspaces().all(fs::is_gone);
        let elsewhere = self.project && self.all && record.workspace.is_some();
        deserted || elsewhere || (self.user && record.workspace.is_none())
    }
}

pub(crate) struct UninstallReport {
    /// What was done, and what was left alone.
    pub(crate) comparison: ChangeSet,
    /// Other workspaces that are still set up.
    pub(crate) elsewhere: Vec<PathBuf>,
    /// What lies in our own directories and is the user's, and was not named otherwise.
    pub(crate) kept: Vec<PathBuf>,
}

/// What has to be done to take everything back.
pub(crate) fn outlook(context: &Context, ledger: &Ledger, reach: UninstallScope) -> ChangeSet {
    let is_over = |record: &&LedgerRecord| reach.takes_back(record) || (reach.project && record.is_for(context.root()));
    let observed = observe_records(ledger.records.iter().filter(is_over));
    let mut builder = ChangeBuilder::new(ledger, &observed, diff_options(context.root(), &[]));
    for record in ledger.records.iter().filter(is_over) {
        if reach.takes_back(record) {
            builder.revert(record);
        } else {
            builder.release(record);
        }
    }
    let mut comparison = builder.changes;
    let scopes = [(reach.user, Scope::Global), (reach.project, Scope::Project)];
    let scopes: Vec<Scope> = scopes.iter().filter(|(wanted, _)| *wanted).map(|(_, scope)| *scope).collect();
    take_back_unrecorded(context, ledger, &scopes, &mut comparison);
    spare_tracked(&mut comparison);
    comparison
}

pub(crate) fn carry_out(context: &Context, reach: UninstallScope) -> Result<UninstallReport, CliError> {
    let _held = ledger_store::lock(&context.directories)?;
    let mut ledger = ledger_store::read_to_write(context)?;
    let mut comparison = outlook(context, &ledger, reach);
    // What the user edited is the user's from now on, and what git tracks the team's.
    let edited: Vec<PathBuf> = comparison
        .notices
        .iter()
        .filter_map(|notice| match notice {
            SyncNotice::Drifted(path) | SyncNotice::Committed { path, .. } => Some(path.clone()),
            SyncNotice::Foreign { .. } | SyncNotice::Shared { .. } | SyncNotice::Unusable(_) => None,
        })
        .collect();
    comparison.gone.extend(edited.iter().cloned());
    forget(context, &mut ledger, reach);
    let failures = apply::apply(context, &mut comparison, &mut ledger)?;
    let elsewhere = ledger.workspaces().into_iter();
    let elsewhere = elsewhere.filter(|workspace| Some(*workspace) != context.root() && !fs::is_gone(workspace));
    let elsewhere = elsewhere.map(Path::to_owned).collect();
    // Our own directories go when nothing of the user's is in them, and no workspace needs the ledger any more.
    let mut kept = Vec::new();
    if reach.user && failures.is_empty() && ledger.records.is_empty() {
        kept = own_files::remove(&context.directories);
        kept.retain(|path| !edited.contains(path));
    }
    comparison.failed(failures);
    Ok(UninstallReport { comparison, elsewhere, kept })
}

/// Drops what is kept about workspaces besides what was written there.
fn forget(context: &Context, ledger: &mut Ledger, reach: UninstallScope) {
    let known = ledger.synchronised.iter().map(PathBuf::as_path).chain(ledger.workspaces()).chain(context.root());
    let over: Vec<PathBuf> = known.filter(|workspace| reach.ends(workspace, context)).map(Path::to_owned).collect();
    for workspace in &over {
        hook_plan::remove(context, workspace);
        user_toggles::remove(&context.directories, workspace);
    }
    ledger.synchronised.retain(|workspace| !over.contains(workspace));
}
