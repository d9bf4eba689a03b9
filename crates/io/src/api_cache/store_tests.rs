use std::path::Path;

use symposium_api::CrateIndex;
use symposium_model::crates::library_graph::{LibraryGraph, LibraryPackage};

use super::IndexStore;
use crate::cargo::SourceRoots;

/// A package of a registry that cargo is unpacking.
struct Unpacking {
    home: tempfile::TempDir,
    graph: LibraryGraph,
}

impl Unpacking {
    fn new(files: &[(&str, &str)]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let directory = home.path().join("cargo/registry/src/index-1/a-1.0.0");
        let package = LibraryPackage {
            name: "a".to_owned(),
            version: "1.0.0".to_owned(),
            directory: Some(directory),
            code_name: "a".to_owned(),
            lib_path: "src/lib.rs".to_owned(),
            ..LibraryPackage::default()
        };
        let unpacking = Self { home, graph: LibraryGraph { packages: vec![package] } };
        std::fs::create_dir_all(unpacking.cache()).unwrap();
        for (path, text) in files {
            unpacking.write(path, text);
        }
        unpacking
    }

    fn cache(&self) -> std::path::PathBuf {
        self.home.path().join("cache")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.home.path().join("cargo/registry/src/index-1/a-1.0.0").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn remove(&self, path: &str) {
        std::fs::remove_file(self.home.path().join("cargo/registry/src/index-1/a-1.0.0").join(path)).unwrap();
    }

    fn with_store<T>(&self, ask: impl FnOnce(&IndexStore<'_>) -> T) -> T {
        let cargo_home = self.home.path().join("cargo");
        let roots = SourceRoots { cargo_home: Some(&cargo_home), workspace: Path::new("/workspace") };
        ask(&IndexStore::new(&self.graph, &self.cache(), roots, &|_| {}))
    }

    fn index(&self) -> CrateIndex {
        self.with_store(|store| store.load(0).unwrap().unpack())
    }

    fn is_cached(&self) -> bool {
        self.with_store(|store| store.load_cached(0).is_some())
    }
}

fn has(index: &CrateIndex, path: &str) -> bool {
    index.items.iter().any(|item| item.path == path)
}

#[test]
fn a_package_that_is_being_unpacked_is_read_again() {
    let package = Unpacking::new(&[("src/lib.rs", "pub mod m; pub fn f() {}")]);
    let index = package.index();
    assert!(has(&index, "f") && !has(&index, "m::g"));
    assert!(index.completeness.reasons.contains(&"cargo has not unpacked all of its source".to_owned()));
    package.write("src/m.rs", "pub fn g() {}");
    assert!(has(&package.index(), "m::g"));
    // An empty mark is one that cargo is about to write.
    package.write(".cargo-ok", "");
    assert!(!package.index().completeness.is_complete());
    package.write(".cargo-ok", "{\"v\":1}");
    assert!(!package.is_cached());
    assert!(package.index().completeness.is_complete());
    assert!(package.is_cached());
}

#[test]
fn a_file_that_was_missing_is_awaited() {
    let files = [("src/lib.rs", "pub mod m; pub mod n;"), ("src/n/mod.rs", "pub fn h() {}"), (".cargo-ok", "ok")];
    let package = Unpacking::new(&files);
    assert!(!has(&package.index(), "m::g"));
    assert!(package.is_cached());
    package.write("src/m.rs", "pub fn g() {}");
    assert!(!package.is_cached());
    assert!(has(&package.index(), "m::g"));
    // What is complete does not change.
    package.remove("src/m.rs");
    assert!(package.is_cached());
}
