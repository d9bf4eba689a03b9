//! Two versions of a crate, and where the workspace still uses what was removed.

use semver::Version;
use symposium_api::{ApiChange, ChangeKind, compare_indexes};
use symposium_io::api_cache::IndexStore;
use symposium_model::crates::features::FeatureRequest;
use symposium_model::guidance_provider::ChangesFrom;

use super::lookup::ItemLookup;
use super::rows::ApiCrateRow;
use super::uses::ChangeUse;
use super::workspace::{ApiWorkspace, FoundLibrary};
use super::{ApiAnswer, ApiReport, previous_version, uses};
use crate::error::CliError;

/// One difference between two versions.
#[derive(Debug, Clone)]
pub(crate) struct ApiChangeRow {
    /// The path with the name of the crate.
    pub(crate) path: String,
    pub(crate) kind: &'static str,
    pub(crate) change: ChangeKind,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    pub(crate) uses: Vec<ChangeUse>,
}

/// Compares the locked version of a crate with another that is on this machine.
pub(super) fn compare(
    lookup: &ItemLookup<'_>,
    found: FoundLibrary,
    from: ChangesFrom<'_>,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<ApiReport, CliError> {
    let workspace = lookup.workspace;
    let (package, version) = match workspace.package(found.position) {
        Some(package) => (package.name.clone(), package.version.clone()),
        None => (found.name.clone(), String::new()),
    };
    let wanted = choose_from(workspace, &package, &version, from)?;
    let after = lookup.load(found.position)?;
    let asked = workspace.package(found.position).and_then(|package| package.asked.clone());
    let request = FeatureRequest { with_default: asked.is_none(), features: asked.unwrap_or_default() };
    let before = match workspace.search(|search| search.read_unpacked(&package, &wanted, request)) {
        Some(graph) => {
            let store = IndexStore::new(&graph, &workspace.context.directories.api(), workspace.roots(), progress);
            store.load(0).ok().map(|stored| stored.unpack())
        }
        // A path dependency, or one of git.
        None => workspace.locked_versions(&package).get(&wanted).and_then(|position| lookup.load(*position).ok()),
    };
    let before = before.ok_or_else(|| {
        CliError::no(format!("The source of `{package}` {wanted} is not on this machine"))
            .hint("only versions that cargo has unpacked can be compared")
    })?;
    let changes = compare_indexes(&before, &after);
    let is_sought = |change: &&ApiChange| matches!(change.change, ChangeKind::Removed | ChangeKind::Deprecated);
    let sought: Vec<&ApiChange> = changes.iter().filter(is_sought).collect();
    let mut used = uses::find_in_workspace(workspace, found.position, &sought);
    let rows = changes.iter().map(|change| ApiChangeRow {
        path: format!("{}::{}", found.name, change.path),
        kind: change.kind.word(),
        change: change.change,
        before: change.before.clone(),
        after: change.after.clone(),
        uses: if is_sought(&change) { used.remove(&change.path).unwrap_or_default() } else { Vec::new() },
    });
    let changes = rows.collect();
    let older = ApiCrateRow { version: wanted.to_string(), ..ApiCrateRow::new(&before, Vec::new()) };
    let crates = vec![ApiCrateRow::new(&after, found.others), older];
    let answer = ApiAnswer::Changes { name: package, from: wanted.to_string(), to: version, changes };
    Ok(ApiReport { crates, answer, hints: Vec::new() })
}

/// Chooses the version to compare with, among those on this machine.
fn choose_from(
    workspace: &ApiWorkspace<'_>,
    package: &str,
    version: &str,
    from: ChangesFrom<'_>,
) -> Result<Version, CliError> {
    let mut unpacked = workspace.search(|search| search.unpacked_versions(package));
    unpacked.extend(workspace.locked_versions(package).into_keys());
    unpacked.sort();
    unpacked.dedup();
    unpacked.retain(|unpacked| unpacked.to_string() != version);
    let shown: Vec<String> = unpacked.iter().map(|version| format!("`{version}`")).collect();
    let hint = if shown.is_empty() {
        format!("no other version of `{package}` is on this machine; cargo unpacks what a Cargo.lock names")
    } else {
        format!("on this machine: {}", shown.join(", "))
    };
    let written = match from {
        ChangesFrom::Version(written) => written.to_owned(),
        ChangesFrom::Previous => previous_version::find(workspace, package, version).ok_or_else(|| {
            CliError::usage(format!(
                "No commit and no earlier session had another version of `{package}`, so say which is meant"
            ))
            .hint(format!("`symposium api {package} --changes VERSION`; {hint}"))
        })?,
    };
    if written == version {
        return Err(CliError::usage(format!("`{package}` is locked at {version}, so nothing changed since")).hint(hint));
    }
    let is_meant = |unpacked: &&Version| {
        let text = unpacked.to_string();
        text == written || text.strip_prefix(&written).is_some_and(|rest| rest.starts_with('.'))
    };
    unpacked
        .iter()
        .rfind(is_meant)
        .cloned()
        .ok_or_else(|| CliError::no(format!("The source of `{package}` {written} is not on this machine")).hint(hint))
}
