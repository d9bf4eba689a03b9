//! Imports by the names that they bring, for macros: these are looked up before all imports are known.

use std::collections::HashMap;

/// The most imports of one name that are kept.
const MOST_OF_NAME: usize = 8;

/// Finds imports by their place in the tree.
#[derive(Debug, Default)]
pub(super) struct ImportIndex {
    modules: HashMap<usize, HashMap<String, usize>>,
    names: HashMap<String, Vec<usize>>,
    glob_crates: HashMap<usize, Vec<usize>>,
}

impl ImportIndex {
    /// Adds an import of a module. Of several with one name the first counts.
    pub(super) fn add_name(&mut self, module: usize, name: &str, import: usize) {
        self.modules.entry(module).or_default().entry(name.to_owned()).or_insert(import);
        let same = self.names.entry(name.to_owned()).or_default();
        if same.len() < MOST_OF_NAME {
            same.push(import);
        }
    }

    /// Adds a crate of which a module imports everything, from anywhere in it.
    pub(super) fn add_glob(&mut self, module: usize, krate: usize) {
        let crates = self.glob_crates.entry(module).or_default();
        if !crates.contains(&krate) {
            crates.push(krate);
        }
    }

    /// Finds the import that brings a name into a module.
    pub(super) fn find(&self, module: usize, name: &str) -> Option<usize> {
        self.modules.get(&module)?.get(name).copied()
    }

    /// Lists imports that bring a name into any module.
    pub(super) fn find_all(&self, name: &str) -> &[usize] {
        self.names.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// Lists the crates of which a module imports everything.
    pub(super) fn glob_crates(&self, module: usize) -> &[usize] {
        self.glob_crates.get(&module).map(Vec::as_slice).unwrap_or_default()
    }

    /// Lists the crates of which any module imports everything.
    pub(super) fn all_glob_crates(&self) -> Vec<usize> {
        let mut crates: Vec<usize> = self.glob_crates.values().flatten().copied().collect();
        crates.sort_unstable();
        crates.dedup();
        crates
    }
}
