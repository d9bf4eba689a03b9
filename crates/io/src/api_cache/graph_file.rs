//! The libraries of a workspace, kept as long as neither its manifests nor its Cargo.lock change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use symposium_api::{TargetFacts, is_for_target};
use symposium_model::crates::CrateSet;
use symposium_model::crates::library_graph::LibraryGraph;
use symposium_model::hook::hook_plan::hash;

use crate::cargo::{LibrarySearch, awaited_mark, is_written};
use crate::{fs, state_file};

const MOST_FILE: u64 = 64 * 1024 * 1024;

#[derive(Serialize, Deserialize)]
struct GraphFile {
    program: String,
    fingerprint: u64,
    graph: LibraryGraph,
    /// The versions of packages that were locked before those of the graph.
    #[serde(default)]
    previous: BTreeMap<String, String>,
    /// Files that cargo writes when it has unpacked all of a package, and that were not there yet.
    #[serde(default)]
    awaited: Vec<PathBuf>,
}

/// Reads the libraries of a workspace from the cache, or from their manifests.
pub fn read_libraries(directory: &Path, search: LibrarySearch<'_>, crates: &CrateSet) -> LibraryGraph {
    if let Some(graph) = cached_libraries(directory, search, crates) {
        return graph;
    }
    let awaited = find_awaited(search, crates);
    let target = TargetFacts::host();
    let graph = LibrarySearch { is_for_host: &|written| is_for_target(written, &target), ..search }.read(crates);
    let fingerprint = search.fingerprint(crates);
    let previous = read_file(directory, search).map(|known| previous_versions(known, &graph)).unwrap_or_default();
    let written = GraphFile { program: env!("CARGO_PKG_VERSION").to_owned(), fingerprint, graph, previous, awaited };
    // Without the file it is only slower.
    if let Ok(bytes) = serde_json::to_vec(&written) {
        let _ = state_file::write_existing(&file_of(directory, search), &bytes);
    }
    written.graph
}

/// Reads the libraries of a workspace from the cache; nothing if they are not there, or not as they are now.
pub fn cached_libraries(directory: &Path, search: LibrarySearch<'_>, crates: &CrateSet) -> Option<LibraryGraph> {
    let found = read_file(directory, search)?;
    let is_same = found.program == env!("CARGO_PKG_VERSION")
        && found.graph.packages.len() == crates.crates().len()
        && found.fingerprint == search.fingerprint(crates)
        && !found.awaited.iter().any(|mark| is_written(mark));
    let packages = found.graph.packages.iter().zip(crates.crates());
    let mut missing = packages.filter(|(package, _)| package.directory.is_none()).map(|(_, krate)| krate);
    let finder = search.finder();
    (is_same && !missing.any(|krate| finder.directory(krate).is_some())).then_some(found.graph)
}

fn find_awaited(search: LibrarySearch<'_>, crates: &CrateSet) -> Vec<PathBuf> {
    let finder = search.finder();
    let directories = crates.crates().iter().filter_map(|krate| finder.directory(krate));
    directories.filter_map(|directory| awaited_mark(&directory, search.roots)).collect()
}

/// Returns the version of a package that was locked before the present one, as far as the cache knows.
pub fn previous_version(directory: &Path, search: LibrarySearch<'_>, name: &str) -> Option<String> {
    read_file(directory, search)?.previous.remove(name)
}

/// Keeps the versions that are not locked any more, of packages that still are.
fn previous_versions(known: GraphFile, graph: &LibraryGraph) -> BTreeMap<String, String> {
    let GraphFile { graph: before, mut previous, .. } = known;
    let now: BTreeSet<(&str, &str)> =
        graph.packages.iter().map(|package| (package.name.as_str(), package.version.as_str())).collect();
    let names: BTreeSet<&str> = now.iter().map(|(name, _)| *name).collect();
    let gone = before.packages.into_iter().filter(|old| !now.contains(&(old.name.as_str(), old.version.as_str())));
    previous.extend(gone.map(|old| (old.name, old.version)));
    previous.retain(|name, _| names.contains(name.as_str()));
    previous
}

fn read_file(directory: &Path, search: LibrarySearch<'_>) -> Option<GraphFile> {
    let bytes = fs::read(&file_of(directory, search), MOST_FILE).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn file_of(directory: &Path, search: LibrarySearch<'_>) -> PathBuf {
    let workspace = search.roots.workspace.display().to_string();
    directory.join(format!("workspace-{:016x}", hash(workspace.as_bytes())))
}
