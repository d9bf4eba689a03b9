//! Finds skills and plugins by words, over all sources and every locked crate, and how to switch each on.

use std::collections::{BTreeMap, BTreeSet};

use symposium_io::source::{parse_search_line, plugin_lines};
use symposium_model::catalog::{LoadedSource, PluginId, SkillId};
use symposium_model::crates::{CrateAtom, CrateName, CrateSet, DependencyScope, VersionCondition};
use symposium_model::evaluate::{CheckReason, ConditionCheck, Verdict};
use symposium_model::explain;
use symposium_model::search::{SearchEntry, SearchQuery, SearchedKind, fold};
use symposium_model::select::SkillVerdict;

use super::extension_state::{ExtensionState, StateReport};
use super::status::StatusReport;
use crate::ops::catalog::search_lines::{SearchedSource, searched_sources};
use crate::ops::catalog::{ChosenPlugins, SourceDetail, crate_plugins, scope, workspace_skills};
use crate::ops::context::Context;
use crate::ops::fetch_report::FetchReport;
use crate::ops::resolve::{LedgerDetail, Resolution, ResolutionDetail, read_workspace};
use crate::ops::trust::TrustDetail;
use crate::run_report::RunReport;

/// The number of results that are shown.
pub(crate) const MOST: usize = 20;

#[derive(Debug)]
pub(crate) struct FoundExtension {
    pub(crate) kind: SearchedKind,
    pub(crate) name: String,
    pub(crate) plugin: String,
    pub(crate) source: String,
    pub(crate) crates: Vec<String>,
    pub(crate) description: String,
    /// Its state here; the reason says how to switch it on.
    pub(crate) report: StateReport,
}

#[derive(Debug, Default)]
pub(crate) struct SearchReport {
    /// The best results, best first.
    pub(crate) found: Vec<FoundExtension>,
    /// The number of further results.
    pub(crate) more: usize,
    /// All names, where nothing was found.
    pub(crate) names: Vec<String>,
    /// Sources that were never fetched, so that their content is unknown.
    pub(crate) unfetched: Vec<String>,
}

/// A result, before its state is known.
struct RatedEntry<'e> {
    rating: u32,
    source: &'e str,
    entry: SearchEntry<'e>,
}

/// Searches all sources as they are on this machine, and finds the state of each result.
pub(crate) fn search(context: &Context, query: &SearchQuery, report: &mut RunReport) -> SearchReport {
    let workspace = read_workspace(context);
    let crates = workspace.as_ref().map(|workspace| &workspace.crates);
    let (mut searched, opened) = searched_sources(context);
    let mut own = crate_plugins::own_plugins(context, crates, &opened, DependencyScope::Transitive);
    own.extend(workspace_skills::workspace_source(context, crates, &opened));
    searched.extend(own.iter().map(|source| SearchedSource {
        name: source.spec.name.clone(),
        lines: source.plugins.iter().map(plugin_lines).collect(),
    }));
    let unfetched = opened.iter().filter(|source| source.is_missing()).map(|source| source.spec.name.clone());
    let unfetched: Vec<String> = unfetched.collect();
    let mut rated = rate(query, &searched);
    let more = rated.len().saturating_sub(MOST);
    rated.truncate(MOST);
    if rated.is_empty() {
        let entries = searched.iter().flat_map(|source| source.lines.lines()).filter_map(parse_search_line);
        let mut names: Vec<String> = entries.flat_map(|entry| [entry.name, entry.plugin]).map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        return SearchReport { names, unfetched, ..SearchReport::default() };
    }
    let chosen = ChosenPlugins { paths: chosen_paths(&rated, &searched), crates: with_results(own, &rated) };
    let sources = SourceDetail::Chosen(&chosen);
    let detail = ResolutionDetail { sources, trust: TrustDetail::Granted, ledger: LedgerDetail::Read };
    let resolution = Resolution::load_for(context, workspace, detail, FetchReport::default());
    resolution.report(report);
    let states = StatusReport::new(context, &resolution, report);
    let judge = ResultJudge { context, resolution: &resolution, states: &states };
    let found = rated.iter().filter_map(|rated| judge.extension(rated)).collect();
    SearchReport { found, more, names: Vec::new(), unfetched }
}

