//! Crates that this one uses, by the indexes that were made of them before.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use crate::index::{CrateIndex, ItemKind, MacroText};
use crate::macro_rules::{MacroRules, read_rules};
use crate::source::{CrateInput, PackageId};
use crate::syntax::print::CRATE_MARK;

/// Hands out indexes that were made before.
pub trait IndexLookup {
    fn find_index(&self, package: &PackageId) -> Option<&CrateIndex>;
}

impl IndexLookup for BTreeMap<PackageId, CrateIndex> {
    fn find_index(&self, package: &PackageId) -> Option<&CrateIndex> {
        self.get(package)
    }
}

impl IndexLookup for BTreeMap<PackageId, Arc<CrateIndex>> {
    fn find_index(&self, package: &PackageId) -> Option<&CrateIndex> {
        self.get(package).map(AsRef::as_ref)
    }
}

/// A crate that is used, under a number.
#[derive(Debug)]
pub(crate) struct ForeignCrate<'a> {
    pub(crate) package: PackageId,
    pub(crate) name: String,
    pub(crate) index: Option<&'a CrateIndex>,
}

/// Numbers the crates that are used.
pub(crate) struct ForeignCrates<'a> {
    lookup: &'a dyn IndexLookup,
    pub(crate) crates: Vec<ForeignCrate<'a>>,
    by_name: BTreeMap<String, PackageId>,
    rules: HashMap<(usize, String), Option<Rc<MacroRules>>>,
    /// Macros and traits, by the last part of their paths.
    names: HashMap<usize, HashSet<(ItemKind, &'a str)>>,
}

impl<'a> ForeignCrates<'a> {
    pub(crate) fn new(source: &CrateInput, lookup: &'a dyn IndexLookup) -> Self {
        Self {
            lookup,
            crates: Vec::new(),
            by_name: source.dependencies.clone(),
            rules: HashMap::new(),
            names: HashMap::new(),
        }
    }

    /// The number of a crate, by the name that code uses for it.
    pub(crate) fn find_name(&mut self, name: &str) -> Option<usize> {
        if let Some(number) = read_mark(name) {
            return self.crates.get(number).map(|_| number);
        }
        let package = self.by_name.get(name)?.clone();
        Some(self.number(&package, name))
    }

    /// Says whether code uses a name for another crate.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The number of a package, which it gets when it is asked for first.
    pub(crate) fn number(&mut self, package: &PackageId, name: &str) -> usize {
        if let Some(found) = self.crates.iter().position(|known| known.package == *package) {
            return found;
        }
        let index = self.lookup.find_index(package);
        let name = index.map_or_else(|| name.replace('-', "_"), |index| index.name.clone());
        self.crates.push(ForeignCrate { package: package.clone(), name, index });
        self.crates.len() - 1
    }

    pub(crate) fn index(&self, number: usize) -> Option<&'a CrateIndex> {
        self.crates.get(number).and_then(|known| known.index)
    }

    /// The name that stands for `$crate` in code that a macro of this crate makes.
    pub(crate) fn mark(&self, number: usize) -> String {
        let name = self.crates.get(number).map(|known| known.name.as_str()).unwrap_or_default();
        format!("{CRATE_MARK}{number}_{name}")
    }

    /// Says whether a crate has a macro or a trait, by the last part of its path.
    pub(crate) fn has_item(&mut self, number: usize, name: &str, kind: ItemKind) -> bool {
        let Some(index) = self.index(number) else { return false };
        let names = self.names.entry(number).or_insert_with(|| list_names(index));
        names.contains(&(kind, name))
    }

    /// The rules of a macro, and the number of the crate that `$crate` means in them.
    pub(crate) fn find_rules(&mut self, number: usize, name: &str) -> Option<(Rc<MacroRules>, usize)> {
        let index = self.index(number)?;
        let text: &MacroText = index.macros.iter().find(|text| text.name == name)?;
        let home = match text.origin.and_then(|origin| index.origins.get(usize::from(origin))) {
            Some(package) => self.number(package, &package.name),
            None => number,
        };
        let key = (number, name.to_owned());
        if !self.rules.contains_key(&key) {
            let rules = text.rules.parse().ok().and_then(read_rules).map(Rc::new);
            self.rules.insert(key.clone(), rules);
        }
        self.rules.get(&key)?.clone().map(|rules| (rules, home))
    }
}

fn list_names(index: &CrateIndex) -> HashSet<(ItemKind, &str)> {
    let last = |path: &'_ str| path.rfind("::").map_or(0, |at| at + 2);
    let is_listed = |kind| matches!(kind, ItemKind::Macro | ItemKind::Derive | ItemKind::Attribute | ItemKind::Trait);
    let mut kinds: HashMap<&str, Vec<ItemKind>> = HashMap::new();
    for item in index.items.iter().filter(|item| is_listed(item.kind)) {
        kinds.entry(&item.path).or_default().push(item.kind);
    }
    let own = kinds.iter().map(|(path, kinds)| (*path, kinds));
    let aliases =
        index.aliases.iter().filter_map(|alias| Some((alias.alias.as_str(), kinds.get(alias.path.as_str())?)));
    let named = own.chain(aliases);
    named
        .flat_map(|(path, kinds)| kinds.iter().map(move |kind| (*kind, path.get(last(path)..).unwrap_or(path))))
        .collect()
}

/// Reads the number of a name that stands for `$crate`.
pub(crate) fn read_mark(name: &str) -> Option<usize> {
    let (number, _) = name.strip_prefix(CRATE_MARK)?.split_once('_')?;
    number.parse().ok()
}
