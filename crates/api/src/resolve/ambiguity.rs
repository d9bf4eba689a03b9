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
    /// An item of the standard library, by its path.
    Standard(String),
}

impl ItemIdentity {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Standard(one), Self::Standard(other)) => is_same_path(one, other),
            _ => self == other,
        }
    }
}

/// Says whether two paths of the standard library mean the same. Its sources are not read: `core::fmt` is `std::fmt`, a
/// module re-exports what is below it, and so do `prelude`, and `os` with `ffi`.
fn is_same_path(one: &str, other: &str) -> bool {
    let split = |path: &str| -> Vec<String> { path.split("::").skip(1).map(str::to_owned).collect() };
    let (one, other) = (split(one), split(other));
    let (Some((one_name, one_parents)), Some((other_name, other_parents))) = (one.split_last(), other.split_last())
    else {
        return one.is_empty() && other.is_empty();
    };
    let is_in =
        |parents: &[String], names: &[&str]| parents.first().is_some_and(|first| names.contains(&first.as_str()));
    one_name == other_name
        && (one_parents.starts_with(other_parents)
            || other_parents.starts_with(one_parents)
            || is_in(one_parents, &["prelude"])
            || is_in(other_parents, &["prelude"])
            || is_in(one_parents, &["os", "ffi"]) && is_in(other_parents, &["os", "ffi"]))
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
                    if !known.as_ref().is_some_and(|known| known.is_same(&identity)) {
                        *known = None;
                    }
                })
                .or_insert_with(|| Some(identity.clone()));
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
        match target {
            NameTarget::Foreign(krate, number) => {
                let (Some(index), Some(item)) = (self.foreign.index(krate), self.foreign_item(krate, number)) else {
                    return ItemIdentity::Own(target);
                };
                if item.file.is_empty() {
                    return ItemIdentity::Standard(item.signature.trim_start_matches("pub use ").to_owned());
                }
                let origin = item.origin.and_then(|origin| index.origins.get(usize::from(origin)));
                let home = origin.unwrap_or(&index.package).clone();
                ItemIdentity::Place(home, item.file.clone(), item.line, item.name().to_owned())
            }
            NameTarget::Standard(number) => {
                ItemIdentity::Standard(self.standard.get(number).cloned().unwrap_or_default())
            }
            NameTarget::Module(_)
            | NameTarget::Definition(_)
            | NameTarget::Member(..)
            | NameTarget::ForeignRoot(_)
            | NameTarget::Off(_) => ItemIdentity::Own(target),
        }
    }
}