/// Rates every entry; the best come first.
fn rate<'e>(query: &SearchQuery, searched: &'e [SearchedSource]) -> Vec<RatedEntry<'e>> {
    let mut rated = Vec::new();
    for source in searched {
        // A folded text has its lines at the same places.
        let folded = fold(&source.lines);
        for (line, folded) in source.lines.lines().zip(folded.lines()) {
            if !query.may_match(folded) {
                continue;
            }
            let Some(entry) = parse_search_line(line) else { continue };
            let rating = query.rate(&entry);
            rated.extend(rating.map(|rating| RatedEntry { rating, source: &source.name, entry }));
        }
    }
    rated.sort_by(|a, b| b.rating.cmp(&a.rating).then_with(|| a.entry.name.cmp(b.entry.name)));
    rated
}

/// Returns the plugins to read: those of the results, and others of the same names, which may take precedence.
fn chosen_paths(rated: &[RatedEntry<'_>], searched: &[SearchedSource]) -> BTreeMap<String, Vec<String>> {
    let names: BTreeSet<&str> = rated.iter().flat_map(|rated| [rated.entry.name, rated.entry.plugin]).collect();
    let mut paths: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in searched {
        let entries = source.lines.lines().filter_map(parse_search_line);
        let of_source: BTreeSet<&str> = entries
            .filter(|entry| names.contains(entry.name) || names.contains(entry.plugin))
            .map(|entry| entry.path)
            .collect();
        paths.insert(source.name.clone(), of_source.into_iter().map(str::to_owned).collect());
    }
    paths
}

fn with_results(own: Vec<LoadedSource>, rated: &[RatedEntry<'_>]) -> Vec<LoadedSource> {
    let has_result =
        |source: &LoadedSource| source.krate().is_some() && rated.iter().any(|rated| rated.source == source.spec.name);
    own.into_iter().filter(has_result).collect()
}

struct ResultJudge<'j> {
    context: &'j Context,
    resolution: &'j Resolution,
    states: &'j StatusReport,
}

impl ResultJudge<'_> {
    /// Completes a result with its state; `None` if its plugin has changed since it was indexed.
    fn extension(&self, rated: &RatedEntry<'_>) -> Option<FoundExtension> {
        let entry = &rated.entry;
        let sources = &self.resolution.catalog.sources;
        let at = sources.iter().position(|source| source.spec.name == rated.source)?;
        let source = sources.get(at)?;
        let plugin = source.plugins.iter().position(|loaded| loaded.path == entry.path)?;
        let (id, loaded) = (PluginId { source: at, plugin }, source.plugins.get(plugin)?);
        let mut description = entry.description.to_owned();
        let (report, name) = match entry.kind {
            SearchedKind::Plugin => (self.workflow_state(id)?, loaded.plugin.name.as_str()),
            SearchedKind::Skill => {
                let of_name = |skill: &&SkillVerdict| {
                    let found = self.resolution.catalog.skill(skill.id).map(|(_, skill)| skill);
                    skill.id.plugin == id && found.is_some_and(|skill| skill.document.name.as_str() == entry.name)
                };
                let verdict = self.resolution.selection.skills.iter().find(of_name)?;
                let (_, skill) = self.resolution.catalog.skill(verdict.id)?;
                description = skill.document.listed_description();
                (self.skill_state(verdict.id, verdict), entry.name)
            }
        };
        let indirect = source.krate().filter(|place| self.is_indirect(&place.name));
        let report = match indirect {
            Some(place) => StateReport::new(ExtensionState::Off, only_indirect(&place.name)),
            None => report,
        };
        let mut crates: Vec<String> = entry.crates.split_whitespace().map(str::to_owned).collect();
        if crates.is_empty() {
            crates.extend(source.krate().map(|place| place.name.to_string()));
        }
        Some(FoundExtension {
            kind: entry.kind,
            name: name.to_owned(),
            plugin: loaded.plugin.name.clone(),
            source: source.spec.name.clone(),
            crates,
            description,
            report,
        })
    }

    /// Tells whether a crate is locked only because others need it, which does not count here.
    fn is_indirect(&self, name: &CrateName) -> bool {
        let counts = |crates: &CrateSet| {
            crates.is_member(name) || crates.versions(name, scope(&self.context.settings)).next().is_some()
        };
        !self.resolution.crates().is_none_or(counts)
    }

    fn skill_state(&self, id: SkillId, verdict: &SkillVerdict) -> StateReport {
        let Some(report) = self.states.of_skill(id) else {
            let levels = verdict.levels.iter().map(|(_, verdict)| verdict);
            return StateReport::new(ExtensionState::Off, self.missing_condition(levels));
        };
        let mut report = report.clone();
        if report.state == ExtensionState::Off
            && let Some((_, skill)) = self.resolution.catalog.skill(id)
        {
            let skill = skill.document.name.as_str();
            let key = verdict.crates.first().map_or(skill.to_owned(), |found| format!("{}/{skill}", found.name));
            report.reason = format!("{}; run `symposium on {key}` to switch it on", report.reason);
        }
        report
    }

    fn workflow_state(&self, id: PluginId) -> Option<StateReport> {
        let verdict = self.resolution.selection.plugins.iter().find(|verdict| verdict.id == id)?;
        if !verdict.verdict.holds {
            let reason = self.missing_condition(std::iter::once(&verdict.verdict));
            return Some(StateReport::new(ExtensionState::Off, reason));
        }
        Some(self.states.of_plugin(id))
    }

    /// Explains the first condition that does not hold, and what would make it hold.
    fn missing_condition<'v>(&self, mut levels: impl Iterator<Item = &'v Verdict>) -> String {
        if self.resolution.crates().is_none() {
            return "it applies in a cargo workspace; this directory is not part of one".to_owned();
        }
        let failed = levels.find_map(|verdict| verdict.checks.iter().find(|check| !check.holds));
        let Some(check) = failed else { return "it does not apply here".to_owned() };
        match missing_dependency(check) {
            Some(dependency) => format!("{}; run `cargo add {dependency}` to use it", explain::sentence(check)),
            None => explain::sentence(check),
        }
    }
}

