//! The manifests and the Cargo.lock of a workspace, as input of the resolution.

use std::path::{Path, PathBuf};

use semver::Version;

use crate::crates::cargo_lock::CargoLock;
use crate::crates::cargo_manifest::{CargoManifest, PackageTable, PackageVersion, WorkspaceTable};
use crate::crates::name::CrateName;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestFile {
    pub directory: PathBuf,
    /// The file as shown to the user.
    pub path: String,
    pub manifest: CargoManifest,
}

#[derive(Debug, Clone, Copy)]
pub enum LockInput<'a> {
    Present { path: &'a str, lockfile: &'a CargoLock<'a> },
    Absent,
    Broken,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadCompleteness {
    Complete,
    /// Some are missing or broken, so a package that is only in Cargo.lock may be a member.
    Partial,
}

#[derive(Debug, Clone, Copy)]
pub struct WorkspaceInput<'a> {
    pub root: &'a Path,
    pub table: Option<&'a WorkspaceTable>,
    pub members: &'a [ManifestFile],
    /// Packages that are not members: path dependencies elsewhere.
    pub neighbours: &'a [ManifestFile],
    pub coverage: ReadCompleteness,
    pub lock: LockInput<'a>,
}

#[derive(Debug, Clone)]
pub(super) struct LoadedPackage<'a> {
    pub(super) file: &'a ManifestFile,
    pub(super) name: &'a CrateName,
    /// `None` when it inherits a version from a workspace that was not read.
    pub(super) version: Option<Version>,
}

impl<'a> WorkspaceInput<'a> {
    /// Returns the members that are packages; other parts refer to them by their position here.
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
