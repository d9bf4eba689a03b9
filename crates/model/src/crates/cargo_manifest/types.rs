//! The contents of a Cargo.toml, as far as dependencies are concerned.

use std::collections::BTreeMap;
use std::path::Path;

use semver::Version;

use crate::crates::lexical_path;
use crate::crates::name::CrateName;
use crate::crates::origin::{CrateOrigin, GitSource};
use crate::crates::requirement::VersionRequirement;
use crate::crates::set::DependencyKind;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CargoManifest {
    /// Absent in a virtual workspace root.
    pub package: Option<PackageTable>,
    pub workspace: Option<WorkspaceTable>,
    pub dependencies: Vec<ManifestDependency>,
    /// The number of entries that could not be understood; each has a diagnostic.
    pub skipped: usize,
    /// Directories that `[patch]` and `[replace]` sections take crates from, as written.
    pub patched_paths: Vec<String>,
    pub library: LibraryTable,
    /// The features, each with what it turns on, as written.
    pub features: BTreeMap<String, Vec<String>>,
}

/// The section `[lib]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LibraryTable {
    pub name: Option<String>,
    /// The root file, relative to the manifest.
    pub path: Option<String>,
    pub is_proc_macro: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageTable {
    pub name: CrateName,
    pub version: PackageVersion,
    pub workspace: Option<String>,
    pub readme: Option<String>,
    pub edition: PackageEdition,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackageEdition {
    Given(String),
    /// `edition.workspace = true`.
    Inherited,
    Missing,
}

impl PackageEdition {
    pub fn resolve<'e>(&'e self, workspace: Option<&'e WorkspaceTable>) -> &'e str {
        const FIRST: &str = "2015";
        match self {
            Self::Given(edition) => edition,
            Self::Inherited => workspace.and_then(|table| table.edition.as_deref()).unwrap_or(FIRST),
            Self::Missing => FIRST,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackageVersion {
    Given(Version),
    /// `version.workspace = true`.
    Inherited,
    /// Absent or invalid.
    Missing,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorkspaceTable {
    pub members: Vec<String>,
    pub exclude: Vec<String>,
    pub default_members: Vec<String>,
    /// The version members may inherit.
    pub version: Option<Version>,
    pub edition: Option<String>,
    pub dependencies: BTreeMap<String, DependencyDetail>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestDependency {
    /// The key in the manifest, which is not the crate's name if that is renamed.
    pub key: String,
    pub kind: DependencyKind,
    pub target: Option<String>,
    pub optional: bool,
    pub declaration: DependencyDeclaration,
    /// Features of the dependency; besides those of the workspace root, if it is inherited.
    pub features: Vec<String>,
    /// The value of `default-features`, if it is given.
    pub default_features: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DependencyDeclaration {
    Own(DependencyDetail),
    /// In the workspace root, under the same key.
    Inherited,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DependencyDetail {
    /// The crate's own name, when the key is another.
    pub package: Option<String>,
    pub requirement: VersionRequirement,
    pub place: DependencySource,
    pub features: Vec<String>,
    pub default_features: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DependencySource {
    Registry,
    /// A directory, as written, relative to the manifest.
    Path(String),
    /// A git repository, in Cargo.lock's notation as far as the manifest knows it.
    Git(String),
}

/// Says how well a dependency's source describes where a crate is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceFit {
    Other,
    /// The same kind of source, or the same git repository.
    Place,
    /// The same branch, tag or revision too.
    Reference,
}

impl DependencySource {
    /// Compares it with the origin of a crate; `None` for a crate without a source in Cargo.lock.
    pub fn fit(&self, origin: Option<&CrateOrigin>) -> SourceFit {
        match (self, origin) {
            (Self::Path(_), None | Some(CrateOrigin::Path { .. }))
            | (Self::Registry, Some(CrateOrigin::Registry { .. })) => SourceFit::Reference,
            (Self::Git(declared), Some(CrateOrigin::Git(locked))) => {
                let declared = GitSource::new(declared);
                match (declared.url() == locked.url(), declared.reference() == locked.reference()) {
                    (true, true) => SourceFit::Reference,
                    (true, false) => SourceFit::Place,
                    (false, _) => SourceFit::Other,
                }
            }
            (Self::Path(_) | Self::Registry | Self::Git(_), _) => SourceFit::Other,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathBase {
    Manifest,
    WorkspaceRoot,
}

impl WorkspaceTable {
    /// Tells whether the workspace at `root` excludes the package in `directory`, by cargo's rule: everything below an
    /// `exclude` entry is excluded, unless it is also below a `members` entry. Patterns are not expanded.
    pub fn excludes(&self, root: &Path, directory: &Path) -> bool {
        let below = |entry: &String| directory.starts_with(lexical_path::normal(&root.join(entry)));
        self.exclude.iter().any(below) && !self.members.iter().any(below)
    }
}

impl ManifestDependency {
    /// Returns its value, looked up in the workspace root if inherited; `None` when it is missing there.
    pub fn detail<'a>(&'a self, workspace: Option<&'a WorkspaceTable>) -> Option<(&'a DependencyDetail, PathBase)> {
        match &self.declaration {
            DependencyDeclaration::Own(detail) => Some((detail, PathBase::Manifest)),
            DependencyDeclaration::Inherited => {
                workspace?.dependencies.get(&self.key).map(|detail| (detail, PathBase::WorkspaceRoot))
            }
        }
    }
}

impl ManifestDependency {
    /// Returns the features that are asked for, and whether the default ones are.
    pub fn requested_features(&self, workspace: Option<&WorkspaceTable>) -> (Vec<String>, bool) {
        match &self.declaration {
            DependencyDeclaration::Own(detail) => (detail.features.clone(), detail.default_features.unwrap_or(true)),
            DependencyDeclaration::Inherited => {
                let shared = self.detail(workspace).map(|(detail, _)| detail);
                let mut features = shared.map(|detail| detail.features.clone()).unwrap_or_default();
                features.extend(self.features.iter().cloned());
                // A member can add the default features, but not remove them.
                let is_off = shared.is_some_and(|detail| detail.default_features == Some(false));
                (features, !is_off || self.default_features == Some(true))
            }
        }
    }
}

impl CargoManifest {
    /// Returns the directories of its path dependencies, as written, and the base of each.
    pub fn path_dependencies<'a>(
        &'a self,
        workspace: Option<&'a WorkspaceTable>,
    ) -> impl Iterator<Item = (PathBase, &'a str)> {
        self.dependencies.iter().filter_map(move |dependency| {
            let (detail, base) = dependency.detail(workspace)?;
            match &detail.place {
                DependencySource::Path(path) => Some((base, path.as_str())),
                DependencySource::Registry | DependencySource::Git(_) => None,
            }
        })
    }
}