/// Returns the crate that is missing, as `cargo add` takes it, if only a dependency is.
fn missing_dependency(check: &ConditionCheck) -> Option<String> {
    match &check.reason {
        CheckReason::NotADependency | CheckReason::OnlyTransitive(_) => match CrateAtom::parse(&check.condition) {
            Ok(CrateAtom::Crate { name, requirement }) => Some(addable(&name, &requirement)),
            Ok(CrateAtom::Any) | Err(_) => None,
        },
        CheckReason::Inner(inner) if inner.iter().all(|check| check.reason == CheckReason::NotADependency) => {
            let name = |check: &ConditionCheck| CrateAtom::parse(&check.condition).ok()?.name().cloned();
            let main = name(inner.first()?)?;
            // Conditions for several versions of a crate end with the newest.
            inner.iter().rfind(|check| name(check).as_ref() == Some(&main)).and_then(missing_dependency)
        }
        CheckReason::Matches(_)
        | CheckReason::OtherVersions(_)
        | CheckReason::AnyWorkspace
        | CheckReason::NoWorkspace
        | CheckReason::PathExists
        | CheckReason::PathMissing
        | CheckReason::VariableSet
        | CheckReason::VariableUnset
        | CheckReason::VariableDiffers
        | CheckReason::Owner(_)
        | CheckReason::Unsupported
        | CheckReason::Inner(_) => None,
    }
}

fn addable(name: &CrateName, requirement: &VersionCondition) -> String {
    match requirement.named_version() {
        Some((_, version)) => format!("{name}@{version}"),
        None if requirement.is_any() => name.to_string(),
        None => format!("'{name}@{requirement}'"),
    }
}

fn only_indirect(name: &CrateName) -> String {
    format!("{name} is only an indirect dependency; run `cargo add {name}`, or set `[matching] transitive = true`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dependency_to_add_has_the_version_of_the_condition() {
        let missing = |condition: &str| ConditionCheck {
            condition: condition.to_owned(),
            holds: false,
            reason: CheckReason::NotADependency,
        };
        for (conditions, added) in [
            (&["serde"][..], Some("serde")),
            (&["rustls=0.21"], Some("rustls@0.21")),
            (&["tonic=0.11", "tonic=0.12", "tonic-build=0.12"], Some("tonic@0.12")),
            (&["widget<1"], Some("'widget@<1'")),
            (&["tokio>=1.40"], Some("tokio@1.40")),
            (&["*"], None),
        ] {
            let inner = conditions.iter().map(|condition| missing(condition)).collect();
            let any = ConditionCheck { reason: CheckReason::Inner(inner), ..missing("any") };
            assert_eq!(missing_dependency(&any).as_deref(), added, "{conditions:?}");
        }
    }
}
