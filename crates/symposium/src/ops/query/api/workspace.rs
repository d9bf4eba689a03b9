//! The crates of the workspace, with the names that code has for them.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use semver::Version;
use symposium_api::{CrateIndex, PackageId, TargetFacts, is_for_target};
use symposium_io::api_cache::{IndexFault, IndexStore, cached_libraries, read_libraries};
use symposium_io::cargo::{LibrarySearch, SourceRoots, WorkspaceCrates};
use symposium_io::{env, fs};
use symposium_model::crates::library_graph::{LibraryGraph, LibraryPackage};
use symposium_model::crates::{CrateName, LockedCrate};

use crate::error::CliError;
use crate::ops::context::Context;
use crate::ops::query::crate_source::choose_version;

/// Everything that indexes of the workspace's crates are made from.
pub(super) struct ApiWorkspace<'c> {
    pub(super) context: &'c Context,
    pub(super) root: &'c Path,
    pub(super) locked: &'c WorkspaceCrates,
    pub(super) graph: LibraryGraph,
    pub(super) cargo_home: Option<PathBuf>,
}

/// A crate that a question names.
#[derive(Debug, Clone)]
pub(super) struct FoundLibrary {
    pub(super) position: usize,
    /// The name that code uses.
    pub(super) name: String,
    /// Packages of that name that are locked too, with their versions.
    pub(super) others: Vec<String>,
}

impl<'c> ApiWorkspace<'c> {
    /// Reads what is needed to know of the crates, from the cache or from their manifests.
    pub(super) fn load(context: &'c Context, locked: &'c WorkspaceCrates) -> Option<Self> {
        // Without the directory nothing is kept, so each question takes longer.
        let _ = fs::create_private_dir(&context.directories.api());
        Self::load_in_place(context, locked)
    }

    /// Reads the same, and keeps it only if the directory of the cache is there.
    pub(super) fn load_in_place(context: &'c Context, locked: &'c WorkspaceCrates) -> Option<Self> {
        let mut workspace = Self::without_graph(context, locked)?;
        workspace.graph = workspace.search(|search| read_libraries(&context.directories.api(), search, &locked.crates));
        Some(workspace)
    }

    /// Reads it from the cache; nothing if it is not there.
    pub(super) fn load_cached(context: &'c Context, locked: &'c WorkspaceCrates) -> Option<Self> {
        let mut workspace = Self::without_graph(context, locked)?;
        workspace.graph =
            workspace.search(|search| cached_libraries(&context.directories.api(), search, &locked.crates))?;
        Some(workspace)
    }

    fn without_graph(context: &'c Context, locked: &'c WorkspaceCrates) -> Option<Self> {
        let graph = LibraryGraph::default();
        Some(Self { context, root: context.root()?, locked, graph, cargo_home: env::cargo_home() })
    }

    /// Runs a search for libraries on this machine.
    pub(super) fn search<T>(&self, run: impl FnOnce(LibrarySearch<'_>) -> T) -> T {
        let target = TargetFacts::host();
        let is_for_host = |written: &str| is_for_target(written, &target);
        run(LibrarySearch { roots: self.roots(), boundary: &self.context.boundary, is_for_host: &is_for_host })
    }

    pub(super) fn roots(&self) -> SourceRoots<'_> {
        SourceRoots { cargo_home: self.cargo_home.as_deref(), workspace: self.root }
    }

    pub(super) fn open_store<'s>(&'s self, progress: &'s (dyn Fn(&str) + Sync)) -> IndexStore<'s> {
        IndexStore::new(&self.graph, &self.context.directories.api(), self.roots(), progress)
    }

    fn crates(&self) -> &[LockedCrate] {
        self.locked.crates.crates()
    }

    pub(super) fn package(&self, position: usize) -> Option<&LibraryPackage> {
        self.graph.packages.get(position)
    }

    /// The positions of the direct dependencies, or of everything that is locked.
    pub(super) fn positions(&self, is_everything: bool) -> Vec<usize> {
        let all = self.crates().iter().enumerate();
        all.filter(|(_, krate)| is_everything || krate.is_direct()).map(|(at, _)| at).collect()
    }

    /// Finds a package that another is, or uses, directly or not: the nearest, because one version can be locked from two
    /// places.
    pub(super) fn position_of(&self, package: &PackageId, user: usize) -> Option<usize> {
        let is_same = |own: &LibraryPackage| own.name == package.name && own.version == package.version;
        let mut waiting = VecDeque::from([user]);
        let mut seen = HashSet::from([user]);
        while let Some(position) = waiting.pop_front() {
            let Some(own) = self.package(position) else { continue };
            if is_same(own) {
                return Some(position);
            }
            let used = own.dependencies.iter().map(|used| used.package);
            waiting.extend(used.filter(|used| seen.insert(*used)));
        }
        self.graph.packages.iter().position(is_same)
    }

