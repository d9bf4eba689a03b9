//! Dependencies of plugins: other plugins, and skills in crates and repositories.
//!
//! A reference counts if its plugin is switched on and both their conditions hold. A missing dependency affects only
//! itself, and is reported with its position in the manifest.

mod add;
mod problem;
mod repository;

use std::collections::{BTreeMap, BTreeSet};

use symposium_io::cargo::SourceFinder;
use symposium_io::env;
use symposium_model::candidate::{CandidatePolicy, EnabledExtent};
use symposium_model::catalog::{Catalog, LoadedPlugin, LoadedSource, PluginId};
use symposium_model::conditions::ConditionSet;
use symposium_model::config::{EffectiveSettings, SourceKind, SourceRank, SourceSpec, inside, repository_address};
use symposium_model::crates::{CrateSet, DependencyScope, LockedCrate};
use symposium_model::evaluate::{ConditionFacts, FoundCrate, evaluate};
use symposium_model::manifest::{GroupSource, Plugin, PluginReference, ReferenceSource};
use symposium_model::select::owner;

use self::add::{add_skills, beside, join, of_crate};
use self::problem::{DependencyProblem, absent, complain};
use self::repository::{plugins_of, repository, spec_of};
use super::condition_facts::{existing_paths, scope, user_scope};
use super::crate_plugins::{self, CrateShelf};
use super::pinned_source::CopyChooser;
use crate::ops::context::Context;
use crate::ops::fetch_report::FetchReport;

/// The maximum length of a chain of plugin dependencies.
const MAX_DEPTH: usize = 8;

/// Adds the dependencies of the plugins in a catalog.
pub(crate) fn expand(context: &Context, catalog: &mut Catalog, crates: Option<&CrateSet>, fetched: &FetchReport) {
    let mut chain = DependencyChain::new(context, crates, fetched);
    for _ in 0..=MAX_DEPTH {
        let requests = chain.requests(catalog);
        if requests.is_empty() {
            break;
        }
        CrateShelf::new(context).with(|finder| {
            for request in requests {
                chain.answer(catalog, &request, finder);
            }
        });
    }
    // The most specific source comes last, as everywhere.
    catalog.sources.sort_by_key(|source| source.spec.rank);
}

/// The repositories that plugins of a catalog refer to, each once.
pub(crate) fn repositories(
    context: &Context,
    catalog: &Catalog,
    crates: Option<&CrateSet>,
    fetched: &FetchReport,
) -> Vec<SourceSpec> {
    let chain = DependencyChain::new(context, crates, fetched);
    let mut specs: Vec<SourceSpec> = Vec::new();
    for request in chain.requests(catalog) {
        let url = match &request.what {
            RequestedPart::Plugin(PluginReference { source: ReferenceSource::Git(url), .. })
            | RequestedPart::Skills { source: GroupSource::Git(url), .. } => url,
            RequestedPart::Plugin(_) | RequestedPart::Skills { .. } => continue,
        };
        let rank = catalog.plugin(request.plugin).map_or(SourceRank::Project, |(source, _)| source.spec.rank);
        let Ok(address) = repository_address(url, rank) else { continue };
        let spec = spec_of(address, SourceRank::Recommendations);
        if !specs.iter().any(|known| known.name == spec.name) {
            specs.push(spec);
        }
    }
    specs
}

/// Returns true if a plugin names other plugins, or skills elsewhere.
pub(crate) fn has_dependencies(plugin: &Plugin) -> bool {
    let elsewhere = |source: &GroupSource| !matches!(source, GroupSource::Path(_));
    !plugin.plugins.is_empty() || plugin.skills.iter().any(|group| elsewhere(&group.source))
}

struct DependencyRequest {
    plugin: PluginId,
    what: RequestedPart,
    place: std::ops::Range<usize>,
}

enum RequestedPart {
    Plugin(PluginReference),
    /// Skills for one of its groups.
    Skills {
        group: usize,
        source: GroupSource,
        matched: Vec<FoundCrate>,
    },
}

impl RequestedPart {
    fn title(&self) -> &'static str {
        match self {
            Self::Plugin(_) => "A dependency of this plugin was skipped",
            Self::Skills { .. } => "Skills of this group were skipped",
        }
    }
}

struct DependencyChain<'c> {
    context: &'c Context,
    crates: Option<&'c CrateSet>,
    chooser: CopyChooser<'c>,
    /// The references that were already resolved, by plugin and position.
    done: BTreeSet<(PluginId, usize)>,
    /// Through whom a plugin came.
    trails: BTreeMap<PluginId, Vec<String>>,
    /// Repositories that were added without their plugins, by their place in the catalog.
    bare: BTreeSet<usize>,
}

