//! The `deps` workflow: looks up new and changed dependencies in cargo's index cache, before the tool runs.
//!
//! A dependency that cargo would refuse is denied, with the right form. Whatever is not known there is not judged.

mod index_lookup;
mod manifest_edit;

use std::path::{Path, PathBuf};

use semver::Version;
use serde_json::Value;
use symposium_cargo_output::{CargoSubcommand, recognise_cargo_call};
use symposium_model::crates::cargo_add::parse_cargo_add;
use symposium_model::crates::dependency_check::{
    DependencyQuestion, DependencyVerdict, IndexFreshness, check_dependency,
};
use symposium_model::crates::dependency_tables::{
    CrateRequest, ManifestTables, RequestSource, find_changed_requests, resolve_requests,
};
use symposium_model::crates::registry_index::parse_rust_version;
use symposium_model::hook::{HookDecision, HookInput, HookOutput};

use self::index_lookup::{
    IndexCache, ManifestPlace, has_default_registry, is_local, locked_versions, read_configs, read_text,
};
use self::manifest_edit::ManifestEdit;
pub(crate) use self::manifest_edit::find_edits;
use super::{WorkflowResult, WorkflowSetting};
use crate::edge::environment;

/// Judges the dependencies that a tool call is about to add or change.
pub(crate) fn check(input: &HookInput, setting: WorkflowSetting<'_>) -> WorkflowResult {
    let changes = find_changes(input, setting);
    let Some(cargo_home) = cargo_home(setting).filter(|_| !changes.is_empty()) else {
        return WorkflowResult::unchanged();
    };
    let mut findings = DependencyFindings::default();
    for change in changes {
        change.judge(&cargo_home, &mut findings);
    }
    findings.into_result()
}

/// Finds cargo's directory as cargo does. Only its index is read, so any environment will do.
fn cargo_home(setting: WorkflowSetting<'_>) -> Option<PathBuf> {
    let named = |name: &str| environment::variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || setting.places.user.home.clone().or_else(|| named("HOME")).or_else(|| named("USERPROFILE"));
    named("CARGO_HOME").or_else(|| home().map(|home| home.join(".cargo")))
}

/// Dependencies that one manifest is about to get.
#[derive(Debug)]
struct DependencyChange {
    directory: PathBuf,
    place: ManifestPlace,
    requests: Vec<CrateRequest>,
}

fn find_changes(input: &HookInput, setting: WorkflowSetting<'_>) -> Vec<DependencyChange> {
    let Some(tool) = input.tool() else { return Vec::new() };
    let Some(base) = input.cwd.as_deref().map(Path::new).or(setting.places.workspace) else { return Vec::new() };
    if tool.name == "Bash" {
        let command = tool.input.get("command").and_then(Value::as_str);
        return command.and_then(|command| find_added(command, base)).into_iter().collect();
    }
    find_edits(tool).iter().filter_map(|edit| find_edited(edit, base)).collect()
}

/// Reads a `cargo add`.
fn find_added(command: &str, base: &Path) -> Option<DependencyChange> {
    let call = recognise_cargo_call(command).filter(|call| call.subcommand == CargoSubcommand::Add)?;
    // Cargo is told to use another registry or directory.
    if ["CARGO_HOME=", "CARGO_REGISTR", "CARGO_SOURCE"].iter().any(|name| command.contains(name)) {
        return None;
    }
    let requests = parse_cargo_add(&call.arguments)?;
    let target = AddTarget::read(&call.arguments)?;
    let directory = call.directory.map_or_else(|| base.to_owned(), |directory| base.join(directory));
    let directory = match &target {
        AddTarget::Manifest(path) => directory.join(path).parent()?.to_owned(),
        AddTarget::Here | AddTarget::Package => directory,
    };
    let mut place = ManifestPlace::read(&directory, None)?;
    let mut requests = requests;
    if target == AddTarget::Package {
        // The manifest of that package may have an entry, whose requirement then counts.
        place.manifest = None;
        requests.retain(|request| {
            request.requirement.is_some() || locked_versions(&place.lockfile, &request.package).is_empty()
        });
    }
    Some(DependencyChange { directory, place, requests })
}

/// The manifest that a `cargo add` changes.
#[derive(Debug, PartialEq, Eq)]
enum AddTarget {
    Here,
    /// A member of the workspace, by its name.
    Package,
    Manifest(String),
}

