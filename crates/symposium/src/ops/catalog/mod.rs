//! Reads the sources of a call into a catalog.

mod condition_facts;
pub(crate) mod crate_plugins;
mod pinned_plugins;
pub(crate) mod pinned_source;
pub(crate) mod plugin_deps;
pub(crate) mod search_lines;
mod source_cache;
mod source_files;
pub(crate) mod workspace_skills;

use std::collections::BTreeMap;
use std::path::Path;

use symposium_io::fs;
use symposium_io::source::{DirectoryTree, SourceTree, load_places, load_source};
use symposium_model::catalog::{Catalog, CopyChoice, LoadedSource, RelevantCrates, SourceCopy, SourceDiagnostics};
use symposium_model::config::{SourceKind, SourceRank, SourceSpec, source_specs};
use symposium_model::crates::{CrateName, CrateSet};
use symposium_model::diagnostic::Diagnostic;

use self::pinned_source::{ChosenCheckout, CopyChooser};
use super::context::Context;
use super::fetch_report::{FetchReport, fetch_failure};

pub(crate) use self::condition_facts::{scope, widest_scope, with_facts};
pub(crate) use self::source_cache::CacheMode;
pub(crate) use self::source_files::{embedded, path_on_disk, root_of, tree_of, tree_of_skill};

