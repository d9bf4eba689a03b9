//! Names that two globs bring and that mean different things: code cannot use them.

use std::collections::HashMap;

use super::scopes::{NameBinding, NameResolver, NameTarget};
use crate::index::NameSpace;
use crate::source::PackageId;
use crate::tree::NameReach;

/// Tells items apart that several paths lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ItemIdentity {
    Own(NameTarget),
    /// An item of another crate: the package that defines it, its file and line, and its name.
    Place(PackageId, String, u32, String),
    /// An item of the standard library, by the end of its path: `core::fmt` is `std::fmt`.
    Standard(String),
}

impl NameResolver<'_> {
    /// Everything that code outside of a module can name in it.
    pub(super) fn nameable_children(&mut self, target: NameTarget) -> Vec<(String, NameBinding)> {
        let mut children = self.children(target);
        let mut brought: HashMap<(&str, NameSpace), Option<ItemIdentity>> = HashMap::new();
        for (name, child) in &children {
            if !child.is_glob || child.reach != NameReach::Public || !self.is_on(child) {
                continue;
            }
            let identity = self.identify(child.target);
            let key = (name.as_str(), self.kind(child.target).namespace());
            brought
                .entry(key)
                .and_modify(|known| {
                    if known.as_ref() != Some(&identity) {
                        *known = None;
                    }
                })
                .or_insert(Some(identity));
        }
        let is_clear = |name: &str, child: &NameBinding| {
            !child.is_glob || brought.get(&(name, self.kind(child.target).namespace())) != Some(&None)
        };
        let kept: Vec<bool> = children.iter().map(|(name, child)| is_clear(name, child)).collect();
        let mut kept = kept.into_iter();
        children.retain(|_| kept.next().unwrap_or(true));
        children
    }

    fn identify(&self, target: NameTarget) -> ItemIdentity {
        let last = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
        match target {
            NameTarget::Foreign(krate, number) => {
                let (Some(index), Some(item)) = (self.foreign.index(krate), self.foreign_item(krate, number)) else {
                    return ItemIdentity::Own(target);
                };
                if item.file.is_empty() {
                    return ItemIdentity::Standard(last(&item.signature));
                }
                let origin = item.origin.and_then(|origin| index.origins.get(usize::from(origin)));
                let home = origin.unwrap_or(&index.package).clone();
                ItemIdentity::Place(home, item.file.clone(), item.line, item.name().to_owned())
            }
            NameTarget::Standard(number) => {
                ItemIdentity::Standard(self.standard.get(number).map(|path| last(path)).unwrap_or_default())
            }
            NameTarget::Module(_)
            | NameTarget::Definition(_)
            | NameTarget::Member(..)
            | NameTarget::ForeignRoot(_)
            | NameTarget::Off(_) => ItemIdentity::Own(target),
        }
    }
}