impl AddTarget {
    /// Reads the target; `None` if cargo is told to work in another directory, or with another configuration.
    fn read(arguments: &[String]) -> Option<Self> {
        let value = |name: &str| {
            let at = arguments.iter().position(|word| word == name);
            let attached = arguments.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
            attached.map(str::to_owned).or_else(|| arguments.get(at? + 1).cloned())
        };
        if arguments.iter().any(|word| word == "-C" || word.starts_with("--config") || word.starts_with("-Z")) {
            return None;
        }
        if let Some(path) = value("--manifest-path") {
            return Some(Self::Manifest(path));
        }
        let is_package = arguments.iter().any(|word| word == "-p" || word.starts_with("--package"));
        Some(if is_package { Self::Package } else { Self::Here })
    }
}

/// Reads a change of a manifest; none of its dependencies if it does not parse.
fn find_edited(edit: &ManifestEdit<'_>, base: &Path) -> Option<DependencyChange> {
    let file = base.join(edit.path);
    let old = read_text(&file);
    let new = edit.apply(old.as_deref())?;
    let requests = find_changed_requests(old.as_deref(), &new)?;
    if requests.is_empty() {
        return None;
    }
    let directory = file.parent()?.to_owned();
    let place = ManifestPlace::read(&directory, Some(&new))?;
    Some(DependencyChange { directory, place, requests })
}

impl DependencyChange {
    fn judge(self, cargo_home: &Path, findings: &mut DependencyFindings) {
        let Self { directory, place, requests } = self;
        let requests: Vec<CrateRequest> =
            requests.into_iter().filter(|request| request.source != RequestSource::Elsewhere).collect();
        if requests.is_empty() {
            return;
        }
        let configs = read_configs(&directory, cargo_home);
        let Some(patched) = patched_crates(&configs) else { return };
        if has_default_registry(&configs) {
            return;
        }
        let cache = IndexCache::find(cargo_home, &configs);
        let ManifestPlace { manifest, workspace, lockfile } = place;
        let tables = [manifest.as_ref(), workspace.as_ref()];
        let rust_version = tables.into_iter().flatten().find_map(|tables| tables.rust_version.as_deref());
        let rust_version = rust_version.and_then(parse_rust_version);
        // Without a version, cargo takes a member of the workspace, or what is there already.
        let is_asked = |request: &CrateRequest| request.requirement.is_some() || !is_local(&lockfile, &request.package);
        let requests = requests.into_iter().filter(is_asked).collect();
        let requests = resolve_requests(requests, manifest.as_ref(), workspace.as_ref());
        for request in requests.into_iter().filter(|request| !patched.contains(&request.package)) {
            findings.add(judge_request(&request, &cache, rust_version.as_ref(), &lockfile));
        }
    }
}

/// Returns the crates that cargo's configuration takes from elsewhere; `None` if it cannot be understood.
fn patched_crates(configs: &[String]) -> Option<Vec<String>> {
    let mut patched = Vec::new();
    for text in configs.iter().filter(|text| text.contains("patch")) {
        patched.extend(ManifestTables::parse(text)?.patched);
    }
    Some(patched)
}

fn judge_request(
    request: &CrateRequest,
    cache: &IndexCache,
    rust_version: Option<&Version>,
    lockfile: &str,
) -> DependencyVerdict {
    let indexed = cache.look_up(&request.package);
    let names = if indexed.is_none() { cache.names() } else { Vec::new() };
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let requirement = request.requirement.as_deref();
    check_dependency(&DependencyQuestion {
        package: &request.package,
        requirement,
        features: &request.features,
        entry: indexed.as_ref().map(index_lookup::IndexedCrate::entry),
        freshness: indexed.as_ref().map_or(IndexFreshness::Dated, |indexed| indexed.freshness(requirement)),
        rust_version,
        locked: &locked_versions(lockfile, &request.package),
        names: &names,
    })
}

#[derive(Debug, Default)]
struct DependencyFindings {
    denied: Vec<String>,
    notes: Vec<String>,
}

impl DependencyFindings {
    fn add(&mut self, verdict: DependencyVerdict) {
        match verdict {
            DependencyVerdict::Silent => {}
            DependencyVerdict::Noted(notes) => self.notes.extend(notes),
            DependencyVerdict::Denied { reason, correction } => self.denied.push(format!("{reason}; {correction}")),
        }
    }

    fn into_result(self) -> WorkflowResult {
        let Self { denied, notes } = self;
        if denied.is_empty() && notes.is_empty() {
            return WorkflowResult::unchanged();
        }
        let is_denied = !denied.is_empty();
        let reason = is_denied.then(|| format!("According to cargo's local index, {}.", denied.join("\n")));
        let context = (!notes.is_empty()).then(|| notes.join("\n"));
        let decision = is_denied.then_some(HookDecision::Deny);
        let said = HookOutput { decision, reason, additional_context: context, ..HookOutput::default() };
        WorkflowResult { said: Some(said), end: if is_denied { "denied" } else { "noted" }, note: None }
    }
}
