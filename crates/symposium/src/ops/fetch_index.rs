//! The part of an index that a workspace asks for.

use symposium_io::cargo::WorkspaceCrates;
use symposium_io::source::{ByteCount, FetchError, FetchLimits, FetchResult, IndexDemand};
use symposium_model::catalog::CopyChoice;
use symposium_model::config::{FetchHistory, FetchTrigger, IndexAddress, SourceSpec};
use symposium_model::plugin_index::AskedCrate;

use super::catalog::pinned_source::CopyChooser;
use crate::ops::lockfile_state::PinPolicy;

/// The reason for which indexes are asked, and the pins that count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FetchMode {
    pub(crate) trigger: FetchTrigger,
    pub(crate) pins: PinPolicy,
}

impl FetchMode {
    pub(crate) fn following(trigger: FetchTrigger) -> Self {
        Self { trigger, pins: PinPolicy::Kept }
    }
}

/// Lists the crates of the workspace, if an index is among the sources.
pub(super) fn asked_crates(specs: &[SourceSpec], read: impl FnOnce() -> Option<WorkspaceCrates>) -> Vec<AskedCrate> {
    if !specs.iter().any(|spec| spec.kind.index_address().is_some()) {
        return Vec::new();
    }
    let workspace = read();
    let crates = workspace.iter().flat_map(|workspace| workspace.crates.crates());
    let mut asked: Vec<AskedCrate> =
        crates.map(|locked| AskedCrate { name: locked.name.clone(), version: locked.version.clone() }).collect();
    asked.sort();
    asked.dedup();
    asked
}

pub(super) fn history(
    chooser: &CopyChooser<'_>,
    spec: &SourceSpec,
    address: &IndexAddress,
    crates: &[AskedCrate],
) -> FetchHistory {
    let known = chooser.indexes.history(address, chooser.root, crates);
    // Pinned plugins that are not here have to be fetched.
    if chooser.has_pinned(spec, address) { known } else { FetchHistory { fetched: None, ..known } }
}

/// Whether the pinned plugins are vendored in the project, so that the index need not be asked.
pub(super) fn is_vendored(chooser: &CopyChooser<'_>, spec: &SourceSpec, address: &IndexAddress) -> bool {
    let copy = chooser.index_pin(spec, address).and_then(|_| chooser.choose_plugins(spec, address).copy);
    copy.is_some_and(|copy| copy.choice == CopyChoice::Vendored)
}

/// One fetch of an index.
pub(super) struct IndexFetch<'f> {
    pub(super) chooser: &'f CopyChooser<'f>,
    pub(super) crates: &'f [AskedCrate],
    pub(super) mode: FetchMode,
}

impl IndexFetch<'_> {
    pub(super) fn run(
        &self,
        spec: &SourceSpec,
        address: &IndexAddress,
        limits: &FetchLimits,
        count: &ByteCount,
    ) -> Result<FetchResult, FetchError> {
        let pin = self.chooser.index_pin(spec, address).filter(|_| self.mode.pins == PinPolicy::Kept);
        let demand = IndexDemand {
            workspace: self.chooser.root,
            crates: self.crates,
            pinned: pin.map(|pin| pin.plugins),
            trigger: self.mode.trigger,
            auto_update: spec.kind.auto_update().unwrap_or(true),
        };
        self.chooser.indexes.fetch(address, &demand, limits, count)
    }
}
