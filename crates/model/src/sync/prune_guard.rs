//! Whether something that was not found is gone, or may be in a source that was not read.

use crate::catalog::{Catalog, LoadedSource};
use crate::config::SourceExtent;
use crate::crates::{CrateName, CrateSet, DependencyScope};

/// Keeps what was not found from being removed while it may still be there.
pub struct PruneGuard<'a> {
    /// Whether the workspace or a configuration was not read: then nothing is gone.
    pub(super) is_unread: bool,
    catalog: &'a Catalog,
    crates: Option<&'a CrateSet>,
    /// The dependencies that skills match through.
    scope: DependencyScope,
}

impl<'a> PruneGuard<'a> {
    pub fn new(is_unread: bool, catalog: &'a Catalog, crates: Option<&'a CrateSet>) -> Self {
        Self { is_unread, catalog, crates, scope: DependencyScope::Transitive }
    }

    /// Makes only the dependencies in a scope count.
    #[must_use]
    pub fn in_scope(self, scope: DependencyScope) -> Self {
        Self { scope, ..self }
    }

    /// Whether something is gone that any source might hold: all of them were read, or what is `known` is enough.
    fn is_certain(&self, known: impl FnOnce() -> bool) -> bool {
        let mut counted = self.catalog.sources.iter().filter(|source| source.spec.extent == SourceExtent::Whole);
        !self.is_unread && (counted.all(is_heard) || known())
    }

    /// Whether no skill can match through a crate. One that is no dependency is gone for every source.
    pub fn crate_is_gone(&self, name: &str) -> bool {
        self.is_certain(|| {
            let (Some(wanted), Some(crates)) = (CrateName::parse(name), self.crates) else { return true };
            crates.versions(&wanted, self.scope).next().is_none()
        })
    }

    /// Whether a plugin is gone: a source that was read knows it and does not bring it here.
    pub fn plugin_is_gone(&self, name: &str) -> bool {
        self.is_certain(|| self.catalog.plugin_names().any(|known| known == name))
    }

    /// Whether a skill is gone: the source it came from was read and does not bring it here.
    pub fn skill_is_gone(&self, name: &str, source: Option<&str>) -> bool {
        let is_known = || self.catalog.skill_names().any(|known| known == name);
        match self.catalog.sources.iter().find(|known| Some(known.spec.name.as_str()) == source) {
            Some(source) => !self.is_unread && (is_heard(source) || is_known()),
            // It may have come along with another one.
            None => self.is_certain(is_known),
        }
    }
}

/// Whether everything a source holds was read. A skill that was skipped is a fault too: it is still there, and so is what
/// was chosen for it. One that was never fetched may hold anything: the public recommendations on a machine without them.
fn is_heard(source: &LoadedSource) -> bool {
    !source.is_missing() && source.findings.faults.is_empty() && source.findings.awaited.is_empty()
}

#[cfg(test)]
#[path = "prune_guard_tests.rs"]
mod tests;
