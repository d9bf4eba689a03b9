//! The index of another crate, for looking up names in it.

use std::collections::HashMap;

use crate::index::{CrateIndex, ItemKind};

/// Finds items of an index by path and by the module they are in.
#[derive(Debug, Default)]
pub(super) struct ForeignTable {
    children: HashMap<String, Vec<ForeignChild>>,
}

/// Something that can be named inside a module or type.
#[derive(Debug, Clone)]
pub(super) struct ForeignChild {
    pub(super) name: String,
    pub(super) item: usize,
    pub(super) is_hidden: bool,
}

impl ForeignTable {
    pub(super) fn new(index: &CrateIndex) -> Self {
        let mut table = Self::default();
        let mut by_path: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, item) in index.items.iter().enumerate() {
            by_path.entry(&item.path).or_default().push(number);
            if !item.path.is_empty() {
                table.add(&item.path, number, item.hides_itself);
            }
        }
        for alias in &index.aliases {
            for number in by_path.get(alias.path.as_str()).into_iter().flatten() {
                table.add(&alias.alias, *number, alias.is_hidden);
            }
        }
        table
    }

    fn add(&mut self, path: &str, item: usize, is_hidden: bool) {
        let (parent, name) = path.rsplit_once("::").unwrap_or(("", path));
        let child = ForeignChild { name: name.to_owned(), item, is_hidden };
        self.children.entry(parent.to_owned()).or_default().push(child);
    }

    /// Everything that can be named below a path.
    pub(super) fn children(&self, path: &str) -> &[ForeignChild] {
        self.children.get(path).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Says whether an item is part of a type or trait, and not of a module.
pub(super) fn has_members(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::Struct | ItemKind::Enum | ItemKind::Union | ItemKind::Trait)
}
