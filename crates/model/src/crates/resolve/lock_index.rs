//! An index of the packages in a Cargo.lock.

use std::collections::BTreeSet;

use crate::crates::cargo_lock::{LockedDependency, LockedPackage};
use crate::hook::hook_plan::hash;

pub(super) struct LockIndex<'a> {
    packages: &'a [LockedPackage<'a>],
    /// The hash of every name and its position in `packages`, ordered by hash and name, so that a file made to have
    /// many names of one hash is searched as fast as others.
    by_name: Vec<(u64, usize)>,
    /// For each value of the highest bits of a hash, its first position in `by_name`; then the length of `by_name`.
    begins: Vec<usize>,
    /// The number of bits of a hash below the highest.
    low_bits: u32,
}

impl<'a> LockIndex<'a> {
    pub(super) fn new(packages: &'a [LockedPackage<'a>]) -> Self {
        let mut by_name: Vec<(u64, usize)> =
            packages.iter().enumerate().map(|(at, package)| (hash(package.name.as_bytes()), at)).collect();
        let name = |at: usize| packages.get(at).map(|package| package.name.as_ref());
        by_name.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| (name(a.1), a.1).cmp(&(name(b.1), b.1))));
        // As many values as there are packages, or a few more.
        let high_bits = packages.len().next_power_of_two().ilog2().max(1);
        let low_bits = u64::BITS - high_bits;
        let mut begins = Vec::with_capacity((1 << high_bits) + 1);
        for (position, (hash, _)) in by_name.iter().enumerate() {
            while begins.len() as u64 <= hash >> low_bits {
                begins.push(position);
            }
        }
        begins.resize((1 << high_bits) + 1, by_name.len());
        Self { packages, by_name, begins, low_bits }
    }

    pub(super) fn len(&self) -> usize {
        self.packages.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<&'a LockedPackage<'a>> {
        self.packages.get(at)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &'a LockedPackage<'a>)> {
        self.packages.iter().enumerate()
    }

    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = (usize, &'a LockedPackage<'a>)> {
        let wanted = hash(name.as_bytes());
        let comes_before = |(hash, at): &(u64, usize)| {
            let own = || self.packages.get(*at).is_some_and(|package| *package.name < *name);
            *hash < wanted || (*hash == wanted && own())
        };
        let high = usize::try_from(wanted >> self.low_bits).unwrap_or(usize::MAX);
        let within = self.begins.get(high).zip(self.begins.get(high.saturating_add(1)));
        let within = within.and_then(|(begin, end)| self.by_name.get(*begin..*end)).unwrap_or_default();
        let start = within.partition_point(comes_before);
        within.iter().skip(start).map_while(move |(hash, at)| {
            let package = self.packages.get(*at)?;
            (*hash == wanted && package.name == name).then_some((*at, package))
        })
    }

    /// Returns the packages that one package needs; names without a package are added to `dangling`.
    pub(super) fn needs(&self, at: usize, dangling: &mut BTreeSet<String>) -> Vec<usize> {
        let mentions = self.packages.get(at).map(|package| package.dependencies.as_slice()).unwrap_or_default();
        let mut needs = Vec::with_capacity(mentions.len());
        for mention in mentions {
            match self.mentioned(mention) {
                Some(found) => needs.push(found),
                None => {
                    dangling.insert(mention.name.to_string());
                }
            }
        }
        needs
    }

    /// Finds the package a dependency refers to, or the one that replaces it.
    fn mentioned(&self, mention: &LockedDependency<'_>) -> Option<usize> {
        let (at, package) = self.find(mention)?;
        match package.replace.as_ref().and_then(|replace| self.find(replace)) {
            Some((replacement, _)) => Some(replacement),
            None => Some(at),
        }
    }

    fn find(&self, mention: &LockedDependency<'_>) -> Option<(usize, &'a LockedPackage<'a>)> {
        self.named(&mention.name).find(|(_, package)| {
            mention.which.as_ref().is_none_or(|which| {
                which.version == package.version
                    && which.source.as_deref().is_none_or(|source| same_source(source, package.source.as_deref()))
            })
        })
    }
}

/// Compares sources without the commit, which later formats leave out of a dependency.
fn same_source(mentioned: &str, own: Option<&str>) -> bool {
    let without_commit = |source: &str| source.split_once('#').map_or(source.len(), |(before, _)| before.len());
    own.is_some_and(|own| own.get(..without_commit(own)) == mentioned.get(..without_commit(mentioned)))
}
