//! Reading of the libraries of packages: those of a workspace as locked, or one version as it is on this machine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use semver::Version;
use symposium_model::crates::cargo_manifest::CargoManifest;
use symposium_model::crates::features::FeatureRequest;
use symposium_model::crates::library_graph::{GraphInput, LibraryGraph, MemberInput, PackageInput};
use symposium_model::crates::{CrateOrigin, CrateSet, LockedCrate};
use symposium_model::hook::hook_plan::hash;

use super::manifest_file::{ManifestLookup, read_manifest};
use super::search_boundary::SearchBoundary;
use super::sources::{SourceFinder, SourceRoots};
use super::workspace_root;
use crate::fs::{self, FileKind};

const MANIFEST_LIMIT: u64 = 1024 * 1024;
/// The most packages that one version on this machine leads to.
const MOST_PACKAGES: usize = 400;

/// A workspace whose libraries are wanted.
#[derive(Clone, Copy)]
pub struct LibrarySearch<'a> {
    pub roots: SourceRoots<'a>,
    pub boundary: &'a SearchBoundary,
    /// Says whether a dependency for a platform counts.
    pub is_for_host: &'a dyn Fn(&str) -> bool,
}

impl LibrarySearch<'_> {
    /// Sums up what the libraries of a workspace depend on, besides the sources of registries, which do not change.
    pub fn fingerprint(&self, crates: &CrateSet) -> u64 {
        let mut text = String::new();
        for (at, krate) in crates.crates().iter().enumerate() {
            text.push_str(&format!("{} {} {} {:?}\n", krate.name, krate.version, source_text(krate), crates.needs(at)));
        }
        let members = crates.members().iter().filter_map(|member| member.directory.as_deref());
        let paths = crates.crates().iter().filter_map(|krate| match &krate.origin {
            CrateOrigin::Path { directory } => directory.as_deref(),
            _ => None,
        });
        for directory in std::iter::once(self.roots.workspace).chain(members).chain(paths) {
            text.push_str(&directory.display().to_string());
            // Inherited values are in a manifest further up.
            let manifest = fs::read_text(&directory.join("Cargo.toml"), MANIFEST_LIMIT).unwrap_or_default();
            text.push_str(&manifest);
        }
        hash(text.as_bytes())
    }

    /// Reads the libraries of all crates, in their order.
    pub fn read(&self, crates: &CrateSet) -> LibraryGraph {
        let finder = self.finder();
        let packages: Vec<PackageInput> = (crates.crates().iter().enumerate())
            .map(|(at, krate)| {
                let directory = finder.directory(krate);
                PackageInput {
                    name: krate.name.to_string(),
                    version: krate.version.clone(),
                    source: source_text(krate),
                    is_path: matches!(krate.origin, CrateOrigin::Path { .. }),
                    manifest: directory.as_deref().and_then(read_package),
                    directory,
                    needs: crates.needs(at).to_vec(),
                }
            })
            .collect();
        let root = match read_manifest(self.roots.workspace, &mut Vec::new()) {
            ManifestLookup::Read(file) => Some(workspace_root::find(*file, self.boundary)),
            ManifestLookup::Absent | ManifestLookup::Unusable => None,
        };
        let files = root.as_ref().map(|root| root.files.as_slice()).unwrap_or_default();
        let members: Vec<MemberInput> = (crates.members().iter().enumerate())
            .filter_map(|(at, member)| {
                let directory = member.directory.as_ref()?;
                let file = files.iter().find(|file| file.directory == *directory)?;
                Some(MemberInput { manifest: file.manifest.clone(), needs: crates.member_needs(at).to_vec() })
            })
            .collect();
        LibraryGraph::compose(GraphInput {
            packages: &packages,
            members: &members,
            table: root.as_ref().and_then(|root| root.root.manifest.workspace.as_ref()),
            requests: &[],
            is_for_host: self.is_for_host,
        })
    }

    /// Finds the sources of crates.
    pub fn finder(&self) -> SourceFinder<'_> {
        SourceFinder::new(self.roots, self.boundary)
    }

    /// Lists the versions of a crate that cargo has unpacked on this machine, lowest first.
    pub fn unpacked_versions(&self, name: &str) -> Vec<Version> {
        let mut versions: Vec<Version> = self.unpacked().remove(name).unwrap_or_default().into_keys().collect();
        versions.sort();
        versions
    }

    /// Reads a version that is on this machine, first, and what it uses of what else is there.
    pub fn read_unpacked(&self, name: &str, version: &Version, request: FeatureRequest) -> Option<LibraryGraph> {
        let unpacked = self.unpacked();
        let first = unpacked.get(name)?.get(version)?;
        let mut packages = vec![unpacked_package(name, version, first)];
        let mut at = 0;
        while let Some(package) = packages.get(at) {
            let dependencies = package.manifest.as_ref().map(|manifest| manifest.dependencies.clone());
            let mut needs = Vec::new();
            for dependency in dependencies.unwrap_or_default() {
                let Some((detail, _)) = dependency.detail(None) else { continue };
                let name = detail.package.as_deref().unwrap_or(&dependency.key);
                let versions = unpacked.get(name).into_iter().flatten();
                let Some((version, directory)) = versions
                    .filter(|(version, _)| detail.requirement.allows(version))
                    .max_by_key(|(version, _)| *version)
                else {
                    continue;
                };
                let known = packages.iter().position(|known| known.name == name && known.version == *version);
                if known.is_none() && packages.len() >= MOST_PACKAGES {
                    continue;
                }
                needs.push(known.unwrap_or(packages.len()));
                if known.is_none() {
                    packages.push(unpacked_package(name, version, directory));
                }
            }
            if let Some(package) = packages.get_mut(at) {
                package.needs = needs;
            }
            at += 1;
        }
        let requests = [(0, request)];
        Some(LibraryGraph::compose(GraphInput {
            packages: &packages,
            members: &[],
            table: None,
            requests: &requests,
            is_for_host: self.is_for_host,
        }))
    }

    /// Finds all directories of unpacked crates, by name and version.
    fn unpacked(&self) -> BTreeMap<String, BTreeMap<Version, PathBuf>> {
        let mut found: BTreeMap<String, BTreeMap<Version, PathBuf>> = BTreeMap::new();
        let Some(cargo_home) = self.roots.cargo_home else { return found };
        let registries = cargo_home.join("registry").join("src");
        for registry in directories(&registries) {
            for directory in directories(&registry) {
                let name = directory.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                // The version is behind the first `-` with a version behind it.
                let splits = name.match_indices('-').filter_map(|(at, _)| Some((name.get(..at)?, name.get(at + 1..)?)));
                let mut parsed = splits.filter_map(|(name, version)| Some((name, Version::parse(version).ok()?)));
                if let Some((name, version)) = parsed.next() {
                    found.entry(name.to_owned()).or_default().entry(version).or_insert_with(|| directory.clone());
                }
            }
        }
        found
    }
}

fn unpacked_package(name: &str, version: &Version, directory: &Path) -> PackageInput {
    PackageInput {
        name: name.to_owned(),
        version: version.clone(),
        source: "unpacked".to_owned(),
        is_path: false,
        directory: Some(directory.to_owned()),
        manifest: read_package(directory),
        needs: Vec::new(),
    }
}

fn read_package(directory: &Path) -> Option<CargoManifest> {
    match read_manifest(directory, &mut Vec::new()) {
        ManifestLookup::Read(file) => Some(file.manifest),
        ManifestLookup::Absent | ManifestLookup::Unusable => None,
    }
}

fn directories(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::list(directory).unwrap_or_default().into_iter();
    entries.filter(|entry| entry.kind == FileKind::Directory).map(|entry| directory.join(entry.name)).collect()
}

fn source_text(krate: &LockedCrate) -> String {
    match &krate.origin {
        CrateOrigin::Registry { source } => source.clone().unwrap_or_default(),
        CrateOrigin::Git(source) => source.as_str().to_owned(),
        CrateOrigin::Path { directory } => {
            directory.as_deref().map(|directory| directory.display().to_string()).unwrap_or_default()
        }
        CrateOrigin::Other { source } => source.clone(),
    }
}
