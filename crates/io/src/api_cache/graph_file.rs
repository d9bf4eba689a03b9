//! The libraries of a workspace, kept as long as neither its manifests nor its Cargo.lock change.

use std::path::Path;

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
    let workspace = search.roots.workspace.display().to_string();
    let file = directory.join(format!("workspace-{:016x}", hash(workspace.as_bytes())));
    let fingerprint = search.fingerprint(crates);
    let is_same = |found: &GraphFile| {
        let packages = found.graph.packages.iter().zip(crates.crates());
        found.program == env!("CARGO_PKG_VERSION")
            && found.fingerprint == fingerprint
            && found.graph.packages.len() == crates.crates().len()
            && packages.filter(|(package, _)| package.directory.is_none()).all(|(_, krate)| !search.is_there(krate))
    };
    let found = fs::read(&file, MOST_FILE).ok().and_then(|bytes| serde_json::from_slice::<GraphFile>(&bytes).ok());
    if let Some(found) = found.filter(is_same) {
        return found.graph;
    }
    let target = TargetFacts::host();
    let graph = LibrarySearch { is_for_host: &|written| is_for_target(written, &target), ..search }.read(crates);
    let written = GraphFile { program: env!("CARGO_PKG_VERSION").to_owned(), fingerprint, graph };
    // Without the file it is only slower.
    if let Ok(bytes) = serde_json::to_vec(&written) {
        let _ = state_file::write(&file, &bytes);
    }
    written.graph
}
