//! One index from the sources of its crate.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use symposium_api::{
    CrateEdition, CrateIndex, CrateInput, IndexLimits, IndexLookup, PackageId, PackedIndex, SourceContent, TargetFacts,
    build_index, pack_index,
};
use symposium_model::crates::library_graph::LibraryPackage;

use super::record::{IndexFile, IndexRecord, SourceStamp, UsedIndex};
use crate::cargo::{CrateFiles, ReadRefusal, SourceRoots, awaited_mark};

/// Bounds what one crate may cost, so that the largest takes less than 256 MiB.
const LIMITS: IndexLimits = IndexLimits {
    file_bytes: 5 << 20,
    total_bytes: 32 << 20,
    files: 10_000,
    items: 60_000,
    expansions: 100_000,
    expanded_tokens: 2_000_000,
    matching_steps: 20_000_000,
};

/// An index to make: the package, and what it may ask for of others.
pub(super) struct IndexWork<'a> {
    pub(super) package: &'a LibraryPackage,
    pub(super) directory: &'a Path,
    pub(super) roots: SourceRoots<'a>,
    /// The names that the code has for other crates.
    pub(super) dependencies: BTreeMap<String, PackageId>,
    /// The positions of all packages that it uses, directly or not.
    pub(super) positions: BTreeMap<PackageId, usize>,
    pub(super) load: &'a dyn Fn(usize) -> Option<LoadedIndex>,
}

/// An index that another is made with.
#[derive(Clone)]
pub(super) struct LoadedIndex {
    pub(super) file: Arc<IndexFile>,
    pub(super) key: u64,
}

/// Indexes of other crates, read when they are asked for.
struct OtherIndexes<'a> {
    work: &'a IndexWork<'a>,
    read: BTreeMap<PackageId, OnceCell<Option<OtherIndex>>>,
}

struct OtherIndex {
    loaded: LoadedIndex,
    index: CrateIndex,
}

impl IndexLookup for OtherIndexes<'_> {
    fn find_index(&self, package: &PackageId) -> Option<&CrateIndex> {
        let at = *self.work.positions.get(package)?;
        let read = || {
            let loaded = (self.work.load)(at)?;
            let index = PackedIndex::parse_again(loaded.file.packed())?.unpack()?;
            Some(OtherIndex { loaded, index })
        };
        self.read.get(package)?.get_or_init(read).as_ref().map(|other| &other.index)
    }
}

impl OtherIndexes<'_> {
    /// Lists what was asked for.
    fn record(&self) -> IndexRecord {
        let mut record = IndexRecord::default();
        for (package, cell) in &self.read {
            let Some(other) = cell.get() else { continue };
            let key = other.as_ref().map(|other| other.loaded.key);
            record.used.push(UsedIndex { name: package.name.clone(), version: package.version.clone(), key });
            if let Some(other) = other {
                record.used.extend(other.loaded.file.record.used.iter().cloned());
                record.files.extend(other.loaded.file.record.files.iter().cloned());
            }
        }
        record.used.sort();
        record.used.dedup();
        record
    }
}

/// Makes the index of a package.
pub(super) fn build(work: &IndexWork<'_>) -> IndexFile {
    let read = work.positions.keys().map(|package| (package.clone(), OnceCell::new())).collect();
    let others = OtherIndexes { work, read };
    let mark = awaited_mark(work.directory, work.roots);
    let seen: RefCell<BTreeMap<String, SeenFile>> = RefCell::default();
    let files = CrateFiles::open(work.directory, work.roots);
    let read = |path: &str| {
        let stamp = SourceStamp::take(work.directory.join(path));
        let content = match &files {
            Ok(files) => read_file(files, path),
            Err(refused) => refuse(refused),
        };
        let is_missing = content == SourceContent::Missing;
        seen.borrow_mut().insert(path.to_owned(), SeenFile { stamp, is_missing });
        content
    };
    let mut index = build_index(&crate_input(work), &read, &others, LIMITS);
    if mark.is_some() {
        index.completeness.reasons.push("cargo has not unpacked all of its source".to_owned());
    }
    let mut record = others.record();
    let can_change = work.package.is_path || mark.is_some();
    record.files.extend(list_stamps(&seen.into_inner(), can_change));
    record.files.extend(mark.map(SourceStamp::take));
    record.files.sort();
    record.files.dedup();
    IndexFile::new(record, pack_index(&index))
}

/// A file that was asked for.
struct SeenFile {
    stamp: SourceStamp,
    is_missing: bool,
}

/// Lists the files whose change makes another index: of sources that do not change, those that should be there.
fn list_stamps(seen: &BTreeMap<String, SeenFile>, can_change: bool) -> Vec<SourceStamp> {
    let is_found = |path: &str| seen.get(path).is_some_and(|file| !file.is_missing);
    // A module is in one of two places.
    let is_elsewhere = |path: &str| match path.strip_suffix("/mod.rs") {
        Some(module) => is_found(&format!("{module}.rs")),
        None => path.strip_suffix(".rs").is_some_and(|module| is_found(&format!("{module}/mod.rs"))),
    };
    let listed = seen.iter().filter(|(path, file)| can_change || (file.is_missing && !is_elsewhere(path)));
    listed.map(|(_, file)| file.stamp.clone()).collect()
}

fn crate_input(work: &IndexWork<'_>) -> CrateInput {
    let package = work.package;
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
        dependencies: work.dependencies.clone(),
        target,
    }
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
