//! What it means that something was not found: it is gone, or whoever holds it was not heard.

use symposium_model::catalog::{Catalog, LoadedSource};
use symposium_model::config::SourceExtent;
use symposium_model::crates::{CrateName, CrateSet};
use symposium_model::sync::Completeness;

use crate::run_report::RunReport;

/// What is known about things that were not found.
pub(crate) struct PruneGuard<'a> {
    /// Whether the workspace and the configurations were read.
    completeness: Completeness,
    catalog: &'a Catalog,
    crates: Option<&'a CrateSet>,
}

impl<'a> PruneGuard<'a> {
    /// Judges by what was read.
    pub(crate) fn new(report: &RunReport, catalog: &'a Catalog, crates: Option<&'a CrateSet>) -> Self {
        let completeness = if report.is_unread() { Completeness::Partial } else { Completeness::Complete };
        Self { completeness, catalog, crates }
    }

    /// Whether nothing can be said to be gone.
    pub(crate) fn is_unknown(&self) -> bool {
        self.completeness == Completeness::Partial
    }

    /// Whether something is gone that any source might hold: all of them were heard, or what is `known` is enough.
    fn certain(&self, known: impl FnOnce() -> bool) -> bool {
        match self.completeness {
            Completeness::Partial => false,
            Completeness::Complete => {
                let mut counted =
                    self.catalog.sources.iter().filter(|source| source.spec.extent == SourceExtent::Whole);
                counted.all(is_heard) || known()
            }
        }
    }

    /// Whether no skill can match through a crate. One that is no dependency is gone for every source.
    pub(crate) fn crate_is_gone(&self, name: &str) -> bool {
        self.certain(|| {
            let wanted = CrateName::parse(name);
            !self.crates.is_some_and(|crates| crates.crates().iter().any(|found| Some(&found.name) == wanted.as_ref()))
        })
    }

    /// Whether a plugin is gone: a source that was read knows it and does not bring it here.
    pub(crate) fn plugin_is_gone(&self, name: &str) -> bool {
        self.certain(|| self.catalog.plugin_names().any(|known| known == name))
    }

    /// Whether a skill is gone: the source it came from was read and does not bring it here.
    pub(crate) fn skill_is_gone(&self, name: &str, source: Option<&str>) -> bool {
        let is_known = || self.catalog.skill_names().any(|known| known == name);
        match (self.completeness, source) {
            (Completeness::Partial, _) => false,
            (Completeness::Complete, None) => self.certain(is_known),
            (Completeness::Complete, Some(source)) => {
                match self.catalog.sources.iter().find(|known| known.spec.name == source) {
                    Some(source) => is_heard(source) || is_known(),
                    // It may have come along with another one.
                    None => self.certain(is_known),
                }
            }
        }
    }
}

/// Whether everything a source holds was read. A skill that was skipped is a fault too: it is still there, and so is what
/// was chosen for it. One that was never fetched may hold anything: the public recommendations on a machine without them.
pub(crate) fn is_heard(source: &LoadedSource) -> bool {
    !source.is_missing() && source.findings.faults.is_empty() && source.findings.awaited.is_empty()
}
