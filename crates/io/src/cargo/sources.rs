//! Location of a crate's source on disk, at the version in use, with its README, examples and docs.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use symposium_model::crates::vendor::{VendorDirectory, vendor_directories};
use symposium_model::crates::{CrateOrigin, GitSource, LockedCrate};

use super::manifest_file::{ManifestLookup, read_manifest};
use super::package_search::{is_package, search};
use super::search_boundary::SearchBoundary;
use crate::fs::{self, FileKind};

const CONFIG_LIMIT: u64 = 1024 * 1024;

#[derive(Debug, Clone, Copy)]
pub struct SourceRoots<'a> {
    pub cargo_home: Option<&'a Path>,
    /// Its cargo configuration may name a directory of vendored crates.
    pub workspace: &'a Path,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrateSource {
    pub directory: PathBuf,
    pub readme: Option<PathBuf>,
    pub examples: Option<PathBuf>,
    pub docs: Option<PathBuf>,
}

/// Returns the file that cargo writes when it has unpacked all of a package of a registry, if it is not there yet.
pub fn awaited_mark(directory: &Path, roots: SourceRoots<'_>) -> Option<PathBuf> {
    let registries = roots.cargo_home?.join("registry").join("src");
    let mark = directory.join(".cargo-ok");
    (directory.starts_with(registries) && !is_written(&mark)).then_some(mark)
}

/// Says whether there is a file with content.
pub fn is_written(mark: &Path) -> bool {
    std::fs::metadata(mark).is_ok_and(|metadata| metadata.len() > 0)
}

/// Finds the crate's source; `None` when cargo has not unpacked it.
pub fn find_source(krate: &LockedCrate, roots: SourceRoots<'_>, boundary: &SearchBoundary) -> Option<CrateSource> {
    SourceFinder::new(roots, boundary).find(krate).map(|(directory, tree)| describe(directory, &tree))
}

/// A search for the sources of many crates that looks up their common directories once.
pub struct SourceFinder<'a> {
    roots: SourceRoots<'a>,
    boundary: &'a SearchBoundary,
    vendors: OnceCell<Vec<PathBuf>>,
    registries: OnceCell<Vec<String>>,
}

impl<'a> SourceFinder<'a> {
    pub fn new(roots: SourceRoots<'a>, boundary: &'a SearchBoundary) -> Self {
        Self { roots, boundary, vendors: OnceCell::new(), registries: OnceCell::new() }
    }

    pub fn directory(&self, krate: &LockedCrate) -> Option<PathBuf> {
        self.find(krate).map(|(directory, _)| directory)
    }

    /// Returns the name of the crate's library, if its manifest is on disk and names it.
    pub fn library_name(&self, krate: &LockedCrate) -> Option<String> {
        match read_manifest(&self.directory(krate)?, &mut Vec::new()) {
            ManifestLookup::Read(found) => found.manifest.library.name,
            ManifestLookup::Absent | ManifestLookup::Unusable => None,
        }
    }

    /// Returns the paths that will change when cargo unpacks a crate that is missing now.
    pub fn awaited(&self, krate: &LockedCrate) -> Vec<PathBuf> {
        let Some(cargo_home) = self.roots.cargo_home else { return Vec::new() };
        match &krate.origin {
            CrateOrigin::Registry { source } => {
                let registries = cargo_home.join("registry").join("src");
                let package = format!("{}-{}", krate.name, krate.version);
                let names = self.registries.get_or_init(|| directories(&registries)).iter();
                let own = names.filter(|name| is_own(name, source.as_deref()));
                let places: Vec<PathBuf> = own.map(|name| registries.join(name).join(&package)).collect();
                if places.is_empty() { vec![registries] } else { places }
            }
            CrateOrigin::Git(source) => {
                let checkouts = cargo_home.join("git").join("checkouts");
                let places = repositories(&checkouts, source);
                if places.is_empty() { vec![checkouts] } else { places }
            }
            CrateOrigin::Path { .. } | CrateOrigin::Other { .. } => Vec::new(),
        }
    }

    /// Returns the directory of the crate's manifest, and the tree to which its files belong.
    fn find(&self, krate: &LockedCrate) -> Option<(PathBuf, PathBuf)> {
        let (directory, tree) = match &krate.origin {
            CrateOrigin::Path { directory } => {
                let directory = directory.clone()?;
                let workspace = self.roots.workspace;
                let tree = if directory.starts_with(workspace) { workspace } else { &directory };
                (directory.clone(), tree.to_owned())
            }
            CrateOrigin::Git(source) => match self.vendored(krate) {
                Some(directory) => (directory.clone(), directory),
                None => checked_out(krate, source, self.roots.cargo_home?)?,
            },
            CrateOrigin::Registry { source } => {
                let directory = self.vendored(krate).or_else(|| self.unpacked(krate, source.as_deref()))?;
                (directory.clone(), directory)
            }
            CrateOrigin::Other { .. } => return None,
        };
        fs::is_dir(&directory).then_some((directory, tree))
    }

