//! Finding packages in a Cargo.lock by name and by mention.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use crate::crates::lock::{LockedDependency, LockedPackage};

/// The packages of a Cargo.lock, findable.
pub(super) struct LockIndex<'a> {
    packages: &'a [LockedPackage<'a>],
    /// Positions in `packages`, ordered by name.
    by_name: Vec<usize>,
    /// For each name, its part of `by_name`.
    ranges: HashMap<&'a str, Range<usize>>,
}

impl<'a> LockIndex<'a> {
    pub(super) fn new(packages: &'a [LockedPackage<'a>]) -> Self {
        let mut by_name: Vec<usize> = (0..packages.len()).collect();
        by_name.sort_by_key(|at| packages.get(*at).map(|package| &package.name));
        let mut ranges: HashMap<&'a str, Range<usize>> = HashMap::with_capacity(packages.len());
        for (position, package) in by_name.iter().filter_map(|at| packages.get(*at)).enumerate() {
            ranges.entry(&package.name).or_insert(position..position).end = position + 1;
        }
        Self { packages, by_name, ranges }
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

    /// Every package of that name.
    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = (usize, &'a LockedPackage<'a>)> {
        let positions = self.ranges.get(name).and_then(|range| self.by_name.get(range.clone())).unwrap_or_default();
        positions.iter().filter_map(|at| self.packages.get(*at).map(|package| (*at, package)))
    }

    /// The packages that one package needs; mentions without a package are added to `dangling`.
    pub(super) fn needs(&self, at: usize, dangling: &mut BTreeSet<String>) -> Vec<usize> {
        let mentions = self.packages.get(at).map(|package| package.dependencies.as_slice()).unwrap_or_default();
        let each = mentions.iter().filter_map(|mention| {
            let found = self.mentioned(mention);
            if found.is_none() {
                dangling.insert(mention.name.to_string());
            }
            found
        });
        each.collect()
    }

    /// The package a mention means, or the one that replaces it.
    fn mentioned(&self, mention: &LockedDependency<'_>) -> Option<usize> {
        let (at, package) = self.find(mention)?;
        match package.replace.as_ref().and_then(|replace| self.find(replace)) {
            Some((replacement, _)) => Some(replacement),
            None => Some(at),
        }
    }

    fn find(&self, mention: &LockedDependency<'_>) -> Option<(usize, &'a LockedPackage<'a>)> {
        self.named(&mention.name).find(|(_, package)| {
            mention.version.as_ref().is_none_or(|version| *version == package.version)
                && mention.source.as_deref().is_none_or(|source| same_source(source, package.source.as_deref()))
        })
    }
}

/// Later formats leave the commit out of a mention's source.
fn same_source(mentioned: &str, own: Option<&str>) -> bool {
    let without_commit = |source: &str| source.split_once('#').map_or(source.len(), |(before, _)| before.len());
    own.is_some_and(|own| own.get(..without_commit(own)) == mentioned.get(..without_commit(mentioned)))
}
