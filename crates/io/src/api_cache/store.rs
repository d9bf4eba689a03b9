//! Indexes on request: from the cache, or from sources.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use symposium_api::{CrateIndex, INDEX_VERSION, PackageId, PackedIndex};
use symposium_model::crates::library_graph::{LibraryGraph, LibraryPackage};
use symposium_model::hook::hook_plan::hash;

use super::build::{IndexWork, LoadedIndex, build};
use super::prune::{MOST_BYTES, prune};
use super::record::{IndexFile, SourceStamp, UsedIndex};
use crate::cargo::SourceRoots;
use crate::{fs, state_file};

/// Changes when an index of before would be wrong.
const CACHE_FORMAT: u32 = 5;
/// Crates that are read at the same time.
const WORKERS: usize = 2;
/// Parsing nests as far as code does.
const STACK_BYTES: usize = 32 * 1024 * 1024;

/// Says why there is no index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexFault {
    /// The source is not on this machine.
    MissingSource,
    /// The package has no library.
    NoLibrary,
    /// Reading it failed in a way that is not its fault.
    Failed,
}

/// Hands out the indexes of the packages of a graph.
pub struct IndexStore<'a> {
    graph: &'a LibraryGraph,
    directory: PathBuf,
    roots: SourceRoots<'a>,
    /// Is told the name of each package whose sources are read.
    progress: &'a (dyn Fn(&str) + Sync),
    files: Vec<OnceLock<Result<Arc<IndexFile>, IndexFault>>>,
    keys: Vec<OnceLock<Option<u64>>>,
    /// The first position of each package, by name and version.
    positions: HashMap<(&'a str, &'a str), usize>,
    /// For each package its place in an order in which everything comes after what it uses.
    order: Vec<usize>,
    has_written: AtomicBool,
}

/// An index in the form of the cache.
#[derive(Debug, Clone)]
pub struct StoredIndex(Arc<IndexFile>);

impl StoredIndex {
    /// Reads all of it.
    pub fn unpack(&self) -> CrateIndex {
        self.packed().and_then(|packed| packed.unpack()).unwrap_or_default()
    }

    /// Reads the items that could answer words.
    pub fn unpack_matching(&self, question: &str) -> CrateIndex {
        self.packed().and_then(|packed| packed.unpack_matching(question)).unwrap_or_default()
    }

    /// Says whether the last name of a path could be one of the crate.
    pub fn may_have(&self, path: &str) -> bool {
        self.packed().is_some_and(|packed| packed.may_have(path))
    }

    fn packed(&self) -> Option<PackedIndex<'_>> {
        PackedIndex::parse_again(self.0.packed())
    }
}

impl<'a> IndexStore<'a> {
    /// Opens the indexes in a directory of the cache.
    pub fn new(
        graph: &'a LibraryGraph,
        directory: &Path,
        roots: SourceRoots<'a>,
        progress: &'a (dyn Fn(&str) + Sync),
    ) -> Self {
        let named = graph.packages.iter().enumerate().rev();
        let positions = named.map(|(at, package)| ((package.name.as_str(), package.version.as_str()), at)).collect();
        Self {
            graph,
            directory: directory.to_owned(),
            roots,
            progress,
            files: graph.packages.iter().map(|_| OnceLock::new()).collect(),
            keys: graph.packages.iter().map(|_| OnceLock::new()).collect(),
            positions,
            order: find_order(graph),
            has_written: AtomicBool::new(false),
        }
    }

    /// Returns the index of a package.
    pub fn load(&self, at: usize) -> Result<StoredIndex, IndexFault> {
        self.file(at).map(StoredIndex)
    }

    /// Returns the index of a package if it is in the cache.
    pub fn load_cached(&self, at: usize) -> Option<StoredIndex> {
        self.read_cached(at).map(StoredIndex)
    }

