//! The lock and the vendored sources of a project: what has to be written for them to be right.

use std::path::Path;

use symposium_io::fs;
use symposium_io::install::{InstalledState, observe};
use symposium_io::source::whole_source;
use symposium_model::catalog::{Catalog, LoadedSource};
use symposium_model::config::SourceKind;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::lockfile::SourcePin;
use symposium_model::sync::{Fingerprint, Ledger, SkillTree, WrittenContent};

use crate::ops::catalog::tree_of;
use crate::ops::context::Context;
use crate::ops::lockfile::LockDiff;
use crate::ops::lockfile_state::{LockfileState, lock_path, vendor_directory, vendored};
use crate::ops::reconcile::ChangeSet;
use crate::ops::reconcile::ChangeStep;
use crate::ops::reconcile::PlannedChange;
use crate::ops::reconcile::SyncNotice;
use crate::ops::reconcile::UserEdits;
use crate::ops::reconcile::diff::take_back;
use crate::ops::reconcile::recorded_state::{RecordOwner, record};

/// Keeps whatever checks a project out from changing the ends of lines in vendored files.
const ATTRIBUTES: &str = "# Vendored sources are compared byte by byte with symposium.lock.\n* -text\n";

/// What a run does about vendored sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum VendorMode {
    /// Where there are some, they are kept in step.
    #[default]
    InStep,
    Wanted,
}

/// Adds what has to be written.
pub(crate) fn compare(
    context: &Context,
    catalog: &Catalog,
    outlook: &LockDiff,
    vendoring: VendorMode,
    ledger: &Ledger,
    comparison: &mut ChangeSet,
) {
    let Some(root) = context.root() else { return };
    if !outlook.changes.is_empty() || matches!(context.lock, LockfileState::Absent) {
        let expected = match &context.lock {
            LockfileState::Sound { text, .. } => Some(text.clone()),
            LockfileState::Absent | LockfileState::Broken => None,
        };
        let step = ChangeStep::Configure { text: outlook.lock.to_string(), expected };
        comparison.actions.push(action(lock_path(root), root, step));
    }
    if vendoring == VendorMode::Wanted || fs::is_dir(&vendor_directory(root)) {
        compare_vendored(context, root, catalog, (outlook, ledger), comparison);
    }
}

fn action(path: std::path::PathBuf, root: &Path, step: ChangeStep) -> PlannedChange {
    PlannedChange { path, agents: Vec::new(), extension: None, workspace: Some(root.to_owned()), step }
}

/// Whether a source is copied into the project. What lies in it already is not, nor what ships in the program; what is the
/// user's alone is in no lock.
fn is_vendored(source: &LoadedSource) -> bool {
    match &source.spec.kind {
        SourceKind::Git { .. } => true,
        SourceKind::Path(_) | SourceKind::UserPlugins(_) | SourceKind::Embedded | SourceKind::Crate(_) => false,
    }
}

fn compare_vendored(
    context: &Context,
    root: &Path,
    catalog: &Catalog,
    (outlook, ledger): (&LockDiff, &Ledger),
    comparison: &mut ChangeSet,
) {
    let mut wanted = vec![vendor_directory(root).join(".gitattributes"), lock_path(root)];
    for source in catalog.sources.iter().filter(|source| is_vendored(source)) {
        let name = &source.spec.name;
        let tree = match outlook.lock.pin(name) {
            Some(SourcePin::Git { tree, .. } | SourcePin::Path { tree }) => tree,
            Some(SourcePin::Builtin { .. }) | None => continue,
        };
        let place = vendored(root, name);
        wanted.push(place.clone());
        vendor(context, source, tree, &place, ledger, comparison);
    }
    let attributes = vendor_directory(root).join(".gitattributes");
    if wanted.len() > 2 && !fs::exists(&attributes) {
        let step = ChangeStep::Write { text: ATTRIBUTES.to_owned(), expected: None };
        comparison.actions.push(action(attributes, root, step));
    }
    let vendored = ledger.records.iter().filter(|record| record.path.starts_with(vendor_directory(root)));
    for record in vendored.filter(|record| !wanted.contains(&record.path) && !outlook.is_partial) {
        take_back(record, comparison);
    }
}

fn vendor(
    context: &Context,
    source: &LoadedSource,
    pinned: &Fingerprint,
    place: &Path,
    ledger: &Ledger,
    comparison: &mut ChangeSet,
) {
    let observed = match observe(place) {
        Ok(observed) => observed,
        Err(error) => {
            let found = Diagnostic::error(place.display().to_string(), error.kind.to_string());
            comparison.notices.push(SyncNotice::Unusable(found.help("make it readable, or remove it")));
            return;
        }
    };
    let known = ledger.record(place);
    let tree = match &observed {
        InstalledState::Directory(found) => Some(found),
        InstalledState::Absent | InstalledState::Other => None,
    };
    let found = tree.map(SkillTree::fingerprint);
    if found.as_ref() == Some(pinned) {
        // One that came with the project is not ours to take away.
        if let Some(known) = known {
            let written = WrittenContent::skill(pinned.clone());
            let owner =
                RecordOwner { path: place, agents: &[], extension: None, source: None, workspace: context.root() };
            comparison.settled.push(record(&owner, written, Some(known)));
        }
        return;
    }
    let locked_before = match context.lock.pin(&source.spec.name) {
        Some(SourcePin::Git { tree, .. } | SourcePin::Path { tree }) => Some(tree),
        Some(SourcePin::Builtin { .. }) | None => None,
    };
    let is_ours = known.zip(tree).is_some_and(|(known, found)| known.written.is_skill(found));
    let may_go = observed == InstalledState::Absent || is_ours || (found.is_some() && found.as_ref() == locked_before);
    if !may_go {
        comparison.notices.push(SyncNotice::Drifted(place.to_owned()));
        return;
    }
    // What is not at hand as it is locked is not vendored; that it is missing was said.
    let whole = tree_of(source).and_then(|tree| whole_source(&*tree).ok());
    if let (Some(tree), Some(root)) = (whole.filter(|whole| whole.fingerprint() == *pinned), context.root()) {
        let step = ChangeStep::Install { tree, expected: observed, edits: UserEdits::None, source: None };
        comparison.actions.push(action(place.to_owned(), root, step));
    }
}
