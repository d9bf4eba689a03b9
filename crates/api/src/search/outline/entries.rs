//! The items of an outline, and how much is shown of each.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::line_text::first_sentence;
use crate::index::{ApiItem, CrateIndex, ItemKind};

/// Says how much is shown of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OutlineDetail {
    Nothing,
    Name,
    Signature,
    /// The signature, and the first sentence of the documentation.
    Sentence,
    /// The names of methods, fields and variants too.
    Members,
}

/// An item with as much of it as is shown.
pub(super) struct OutlineEntry<'a> {
    pub(super) item: &'a ApiItem,
    pub(super) members: Vec<&'a str>,
    pub(super) detail: OutlineDetail,
    /// Says that it is a module whose items are listed too.
    pub(super) is_group: bool,
}

/// A module with its items, the most useful first.
pub(super) struct OutlineModule<'a> {
    pub(super) path: &'a str,
    pub(super) depth: usize,
    pub(super) item: Option<&'a ApiItem>,
    /// The first sentence of its documentation; the root has none.
    pub(super) sentence: String,
    pub(super) has_sentence: bool,
    pub(super) entries: Vec<OutlineEntry<'a>>,
}

/// Collects the items of every module, the modules near the root first.
pub(super) fn collect_modules(index: &CrateIndex) -> Vec<OutlineModule<'_>> {
    let listed = index.items.iter().filter(|item| !item.is_hidden && !item.path.is_empty());
    let shown: Vec<&ApiItem> = listed.chain(&index.off_names).collect();
    let modules: HashMap<&str, &ApiItem> =
        shown.iter().filter(|item| item.kind == ItemKind::Module).map(|item| (item.path.as_str(), *item)).collect();
    let mut members: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut groups: BTreeMap<(usize, &str), Vec<&ApiItem>> = BTreeMap::new();
    for item in &shown {
        let parent = item.parent();
        if parent.is_empty() || modules.contains_key(parent) {
            groups.entry((count_depth(parent), parent)).or_default().push(item);
        } else {
            members.entry(parent).or_default().push(item.name());
        }
    }
    let is_group = |item: &ApiItem| {
        item.kind == ItemKind::Module && groups.contains_key(&(count_depth(&item.path), item.path.as_str()))
    };
    let mut outlined = Vec::with_capacity(groups.len());
    for ((depth, path), items) in &groups {
        let entries = items.iter().map(|item| {
            let members = members.get(item.path.as_str()).cloned().unwrap_or_default();
            OutlineEntry { item, members, detail: OutlineDetail::Nothing, is_group: is_group(item) }
        });
        let mut entries: Vec<OutlineEntry<'_>> = entries.collect();
        entries.sort_by_key(rank_entry);
        let item = modules.get(path).copied();
        let sentence = item.map(first_sentence).unwrap_or_default();
        outlined.push(OutlineModule { path, depth: *depth, item, sentence, has_sentence: false, entries });
    }
    outlined
}

/// Counts the modules that a module is in.
fn count_depth(path: &str) -> usize {
    if path.is_empty() { 0 } else { path.matches("::").count() + 1 }
}

/// Orders items by how likely they are wanted: what is on, what is called, and what has many methods.
fn rank_entry<'a>(entry: &OutlineEntry<'a>) -> (bool, bool, u8, Reverse<usize>, &'a str) {
    let item = entry.item;
    let kind = match item.kind {
        ItemKind::Macro | ItemKind::Derive | ItemKind::Attribute => 0,
        ItemKind::Function | ItemKind::Method => 1,
        ItemKind::Trait => 2,
        ItemKind::Struct | ItemKind::Enum | ItemKind::Union => 3,
        ItemKind::Module => 4,
        ItemKind::Type => 5,
        ItemKind::Const | ItemKind::Static | ItemKind::Variant | ItemKind::Field => 6,
    };
    (item.is_off, item.deprecated.is_some(), kind, Reverse(entry.members.len()), item.name())
}

impl OutlineModule<'_> {
    /// Says whether it has lines of its own.
    pub(super) fn is_shown(&self) -> bool {
        self.entries.iter().any(|entry| entry.detail > OutlineDetail::Nothing)
    }
}
