//! The plugins that crates carry in their own source: of dependencies, and of the workspace's own packages.

use std::path::{Path, PathBuf};

use symposium_io::cargo::{SourceFinder, SourceRoots};
use symposium_io::source::{CrateSigns, DirectoryTree, crate_signs, crate_skill_directories, load_crate};
use symposium_io::{env, fs};
use symposium_model::catalog::LoadedSource;
use symposium_model::config::{AutoEnable, CratePlace, EffectiveSettings, SourceKind, SourceRank, SourceSpec};
use symposium_model::crates::{CrateName, CrateOrigin, CrateSet, DependencyScope, LockedCrate, VersionCertainty};

use super::condition_facts::scope;
use crate::ops::context::Context;

/// More places than this are not looked at when a session starts.
const MANY: usize = 128;

pub(crate) struct CrateShelf<'s> {
    context: &'s Context,
    cargo_home: Option<PathBuf>,
}

impl<'s> CrateShelf<'s> {
    pub(crate) fn new(context: &'s Context) -> Self {
        Self { context, cargo_home: env::cargo_home() }
    }

    /// Hands over what finds crates; nothing outside a workspace.
    pub(crate) fn with<T: Default>(&self, find: impl FnOnce(&SourceFinder<'_>) -> T) -> T {
        let Some(workspace) = self.context.root() else { return T::default() };
        let roots = SourceRoots { cargo_home: self.cargo_home.as_deref(), workspace };
        find(&SourceFinder::new(roots, &self.context.boundary))
    }
}

/// The plugins of all crates in the scope: one look at each of their directories.
pub(crate) fn own_plugins(
    context: &Context,
    crates: Option<&CrateSet>,
    known: &[LoadedSource],
    scope: DependencyScope,
) -> Vec<LoadedSource> {
    let (Some(crates), Some(root)) = (crates, context.root()) else { return Vec::new() };
    let mut sources = Vec::new();
    for member in crates.members() {
        let Some(directory) = member.directory.as_deref().filter(|at| !is_read_already(at, known)) else { continue };
        // Without a manifest, its skills are the workspace's own.
        if !has_manifest(directory) {
            continue;
        }
        let place = CratePlace {
            name: member.name.clone(),
            version: member.version.clone(),
            certainty: VersionCertainty::Locked,
            directory: directory.to_owned(),
            brought_by: None,
        };
        sources.extend(load(place, SourceRank::Project));
    }
    CrateShelf::new(context).with(|finder| {
        for krate in counted(scope, crates) {
            let Some(directory) = finder.directory(krate) else { continue };
            sources.extend(load(place(krate, directory.clone()), rank(root, &krate.origin, &directory)));
        }
    });
    for source in &mut sources {
        demote_faults(&context.settings, source);
    }
    sources
}

/// The dependencies that count; of two versions the newer one comes first.
fn counted(scope: DependencyScope, crates: &CrateSet) -> Vec<&LockedCrate> {
    let counts = |krate: &&LockedCrate| {
        (scope == DependencyScope::Transitive || krate.is_direct()) && !crates.is_member(&krate.name)
    };
    let mut counted: Vec<&LockedCrate> = crates.crates().iter().filter(counts).collect();
    counted.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| b.version.cmp(&a.version)));
    counted
}

/// Returns the paths that will change when cargo unpacks dependencies that are not on this machine, since those may
/// contain plugins.
pub(crate) fn awaited(context: &Context, crates: Option<&CrateSet>) -> Vec<PathBuf> {
    let Some(crates) = crates else { return Vec::new() };
    CrateShelf::new(context).with(|finder| {
        let missing =
            counted(scope(&context.settings), crates).into_iter().filter(|krate| finder.directory(krate).is_none());
        let mut places: Vec<PathBuf> = missing.flat_map(|krate| finder.awaited(krate)).take(MANY).collect();
        places.dedup();
        places
    })
}

