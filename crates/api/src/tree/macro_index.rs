//! The macros of a crate by their names, wherever they are defined.

use std::collections::HashMap;

/// The most macros of one name that are kept.
const MOST_OF_NAME: usize = 32;
/// The most modules above a macro that are looked at.
const MOST_PARENTS: usize = 64;

/// Finds macros by their place in the tree.
#[derive(Debug, Default)]
pub(super) struct MacroIndex {
    names: HashMap<String, Vec<MacroPlace>>,
}

#[derive(Debug, Clone, Copy)]
struct MacroPlace {
    module: usize,
    number: usize,
}

impl MacroIndex {
    /// Adds a macro, in place of one that the module had before.
    pub(super) fn define(&mut self, name: &str, module: usize, number: usize) {
        let places = self.names.entry(name.to_owned()).or_default();
        places.retain(|place| place.module != module);
        if places.len() >= MOST_OF_NAME {
            places.remove(0);
        }
        places.push(MacroPlace { module, number });
    }

    /// Says whether a module has a macro.
    pub(super) fn has(&self, name: &str, module: usize) -> bool {
        self.names.get(name).is_some_and(|places| places.iter().any(|place| place.module == module))
    }

    /// Lists the macros of a name: those with the most modules above them that are also above the call go first, the last
    /// one before others. `above` are the modules of the call, from the inside.
    pub(super) fn list(&self, name: &str, above: &[usize], parent: impl Fn(usize) -> Option<usize>) -> Vec<usize> {
        let places = self.names.get(name).map(Vec::as_slice).unwrap_or_default();
        if let [place] = places {
            return vec![place.number];
        }
        let distance = |place: &MacroPlace| {
            let mut modules = std::iter::successors(Some(place.module), |module| parent(*module)).take(MOST_PARENTS);
            modules.find_map(|module| above.iter().position(|own| *own == module)).unwrap_or(usize::MAX)
        };
        let mut near: Vec<MacroPlace> = places.iter().rev().copied().collect();
        near.sort_by_cached_key(distance);
        near.into_iter().map(|place| place.number).collect()
    }
}
