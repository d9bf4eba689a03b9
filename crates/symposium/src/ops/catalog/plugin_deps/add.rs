//! What is added to the catalog for a plugin that brings something along.

use std::path::Path;

use symposium_io::cargo::SourceFinder;
use symposium_io::source::{DirectoryTree, ReadAudience, TreeError, load_group, load_plugin};
use symposium_model::catalog::{Catalog, PluginId};
use symposium_model::config::{SourceKind, SourceRank, inside};
use symposium_model::crates::{CrateName, CrateSet, DependencyScope, LockedCrate};

use super::problem::{DependencyProblem, absent};
use crate::ops::catalog::crate_plugins;
use crate::ops::catalog::source_files::tree_of;

/// Adds the plugin of a crate that another plugin brings along, or lets the one that is known count.
pub(super) fn of_crate(
    catalog: &mut Catalog,
    crates: Option<&CrateSet>,
    written: &str,
    version: Option<&str>,
    by: &str,
    finder: &SourceFinder<'_>,
) -> Result<Vec<PluginId>, DependencyProblem> {
    let name = CrateName::parse(written).ok_or_else(|| {
        DependencyProblem::fault(&format!("`{}` is not a valid crate name", written.escape_debug()), "name a crate")
    })?;
    let wanted = match version.map(semver::VersionReq::parse) {
        None => semver::VersionReq::STAR,
        Some(Ok(wanted)) => wanted,
        Some(Err(error)) => {
            let message = format!("version `{}` is invalid: {error}", version.unwrap_or_default());
            return Err(DependencyProblem::fault(&message, "write it as in Cargo.toml: `version = \"1.2\"`"));
        }
    };
    let all: Vec<&LockedCrate> =
        crates.map(|crates| crates.versions(&name, DependencyScope::Transitive).collect()).unwrap_or_default();
    if all.is_empty() {
        return Err(DependencyProblem::remark(&format!("crate `{name}` is not a dependency of this workspace")));
    }
    // As everywhere, a pre-release counts as its release.
    let fits = |krate: &&&LockedCrate| {
        let release = semver::Version::new(krate.version.major, krate.version.minor, krate.version.patch);
        wanted.matches(&release) || wanted.matches(&krate.version)
    };
    let mut fitting: Vec<&LockedCrate> = all.iter().filter(fits).copied().collect();
    fitting.sort_by(|a, b| b.version.cmp(&a.version));
    let Some(krate) = fitting.first() else {
        let locked: Vec<String> = all.iter().map(|krate| krate.version.to_string()).collect();
        let message = format!("it requires `{name}` {wanted}, but the workspace uses {}", locked.join(" and "));
        return Err(DependencyProblem::remark(&message));
    };
    let known = catalog.sources.iter_mut().enumerate().find(|(_, source)| {
        source.krate().is_some_and(|place| place.name == krate.name && place.version == krate.version)
    });
    if let Some((at, source)) = known {
        if let SourceKind::Crate(place) = &mut source.spec.kind {
            place.brought_by.get_or_insert_with(|| by.to_owned());
        }
        return Ok((0..source.plugins.len()).map(|plugin| PluginId { source: at, plugin }).collect());
    }
    let title = format!("{} {}", krate.name, krate.version);
    let directory = finder.directory(krate).ok_or_else(|| absent(&title))?;
    let mut place = crate_plugins::place(krate, directory);
    place.brought_by = Some(by.to_owned());
    let source = crate_plugins::load(place, SourceRank::Crate)
        .ok_or_else(|| DependencyProblem::remark(&format!("crate {title} contains no plugin")))?;
    catalog.sources.push(source);
    let at = catalog.sources.len() - 1;
    let count = catalog.sources.last().map_or(0, |source| source.plugins.len());
    Ok((0..count).map(|plugin| PluginId { source: at, plugin }).collect())
}

/// Adds a plugin of the same source.
pub(super) fn beside(catalog: &mut Catalog, parent: PluginId, path: &str) -> Result<Vec<PluginId>, DependencyProblem> {
    let fault = |message: &str| DependencyProblem::fault(message, "create it, or correct `source.path`");
    let outside = || DependencyProblem::fault("it is outside the source", "use a path below the manifest");
    let path = inside(path).ok_or_else(outside)?;
    let path = path.to_str().ok_or_else(outside)?.to_owned();
    let source = catalog.sources.get_mut(parent.source).ok_or_else(outside)?;
    let tree = tree_of(source).ok_or_else(outside)?;
    if tree.leads_out(&path) {
        return Err(outside());
    }
    let manifest = if Path::new(&path).extension().is_some_and(|end| end == "toml") {
        path
    } else {
        let listing = tree.list(&path).map_err(|error| fault(&format!("`{path}` cannot be read: {error}")))?;
        let name = listing.entries.iter().find(|entry| entry.name.eq_ignore_ascii_case("symposium.toml"));
        let name = name.ok_or_else(|| fault(&format!("there is no manifest in `{path}`")))?;
        join(&path, &name.name)
    };
    if let Some(plugin) = source.plugins.iter().position(|known| known.path == manifest) {
        return Ok(vec![PluginId { source: parent.source, plugin }]);
    }
    if !tree.exists(&manifest) {
        return Err(fault(&format!("there is no `{manifest}`")));
    }
    let (loaded, findings) = load_plugin(&*tree, &manifest, &source.spec.name, ReadAudience::User);
    source.findings.extend(findings);
    let Some(loaded) = loaded else { return Ok(Vec::new()) };
    source.plugins.push(loaded);
    Ok(vec![PluginId { source: parent.source, plugin: source.plugins.len() - 1 }])
}

/// Adds skills that lie in a directory of another tree.
pub(super) fn add_skills(
    catalog: &mut Catalog,
    id: PluginId,
    tree: &DirectoryTree,
    path: &str,
    directory: &Path,
    group: usize,
    complaints: &mut Vec<DependencyProblem>,
) {
    match load_group(tree, path, directory, group) {
        Ok((skills, findings)) => {
            let Some(source) = catalog.sources.get_mut(id.source) else { return };
            source.findings.extend(findings);
            if let Some(plugin) = source.plugins.get_mut(id.plugin) {
                plugin.skills.extend(skills);
            }
        }
        Err(TreeError::Absent) => {
            complaints.push(DependencyProblem::remark(&format!("there is no `{path}` in `{}`", directory.display())));
        }
        Err(TreeError::Unusable(reason)) => {
            let message = format!("`{path}` in `{}` cannot be read: {reason}", directory.display());
            complaints.push(DependencyProblem::fault(&message, "name a directory inside"));
        }
    }
}

/// Joins two paths of a source.
pub(super) fn join(base: &str, path: &str) -> String {
    if base.is_empty() { path.to_owned() } else { format!("{base}/{path}") }
}
