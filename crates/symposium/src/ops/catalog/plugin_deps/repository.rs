//! A repository that a plugin names, as a source of the catalog: pinned, vendored and watched like any other.

use std::collections::BTreeSet;
use std::path::PathBuf;

use symposium_io::source::{DirectoryTree, load_source};
use symposium_model::catalog::{Catalog, LoadedSource, PluginId, SourceDiagnostics};
use symposium_model::config::{GitAddress, SourceKind, SourceRank, SourceSpec, repository_address};
use symposium_model::diagnostic::Diagnostic;

use super::brought_rank;
use super::problem::{DependencyProblem, ProblemWeight};
use crate::ops::catalog::pinned_source::{ChosenCheckout, CopyChooser};

pub(super) struct PluginRepository {
    at: usize,
    pub(super) directory: PathBuf,
    pub(super) tree: DirectoryTree,
}

/// Returns the source for a repository that a plugin names. Its name is its address.
pub(super) fn spec_of(address: GitAddress, rank: SourceRank) -> SourceSpec {
    let name = address.shown().to_owned();
    SourceSpec::whole(name, SourceKind::Git { address, auto_update: true }, rank)
}

/// Finds a repository that a plugin of this rank names in the catalog, or adds it without plugins and notes that in
/// `bare`. One that there is no copy of is added too: what is locked of it is not gone.
pub(super) fn repository(
    chooser: &CopyChooser<'_>,
    catalog: &mut Catalog,
    url: &str,
    rank: SourceRank,
    bare: &mut BTreeSet<usize>,
) -> Result<PluginRepository, Vec<DependencyProblem>> {
    let address = repository_address(url, rank).map_err(|fault| {
        let message = format!("this repository cannot be used: {}", fault.message);
        vec![DependencyProblem { message, help: fault.help, weight: ProblemWeight::Fault }]
    })?;
    let rank = brought_rank(rank);
    let is_it = |source: &LoadedSource| matches!(&source.spec.kind, SourceKind::Git { address: known, .. } if known.shown() == address.shown());
    let at = catalog.sources.iter().position(is_it).unwrap_or_else(|| {
        bare.insert(catalog.sources.len());
        catalog.sources.push(add(chooser, &address, rank));
        catalog.sources.len() - 1
    });
    // A repository that another plugin depends on too is not the user's alone.
    if let Some(known) = catalog.sources.get_mut(at).filter(|known| known.spec.rank == SourceRank::Brought) {
        known.spec.rank = rank;
    }
    let source = catalog.sources.get(at);
    let directory = source.and_then(|source| Some(source.copy.as_ref()?.directory.clone()));
    if let Some(directory) = directory
        && let Ok(tree) = DirectoryTree::open(&directory)
    {
        return Ok(PluginRepository { at, directory, tree });
    }
    let failure = chooser.failure(address.shown()).map(ToString::to_string);
    let is_locked = source.is_some_and(|source| !source.findings.faults.is_empty());
    let message = match failure {
        // Why that is so was said about the repository itself.
        _ if is_locked => format!("the locked content of `{}` is not on this machine", address.shown()),
        Some(error) => format!("`{}` could not be fetched: {error}", address.shown()),
        None => format!("`{}` is not fetched yet", address.shown()),
    };
    Err(vec![DependencyProblem {
        message,
        help: "run `symposium sync` to fetch it".to_owned(),
        weight: ProblemWeight::Awaited,
    }])
}

fn add(chooser: &CopyChooser<'_>, address: &GitAddress, rank: SourceRank) -> LoadedSource {
    let spec = spec_of(address.clone(), rank);
    let place = spec.name.clone();
    let ChosenCheckout { copy, notes, faults, .. } = chooser.choose(&spec, address);
    let remarks = notes.into_iter().map(|note| Diagnostic::warning(place.clone(), note)).collect();
    let findings = SourceDiagnostics { faults, remarks, ..SourceDiagnostics::default() };
    LoadedSource { copy, ..LoadedSource::without_plugins(spec, place, findings) }
}

/// The plugins of a repository; nothing when they are in the catalog already.
pub(super) fn plugins_of(
    catalog: &mut Catalog,
    repository: &PluginRepository,
    rank: SourceRank,
    bare: &mut BTreeSet<usize>,
) -> Vec<PluginId> {
    let at = repository.at;
    let Some(source) = catalog.sources.get_mut(at).filter(|_| bare.remove(&at)) else { return Vec::new() };
    // The rank of the plugin that names the repository decides about trust.
    source.spec.rank = rank;
    let loaded = load_source(source.spec.clone(), &repository.tree);
    source.plugins = loaded.plugins;
    source.passed_over = loaded.passed_over;
    source.findings.extend(loaded.findings);
    (0..source.plugins.len()).map(|plugin| PluginId { source: at, plugin }).collect()
}
