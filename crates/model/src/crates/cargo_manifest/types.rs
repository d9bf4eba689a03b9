//! What a Cargo.toml says, as values.

use std::collections::BTreeMap;
use std::path::Path;

use semver::Version;

use crate::crates::lexical_path;
use crate::crates::name::CrateName;
use crate::crates::requirement::VersionRequirement;
use crate::crates::set::DependencyKind;

/// A Cargo.toml, as far as dependencies are concerned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CargoManifest {
    /// The package; a virtual workspace root has none.
    pub package: Option<PackageTable>,
    /// The workspace it is the root of.
    pub workspace: Option<WorkspaceTable>,
    /// What it depends on, in every section.
    pub dependencies: Vec<ManifestDependency>,
    /// How many dependencies could not be understood; each has its finding.
    pub skipped: usize,
    /// Directories that `[patch]` and `[replace]` sections take crates from, as written.
    pub patched_paths: Vec<String>,
}

/// The `[package]` section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageTable {
    pub name: CrateName,
    pub version: PackageVersion,
    /// The workspace root it points to, as written.
    pub workspace: Option<String>,
    /// Where its README is, as written.
    pub readme: Option<String>,
    pub edition: PackageEdition,
}

/// A package's edition, as its manifest has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackageEdition {
    Given(String),
    /// `edition.workspace = true`.
    Inherited,
    /// Not there: the first one.
    Missing,
}

impl PackageEdition {
    /// The edition, given the root of its workspace.
    pub fn resolve<'e>(&'e self, workspace: Option<&'e WorkspaceTable>) -> &'e str {
        /// What a package without an edition has.
        const FIRST: &str = "2015";
        match self {
            Self::Given(edition) => edition,
            Self::Inherited => workspace.and_then(|table| table.edition.as_deref()).unwrap_or(FIRST),
            Self::Missing => FIRST,
        }
    }
}

/// A package's version, as its manifest has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackageVersion {
    Given(Version),
    /// `version.workspace = true`.
    Inherited,
    /// Not there, or not a version.
    Missing,
}

/// The `[workspace]` section.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorkspaceTable {
    /// Directories of members, as patterns.
    pub members: Vec<String>,
    /// Directories that are not members.
    pub exclude: Vec<String>,
    /// What cargo builds by default, as patterns.
    pub default_members: Vec<String>,
    /// The version members may inherit.
    pub version: Option<Version>,
    /// The edition members may inherit.
    pub edition: Option<String>,
    /// The dependencies members may inherit, by the name they are called.
    pub dependencies: BTreeMap<String, DependencyDetail>,
}

/// One dependency of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestDependency {
    /// The name it is called by: the key in the manifest.
    pub key: String,
    /// What it is needed for.
    pub kind: DependencyKind,
    /// The `cfg(…)` or target triple it is limited to.
    pub target: Option<String>,
    /// Whether a feature has to switch it on.
    pub optional: bool,
    pub declaration: DependencyDeclaration,
}

/// Where a dependency's details are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DependencyDeclaration {
    Own(DependencyDetail),
    /// In the workspace root, under the same key.
    Inherited,
}

/// What a dependency asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DependencyDetail {
    /// The crate's own name, when it is called by another.
    pub package: Option<String>,
    pub requirement: VersionRequirement,
    /// Where to take it from.
    pub place: DependencySource,
}

/// Where a dependency is to be taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DependencySource {
    /// The default registry, or one of its own.
    Registry,
    /// A directory, as written, relative to the manifest.
    Path(String),
    /// A git repository, in Cargo.lock's notation as far as the manifest knows it.
    Git(String),
}

/// What a path in a manifest is relative to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathBase {
    /// The directory of the manifest itself.
    Manifest,
    /// The directory of the workspace root, from which the dependency is inherited.
    WorkspaceRoot,
}

impl WorkspaceTable {
    /// Whether the workspace at `root` keeps the package in `directory` out, by cargo's rule: what lies below an
    /// `exclude` entry is out, unless it also lies below a `members` entry. Patterns have no part in this.
    pub fn excludes(&self, root: &Path, directory: &Path) -> bool {
        let below = |entry: &String| directory.starts_with(lexical_path::normal(&root.join(entry)));
        self.exclude.iter().any(below) && !self.members.iter().any(below)
    }
}

impl ManifestDependency {
    /// What it asks for, also when that is written in the workspace root; `None` when it is not written there.
    pub fn detail<'a>(&'a self, workspace: Option<&'a WorkspaceTable>) -> Option<(&'a DependencyDetail, PathBase)> {
        match &self.declaration {
            DependencyDeclaration::Own(detail) => Some((detail, PathBase::Manifest)),
            DependencyDeclaration::Inherited => {
                workspace?.dependencies.get(&self.key).map(|detail| (detail, PathBase::WorkspaceRoot))
            }
        }
    }
}

impl CargoManifest {
    /// The directories of its path dependencies, as written, and what each is relative to.
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
