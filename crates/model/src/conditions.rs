//! When a plugin or a part of it applies: crates, and predicates beyond crates.

use crate::crates::CrateAtom;
use crate::predicate::Predicate;

/// The conditions of one level: any of the crates, and all of the predicates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conditions {
    /// At least one must match; an empty list asks for nothing.
    pub crates: Vec<CrateAtom>,
    /// All must hold.
    pub predicates: Vec<Predicate>,
}

impl Conditions {
    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        self.crates.is_empty() && self.predicates.is_empty()
    }

    /// Every crate named, in `crates` or in a predicate.
    pub fn crate_atoms(&self) -> Vec<&CrateAtom> {
        let mut atoms: Vec<&CrateAtom> = self.crates.iter().collect();
        self.walk_predicates(|predicate| {
            if let Predicate::DependsOn(atom) = predicate {
                atoms.push(atom);
            }
        });
        atoms
    }

    /// Calls `visit` for every predicate, at every depth.
    pub fn walk_predicates<'c>(&'c self, mut visit: impl FnMut(&'c Predicate)) {
        self.predicates.iter().for_each(|predicate| predicate.walk(&mut visit));
    }
}
