//! What was read of a workspace, before it is put together.

use std::path::{Path, PathBuf};

use semver::Version;

use crate::crates::cargo_lock::CargoLock;
use crate::crates::cargo_manifest::{CargoManifest, PackageTable, PackageVersion, WorkspaceTable};
use crate::crates::name::CrateName;

/// One manifest that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestFile {
    pub directory: PathBuf,
    /// The file as shown to a person.
    pub path: String,
    pub manifest: CargoManifest,
}

/// What there is of Cargo.lock.
#[derive(Debug, Clone, Copy)]
pub enum LockInput<'a> {
    Present {
        /// The file as shown to a person.
        path: &'a str,
        lockfile: &'a CargoLock<'a>,
    },
    Absent,
    /// It could not be read or understood.
    Broken,
}

/// Whether every manifest of the workspace could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadCompleteness {
    Complete,
    /// Some are missing or broken, so packages Cargo.lock alone knows may be members.
    Partial,
}

/// What was read of a workspace.
#[derive(Debug, Clone, Copy)]
pub struct WorkspaceInput<'a> {
    /// The directory of the workspace root's manifest.
    pub root: &'a Path,
    /// The root's `[workspace]` section.
    pub table: Option<&'a WorkspaceTable>,
    /// The manifests of the members.
    pub members: &'a [ManifestFile],
    /// Manifests of packages that are not members: path dependencies elsewhere.
    pub neighbours: &'a [ManifestFile],
    /// Whether any manifest is missing here.
    pub coverage: ReadCompleteness,
    pub lock: LockInput<'a>,
}

/// A package whose manifest was read.
#[derive(Debug, Clone)]
pub(super) struct LoadedPackage<'a> {
    pub(super) file: &'a ManifestFile,
    pub(super) name: &'a CrateName,
    /// `None` when it inherits a version from a workspace that was not read.
    pub(super) version: Option<Version>,
}

impl<'a> WorkspaceInput<'a> {
    /// The members that are packages; their position is how other parts refer to them.
    pub(super) fn member_packages(&self) -> Vec<LoadedPackage<'a>> {
        let own = self.table.and_then(|table| table.version.as_ref());
        packages(self.members, own)
    }

    pub(super) fn neighbour_packages(&self) -> Vec<LoadedPackage<'a>> {
        packages(self.neighbours, None)
    }
}

fn packages<'a>(files: &'a [ManifestFile], inherited: Option<&Version>) -> Vec<LoadedPackage<'a>> {
    let each = files.iter().filter_map(|file| {
        let PackageTable { name, version, .. } = file.manifest.package.as_ref()?;
        let version = match version {
            PackageVersion::Given(version) => Some(version.clone()),
            PackageVersion::Inherited => inherited.cloned(),
            PackageVersion::Missing => Some(Version::new(0, 0, 0)),
        };
        Some(LoadedPackage { file, name, version })
    });
    each.collect()
}
