//! Two versions of a crate: what was removed, added, deprecated, or changed in its signature.

use std::collections::{BTreeMap, HashSet};

use crate::index::{ApiItem, CrateIndex, ItemKind};

/// One difference between two versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiChange {
    /// The path without the crate.
    pub path: String,
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
            None if is_whole_gone(item, &old, &new) => {}
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
        if old.find(item).is_none() && !is_whole_gone(item, &new, &old) {
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

fn compare_item(item: &ApiItem, now: &ApiItem) -> Option<ApiChange> {
    let (change, after) = match &now.deprecated {
        Some(note) if item.deprecated.is_none() => (ChangeKind::Deprecated, note.clone()),
        _ if now.signature != item.signature && now.kind != ItemKind::Module => {
            (ChangeKind::Changed, now.signature.clone())
        }
        _ => return None,
    };
    let before = Some(item.signature.clone());
    Some(ApiChange { path: item.path.clone(), kind: item.kind, change, before, after: Some(after) })
}

/// Says whether the type or module of an item is missing as a whole.
fn is_whole_gone(item: &ApiItem, here: &IndexPaths<'_>, there: &IndexPaths<'_>) -> bool {
    let parent = item.parent();
    !parent.is_empty() && here.paths.contains(parent) && !there.reaches(parent)
}

struct IndexPaths<'a> {
    items: BTreeMap<(&'a str, ItemKind), &'a ApiItem>,
    paths: HashSet<&'a str>,
    aliases: BTreeMap<&'a str, &'a str>,
}

impl<'a> IndexPaths<'a> {
    fn new(index: &'a CrateIndex) -> Self {
        let shown = || index.items.iter().filter(|item| is_compared(item));
        let aliases = index.aliases.iter().filter(|alias| !alias.is_hidden);
        Self {
            items: shown().map(|item| ((item.path.as_str(), item.kind), item)).collect(),
            paths: shown().map(|item| item.path.as_str()).collect(),
            aliases: aliases.map(|alias| (alias.alias.as_str(), alias.path.as_str())).collect(),
        }
    }

    /// Finds an item of the other version by its path, also through a re-export.
    fn find(&self, item: &ApiItem) -> Option<&'a ApiItem> {
        if let Some(found) = self.items.get(&(item.path.as_str(), item.kind)) {
            return Some(found);
        }
        let path = self.listed_path(&item.path)?;
        self.items.get(&(path.as_str(), item.kind)).copied()
    }

    fn reaches(&self, path: &str) -> bool {
        self.paths.contains(path) || self.listed_path(path).is_some_and(|path| self.paths.contains(path.as_str()))
    }

    /// Replaces the longest part of a path that is an alias.
    fn listed_path(&self, path: &str) -> Option<String> {
        let mut head = path;
        loop {
            if let Some(listed) = self.aliases.get(head) {
                return Some(format!("{listed}{}", path.get(head.len()..)?));
            }
            head = head.rsplit_once("::")?.0;
        }
    }
}

#[cfg(test)]
#[path = "changes_tests.rs"]
mod tests;