impl<'c> DependencyChain<'c> {
    fn new(context: &'c Context, crates: Option<&'c CrateSet>, fetched: &'c FetchReport) -> Self {
        let chooser = CopyChooser::new(context, fetched);
        Self { context, crates, chooser, done: BTreeSet::new(), trails: BTreeMap::new(), bare: BTreeSet::new() }
    }

    /// Everything that active plugins ask for and that was not answered yet.
    fn requests(&self, catalog: &Catalog) -> Vec<DependencyRequest> {
        let asks = |loaded: &LoadedPlugin| has_dependencies(&loaded.plugin);
        // Most catalogs have no such reference.
        if !catalog.plugins().any(|(_, loaded)| asks(loaded)) {
            return Vec::new();
        }
        let context = self.context;
        let env = env::variables();
        let paths = existing_paths(context.root(), catalog);
        let scopes = (scope(&context.settings), user_scope(&context.settings));
        let facts =
            ConditionFacts { crates: self.crates, scope: scopes.0, user_scope: scopes.1, env: &env, paths: &paths };
        let candidates = candidates(&context.settings);
        let mut requests = Vec::new();
        for (source, read) in catalog.sources.iter().enumerate() {
            let holds = |conditions: &ConditionSet| evaluate(conditions, &facts, owner(read.spec.rank));
            for (plugin, loaded) in read.plugins.iter().enumerate().filter(|(_, loaded)| asks(loaded)) {
                let id = PluginId { source, plugin };
                let level = holds(&loaded.plugin.conditions);
                if !level.holds || candidates.enabled(catalog, id) != EnabledExtent::Whole {
                    continue;
                }
                for (group, asked) in loaded.plugin.skills.iter().enumerate() {
                    let inner = holds(&asked.conditions);
                    let is_elsewhere = !matches!(asked.source, GroupSource::Path(_));
                    if !is_elsewhere || !inner.holds || self.done.contains(&(id, group)) {
                        continue;
                    }
                    let lists = [inner.listed, inner.matched, level.listed.clone(), level.matched.clone()];
                    let matched = lists.into_iter().find(|found| !found.is_empty()).unwrap_or_default();
                    let what = RequestedPart::Skills { group, source: asked.source.clone(), matched };
                    requests.push(DependencyRequest { plugin: id, what, place: asked.place.clone() });
                }
                let groups = loaded.plugin.skills.len();
                for (number, reference) in loaded.plugin.plugins.iter().enumerate() {
                    if holds(&reference.conditions).holds && !self.done.contains(&(id, groups + number)) {
                        let what = RequestedPart::Plugin(reference.clone());
                        requests.push(DependencyRequest { plugin: id, what, place: reference.place.clone() });
                    }
                }
            }
        }
        requests
    }

    fn answer(&mut self, catalog: &mut Catalog, request: &DependencyRequest, finder: &SourceFinder<'_>) {
        let answered = match &request.what {
            RequestedPart::Skills { group, source, matched } => {
                self.done.insert((request.plugin, *group));
                self.skills(catalog, request.plugin, *group, source, matched, finder)
            }
            RequestedPart::Plugin(reference) => {
                let position = catalog.plugin(request.plugin).map_or(0, |(_, loaded)| {
                    let position = loaded.plugin.plugins.iter().position(|known| known == reference);
                    loaded.plugin.skills.len() + position.unwrap_or_default()
                });
                self.done.insert((request.plugin, position));
                self.plugin(catalog, request.plugin, reference, finder)
            }
        };
        for complaint in answered {
            complain(catalog, request.plugin, &request.place, request.what.title(), complaint);
        }
    }

    /// Adds the skills of a group that lie elsewhere.
    fn skills(
        &mut self,
        catalog: &mut Catalog,
        id: PluginId,
        group: usize,
        source: &GroupSource,
        matched: &[FoundCrate],
        finder: &SourceFinder<'_>,
    ) -> Vec<DependencyProblem> {
        let mut complaints = Vec::new();
        match source {
            GroupSource::Path(_) => {}
            GroupSource::Git(url) => {
                let rank = catalog.plugin(id).map_or(SourceRank::Project, |(source, _)| source.spec.rank);
                match repository(&self.chooser, catalog, url, rank, &mut self.bare) {
                    Ok(found) => {
                        add_skills(catalog, id, &found.tree, "", &found.directory, group, &mut complaints);
                    }
                    Err(missing) => complaints.extend(missing),
                }
            }
            GroupSource::Crate | GroupSource::CratePath(_) => {
                let mut found: Vec<&LockedCrate> = matched.iter().filter_map(|one| self.locked(one)).collect();
                found.sort_by(|a, b| b.version.cmp(&a.version));
                if found.is_empty() {
                    complaints.push(DependencyProblem::remark(
                        "these skills are in the matching crates, but no crate is named",
                    ));
                }
                for krate in found {
                    let title = format!("{} {}", krate.name, krate.version);
                    let Some(directory) = finder.directory(krate) else {
                        complaints.push(absent(&title));
                        continue;
                    };
                    let Some((tree, own)) = crate_plugins::skills_of(&krate.name, &directory) else {
                        complaints.push(absent(&title));
                        continue;
                    };
                    let directories = match source {
                        GroupSource::CratePath(path) => vec![path.clone()],
                        GroupSource::Crate | GroupSource::Path(_) | GroupSource::Git(_) => own,
                    };
                    if directories.is_empty() {
                        complaints.push(DependencyProblem::remark(&format!("crate {title} has no directory `skills`")));
                    }
                    for path in directories {
                        add_skills(catalog, id, &tree, &path, &directory, group, &mut complaints);
                    }
                }
            }
        }
        complaints
    }

