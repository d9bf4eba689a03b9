//! One index from the sources of its crate.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use symposium_api::{
    CrateEdition, CrateIndex, CrateInput, IndexLimits, IndexLookup, PackageId, PackedIndex, SourceContent, TargetFacts,
    build_index, pack_index,
};
use symposium_model::crates::library_graph::LibraryPackage;

use super::record::{FileStamp, IndexFile, IndexRecord, UsedIndex};
use super::store::IndexStore;
use crate::cargo::{CrateFiles, ReadRefusal};

/// Indexes of other crates, read when they are asked for.
struct OtherIndexes<'s> {
    store: &'s IndexStore<'s>,
    positions: BTreeMap<PackageId, usize>,
    read: BTreeMap<PackageId, OnceCell<Option<CrateIndex>>>,
}

impl IndexLookup for OtherIndexes<'_> {
    fn find_index(&self, package: &PackageId) -> Option<&CrateIndex> {
        let at = *self.positions.get(package)?;
        let unpack = || PackedIndex::parse(self.store.file(at).ok()?.packed())?.unpack();
        self.read.get(package)?.get_or_init(unpack).as_ref()
    }
}

/// Makes the index of a package.
pub(super) fn build(store: &IndexStore<'_>, at: usize, package: &LibraryPackage, directory: &Path) -> IndexFile {
    let others = OtherIndexes::new(store, at);
    let stamps: RefCell<BTreeSet<FileStamp>> = RefCell::default();
    let files = CrateFiles::open(directory, store.roots());
    let read = |path: &str| {
        if package.is_path {
            stamps.borrow_mut().insert(FileStamp::take(directory.join(path)));
        }
        match &files {
            Ok(files) => read_file(files, path),
            Err(refused) => refuse(refused),
        }
    };
    let index = build_index(&crate_input(store, package), &read, &others, IndexLimits::default());
    let mut record = others.record();
    record.files.extend(stamps.into_inner());
    record.files.sort();
    record.files.dedup();
    IndexFile::new(record, pack_index(&index))
}

impl<'s> OtherIndexes<'s> {
    fn new(store: &'s IndexStore<'s>, at: usize) -> Self {
        let mut positions = BTreeMap::new();
        for position in store.reachable(at) {
            if let Some(package) = store.package(position) {
                positions.entry(package_id(package)).or_insert(position);
            }
        }
        // A direct dependency goes before another of the same name and version.
        for own in store.package(at).into_iter().flat_map(|package| &package.dependencies) {
            if let Some(package) = store.package(own.package)
                && let Some(position) = positions.get_mut(&package_id(package))
            {
                *position = own.package;
            }
        }
        let read = positions.keys().map(|package| (package.clone(), OnceCell::new())).collect();
        Self { store, positions, read }
    }

    /// Lists what was asked for.
    fn record(&self) -> IndexRecord {
        let mut record = IndexRecord::default();
        for (package, cell) in &self.read {
            let (Some(_), Some(at)) = (cell.get(), self.positions.get(package)) else { continue };
            let file = self.store.file(*at).ok();
            let key = file.as_ref().and_then(|_| self.store.key(*at));
            record.used.push(UsedIndex { name: package.name.clone(), version: package.version.clone(), key });
            if let Some(file) = file {
                record.used.extend(file.record.used.iter().cloned());
                record.files.extend(file.record.files.iter().cloned());
            }
        }
        record.used.sort();
        record.used.dedup();
        record
    }
}

fn crate_input(store: &IndexStore<'_>, package: &LibraryPackage) -> CrateInput {
    let dependencies = package.dependencies.iter().filter_map(|own| {
        let used = store.package(own.package)?;
        Some((own.name.clone(), package_id(used)))
    });
    let mut target = TargetFacts::host();
    // As documentation has it.
    target.flags.insert("doc".to_owned());
    CrateInput {
        name: package.code_name.clone(),
        package: package.name.clone(),
        version: package.version.clone(),
        edition: CrateEdition::from_manifest(Some(&package.edition)),
        lib_path: package.lib_path.clone(),
        is_proc_macro: package.is_proc_macro,
        enabled_features: package.features.iter().cloned().collect(),
        dependencies: dependencies.collect(),
        target,
    }
}

fn package_id(package: &LibraryPackage) -> PackageId {
    PackageId { name: package.name.clone(), version: package.version.clone() }
}

fn read_file(files: &CrateFiles, path: &str) -> SourceContent {
    match files.read(path) {
        Ok(text) => SourceContent::Text(text),
        Err(refused) => refuse(&refused),
    }
}

fn refuse(refused: &ReadRefusal) -> SourceContent {
    SourceContent::Refused(match refused {
        ReadRefusal::Absent => return SourceContent::Missing,
        ReadRefusal::Outside | ReadRefusal::LinkedOut => "it is outside of the crate".to_owned(),
        ReadRefusal::NotSource => "it is no part of the source".to_owned(),
        ReadRefusal::Binary => "it is not text".to_owned(),
        ReadRefusal::TooLarge(limit) => format!("it is larger than {} MiB", limit / (1024 * 1024)),
        ReadRefusal::Unreadable(reason) => reason.clone(),
    })
}