/// The part of the sources that is read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SourceDetail<'d> {
    All,
    /// The plugins that could apply; of those for other crates only the names are known.
    Relevant {
        /// A crate that is asked about, whether it is a dependency or not.
        asked: Option<&'d CrateName>,
        cache: CacheMode,
    },
    /// The plugins that could apply to the crates for which a catalog was read a moment ago. Its sources are not read
    /// again.
    Known(&'d Catalog),
    /// Only the plugins that a search found.
    Chosen(&'d ChosenPlugins),
}

/// The plugins that a search found.
#[derive(Debug, Default)]
pub(crate) struct ChosenPlugins {
    /// The paths of plugins, by the name of their source.
    pub(crate) paths: BTreeMap<String, Vec<String>>,
    /// The plugins of crates, which are read already.
    pub(crate) crates: Vec<LoadedSource>,
}

/// Reads the sources of the call, the workspace's crates among them, and says what is wrong with how they are configured.
/// Other faults stay in the catalog.
pub(crate) fn read(
    context: &Context,
    crates: Option<&CrateSet>,
    detail: SourceDetail<'_>,
    fetched: &FetchReport,
) -> (Catalog, Vec<Diagnostic>) {
    let (specs, problems) = specs(context);
    let load = |spec: SourceSpec, tree: &dyn SourceTree| match detail {
        SourceDetail::All => load_source(spec, tree),
        SourceDetail::Chosen(chosen) => {
            let paths = chosen.paths.get(&spec.name).map(Vec::as_slice).unwrap_or_default();
            load_places(spec, tree, paths)
        }
        // Outside any workspace it matters what the user's own plugins would do in one.
        SourceDetail::Relevant { .. } | SourceDetail::Known(_) if crates.is_none() && spec.rank == SourceRank::User => {
            load_source(spec, tree)
        }
        SourceDetail::Relevant { asked, cache } => {
            source_cache::load(&context.directories, spec, tree, &RelevantCrates { crates, asked }, cache)
        }
        SourceDetail::Known(catalog) => known_source(catalog, &spec, tree).unwrap_or_else(|| {
            let relevant = RelevantCrates { crates, asked: None };
            source_cache::load(&context.directories, spec, tree, &relevant, CacheMode::LeaveAlone)
        }),
    };
    let mut sources: Vec<LoadedSource> = specs.into_iter().map(|spec| open(spec, context, fetched, &load)).collect();
    // What a project leaves out brings nothing along.
    sources.iter_mut().for_each(LoadedSource::keep_hooks);
    let of_crates = match detail {
        SourceDetail::Chosen(chosen) => chosen.crates.clone(),
        SourceDetail::All | SourceDetail::Relevant { .. } | SourceDetail::Known(_) => {
            crate_plugins::own_plugins(context, crates, &sources, scope(&context.settings))
        }
    };
    sources.extend(of_crates);
    let of_workspace = workspace_skills::workspace_source(context, crates, &sources);
    sources.extend(of_workspace);
    sources.sort_by_key(|source| source.spec.rank);
    let mut catalog = Catalog { sources };
    plugin_deps::expand(context, &mut catalog, crates, fetched);
    catalog.sources.iter_mut().for_each(LoadedSource::keep_hooks);
    (catalog, problems)
}

/// Returns a source as it was read before; `None` if it was not, or if something was added to it afterwards.
fn known_source(catalog: &Catalog, spec: &SourceSpec, tree: &dyn SourceTree) -> Option<LoadedSource> {
    // What plugins depend on is added to the sources themselves.
    if catalog.plugins().any(|(_, loaded)| plugin_deps::has_dependencies(&loaded.plugin)) {
        return None;
    }
    let is_same =
        |source: &&LoadedSource| source.spec == *spec && source.copy.is_none() && source.place == tree.shown("");
    catalog.sources.iter().find(is_same).cloned()
}

/// The sources of the call, and what is wrong with how they are written.
pub(crate) fn specs(context: &Context) -> (Vec<SourceSpec>, Vec<Diagnostic>) {
    let (specs, problems) = source_specs(
        &context.settings,
        &context.directories,
        context.home.as_deref(),
        context.root(),
        &context.options.extra_sources,
    );
    let problems = problems
        .into_iter()
        .map(|problem| Diagnostic::error(context.place_of(problem.origin), problem.message).help(problem.help));
    (specs, problems.collect())
}

fn open(
    spec: SourceSpec,
    context: &Context,
    fetched: &FetchReport,
    load: &dyn Fn(SourceSpec, &dyn SourceTree) -> LoadedSource,
) -> LoadedSource {
    match &spec.kind {
        SourceKind::Embedded => load(spec, &embedded()),
        SourceKind::UserPlugins(path) if fs::is_gone(path) => {
            let place = path.display().to_string();
            LoadedSource::without_plugins(spec, place, SourceDiagnostics::default())
        }
        SourceKind::UserPlugins(path) | SourceKind::Path(path) => {
            let path = path.clone();
            if let Some(directory) = CopyChooser::new(context, fetched).vendored_directory(&spec, &path)
                && let Ok(tree) = DirectoryTree::open(&directory)
            {
                let choice = CopyChoice::Vendored;
                let copy = Some(SourceCopy { directory, commit: String::new(), fetched: 0, choice });
                return LoadedSource { copy, ..load(spec, &tree) };
            }
            let is_extra = context.options.extra_sources.contains(&path);
            match DirectoryTree::open(&path) {
                Ok(tree) if !is_extra && leaves_project(&spec, &path, context.root()) => {
                    let message = format!("Source `{}` is outside the project, because of a link", spec.name);
                    unreadable(spec, tree.shown(""), message, "move the plugins into the project")
                }
                Ok(tree) => load(spec, &tree),
                Err(error) => {
                    let message = format!("Source `{}` cannot be read: {}", spec.name, error.kind);
                    let help = if is_extra {
                        "pass an existing directory to `--source`"
                    } else {
                        "create the directory, or correct `path` in the configuration"
                    };
                    unreadable(spec, path.display().to_string(), message, help)
                }
            }
        }
        SourceKind::Git { address, .. } => {
            let chooser = CopyChooser::new(context, fetched);
            let chosen = chooser.choose(&spec, address);
            let place = address.shown().to_owned();
            open_fetched(spec, place, chosen, &chooser, load)
        }
        SourceKind::Index { address, .. } => {
            let chooser = CopyChooser::new(context, fetched);
            let chosen = chooser.choose_plugins(&spec, address);
            let place = address.shown().to_owned();
            open_fetched(spec, place, chosen, &chooser, load)
        }
        // No configuration names one.
        SourceKind::Crate(place) => {
            let place = place.directory.display().to_string();
            LoadedSource::without_plugins(spec, place, SourceDiagnostics::default())
        }
        SourceKind::Workspace(places) => {
            let place = places.root.display().to_string();
            LoadedSource::without_plugins(spec, place, SourceDiagnostics::default())
        }
    }
}

/// Reads the copy of a source that had to be fetched.
fn open_fetched(
    spec: SourceSpec,
    place: String,
    chosen: ChosenCheckout,
    chooser: &CopyChooser<'_>,
    load: &dyn Fn(SourceSpec, &dyn SourceTree) -> LoadedSource,
) -> LoadedSource {
    let ChosenCheckout { copy, notes, mut faults, awaited, left_out } = chosen;
    if let Some((copy, tree)) = copy.and_then(|copy| DirectoryTree::open(&copy.directory).ok().map(|tree| (copy, tree)))
    {
        let mut source = load(spec, &tree);
        source.plugins.retain(|plugin| plugin.path.split('/').next().is_none_or(|top| !left_out.contains(top)));
        source.findings.faults.append(&mut faults);
        source.findings.awaited.extend(awaited);
        source.findings.remarks.extend(notes.into_iter().map(|note| Diagnostic::warning(place.clone(), note)));
        source.copy = Some(copy);
        return LoadedSource { place, ..source };
    }
    if !faults.is_empty() {
        let findings = SourceDiagnostics::of_skipped(faults);
        return LoadedSource::without_plugins(spec, place, findings);
    }
    let name = &spec.name;
    let faults = match (chooser.failure(name), spec.rank) {
        // The public recommendations are optional, so their absence is no fault.
        (_, SourceRank::Recommendations) => Vec::new(),
        (Some(error), _) => {
            let message = fetch_failure(name, error);
            vec![format!("{message}; installed files are kept; run `symposium plugin sync {name}` to try again")]
        }
        (None, _) => {
            vec![format!("Source `{name}` is not fetched yet; run `symposium plugin sync {name}` to fetch it")]
        }
    };
    let faults = faults.into_iter().map(|message| Diagnostic::warning(place.clone(), message)).collect();
    let findings = SourceDiagnostics::of_skipped(faults);
    LoadedSource::without_plugins(spec, place, findings)
}

/// A project's own source must lie in the project even when links are resolved.
fn leaves_project(spec: &SourceSpec, path: &Path, root: Option<&Path>) -> bool {
    if spec.rank != SourceRank::Project {
        return false;
    }
    let root = root.and_then(|root| fs::canonical(root).ok());
    match (root, fs::canonical(path).ok()) {
        (Some(root), Some(path)) => !path.starts_with(root),
        _ => true,
    }
}

fn unreadable(spec: SourceSpec, place: String, message: String, help: &str) -> LoadedSource {
    let fault = Diagnostic::error(place.clone(), message).help(help);
    let findings = SourceDiagnostics::of_skipped(vec![fault]);
    LoadedSource::without_plugins(spec, place, findings)
}
