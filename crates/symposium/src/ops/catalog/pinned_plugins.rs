//! Chooses the plugins of an index for this project: the pinned ones as far as they can apply, else those of the index.

use symposium_io::fs;
use symposium_io::source::PluginIndexRecord;
use symposium_model::authority::follows_lock;
use symposium_model::catalog::{CopyChoice, SourceCopy};
use symposium_model::config::{IndexAddress, SourceSpec};
use symposium_model::diagnostic::Diagnostic;
use symposium_model::lockfile::SourcePin;
use symposium_model::plugin_index::{PublishedPlugin, identify_plugins, keep_pinned, list_others};
use symposium_model::sync::ContentFingerprint;

use super::pinned_source::{ChosenCheckout, CopyChooser, choose_checkout, content_of, vendored_fault};
use crate::ops::lockfile_state::{PinPolicy, vendored};

/// Faults that are named; further ones are counted.
const MOST_FAULTS: usize = 3;

/// The plugins of an index that a lockfile pins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IndexPin<'p> {
    pub(crate) plugins: &'p [PublishedPlugin],
    tree: &'p ContentFingerprint,
}

impl<'c> CopyChooser<'c> {
    /// Returns the pin of an index; `None` if its address has changed since, or if the source is the user's own.
    pub(crate) fn index_pin(&self, spec: &SourceSpec, address: &IndexAddress) -> Option<IndexPin<'c>> {
        match self.lock.pin(&spec.name).filter(|_| follows_lock(spec.rank))? {
            SourcePin::Index { url, tree, plugins } if url == address.shown() => Some(IndexPin { plugins, tree }),
            SourcePin::Index { .. } | SourcePin::Git { .. } | SourcePin::Path { .. } | SourcePin::Builtin { .. } => {
                None
            }
        }
    }

    /// Chooses the plugins of an index.
    pub(crate) fn choose_plugins(&self, spec: &SourceSpec, address: &IndexAddress) -> ChosenCheckout {
        let Some(pin) = self.index_pin(spec, address) else { return self.unpinned(spec, address) };
        // Until the index was asked for more, the record names the pinned plugins.
        let is_released = self.fetched.pins == PinPolicy::Released;
        if is_released && self.indexes.record(address, self.root).is_some() {
            return self.unpinned(spec, address);
        }
        self.pinned(spec, address, pin)
    }

    fn unpinned(&self, spec: &SourceSpec, address: &IndexAddress) -> ChosenCheckout {
        let own = self.indexes.record(address, self.root);
        let is_known = own.is_some();
        // The plugins for any workspace hold in a workspace that the index was not asked about yet.
        let Some(record) = own.or_else(|| self.indexes.record(address, None)) else { return ChosenCheckout::default() };
        let fault = |text: &String| {
            let message = format!("A part of source `{}` is missing: {text}", spec.name);
            let help = format!("run `symposium plugin sync {}` to try again; installed files are kept", spec.name);
            Diagnostic::error(address.shown(), message).help(help)
        };
        let mut chosen = choose_checkout(self.indexes.copy(address, &record), CopyChoice::Current);
        chosen.faults.extend(record.faults.iter().take(MOST_FAULTS).map(fault));
        if record.faults.len() > MOST_FAULTS {
            chosen.faults.push(fault(&format!("{} more files or plugins", record.faults.len() - MOST_FAULTS)));
        }
        if !is_known && chosen.copy.is_some() {
            let message = format!("Source `{}` was not asked about the crates of this workspace yet", spec.name);
            chosen.awaited = Some(Diagnostic::warning(address.shown(), message).help("run `symposium sync`"));
        }
        chosen
    }

    /// Whether the pinned plugins are on this machine or in the project, or plugins are not taken as they are pinned.
    pub(crate) fn has_pinned(&self, spec: &SourceSpec, address: &IndexAddress) -> bool {
        let Some(pin) = self.index_pin(spec, address) else { return true };
        let wanted = wanted_plugins(pin, self.indexes.record(address, self.root).as_ref());
        let id = identify_plugins(&wanted);
        let is_whole = |copy: SourceCopy| {
            self.fetched.pins == PinPolicy::Released
                || copy.choice == CopyChoice::Vendored
                || copy.commit == id.as_str()
        };
        self.choose_plugins(spec, address).copy.is_some_and(is_whole)
    }

    fn pinned(&self, spec: &SourceSpec, address: &IndexAddress, pin: IndexPin<'_>) -> ChosenCheckout {
        let record = self.indexes.record(address, self.root);
        let wanted = wanted_plugins(pin, record.as_ref());
        let (id, locked) = (identify_plugins(&wanted), identify_plugins(pin.plugins));
        let mut faults = Vec::new();
        let found = self.indexes.copy_of(address, id.as_str());
        let place = self.root.map(|root| vendored(root, &spec.name)).filter(|path| fs::exists(path));
        if let Some(directory) = place.filter(|_| id == locked || found.is_none()) {
            match vendored_fault(&directory, pin.tree) {
                None => {
                    let commit = locked.as_str().to_owned();
                    let copy = SourceCopy { directory, commit, fetched: 0, choice: CopyChoice::Vendored };
                    return ChosenCheckout { copy: Some(copy), ..ChosenCheckout::default() };
                }
                Some(fault) => faults.push(fault),
            }
        }
        let name = &spec.name;
        let Some(copy) = found else {
            // A part of them may be among the plugins of the last fetch. Policies outlive plugins that are left out.
            let rest = record.as_ref().and_then(|record| self.indexes.copy(address, record));
            let found = rest.as_ref().and_then(|copy| self.indexes.plugins_of(address, &copy.commit));
            let left_out = list_others(&found.unwrap_or_default(), &wanted);
            let reason = match self.fetched.failure(name) {
                Some(error) => format!("could not be fetched: {error}"),
                None => "are not on this machine".to_owned(),
            };
            let message = format!("Source `{name}` is locked, but plugins of it {reason}; installed files are kept");
            let help = "run `symposium sync` with network access; `symposium sync --vendor` on a machine that has them \
                        avoids this for others";
            faults.push(Diagnostic::error(address.shown(), message).help(help));
            return ChosenCheckout { faults, left_out, ..choose_checkout(rest, CopyChoice::Pinned) };
        };
        if id == locked && content_of(&copy).as_ref() != Some(pin.tree) {
            let message = format!("Source `{name}`: the content of its plugins does not match the lockfile");
            let found = Diagnostic::error(address.shown(), message);
            faults.push(found.help("restore the lockfile from version control, or run `symposium sync --update`"));
            return ChosenCheckout { faults, ..ChosenCheckout::default() };
        }
        let is_latest = record.as_ref().is_some_and(|record| identify_plugins(&record.latest) == id);
        let choice = if is_latest { CopyChoice::Current } else { CopyChoice::Pinned };
        ChosenCheckout { faults, ..choose_checkout(Some(copy), choice) }
    }
}

/// Returns the plugins that the lockfile asks for. Crates that came or went since change the set, but not the content of
/// a plugin.
fn wanted_plugins(pin: IndexPin<'_>, record: Option<&PluginIndexRecord>) -> Vec<PublishedPlugin> {
    match record {
        Some(record) => keep_pinned(pin.plugins, record.latest.clone(), &record.crates),
        None => pin.plugins.to_vec(),
    }
}