/// Lists the dependencies whose source is not on this machine, so that it is unknown whether they carry plugins.
pub(crate) fn missing<'c>(context: &Context, crates: &'c CrateSet) -> Vec<&'c LockedCrate> {
    let is_fetched = |krate: &&LockedCrate| !matches!(krate.origin, CrateOrigin::Path { .. });
    let fetched = counted(scope(&context.settings), crates).into_iter().filter(is_fetched);
    CrateShelf::new(context).with(|finder| fetched.filter(|krate| finder.directory(krate).is_none()).collect())
}

/// A crate of the project itself is the project's; any other is a dependency, wherever a copy of it lies.
fn rank(root: &Path, origin: &CrateOrigin, directory: &Path) -> SourceRank {
    let is_path = matches!(origin, CrateOrigin::Path { .. });
    let inside = || match (fs::canonical(root), fs::canonical(directory)) {
        (Ok(root), Ok(directory)) => directory.starts_with(root),
        _ => false,
    };
    if is_path && inside() { SourceRank::Project } else { SourceRank::Crate }
}

pub(crate) fn place(krate: &LockedCrate, directory: PathBuf) -> CratePlace {
    CratePlace {
        name: krate.name.clone(),
        version: krate.version.clone(),
        certainty: krate.certainty,
        directory,
        brought_by: None,
    }
}

/// Reads the plugin of one crate; `None` when it has none and nothing is to be said.
pub(crate) fn load(place: CratePlace, rank: SourceRank) -> Option<LoadedSource> {
    let signs = crate_signs(&place.directory)?;
    let tree = DirectoryTree::open(&place.directory).ok()?;
    let krate = place.name.to_string();
    let name = format!("{krate}@{}", place.version);
    let source = load_crate(SourceSpec::whole(name, SourceKind::Crate(place), rank), &krate, &tree, &signs);
    let is_something = !source.plugins.is_empty() || source.findings.all().next().is_some();
    is_something.then_some(source)
}

/// The directories of a crate's skills, with the tree they lie in.
pub(crate) fn skills_of(name: &CrateName, directory: &Path) -> Option<(DirectoryTree, Vec<String>)> {
    let tree = DirectoryTree::open(directory).ok()?;
    let signs: Option<CrateSigns> = crate_signs(directory);
    let directories = signs.map(|signs| crate_skill_directories(&tree, name.as_str(), &signs)).unwrap_or_default();
    Some((tree, directories))
}

/// Turns the faults of a crate's plugin into remarks, unless the user switched it on.
fn demote_faults(settings: &EffectiveSettings, source: &mut LoadedSource) {
    let Some(place) = source.krate().filter(|_| source.spec.rank == SourceRank::Crate) else { return };
    let name = &place.name;
    let is_it = |written: &str| CrateName::parse(written).as_ref() == Some(name);
    let automatic = match &settings.auto_enable.value {
        AutoEnable::Off => false,
        AutoEnable::All => true,
        AutoEnable::Only(names) => names.iter().any(|written| is_it(written)),
    };
    let chosen = settings
        .skills
        .iter()
        .any(|toggle| toggle.on && is_it(toggle.key.split_once('/').map_or(toggle.key.as_str(), |(krate, _)| krate)));
    if !automatic && !chosen {
        let faults = std::mem::take(&mut source.findings.faults);
        source.findings.remarks.extend(faults);
    }
}

/// Tells whether a directory has the manifest of a plugin, and not only skills.
pub(super) fn has_manifest(directory: &Path) -> bool {
    let (Some(signs), Ok(tree)) = (crate_signs(directory), DirectoryTree::open(directory)) else { return false };
    signs.manifest(&tree, "").is_some()
}

/// Whether a source of the project covers a directory.
pub(super) fn is_read_already(directory: &Path, known: &[LoadedSource]) -> bool {
    let covers = |source: &LoadedSource| {
        source.spec.rank == SourceRank::Project
            && matches!(&source.spec.kind, SourceKind::Path(path) if directory.starts_with(path))
    };
    known.iter().any(covers)
}
