//! What it means that something was not found: it is gone, or whoever holds it was not heard.

use symposium_model::catalog::Catalog;
use symposium_model::crates::{CrateName, CrateSet};
use symposium_model::sync::Completeness;

use crate::app::context::Context;

/// What is known about things that were not found.
pub(crate) struct Absence<'a> {
    completeness: Completeness,
    catalog: &'a Catalog,
    crates: Option<&'a CrateSet>,
    /// Whether a source was never fetched, and nobody is told so: the public recommendations on a machine without them.
    is_unheard: bool,
}

impl<'a> Absence<'a> {
    /// Judges by what was read.
    pub(crate) fn of(context: &Context, catalog: &'a Catalog, crates: Option<&'a CrateSet>) -> Self {
        // A skill that was skipped is a fault too: it is still there, and so is what was chosen for it.
        let faulty = catalog.sources.iter().any(|source| !source.findings.faults.is_empty());
        let completeness = if context.is_partial() || faulty { Completeness::Partial } else { Completeness::Complete };
        let is_unheard =
            catalog.sources.iter().any(|source| source.is_missing() || !source.findings.awaited.is_empty());
        Self { completeness, catalog, crates, is_unheard }
    }

    /// Whether nothing can be said to be gone.
    pub(crate) fn is_unknown(&self) -> bool {
        self.completeness == Completeness::Partial
    }

    fn certain(&self, known: impl FnOnce() -> bool) -> bool {
        match self.completeness {
            Completeness::Partial => false,
            Completeness::Complete => !self.is_unheard || known(),
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

    /// Whether a skill is gone: a source that was read knows it and does not bring it here.
    pub(crate) fn skill_is_gone(&self, name: &str) -> bool {
        self.certain(|| self.catalog.skill_names().any(|known| known == name))
    }
}
