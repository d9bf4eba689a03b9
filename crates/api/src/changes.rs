//! Two versions of a crate: what was removed, added, deprecated, or changed in its signature.

use std::collections::{BTreeMap, BTreeSet};

use crate::index::{ApiItem, CrateIndex, ItemKind, NameSpace, PathAlias};

/// Bounds the aliases that one path is followed through.
const MOST_ALIASES: usize = 16;

/// One difference between two versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiChange {
    /// The path without the crate.
    pub path: String,
    /// Tells what it is now, or was if it was removed.
    pub kind: ItemKind,
    pub change: ChangeKind,
    /// The signature before; nothing for what was added.
    pub before: Option<String>,
    /// The signature now, or the note of a deprecation; nothing for what was removed.
    pub after: Option<String>,
}

/// Says what happened to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    Removed,
    Deprecated,
    Changed,
    Added,
}

impl ChangeKind {
    /// The word for it in the output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Removed => "removed",
            Self::Deprecated => "deprecated",
            Self::Changed => "changed",
            Self::Added => "added",
        }
    }
}

/// Compares two versions, removals first. Members of what was removed or added as a whole are not named, nor is what
/// moved but can still be reached under its old path.
pub fn compare_indexes(before: &CrateIndex, after: &CrateIndex) -> Vec<ApiChange> {
    let (old, new) = (IndexPaths::new(before), IndexPaths::new(after));
    let mut changes = Vec::new();
    for item in before.items.iter().filter(|item| is_compared(item)) {
        match new.find(item) {
            Some(now) => changes.extend(compare_item(item, now)),
            None if new.off_names.contains(item.path.as_str()) || has_no_list(item, &old, &new) => {}
            None => changes.push(ApiChange {
                path: item.path.clone(),
                kind: item.kind,
                change: ChangeKind::Removed,
                before: Some(item.signature.clone()),
                after: None,
            }),
        }
    }
    for item in after.items.iter().filter(|item| is_compared(item)) {
        let is_known = old.find(item).is_some_and(|before| !before.is_hidden);
        if !is_known && !old.off_names.contains(item.path.as_str()) && !has_no_list(item, &new, &old) {
            changes.push(ApiChange {
                path: item.path.clone(),
                kind: item.kind,
                change: ChangeKind::Added,
                before: None,
                after: Some(item.signature.clone()),
            });
        }
    }
    changes.sort_by(|one, other| (one.change, &one.path, one.kind).cmp(&(other.change, &other.path, other.kind)));
    changes
}

/// Items that are off count: which features are on may differ between the two.
fn is_compared(item: &ApiItem) -> bool {
    !item.is_hidden && !item.path.is_empty()
}

/// Compares an item with what has its path now. What is hidden now can still be used.
fn compare_item(item: &ApiItem, now: FoundItem<'_>) -> Option<ApiChange> {
    let FoundItem { item: now, is_hidden } = now;
    let is_module = now.kind == ItemKind::Module && item.kind == ItemKind::Module;
    let (change, after) = match &now.deprecated {
        Some(note) if item.deprecated.is_none() => (ChangeKind::Deprecated, note.clone()),
        _ if now.signature != item.signature && !is_module && !is_hidden => {
            (ChangeKind::Changed, now.signature.clone())
        }
        _ => return None,
    };
    let before = Some(item.signature.clone());
    Some(ApiChange { path: item.path.clone(), kind: now.kind, change, before, after: Some(after) })
}

/// Says whether the other version has no list that the item could be in: its type or module is missing as a whole, or is
/// an alias of a type, whose members are not listed.
fn has_no_list(item: &ApiItem, here: &IndexPaths<'_>, there: &IndexPaths<'_>) -> bool {
    let parent = item.parent();
    if parent.is_empty() || !here.items.contains_key(parent) {
        return false;
    }
    let mut parents = there.reach(parent);
    parents.retain(|found| found.item.kind.namespace() == NameSpace::Types);
    parents.iter().all(|found| found.item.kind == ItemKind::Type)
}

/// Says whether two items of one path cannot exist beside each other, so that one replaces the other.
fn replaces(one: ItemKind, other: ItemKind) -> bool {
    let is_field = |kind| kind == ItemKind::Field;
    let is_called = |kind| kind == ItemKind::Macro;
    one.namespace() == other.namespace() && is_field(one) == is_field(other) && is_called(one) == is_called(other)
}

/// An item that a path leads to.
#[derive(Clone, Copy)]
struct FoundItem<'a> {
    item: &'a ApiItem,
    /// Says that it, or the re-export that leads to it, is hidden.
    is_hidden: bool,
}

struct IndexPaths<'a> {
    items: BTreeMap<&'a str, Vec<&'a ApiItem>>,
    aliases: BTreeMap<&'a str, Vec<&'a PathAlias>>,
    off_names: BTreeSet<&'a str>,
}

impl<'a> IndexPaths<'a> {
    fn new(index: &'a CrateIndex) -> Self {
        let off_names = index.off_names.iter().map(|name| name.path.as_str()).collect();
        let mut paths = Self { items: BTreeMap::new(), aliases: BTreeMap::new(), off_names };
        for item in index.items.iter().filter(|item| !item.path.is_empty()) {
            paths.items.entry(&item.path).or_default().push(item);
        }
        for alias in &index.aliases {
            paths.aliases.entry(&alias.alias).or_default().push(alias);
        }
        paths
    }

    /// Finds an item of the other version by its path, also through a re-export: best one that is shown, of its kind.
    fn find(&self, item: &ApiItem) -> Option<FoundItem<'a>> {
        let mut found = self.reach(&item.path);
        found.retain(|found| replaces(found.item.kind, item.kind));
        found.into_iter().min_by_key(|found| (found.item.kind != item.kind, found.is_hidden))
    }

    /// Finds everything that has a path.
    fn reach(&self, path: &str) -> Vec<FoundItem<'a>> {
        let mut found = Vec::new();
        let mut left = vec![(path.to_owned(), false)];
        let mut steps = 0;
        while let Some((path, is_hidden)) = left.pop() {
            let listed = self.items.get(path.as_str()).into_iter().flatten();
            found.extend(listed.map(|item| FoundItem { item, is_hidden: is_hidden || item.is_hidden }));
            steps += 1;
            if steps <= MOST_ALIASES {
                left.extend(self.listed_paths(&path).into_iter().map(|(path, hides)| (path, hides || is_hidden)));
            }
        }
        found
    }

    /// Replaces the longest part of a path that is an alias, and says whether that is hidden.
    fn listed_paths(&self, path: &str) -> Vec<(String, bool)> {
        let mut head = path;
        loop {
            if let Some(aliases) = self.aliases.get(head) {
                let rest = path.get(head.len()..).unwrap_or_default();
                return aliases.iter().map(|alias| (format!("{}{rest}", alias.path), alias.is_hidden)).collect();
            }
            let Some((parent, _)) = head.rsplit_once("::") else { return Vec::new() };
            head = parent;
        }
    }
}

#[cfg(test)]
#[path = "changes_tests.rs"]
mod tests;
