//! The index of small crates, feature by feature.

mod faults;
mod hostile;
mod macros;
mod modules;
mod proc_macros;
mod reexports;
mod signatures;

use std::collections::BTreeMap;

use crate::{CrateEdition, CrateIndex, CrateInput, IndexLimits, PackageId, SourceContent, build_index};

/// A crate that consists of texts.
#[derive(Clone, Default)]
pub(crate) struct TestCrate {
    source: CrateInput,
    files: BTreeMap<String, String>,
    indexes: BTreeMap<PackageId, CrateIndex>,
}

impl TestCrate {
    /// A crate with a root file. The feature `on` is on.
    pub(crate) fn new(root: &str) -> Self {
        let source = CrateInput {
            name: "krate".to_owned(),
            package: "krate".to_owned(),
            version: "1.0.0".to_owned(),
            edition: CrateEdition::Rust2018,
            lib_path: "src/lib.rs".to_owned(),
            enabled_features: std::iter::once("on".to_owned()).collect(),
            ..CrateInput::default()
        };
        Self { source, ..Self::default() }.file("src/lib.rs", root)
    }

    pub(crate) fn named(mut self, name: &str, version: &str) -> Self {
        (self.source.name, self.source.package, self.source.version) =
            (name.to_owned(), name.to_owned(), version.to_owned());
        self
    }

    pub(crate) fn proc_macro(mut self) -> Self {
        self.source.is_proc_macro = true;
        self
    }

    pub(crate) fn edition_2015(mut self) -> Self {
        self.source.edition = CrateEdition::Rust2015;
        self
    }

    pub(crate) fn file(mut self, path: &str, text: &str) -> Self {
        self.files.insert(path.to_owned(), text.to_owned());
        self
    }

    /// Adds a dependency, under the name that the code uses.
    pub(crate) fn dependency(mut self, name: &str, other: &Self) -> Self {
        let index = other.index();
        self.source.dependencies.insert(name.to_owned(), index.package.clone());
        self.indexes.extend(other.indexes.clone());
        self.indexes.insert(index.package.clone(), index);
        self
    }

    pub(crate) fn index(&self) -> CrateIndex {
        self.index_within(IndexLimits::default())
    }

    pub(crate) fn index_within(&self, limits: IndexLimits) -> CrateIndex {
        let read =
            |path: &str| self.files.get(path).map_or(SourceContent::Missing, |text| SourceContent::Text(text.clone()));
        build_index(&self.source, &read, &self.indexes, limits)
    }

    /// The items as `kind path`, without hidden ones; `-` in front of what is off, the feature in brackets.
    pub(crate) fn listing(&self) -> Vec<String> {
        let index = self.index();
        let shown = index.items.iter().filter(|item| !item.is_hidden && !item.path.is_empty()).map(|item| {
            let off = if item.is_off { "-" } else { "" };
            let feature = item.feature.as_ref().map(|feature| format!(" [{feature}]")).unwrap_or_default();
            format!("{off}{} {}{feature}", item.kind.word(), item.path)
        });
        shown.collect()
    }
}

/// Compares the listing of a crate with one root file.
pub(crate) fn check(root: &str, expected: &[&str]) {
    assert_eq!(TestCrate::new(root).listing(), expected, "{root}");
}
