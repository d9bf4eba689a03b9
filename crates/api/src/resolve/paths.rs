//! Public paths: from the root downwards, level by level, so that the shortest is found first.

use std::collections::{BTreeMap, HashSet};

use super::scopes::{NameResolver, NameTarget};
use crate::cfg::FeatureGate;
use crate::index::ItemKind;
use crate::tree::NameReach;

/// Bounds modules inside modules that are followed.
const MOST_DEPTH: usize = 32;

/// A path that leads to something.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is true or not independently of the others")]
pub(super) struct PublicPath {
    pub(super) path: String,
    pub(super) gate: FeatureGate,
    pub(super) is_hidden: bool,
    /// Says that it is hidden itself, and not by what is above.
    pub(super) hides_itself: bool,
    is_import: bool,
    /// Says that the item is there, but features that are off keep it from being reached on this path.
    is_blocked: bool,
}

impl PublicPath {
    /// Orders paths by how good they are.
    fn rank(&self) -> (bool, bool, usize, bool, bool, usize, &str) {
        let segments = self.path.matches("::").count();
        let is_prelude = self.path.split("::").any(|part| part == "prelude");
        (self.is_hidden, self.is_blocked, segments, is_prelude, self.is_import, self.path.len(), &self.path)
    }
}

/// All paths of everything that is public, the best one first.
pub(super) type PublicPaths = BTreeMap<NameTarget, Vec<PublicPath>>;

/// Finds the public paths of a crate.
pub(super) fn find_public_paths(resolver: &mut NameResolver<'_>) -> PublicPaths {
    let mut paths = PublicPaths::new();
    let mut visited = HashSet::new();
    let root = PublicPath {
        path: String::new(),
        gate: FeatureGate::default(),
        is_hidden: false,
        hides_itself: false,
        is_import: false,
        is_blocked: false,
    };
    let mut hidden = vec![Vec::new(); MOST_DEPTH + 1];
    walk(resolver, vec![(NameTarget::Module(0), root)], &mut visited, &mut paths, Some(&mut hidden));
    // What is only reached through something hidden, for crates that re-export it.
    for level in hidden {
        walk(resolver, level, &mut visited, &mut paths, None);
    }
    for found in paths.values_mut() {
        found.sort_by(|one, other| one.rank().cmp(&other.rank()));
        found.dedup_by(|one, other| one.path == other.path);
    }
    paths
}

type PathLevel = Vec<(NameTarget, PublicPath)>;

/// Goes through modules. What is hidden is put aside, or followed if there is no place for it.
fn walk(
    resolver: &mut NameResolver<'_>,
    start: PathLevel,
    visited: &mut HashSet<NameTarget>,
    paths: &mut PublicPaths,
    mut aside: Option<&mut Vec<PathLevel>>,
) {
    let mut level = start;
    for depth in 0..MOST_DEPTH {
        level.sort_by(|one, other| one.1.rank().cmp(&other.1.rank()));
        let mut next = Vec::new();
        for (target, place) in level {
            let is_root = place.path.is_empty();
            paths.entry(target).or_default().push(place.clone());
            if !is_module(resolver, target) || !visited.insert(target) {
                continue;
            }
            for (name, child) in resolver.nameable_children(target) {
                if child.reach != NameReach::Public || !child.is_listed {
                    continue;
                }
                let hides_itself = child.is_hidden || is_hidden(resolver, child.target);
                let is_hidden = place.is_hidden || hides_itself;
                let path = if is_root { name } else { format!("{}::{name}", place.path) };
                let gate = place.gate.and(&child.gate);
                let is_blocked = !gate.is_on && resolver.is_target_on(child.target);
                let found = PublicPath { path, gate, is_hidden, hides_itself, is_import: child.is_import, is_blocked };
                match &mut aside {
                    Some(aside) if is_hidden => {
                        if let Some(level) = aside.get_mut(depth) {
                            level.push((child.target, found));
                        }
                    }
                    _ => next.push((child.target, found)),
                }
            }
        }
        level = next;
        if level.is_empty() {
            return;
        }
    }
}

/// Says whether children of a target are items of their own. A whole crate is one item.
fn is_module(resolver: &NameResolver<'_>, target: NameTarget) -> bool {
    match target {
        NameTarget::Module(_) => true,
        NameTarget::Foreign(..) => resolver.kind(target) == ItemKind::Module,
        NameTarget::Definition(_)
        | NameTarget::Member(..)
        | NameTarget::ForeignRoot(_)
        | NameTarget::Standard(_)
        | NameTarget::Off(_) => false,
    }
}

fn is_hidden(resolver: &NameResolver<'_>, target: NameTarget) -> bool {
    match target {
        NameTarget::Module(number) => resolver.tree.modules.get(number).is_some_and(|it| it.facts.is_hidden),
        NameTarget::Definition(number) => resolver.tree.definitions.get(number).is_some_and(|it| it.facts.is_hidden),
        // What is only below something hidden can be shown by a re-export, which then is the official path.
        NameTarget::Foreign(krate, item) => resolver.foreign_item(krate, item).is_some_and(|it| it.hides_itself),
        NameTarget::Member(..) | NameTarget::ForeignRoot(_) | NameTarget::Standard(_) | NameTarget::Off(_) => false,
    }
}
