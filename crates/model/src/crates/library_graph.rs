//! The libraries of packages: their root files, the features that are on, and the names that code has for others.

use std::collections::BTreeSet;
use std::path::PathBuf;

use semver::Version;
use serde::{Deserialize, Serialize};

use super::cargo_manifest::{CargoManifest, ManifestDependency, WorkspaceTable};
use super::features::{
    ActiveFeatures, FeatureDependency, FeaturePackage, FeatureRequest, expand_features, unify_features,
};
use super::origin::CrateOrigin;
use super::set::DependencyKind;

/// Packages with their libraries; they refer to each other by position.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LibraryGraph {
    pub packages: Vec<LibraryPackage>,
}

/// The library of one package.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LibraryPackage {
    #[serde(rename = "n")]
    pub name: String,
    #[serde(rename = "v")]
    pub version: String,
    /// The source as Cargo.lock has it.
    #[serde(rename = "s")]
    pub source: String,
    /// Says that the files can change at any time.
    #[serde(rename = "p")]
    pub is_path: bool,
    /// Nothing if the source is not on this machine.
    #[serde(rename = "d")]
    pub directory: Option<PathBuf>,
    /// The name that code uses, unless it renames the package.
    #[serde(rename = "c")]
    pub code_name: String,
    /// The root file, from the directory, with `/`.
    #[serde(rename = "l")]
    pub lib_path: String,
    #[serde(rename = "e")]
    pub edition: String,
    #[serde(rename = "m")]
    pub is_proc_macro: bool,
    /// Features that are on, by request of any package.
    #[serde(rename = "f")]
    pub features: Vec<String>,
    /// Features that the manifests of the workspace turn on; nothing for a package that none of them names.
    #[serde(rename = "a")]
    pub asked: Option<Vec<String>>,
    #[serde(rename = "u")]
    pub dependencies: Vec<LibraryUse>,
}

/// A package that another uses, under the name that code has for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryUse {
    #[serde(rename = "n")]
    pub name: String,
    #[serde(rename = "p")]
    pub package: usize,
}

/// A package as it was read.
#[derive(Debug, Clone)]
pub struct PackageInput {
    pub name: String,
    pub version: Version,
    pub source: String,
    pub is_path: bool,
    pub directory: Option<PathBuf>,
    /// Nothing if it could not be read.
    pub manifest: Option<CargoManifest>,
    /// Positions of the packages that it may use.
    pub needs: Vec<usize>,
}

/// A member of the workspace as it was read.
#[derive(Debug, Clone)]
pub struct MemberInput {
    pub manifest: CargoManifest,
    /// Positions of the packages that it may use.
    pub needs: Vec<usize>,
}

/// Holds what a graph is made of.
#[derive(Clone, Copy)]
pub struct GraphInput<'a> {
    pub packages: &'a [PackageInput],
    pub members: &'a [MemberInput],
    /// The workspace root's table, from which members inherit.
    pub table: Option<&'a WorkspaceTable>,
    /// Features that are asked for besides those of the members.
    pub requests: &'a [(usize, FeatureRequest)],
    /// Says whether a dependency for a platform counts.
    pub is_for_host: &'a dyn Fn(&str) -> bool,
}

/// A dependency with the package it leads to.
struct ResolvedUse<'a> {
    dependency: &'a ManifestDependency,
    package: usize,
    is_renamed: bool,
}

impl LibraryGraph {
    /// Puts packages together: which features are on, and which dependencies are used.
    pub fn compose(input: GraphInput<'_>) -> Self {
        let uses: Vec<Vec<ResolvedUse<'_>>> =
            input.packages.iter().map(|package| package_uses(&input, package)).collect();
        let mut nodes: Vec<FeaturePackage> = (input.packages.iter().zip(&uses))
            .map(|(package, uses)| feature_package(package.manifest.as_ref(), uses, input.table))
            .collect();
        let mut requests = input.requests.to_vec();
        for member in input.members {
            let uses = resolve_uses(&input, &member.manifest, &member.needs, |_| true);
            let mut node = feature_package(Some(&member.manifest), &uses, input.table);
            // An optional dependency of a member is one of the workspace all the same.
            node.dependencies.iter_mut().for_each(|dependency| dependency.is_optional = false);
            requests.push((nodes.len(), FeatureRequest { features: Vec::new(), with_default: true }));
            nodes.push(node);
        }
        let active = unify_features(&nodes, &requests);
        let member_nodes: Vec<(&FeaturePackage, &ActiveFeatures)> =
            nodes.iter().zip(&active).skip(input.packages.len()).collect();
        let packages = input.packages.iter().enumerate().map(|(at, package)| {
            let own = nodes.get(at).cloned().unwrap_or_default();
            let found = active.get(at).cloned().unwrap_or_default();
            let direct = direct_request(&member_nodes, at);
            let features = if found.is_used() {
                found.features.clone()
            } else {
                expand_features(&own, FeatureRequest { features: Vec::new(), with_default: true })
            };
            let used = uses.get(at).map(Vec::as_slice).unwrap_or_default().iter().enumerate();
            let used = used.filter(|(position, _)| found.dependencies.contains(position) || !found.is_used());
            LibraryPackage {
                features: features.into_iter().collect(),
                asked: direct.map(|request| expand_features(&own, request).into_iter().collect()),
                dependencies: used.map(|(_, resolved)| library_use(input.packages, resolved)).collect(),
                ..library_package(package, input.table)
            }
        });
        Self { packages: packages.collect() }
    }
}

