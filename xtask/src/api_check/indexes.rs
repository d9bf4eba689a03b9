//! Our side: the indexes of all packages, each after those it uses.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use symposium_api::{CrateIndex, IndexLimits, PackageId, SourceContent, build_index};

use super::graph::PackageGraph;

/// Makes the indexes of packages and of all they use, and says how long each took.
pub(super) fn index_all(
    graph: &PackageGraph,
    wanted: &[PackageId],
) -> (BTreeMap<PackageId, CrateIndex>, BTreeMap<PackageId, Duration>) {
    let mut indexes = BTreeMap::new();
    let mut timings = BTreeMap::new();
    for package in graph.in_order(wanted) {
        let Some(entry) = graph.entry(package) else { continue };
        let started = Instant::now();
        let read = |path: &str| read_file(&Path::new(&entry.root).join(path));
        let index = build_index(&entry.source, &read, &indexes, IndexLimits::default());
        timings.insert(package.clone(), started.elapsed());
        indexes.insert(package.clone(), index);
    }
    (indexes, timings)
}

fn read_file(path: &Path) -> SourceContent {
    match fs::read_to_string(path) {
        Ok(text) => SourceContent::Text(text),
        Err(error) if error.kind() == ErrorKind::NotFound => SourceContent::Missing,
        Err(error) => SourceContent::Refused(error.to_string()),
    }
}
