//! The libraries of a workspace, kept as long as neither its manifests nor its Cargo.lock change.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use symposium_api::{TargetFacts, is_for_target};
use symposium_model::crates::CrateSet;
use symposium_model::crates::library_graph::LibraryGraph;
use symposium_model::hook::hook_plan::hash;

use crate::cargo::LibrarySearch;
use crate::{fs, state_file};

const MOST_FILE: u64 = 64 * 1024 * 1024;

#[derive(Serialize, Deserialize)]
struct GraphFile {
    program: String,
    fingerprint: u64,
    graph: LibraryGraph,
}

/// Reads the libraries of a workspace from the cache, or from their manifests.
pub fn read_libraries(directory: &Path, search: LibrarySearch<'_>, crates: &CrateSet) -> LibraryGraph {
    if let Some(graph) = cached_libraries(directory, search, crates) {
        return graph;
    }
    let target = TargetFacts::host();
    let graph = LibrarySearch { is_for_host: &|written| is_for_target(written, &target), ..search }.read(crates);
    let fingerprint = search.fingerprint(crates);
    let written = GraphFile { program: env!("CARGO_PKG_VERSION").to_owned(), fingerprint, graph };
    // Without the file it is only slower.
    if let Ok(bytes) = serde_json::to_vec(&written) {
        let _ = state_file::write(&file_of(directory, search), &bytes);
    }
    written.graph
}

/// Reads the libraries of a workspace from the cache; nothing if they are not there, or not as they are now.
pub fn cached_libraries(directory: &Path, search: LibrarySearch<'_>, crates: &CrateSet) -> Option<LibraryGraph> {
    let bytes = fs::read(&file_of(directory, search), MOST_FILE).ok()?;
    let found: GraphFile = serde_json::from_slice(&bytes).ok()?;
    let is_same = found.program == env!("CARGO_PKG_VERSION")
        && found.graph.packages.len() == crates.crates().len()
        && found.fingerprint == search.fingerprint(crates);
    let packages = found.graph.packages.iter().zip(crates.crates());
    let mut missing = packages.filter(|(package, _)| package.directory.is_none()).map(|(_, krate)| krate);
    let finder = search.finder();
    (is_same && !missing.any(|krate| finder.directory(krate).is_some())).then_some(found.graph)
}

fn file_of(directory: &Path, search: LibrarySearch<'_>) -> PathBuf {
    let workspace = search.roots.workspace.display().to_string();
    directory.join(format!("workspace-{:016x}", hash(workspace.as_bytes())))
}