    /// Finds `registry/src/HOST-HASH/NAME-VERSION`; the registry of Cargo.lock comes before its mirrors.
    fn unpacked(&self, krate: &LockedCrate, source: Option<&str>) -> Option<PathBuf> {
        let registries = self.roots.cargo_home?.join("registry").join("src");
        let mut names: Vec<&String> = self.registries.get_or_init(|| directories(&registries)).iter().collect();
        names.sort_by_key(|name| !is_own(name, source));
        let package = format!("{}-{}", krate.name, krate.version);
        names.into_iter().map(|name| registries.join(name).join(&package)).find(|directory| fs::is_dir(directory))
    }

    fn vendored(&self, krate: &LockedCrate) -> Option<PathBuf> {
        let vendors = self.vendors.get_or_init(|| vendors(self.roots.workspace, self.boundary));
        vendors.iter().find_map(|vendor| {
            let with_version = vendor.join(format!("{}-{}", krate.name, krate.version));
            let without = vendor.join(krate.name.as_str());
            [with_version, without].into_iter().find(|at| is_package(at, krate))
        })
    }
}

/// Returns true if a directory of unpacked crates belongs to the registry that Cargo.lock names.
fn is_own(directory: &str, source: Option<&str>) -> bool {
    let host = source.and_then(host_of).unwrap_or_default();
    // The index of crates.io has changed hosts; its name is in both the old address and the new directory.
    let central = source.is_none_or(|source| source.contains("crates.io"));
    let own_host = !host.is_empty() && directory.strip_prefix(host).is_some_and(|rest| rest.starts_with('-'));
    own_host || (central && directory.contains("crates.io"))
}

fn host_of(source: &str) -> Option<&str> {
    let (_, rest) = source.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    host.split(':').next()
}

/// Returns the package inside `git/checkouts/REPOSITORY-HASH/COMMIT`, and that checkout.
fn checked_out(krate: &LockedCrate, source: &GitSource, cargo_home: &Path) -> Option<(PathBuf, PathBuf)> {
    let revision = source.revision()?;
    for repository in repositories(&cargo_home.join("git").join("checkouts"), source) {
        // Cargo names a checkout by the first digits of its commit.
        let commits = directories(&repository).into_iter();
        for commit in commits.filter(|commit| commit.len() >= 7 && revision.starts_with(commit.as_str())) {
            let tree = repository.join(commit);
            if let Some(directory) = search(&tree, krate) {
                return Some((directory, tree));
            }
        }
    }
    None
}

fn repositories(checkouts: &Path, source: &GitSource) -> Vec<PathBuf> {
    let repository = source.url().trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or_default();
    let repository = repository.strip_suffix(".git").unwrap_or(repository);
    let is_repository = |name: &String| {
        let stem = name.rsplit_once('-').map(|(stem, _)| stem.strip_suffix(".git").unwrap_or(stem));
        stem.is_some_and(|stem| stem.eq_ignore_ascii_case(repository))
    };
    directories(checkouts).into_iter().filter(is_repository).map(|name| checkouts.join(name)).collect()
}

fn vendors(workspace: &Path, boundary: &SearchBoundary) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for parent in boundary.own_upwards(workspace) {
        for config in [".cargo/config.toml", ".cargo/config"] {
            let Ok(text) = fs::read_text(&parent.join(config), CONFIG_LIMIT) else { continue };
            found.extend(vendor_directories(&text).into_iter().map(|VendorDirectory { path }| parent.join(path)));
        }
    }
    found
}

fn directories(directory: &Path) -> Vec<String> {
    let entries = fs::list(directory).unwrap_or_default();
    entries.into_iter().filter(|entry| entry.kind == FileKind::Directory).map(|entry| entry.name).collect()
}

/// Finds README, examples and docs. Links that lead out of the source tree are not followed.
fn describe(directory: PathBuf, tree: &Path) -> CrateSource {
    let tree = fs::canonical(tree).ok();
    let inside = |path: &PathBuf| match (fs::canonical(path), &tree) {
        (Ok(path), Some(tree)) => path.starts_with(tree),
        _ => false,
    };
    let declared = match read_manifest(&directory, &mut Vec::new()) {
        ManifestLookup::Read(file) => file.manifest.package.and_then(|package| package.readme),
        ManifestLookup::Absent | ManifestLookup::Unusable => None,
    };
    let usual = ["README.md", "README.txt", "README", "Readme.md", "readme.md"].map(str::to_owned);
    let mut readmes = declared.into_iter().chain(usual).map(|name| directory.join(name));
    let sub_directory = |names: &[&str]| {
        let mut paths = names.iter().map(|name| directory.join(name));
        paths.find(|path| fs::is_dir(path) && inside(path))
    };
    CrateSource {
        readme: readmes.find(|path| fs::is_file(path) && inside(path)),
        examples: sub_directory(&["examples"]),
        docs: sub_directory(&["docs", "doc"]),
        directory,
    }
}
