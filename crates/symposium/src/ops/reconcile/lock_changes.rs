//! The lockfile and the vendored sources of a project, compared with the disk.

use symposium_io::fs;
use symposium_io::source::whole_source;
use symposium_model::catalog::{Catalog, LoadedSource};
use symposium_model::lockfile::vendor_directory;
use symposium_model::sync::diff::{ChangeBuilder, VendorOptions};
use symposium_model::sync::{ChangeSet, Ledger, Observed};

use super::compare::diff_options;
use super::observe::{add_place, observe_records};
use crate::ops::catalog::tree_of;
use crate::ops::context::Context;
use crate::ops::lockfile::LockDiff;
use crate::ops::lockfile_state::LockfileState;

/// Says whether sources are copied into a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum VendorMode {
    /// Copies that are there are kept up to date.
    #[default]
    Update,
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
    let options = VendorOptions {
        root,
        catalog,
        lock: &outlook.lock,
        locked: context.lock.lock(),
        prunes: !outlook.is_partial,
        load: &|source: &LoadedSource| whole_source(&*tree_of(source)?).ok(),
    };
    let is_vendored = vendoring == VendorMode::Wanted || fs::is_dir(&vendor_directory(root));
    let observed = if is_vendored { observe(&options, ledger) } else { Observed::default() };
    let mut builder = ChangeBuilder::new(ledger, &observed, diff_options(Some(root), &[]));
    match &context.lock {
        LockfileState::Sound { .. } | LockfileState::Broken if outlook.changes.is_empty() => {}
        LockfileState::Sound { text, .. } => builder.diff_lockfile(&options, Some(text.clone())),
        LockfileState::Absent | LockfileState::Broken => builder.diff_lockfile(&options, None),
    }
    if is_vendored {
        builder.diff_vendored(&options);
    }
    comparison.extend(builder.changes);
}

fn observe(options: &VendorOptions<'_>, ledger: &Ledger) -> Observed {
    let mut observed = observe_records(options.removable(ledger).into_iter());
    for vendored in options.sources() {
        add_place(&vendored.place, &mut observed);
    }
    let attributes = options.attributes_file();
    observed.existing.extend(fs::exists(&attributes).then_some(attributes));
    observed
}
