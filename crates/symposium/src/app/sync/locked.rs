//! The lock and the vendored sources of a project: what has to be written for them to be right.

use std::path::Path;

use symposium_io::fs;
use symposium_io::install::{Installed, observe};
use symposium_io::source::whole_source;
use symposium_model::catalog::{Catalog, Source};
use symposium_model::config::SourceKind;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::lock::Pin;
use symposium_model::sync::{Fingerprint, Ledger, SkillTree, Written};

use super::difference::take_back;
use super::known::{Owner, record};
use super::{Action, Comparison, Edits, Notice, Step};
use crate::app::catalog::tree_of;
use crate::app::context::Context;
use crate::app::lock_file::{LockState, lock_path, vendor_directory, vendored};
use crate::app::locking::Outlook;

/// Keeps whatever checks a project out from changing the ends of lines in vendored files.
const ATTRIBUTES: &str = "# Vendored sources are compared byte by byte with symposium.lock.\n* -text\n";

/// What a run does about vendored sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Vendoring {
    /// Where there are some, they are kept in step.
    #[default]
    InStep,
    /// They are made.
    Wanted,
}

/// Adds what has to be written.
pub(crate) fn compare(
    context: &Context,
    catalog: &Catalog,
    outlook: &Outlook,
    vendoring: Vendoring,
    ledger: &Ledger,
    comparison: &mut Comparison,
) {
    let Some(root) = context.root() else { return };
    if !outlook.changes.is_empty() || matches!(context.lock, LockState::Absent) {
        let expected = match &context.lock {
            LockState::Sound { text, .. } => Some(text.clone()),
            LockState::Absent | LockState::Broken => None,
        };
        let step = Step::Configure { text: outlook.lock.to_string(), expected };
        comparison.actions.push(action(lock_path(root), root, step));
    }
    if vendoring == Vendoring::Wanted || fs::is_dir(&vendor_directory(root)) {
        compare_vendored(context, root, catalog, (outlook, ledger), comparison);
    }
}

fn action(path: std::path::PathBuf, root: &Path, step: Step) -> Action {
    Action { path, agents: Vec::new(), extension: None, workspace: Some(root.to_owned()), step }
}

/// Whether a source is copied into the project. What lies in it already is not, nor what ships in the program; what is the
/// user's alone is in no lock.
fn is_vendored(source: &Source) -> bool {
    match &source.spec.kind {
        SourceKind::Git { .. } => true,
        SourceKind::Path(_) | SourceKind::UserPlugins(_) | SourceKind::Embedded | SourceKind::Crate(_) => false,
    }
}

fn compare_vendored(
    context: &Context,
    root: &Path,
    catalog: &Catalog,
    (outlook, ledger): (&Outlook, &Ledger),
    comparison: &mut Comparison,
) {
    let mut wanted = vec![vendor_directory(root).join(".gitattributes"), lock_path(root)];
    for source in catalog.sources.iter().filter(|source| is_vendored(source)) {
        let name = &source.spec.name;
        let tree = match outlook.lock.pin(name) {
            Some(Pin::Git { tree, .. } | Pin::Path { tree }) => tree,
            Some(Pin::Builtin { .. }) | None => continue,
        };
        let place = vendored(root, name);
        wanted.push(place.clone());
        vendor(context, source, tree, &place, ledger, comparison);
    }
    let attributes = vendor_directory(root).join(".gitattributes");
    if wanted.len() > 2 && !fs::exists(&attributes) {
        let step = Step::Write { text: ATTRIBUTES.to_owned(), expected: None };
        comparison.actions.push(action(attributes, root, step));
    }
    let vendored = ledger.records.iter().filter(|record| record.path.starts_with(vendor_directory(root)));
    for record in vendored.filter(|record| !wanted.contains(&record.path) && !context.is_partial()) {
        take_back(record, comparison);
    }
}

fn vendor(
    context: &Context,
    source: &Source,
    pinned: &Fingerprint,
    place: &Path,
    ledger: &Ledger,
    comparison: &mut Comparison,
) {
    let observed = match observe(place) {
        Ok(observed) => observed,
        Err(error) => {
            let found = Diagnostic::error(place.display().to_string(), error.kind.to_string());
            comparison.notices.push(Notice::Unusable(found.help("make it readable, or remove it")));
            return;
        }
    };
    let known = ledger.record(place);
    let tree = match &observed {
        Installed::Directory(found) => Some(found),
        Installed::Absent | Installed::Other => None,
    };
    let found = tree.map(SkillTree::fingerprint);
    if found.as_ref() == Some(pinned) {
        // One that came with the project is not ours to take away.
        if let Some(known) = known {
            let written = Written::skill(pinned.clone());
            let owner = Owner { path: place, agents: &[], extension: None, source: None, workspace: context.root() };
            comparison.settled.push(record(&owner, written, Some(known)));
        }
        return;
    }
    let locked_before = match context.lock.pin(&source.spec.name) {
        Some(Pin::Git { tree, .. } | Pin::Path { tree }) => Some(tree),
        Some(Pin::Builtin { .. }) | None => None,
    };
    let is_ours = known.zip(tree).is_some_and(|(known, found)| known.written.is_skill(found));
    let may_go = observed == Installed::Absent || is_ours || (found.is_some() && found.as_ref() == locked_before);
    if !may_go {
        comparison.notices.push(Notice::Drifted(place.to_owned()));
        return;
    }
    // What is not at hand as it is locked is not vendored; that it is missing was said.
    let whole = tree_of(source).and_then(|tree| whole_source(&*tree).ok());
    if let (Some(tree), Some(root)) = (whole.filter(|whole| whole.fingerprint() == *pinned), context.root()) {
        let step = Step::Install { tree, expected: observed, edits: Edits::None, source: None };
        comparison.actions.push(action(place.to_owned(), root, step));
    }
}
