//! Which plugins of dependencies somebody switched on; the others are candidates.

use crate::catalog::{Catalog, LoadedPlugin, PluginId};
use crate::config::{AutoEnable, CratePlace, SourceKind, SourceRank, Toggle};
use crate::crates::CrateName;

/// In place of a skill in a toggle: everything a crate itself brings.
pub const EVERYTHING: &str = "*";

/// What people said about plugins of dependencies.
#[derive(Debug, Clone, Copy)]
pub struct CandidatePolicy<'c> {
    /// What the user wants switched on without being asked.
    pub auto_enable: &'c AutoEnable,
    /// `[skills]` of the project.
    pub skills: &'c [Toggle],
}

/// How much of a plugin is switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnabledExtent {
    /// All of it: what it brings counts like that of any other plugin.
    Whole,
    /// Nothing, but for skills a toggle names one by one.
    OnlyNamed,
}

impl CandidatePolicy<'_> {
    pub const NONE: CandidatePolicy<'static> = CandidatePolicy { auto_enable: &AutoEnable::Off, skills: &[] };

    /// How much of a plugin is switched on. Only plugins of dependencies have to be.
    ///
    /// `sync` writes `crate = true` by itself when a skill of any other source matches through a crate. So that key is
    /// nobody's word on what the crate itself brings, and `"crate/*"` is.
    pub fn enabled(&self, catalog: &Catalog, id: PluginId) -> EnabledExtent {
        let Some((source, loaded)) = catalog.plugin(id) else { return EnabledExtent::Whole };
        let (SourceKind::Crate(place), SourceRank::Crate) = (&source.spec.kind, source.spec.rank) else {
            return EnabledExtent::Whole;
        };
        let enabled =
            place.brought_by.is_some() || self.is_automatic(place, loaded) || self.names(&place.name, EVERYTHING);
        if enabled { EnabledExtent::Whole } else { EnabledExtent::OnlyNamed }
    }

    /// Whether a toggle switches this one skill of a crate on.
    pub fn names(&self, krate: &CrateName, skill: &str) -> bool {
        self.skills.iter().any(|toggle| {
            let named = toggle.key.split_once('/').is_some_and(|(of, name)| name == skill && is_crate(of, krate));
            named && toggle.on
        })
    }

    fn is_automatic(&self, place: &CratePlace, loaded: &LoadedPlugin) -> bool {
        match self.auto_enable {
            AutoEnable::Off => false,
            AutoEnable::All => true,
            AutoEnable::Only(names) => {
                names.iter().any(|name| is_crate(name, &place.name) || *name == loaded.plugin.name)
            }
        }
    }
}

fn is_crate(written: &str, name: &CrateName) -> bool {
    CrateName::parse(written).as_ref() == Some(name)
}