    fn locked(&self, found: &FoundCrate) -> Option<&LockedCrate> {
        self.crates?.versions(&found.name, DependencyScope::Transitive).find(|krate| krate.version == found.version)
    }

    /// Adds a plugin that another one depends on.
    fn plugin(
        &mut self,
        catalog: &mut Catalog,
        parent: PluginId,
        reference: &PluginReference,
        finder: &SourceFinder<'_>,
    ) -> Vec<DependencyProblem> {
        let Some((source, loaded)) = catalog.plugin(parent) else { return Vec::new() };
        let by = loaded.plugin.name.clone();
        let mut trail = self.trails.get(&parent).cloned().unwrap_or_else(|| vec![identity(source, loaded)]);
        let (parent_rank, source_name) = (source.spec.rank, source.spec.name.clone());
        let base = loaded.path.rsplit_once('/').map_or("", |(directory, _)| directory).to_owned();
        let identity = match &reference.source {
            ReferenceSource::Crate { name, .. } => format!("crate {name}"),
            ReferenceSource::Git(url) => format!("git {}", symposium_model::config::redact(url)),
            ReferenceSource::Path(path) => match inside(&join(&base, path)) {
                Some(path) => format!("{source_name}: {}", path.display()),
                None => {
                    return vec![DependencyProblem::fault("it is outside the source", "use a path below the manifest")];
                }
            },
        };
        if trail.contains(&identity) {
            trail.push(identity);
            let message = format!("plugins depend on each other in a cycle: {}", trail.join(" -> "));
            return vec![DependencyProblem::remark(&message)];
        }
        trail.push(identity);
        if trail.len() > MAX_DEPTH {
            return vec![DependencyProblem::remark(&format!(
                "the chain of dependent plugins is longer than {MAX_DEPTH}"
            ))];
        }
        let brought = match &reference.source {
            ReferenceSource::Crate { name, version } => {
                of_crate(catalog, self.crates, name, version.as_deref(), &by, finder)
            }
            ReferenceSource::Git(url) => match repository(&self.chooser, catalog, url, parent_rank, &mut self.bare) {
                Ok(found) => Ok(plugins_of(catalog, &found, brought_rank(parent_rank), &mut self.bare)),
                Err(missing) => return missing,
            },
            ReferenceSource::Path(path) => beside(catalog, parent, &join(&base, path)),
        };
        match brought {
            Ok(ids) => {
                for id in ids {
                    self.trails.entry(id).or_insert_with(|| trail.clone());
                }
                Vec::new()
            }
            Err(complaint) => vec![complaint],
        }
    }
}

/// Returns the rank of a dependency of a plugin with the rank `parent`. Dependencies of the user's plugins are not the
/// user's own, since another author wrote them.
pub(super) fn brought_rank(parent: SourceRank) -> SourceRank {
    match parent {
        SourceRank::Builtin | SourceRank::Recommendations => SourceRank::Recommendations,
        SourceRank::User | SourceRank::Brought => SourceRank::Brought,
        SourceRank::Crate => SourceRank::Crate,
        SourceRank::Project => SourceRank::Project,
    }
}

pub(crate) fn candidates(settings: &EffectiveSettings) -> CandidatePolicy<'_> {
    CandidatePolicy { auto_enable: &settings.auto_enable.value, skills: &settings.skills }
}

fn identity(source: &LoadedSource, loaded: &LoadedPlugin) -> String {
    match &source.spec.kind {
        SourceKind::Crate(place) => format!("crate {}", place.name),
        SourceKind::Git { address, .. } if source.plugins.len() == 1 => format!("git {}", address.shown()),
        SourceKind::Git { .. }
        | SourceKind::Index { .. }
        | SourceKind::Embedded
        | SourceKind::UserPlugins(_)
        | SourceKind::Path(_)
        | SourceKind::Workspace(_) => {
            let directory = loaded.path.rsplit_once('/').map_or(loaded.path.as_str(), |(directory, _)| directory);
            format!("{}: {directory}", source.spec.name)
        }
    }
}
