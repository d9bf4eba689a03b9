//! The enabling of plugins in dependencies; those that are not enabled are candidates.

use crate::catalog::{Catalog, LoadedPlugin, PluginId};
use crate::config::{AutoEnable, CratePlace, SourceKind, SourceRank, Toggle};
use crate::crates::CrateName;

/// The name in a toggle `crate/*`: everything the crate itself contains.
pub const EVERYTHING: &str = "*";

/// The settings that enable plugins of dependencies.
#[derive(Debug, Clone, Copy)]
pub struct CandidatePolicy<'c> {
    pub auto_enable: &'c AutoEnable,
    pub skills: &'c [Toggle],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnabledExtent {
    Whole,
    /// Nothing but skills that have toggles of their own.
    OnlyNamed,
}

impl CandidatePolicy<'_> {
    pub const NONE: CandidatePolicy<'static> = CandidatePolicy { auto_enable: &AutoEnable::Off, skills: &[] };

    /// Returns the enabled part of a plugin; only plugins of dependencies need to be enabled.
    ///
    /// `sync` writes `crate = true` by itself when a skill of any other source matches through a crate. So that key
    /// does not enable the plugin of the crate, and `"crate/*"` does.
    pub fn enabled(&self, catalog: &Catalog, id: PluginId) -> EnabledExtent {
        let Some((source, loaded)) = catalog.plugin(id) else { return EnabledExtent::Whole };
        let (SourceKind::Crate(place), SourceRank::Crate) = (&source.spec.kind, source.spec.rank) else {
            return EnabledExtent::Whole;
        };
        let enabled =
            place.brought_by.is_some() || self.is_automatic(place, loaded) || self.names(&place.name, EVERYTHING);
        if enabled { EnabledExtent::Whole } else { EnabledExtent::OnlyNamed }
    }

    /// Tells whether a toggle enables this one skill of a crate.
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