fn library_package(package: &PackageInput, table: Option<&WorkspaceTable>) -> LibraryPackage {
    let manifest = package.manifest.as_ref();
    let library = manifest.map(|manifest| manifest.library.clone()).unwrap_or_default();
    let edition = manifest.and_then(|manifest| manifest.package.as_ref());
    LibraryPackage {
        name: package.name.clone(),
        version: package.version.to_string(),
        source: package.source.clone(),
        is_path: package.is_path,
        directory: package.directory.clone(),
        code_name: code_name(package),
        lib_path: library.path.unwrap_or_else(|| "src/lib.rs".to_owned()).replace('\\', "/"),
        edition: edition.map_or("2015", |own| own.edition.resolve(table)).to_owned(),
        is_proc_macro: library.is_proc_macro,
        ..LibraryPackage::default()
    }
}

/// The name that code uses for a package that is not renamed.
fn code_name(package: &PackageInput) -> String {
    let library = package.manifest.as_ref().and_then(|manifest| manifest.library.name.as_deref());
    library.unwrap_or(&package.name).replace('-', "_")
}

fn library_use(packages: &[PackageInput], resolved: &ResolvedUse<'_>) -> LibraryUse {
    let name = match packages.get(resolved.package) {
        Some(package) if !resolved.is_renamed => code_name(package),
        _ => resolved.dependency.key.replace('-', "_"),
    };
    LibraryUse { name, package: resolved.package }
}

/// Finds what the library of a package uses. A library of macros hands nothing of others on.
fn package_uses<'a>(input: &GraphInput<'a>, package: &'a PackageInput) -> Vec<ResolvedUse<'a>> {
    let Some(manifest) = package.manifest.as_ref().filter(|manifest| !manifest.library.is_proc_macro) else {
        return Vec::new();
    };
    resolve_uses(input, manifest, &package.needs, |dependency| dependency.kind == DependencyKind::Normal)
}

fn resolve_uses<'a>(
    input: &GraphInput<'a>,
    manifest: &'a CargoManifest,
    needs: &[usize],
    is_wanted: impl Fn(&ManifestDependency) -> bool,
) -> Vec<ResolvedUse<'a>> {
    let is_for_host = |target: &Option<String>| target.as_deref().is_none_or(input.is_for_host);
    let wanted = manifest.dependencies.iter().filter(|own| is_wanted(own) && is_for_host(&own.target));
    let resolved = wanted.filter_map(|dependency| {
        let detail = dependency.detail(input.table).map(|(detail, _)| detail);
        let name = detail.and_then(|detail| detail.package.as_deref());
        let named = needs.iter().filter_map(|at| Some((*at, input.packages.get(*at)?)));
        let named = named.filter(|(_, package)| package.name == name.unwrap_or(&dependency.key));
        let is_allowed = |version: &Version| detail.is_none_or(|detail| detail.requirement.allows(version));
        let fit = |package: &PackageInput| {
            let origin = (!package.is_path).then(|| CrateOrigin::of_lock_source(&package.source));
            detail.map(|detail| detail.place.fit(origin.as_ref()))
        };
        let best = named.max_by_key(|(_, package)| (is_allowed(&package.version), fit(package), &package.version));
        best.map(|(package, _)| ResolvedUse { dependency, package, is_renamed: name.is_some() })
    });
    resolved.collect()
}

fn feature_package(
    manifest: Option<&CargoManifest>,
    uses: &[ResolvedUse<'_>],
    table: Option<&WorkspaceTable>,
) -> FeaturePackage {
    let dependencies = uses.iter().map(|resolved| {
        let (features, with_default) = resolved.dependency.requested_features(table);
        FeatureDependency {
            key: resolved.dependency.key.clone(),
            package: resolved.package,
            is_optional: resolved.dependency.optional,
            request: FeatureRequest { features, with_default },
        }
    });
    let table = manifest.map(|manifest| manifest.features.clone()).unwrap_or_default();
    FeaturePackage { table, dependencies: dependencies.collect() }
}

/// Collects what members ask of a package, in their dependencies and by their own features.
fn direct_request(members: &[(&FeaturePackage, &ActiveFeatures)], package: usize) -> Option<FeatureRequest> {
    let mut found: Option<FeatureRequest> = None;
    for (member, active) in members {
        let values = active.features.iter().filter_map(|feature| member.table.get(feature)).flatten();
        let below: Vec<(&str, &str)> = values.filter_map(|value| value.split_once('/')).collect();
        for dependency in member.dependencies.iter().filter(|dependency| dependency.package == package) {
            let request = found.get_or_insert_default();
            request.with_default |= dependency.request.with_default;
            let more = below.iter().filter(|(key, _)| key.trim_end_matches('?') == dependency.key);
            let more = more.map(|(_, feature)| (*feature).to_owned());
            let all: BTreeSet<String> =
                request.features.drain(..).chain(dependency.request.features.iter().cloned()).chain(more).collect();
            request.features = all.into_iter().collect();
        }
    }
    found
}

#[cfg(test)]
#[path = "library_graph_tests.rs"]
mod tests;