    /// Returns the indexes of several packages; those that are not in the cache are made on several threads.
    pub fn load_all(&self, positions: &[usize]) -> Vec<Result<StoredIndex, IndexFault>> {
        let missing: Vec<usize> = positions.iter().copied().filter(|at| !self.is_cached(*at)).collect();
        if missing.len() > 1 {
            let next = AtomicUsize::new(0);
            let work = || {
                while let Some(at) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let _ = self.file(*at);
                }
            };
            thread::scope(|scope| {
                for _ in 1..WORKERS {
                    // Without a second thread the first does all of it.
                    let _ = thread::Builder::new().spawn_scoped(scope, work);
                }
                work();
            });
        }
        positions.iter().map(|at| self.load(*at)).collect()
    }

    fn package(&self, at: usize) -> Option<&'a LibraryPackage> {
        self.graph.packages.get(at)
    }

    fn file(&self, at: usize) -> Result<Arc<IndexFile>, IndexFault> {
        let Some(cell) = self.files.get(at) else { return Err(IndexFault::Failed) };
        cell.get_or_init(|| self.read_cached(at).map_or_else(|| self.make(at), Ok)).clone()
    }

    fn is_cached(&self, at: usize) -> bool {
        let Some(cell) = self.files.get(at) else { return false };
        if let (None, Some(file)) = (cell.get(), self.read_cached(at)) {
            let _ = cell.set(Ok(file));
        }
        cell.get().is_some()
    }

    fn read_cached(&self, at: usize) -> Option<Arc<IndexFile>> {
        let file = IndexFile::read(&self.path(at)?)?;
        let is_same = |used: &UsedIndex| {
            let found = self.positions.get(&(used.name.as_str(), used.version.as_str()));
            match (used.key, found) {
                (Some(key), Some(at)) => self.key(*at) == Some(key),
                (None, Some(at)) => self.package(*at).is_some_and(|package| package.directory.is_none()),
                (_, None) => false,
            }
        };
        let is_fresh = file.record.used.iter().all(is_same) && file.record.files.iter().all(SourceStamp::is_fresh);
        is_fresh.then(|| Arc::new(file))
    }

    /// Makes an index from sources and keeps it. Each is made on a thread of its own, because positions in sources are
    /// kept for a thread.
    fn make(&self, at: usize) -> Result<Arc<IndexFile>, IndexFault> {
        let package = self.package(at).ok_or(IndexFault::Failed)?;
        let directory = package.directory.as_deref().filter(|directory| fs::is_dir(directory));
        let directory = directory.ok_or(IndexFault::MissingSource)?;
        if !fs::is_file(&directory.join(&package.lib_path)) {
            return Err(IndexFault::NoLibrary);
        }
        (self.progress)(&package.name);
        let built = thread::scope(|scope| {
            let run = || build(&self.work(at, package, directory, &|at| self.loaded(at)));
            let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run);
            thread.ok().and_then(|thread| thread.join().ok())
        });
        let file = built.ok_or(IndexFault::Failed)?;
        // An index of a file that is being edited is not kept.
        if let Some(path) = self.path(at).filter(|_| file.record.files.iter().all(SourceStamp::is_settled)) {
            match state_file::write_existing(&path, &file.content()) {
                Ok(()) => self.has_written.store(true, Ordering::Relaxed),
                Err(error) => tracing::debug!(%error, "the index is not kept"),
            }
        }
        Ok(Arc::new(file))
    }

    fn loaded(&self, at: usize) -> Option<LoadedIndex> {
        Some(LoadedIndex { file: self.file(at).ok()?, key: self.key(at)? })
    }

    fn work<'w>(
        &'w self,
        at: usize,
        package: &'w LibraryPackage,
        directory: &'w Path,
        load: &'w dyn Fn(usize) -> Option<LoadedIndex>,
    ) -> IndexWork<'w> {
        let reachable = self.reachable(at);
        let named = reachable.iter().filter_map(|position| Some((package_id(self.package(*position)?), *position)));
        let mut positions: BTreeMap<PackageId, usize> = named.collect();
        let mut dependencies = BTreeMap::new();
        for own in &package.dependencies {
            let Some(used) = self.package(own.package) else { continue };
            dependencies.insert(own.name.clone(), package_id(used));
            // A direct dependency goes before another of the same name and version.
            if let Some(position) = positions.get_mut(&package_id(used)).filter(|_| reachable.contains(&own.package)) {
                *position = own.package;
            }
        }
        IndexWork { package, directory, roots: self.roots, dependencies, positions, load }
    }

    fn path(&self, at: usize) -> Option<PathBuf> {
        let package = self.package(at)?;
        let name = format!("{}-{}-{:016x}", package.name, package.version, self.key(at)?);
        Some(self.directory.join(name))
    }

    /// Sums up what an index depends on, besides the content of what it uses.
    fn key(&self, at: usize) -> Option<u64> {
        *self.keys.get(at)?.get_or_init(|| self.make_key(at))
    }

    fn make_key(&self, at: usize) -> Option<u64> {
        let package = self.package(at)?;
        let LibraryPackage { name, version, source, directory, code_name, lib_path, edition, features, .. } = package;
        // The directory of a registry is the same on every machine; that of a path is not.
        let directory = directory.as_deref().filter(|_| package.is_path);
        let mut text = format!(
            "{INDEX_VERSION} {CACHE_FORMAT} {} {name} {version} {source} {directory:?} {code_name} {lib_path} {edition} {} {features:?}",
            env!("CARGO_PKG_VERSION"),
            package.is_proc_macro,
        );
        for used in &package.dependencies {
            let package = self.package(used.package)?;
            text.push_str(&format!(" {}={} {}", used.name, package.name, package.version));
        }
        Some(hash(text.as_bytes()))
    }

    /// Lists what a package uses, directly or not, without cycles.
    fn reachable(&self, at: usize) -> Vec<usize> {
        let mut seen = vec![false; self.graph.packages.len()];
        let mut found = Vec::new();
        let mut waiting = vec![at];
        while let Some(from) = waiting.pop() {
            for used in self.package(from).into_iter().flat_map(|package| &package.dependencies) {
                let is_earlier = self.order.get(used.package) < self.order.get(from);
                if let Some(seen) = seen.get_mut(used.package).filter(|seen| !**seen && is_earlier) {
                    *seen = true;
                    found.push(used.package);
                    waiting.push(used.package);
                }
            }
        }
        found
    }
}

impl Drop for IndexStore<'_> {
    fn drop(&mut self) {
        if self.has_written.load(Ordering::Relaxed) {
            prune(&self.directory, MOST_BYTES);
        }
    }
}

fn package_id(package: &LibraryPackage) -> PackageId {
    PackageId { name: package.name.clone(), version: package.version.clone() }
}

/// Numbers packages so that everything comes after what it uses; in a cycle something has to come first.
fn find_order(graph: &LibraryGraph) -> Vec<usize> {
    let mut order = vec![usize::MAX; graph.packages.len()];
    let mut is_seen = vec![false; graph.packages.len()];
    let mut next = 0;
    for start in 0..graph.packages.len() {
        let mut stack = vec![(start, 0)];
        while let Some((at, child)) = stack.pop() {
            if child == 0 && is_seen.get_mut(at).is_none_or(|seen| std::mem::replace(seen, true)) {
                continue;
            }
            match graph.packages.get(at).and_then(|package| package.dependencies.get(child)) {
                Some(used) => {
                    stack.push((at, child + 1));
                    stack.push((used.package, 0));
                }
                None => {
                    if let Some(place) = order.get_mut(at) {
                        *place = next;
                        next += 1;
                    }
                }
            }
        }
    }
    order
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
