//! Conditions of plugins and their parts: crates, and predicates beyond crates.

use crate::crates::{CrateAtom, CrateName};
use crate::predicate::Predicate;
use crate::suggest::{is_same, nearest_of};

/// The conditions of one level: any of the crates, and all of the predicates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConditionSet {
    /// At least one must match, unless the list is empty.
    pub crates: Vec<CrateAtom>,
    pub predicates: Vec<Predicate>,
}

impl ConditionSet {
    pub fn is_empty(&self) -> bool {
        self.crates.is_empty() && self.predicates.is_empty()
    }

    pub fn crate_atoms(&self) -> Vec<&CrateAtom> {
        let mut atoms: Vec<&CrateAtom> = self.crates.iter().collect();
        self.walk_predicates(|predicate| {
            if let Predicate::DependsOn(atom) = predicate {
                atoms.push(atom);
            }
        });
        atoms
    }

    /// Returns the crates of which one has to be a dependency; `None` when the conditions may hold without any.
    pub fn needed_crates(&self) -> Option<Vec<&CrateName>> {
        let names: Option<Vec<&CrateName>> = self.crates.iter().map(CrateAtom::name).collect();
        names.filter(|names| !names.is_empty())
    }

    pub fn walk_predicates<'c>(&'c self, mut visit: impl FnMut(&'c Predicate)) {
        self.predicates.iter().for_each(|predicate| predicate.walk(&mut visit));
    }
}

/// Words that are similar to a condition's key and mean something else.
const OTHER_WORDS: [&str; 2] = ["created", "creator"];

/// Words that are written in place of a condition's key, although they are not similar to it.
const SYNONYMS: [(&str, &str); 6] = [
    ("depend", "depends-on"),
    ("depends", "depends-on"),
    ("where-crate", "crates"),
    ("where-crates", "crates"),
    ("for-crate", "crates"),
    ("for-crates", "crates"),
];

/// An unknown key that was meant to be a condition. Without it the entry would apply everywhere, so the entry is
/// invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MisspelledCondition {
    pub(crate) message: String,
    pub(crate) help: String,
}

impl MisspelledCondition {
    /// Finds the condition of `keys` that an unknown key was meant to be; `None` when that one is `present` too.
    pub(crate) fn find(word: &str, keys: &[&str], present: impl Fn(&str) -> bool) -> Option<Self> {
        let synonym = SYNONYMS.iter().find(|(said, _)| is_same(said, word)).map(|(_, meant)| *meant);
        let meant = synonym.or_else(|| nearest_of(word, keys.iter().copied().chain(OTHER_WORDS)));
        let meant = meant.filter(|meant| keys.contains(meant) && !present(meant))?;
        let word = word.escape_debug();
        Some(Self {
            message: format!("Unknown key `{word}` instead of the condition `{meant}`, so this entry is skipped"),
            help: format!("did you mean `{meant}`?"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_in_the_key_of_a_condition_is_recognised() {
        let keys = ["crates", "depends-on", "predicates", "where"];
        let find = |word: &str, present: &[&str]| {
            MisspelledCondition::find(word, &keys, |key| present.contains(&key)).map(|found| found.help)
        };
        for (word, meant) in [
            ("crate", "crates"),
            ("Crates", "crates"),
            ("cartes", "crates"),
            ("depend-on", "depends-on"),
            ("DependsOn", "depends-on"),
            ("predicate", "predicates"),
            ("wher", "where"),
            ("depends", "depends-on"),
            ("Depend", "depends-on"),
            ("where_crates", "crates"),
            ("for-crates", "crates"),
        ] {
            assert_eq!(find(word, &[]), Some(format!("did you mean `{meant}`?")), "{word}");
            assert_eq!(find(word, &[meant]), None, "{word}");
        }
        for word in ["created", "create", "creator", "version", "name", "matcher", "order", "headers", ""] {
            assert_eq!(find(word, &[]), None, "{word}");
        }
    }

    #[test]
    fn only_a_list_of_named_crates_needs_one_of_them() {
        let of = |atoms: &[&str], predicates: &[&str]| ConditionSet {
            crates: atoms.iter().map(|atom| CrateAtom::parse(atom).unwrap()).collect(),
            predicates: predicates.iter().map(|text| Predicate::parse(text).unwrap()).collect(),
        };
        let needed = |conditions: &ConditionSet| -> Option<Vec<String>> {
            Some(conditions.needed_crates()?.into_iter().map(ToString::to_string).collect())
        };
        for (atoms, predicates, expected) in [
            (&["serde>=1", "serde_json"][..], &[][..], Some(&["serde", "serde_json"][..])),
            (&["serde"], &["path_exists(x)"], Some(&["serde"])),
            (&["serde", "*"], &[], None),
            (&[], &["depends-on(serde)"], None),
            (&[], &[], None),
        ] {
            let expected = expected.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
            assert_eq!(needed(&of(atoms, predicates)), expected, "{atoms:?} {predicates:?}");
        }
    }
}