    /// Finds the crate that a name means: the name that the workspace's code has for it, else that of a package.
    pub(super) fn find_crate(&self, written: &str, version: Option<&str>) -> Result<Option<FoundLibrary>, CliError> {
        let written = written.trim_end_matches("::");
        let in_code = written.replace('-', "_");
        let used: Vec<usize> =
            (0..self.crates().len()).filter(|position| self.names_in_code(*position).contains(&in_code)).collect();
        if let ([position], None) = (used.as_slice(), version) {
            return Ok(Some(self.found(*position, in_code)));
        }
        let by_use = used.first().and_then(|position| self.crates().get(*position)).map(|krate| krate.name.clone());
        let by_library = || self.graph.packages.iter().find(|package| package.code_name == in_code);
        let named = CrateName::parse(written).filter(|name| self.locked.crates.has(name.as_str()));
        let Some(name) = by_use.or(named).or_else(|| CrateName::parse(&by_library()?.name)) else { return Ok(None) };
        let hint = "pass one of these with `--version V`";
        let (krate, _) = choose_version(&self.locked.crates, &name, version, hint)?;
        let is_same = |own: &LockedCrate| own.name == krate.name && own.version == krate.version;
        let is_chosen = |own: &LockedCrate| is_same(own) && own.origin == krate.origin;
        // One version from two places: the name in code says which is meant.
        let of_name = used.into_iter().find(|position| self.crates().get(*position).is_some_and(is_same));
        let position = of_name.or_else(|| self.crates().iter().position(is_chosen));
        Ok(position.map(|position| self.found(position, self.code_name(position))))
    }

    fn found(&self, position: usize, name: String) -> FoundLibrary {
        let package = self.crates().get(position).map(|krate| &krate.name);
        let others =
            self.crates().iter().enumerate().filter(|(at, other)| *at != position && Some(&other.name) == package);
        let others = others.map(|(at, other)| {
            let code_name = self.code_name(at);
            let is_renamed = code_name != name && other.is_direct();
            let renamed = if is_renamed { format!(" (`{code_name}` in code)") } else { String::new() };
            format!("{} {}{renamed}", other.name, other.version)
        });
        FoundLibrary { position, others: others.collect(), name }
    }

    /// The locked versions of a package whose sources are on this machine, with their positions.
    pub(super) fn locked_versions(&self, name: &str) -> BTreeMap<Version, usize> {
        let own = self.graph.packages.iter().enumerate();
        let found = own.filter(|(_, package)| package.name == name && package.directory.is_some());
        found.filter_map(|(at, package)| Some((package.version.parse().ok()?, at))).collect()
    }

    /// The names that the code of members has for a crate.
    fn names_in_code(&self, position: usize) -> BTreeSet<String> {
        let uses = self.crates().get(position).map(|krate| krate.uses.as_slice()).unwrap_or_default();
        let own = self.package(position).map(|package| package.code_name.as_str()).unwrap_or_default();
        uses.iter().map(|own_use| own_use.renamed.as_deref().unwrap_or(own).replace('-', "_")).collect()
    }

    /// The name that code uses for a crate.
    pub(super) fn code_name(&self, position: usize) -> String {
        let uses = self.crates().get(position).map(|krate| krate.uses.as_slice()).unwrap_or_default();
        let own = self.package(position).map(|package| package.code_name.clone()).unwrap_or_default();
        match uses.split_first() {
            // Renamed wherever it is used.
            Some((first, _)) if uses.iter().all(|own| own.renamed.is_some()) => {
                first.renamed.as_deref().unwrap_or(&own).replace('-', "_")
            }
            _ => own,
        }
    }

    /// All names that a question can begin with.
    pub(super) fn crate_names(&self) -> Vec<String> {
        let positions = 0..self.graph.packages.len();
        let names = positions.flat_map(|position| {
            let package = self.package(position).map(|package| package.name.clone());
            package.into_iter().chain([self.code_name(position)])
        });
        names.collect::<BTreeSet<String>>().into_iter().collect()
    }

    /// Gives an index the name that code uses.
    pub(super) fn rename(&self, mut index: CrateIndex, position: usize) -> CrateIndex {
        index.name = self.code_name(position);
        index
    }

    /// The error for a crate without an index.
    pub(super) fn refuse(&self, position: usize, fault: IndexFault) -> CliError {
        let package = self.package(position);
        let title = package.map(|own| format!("`{}` {}", own.name, own.version)).unwrap_or_default();
        match fault {
            IndexFault::MissingSource => CliError::no(format!("The source of {title} is not on this machine"))
                .hint("`cargo fetch` brings the sources of everything in Cargo.lock"),
            IndexFault::NoLibrary => CliError::no(format!("{title} has no library, so it has no public items")),
            IndexFault::Failed => CliError::failed(format!("The source of {title} could not be read"))
                .hint("run the command again; `-v` tells more"),
        }
    }
}
