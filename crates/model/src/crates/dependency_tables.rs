//! Compares the dependency tables of two versions of a Cargo.toml.

use std::collections::{BTreeMap, BTreeSet};

use super::toml_leaves::{LeafValue, TomlLeaf, read_leaves};

/// A dependency as a manifest or a command asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrateRequest {
    /// The table it stands in, such as `dev-dependencies`; empty for a command.
    pub table: String,
    /// The name that code uses.
    pub key: String,
    /// The name in the registry.
    pub package: String,
    /// None when the newest version is asked for.
    pub requirement: Option<String>,
    pub features: Vec<String>,
    pub source: RequestSource,
}

/// Names the place a dependency comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestSource {
    /// The registry crates.io.
    Registry,
    /// The workspace decides.
    Inherited,
    /// A path, a repository, another registry, or a patch.
    Elsewhere,
}

/// The dependency tables of one manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ManifestTables {
    pub requests: Vec<CrateRequest>,
    /// `[workspace.dependencies]`
    pub workspace: Vec<CrateRequest>,
    /// Crates that `[patch]` or `[replace]` takes from elsewhere.
    pub patched: BTreeSet<String>,
    /// The package's own `rust-version`, or else the one for all packages of the workspace.
    pub rust_version: Option<String>,
}

/// One entry while its keys are collected.
#[derive(Debug, Default)]
struct EntryFields<'l> {
    fields: BTreeMap<&'l str, &'l LeafValue>,
    /// The value of `name = "1"`.
    short: Option<&'l str>,
    is_odd: bool,
}

/// The tables that hold dependencies, under the names they have today.
const TABLES: [(&str, &str); 5] = [
    ("dependencies", "dependencies"),
    ("dev-dependencies", "dev-dependencies"),
    ("dev_dependencies", "dev-dependencies"),
    ("build-dependencies", "build-dependencies"),
    ("build_dependencies", "build-dependencies"),
];

const WORKSPACE_TABLE: &str = "workspace.dependencies";

/// Keys that take a dependency from elsewhere.
const ELSEWHERE: [&str; 6] = ["path", "git", "registry", "registry-index", "base", "artifact"];

impl ManifestTables {
    /// Reads the tables of a Cargo.toml; none if its TOML is not understood.
    pub fn parse(text: &str) -> Option<Self> {
        let leaves = read_leaves(text)?;
        let mut entries: BTreeMap<EntryKey<'_>, EntryFields<'_>> = BTreeMap::new();
        let mut tables = Self::default();
        let mut rust_versions = RustVersions::default();
        for leaf in &leaves {
            let path: Vec<&str> = leaf.path.iter().map(String::as_str).collect();
            match path.as_slice() {
                ["patch", _, name] | ["patch", _, name, _] => {
                    tables.patched.insert(patched_name(name, leaf));
                }
                ["replace", spec] | ["replace", spec, _] => {
                    let name = spec.rsplit_once('#').map_or(*spec, |(_, name)| name);
                    tables.patched.insert(name.split([':', '@']).next().unwrap_or(name).to_owned());
                }
                ["package", "rust-version"] => rust_versions.own = leaf.value.text(),
                ["workspace", "package", "rust-version"] => rust_versions.shared = leaf.value.text(),
                _ => {}
            }
            let Some(position) = EntryKey::locate(&path) else { continue };
            let entry = entries.entry(position.key).or_default();
            match (position.field, &leaf.value) {
                (Some(field), value) => {
                    // A key that stands twice is an error of the file.
                    entry.is_odd |= entry.fields.insert(field, value).is_some();
                }
                (None, LeafValue::Text(text)) => {
                    entry.is_odd |= entry.short.replace(text).is_some();
                }
                (None, LeafValue::Compound) => {}
                (None, LeafValue::Flag(_) | LeafValue::List(_) | LeafValue::Bare(_)) => entry.is_odd = true,
            }
        }
        tables.rust_version = rust_versions.own.or(rust_versions.shared).map(str::to_owned);
        for (key, fields) in entries {
            let is_shared = key.table == WORKSPACE_TABLE;
            if let Some(request) = fields.into_request(&key) {
                if is_shared { tables.workspace.push(request) } else { tables.requests.push(request) }
            }
        }
        Some(tables)
    }
}

/// A name as a patch has it: `alias = { package = "name" }` patches `name`.
fn patched_name(name: &str, leaf: &TomlLeaf) -> String {
    let is_package = leaf.path.last().is_some_and(|last| last == "package");
    leaf.value.text().filter(|_| is_package).unwrap_or(name).to_owned()
}

#[derive(Default)]
struct RustVersions<'l> {
    own: Option<&'l str>,
    shared: Option<&'l str>,
}

/// The table and the name of an entry.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct EntryKey<'l> {
    table: &'static str,
    target: Option<&'l str>,
    name: &'l str,
}

/// An entry, and the key inside it that a path leads to.
struct EntryPosition<'l> {
    key: EntryKey<'l>,
    field: Option<&'l str>,
}

impl<'l> EntryKey<'l> {
    fn locate(path: &[&'l str]) -> Option<EntryPosition<'l>> {
        let known = |name: &str| TABLES.iter().find(|(written, _)| *written == name).map(|(_, table)| *table);
        let (table, target, rest) = match path {
            ["workspace", "dependencies", rest @ ..] => (WORKSPACE_TABLE, None, rest),
            ["target", target, table, rest @ ..] => (known(table)?, Some(*target), rest),
            [table, rest @ ..] => (known(table)?, None, rest),
            [] => return None,
        };
        let (name, rest) = rest.split_first()?;
        let field = rest.first().copied();
        Some(EntryPosition { key: Self { table, target, name }, field })
    }
}

impl LeafValue {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Flag(_) | Self::List(_) | Self::Compound | Self::Bare(_) => None,
        }
    }
}

impl EntryFields<'_> {
    /// Makes the request of the entry; none for one that cargo would not take either.
    fn into_request(self, key: &EntryKey<'_>) -> Option<CrateRequest> {
        if self.is_odd || (self.short.is_some() && !self.fields.is_empty()) {
            return None;
        }
        let inherits = self.fields.get("workspace") == Some(&&LeafValue::Flag(true));
        let is_elsewhere = self.fields.keys().any(|field| ELSEWHERE.contains(field));
        let version = self.short.or_else(|| self.fields.get("version")?.text());
        let features = match self.fields.get("features") {
            None => Vec::new(),
            Some(LeafValue::List(features)) => features.clone(),
            Some(_) => return None,
        };
        let target = key.target.map(|target| format!("target.{target}.")).unwrap_or_default();
        Some(CrateRequest {
            table: format!("{target}{}", key.table),
            key: key.name.to_owned(),
            package: self.fields.get("package").and_then(|package| package.text()).unwrap_or(key.name).to_owned(),
            requirement: (!inherits).then(|| version.unwrap_or("*").to_owned()),
            features,
            source: match (inherits, is_elsewhere) {
                (true, _) => RequestSource::Inherited,
                (false, true) => RequestSource::Elsewhere,
                (false, false) => RequestSource::Registry,
            },
        })
    }
}

/// Finds the dependencies that are new or changed; none if one of the two texts is not understood.
pub fn find_changed_requests(old: Option<&str>, new: &str) -> Option<Vec<CrateRequest>> {
    let old = old.map_or(Some(ManifestTables::default()), ManifestTables::parse)?;
    let new = ManifestTables::parse(new)?;
    let known: Vec<CrateRequest> = old.requests.into_iter().chain(old.workspace).collect();
    let all = new.requests.into_iter().chain(new.workspace);
    let changed = all.filter(|request| !known.contains(request) && !new.patched.contains(&request.package));
    Some(changed.collect())
}

/// Replaces what requests leave to others: `workspace = true` gets the requirement of the workspace, and a command without
/// a version that of the manifest or the workspace. A request for which there is none, or which comes from elsewhere, goes.
pub fn resolve_requests(
    requests: Vec<CrateRequest>,
    manifest: Option<&ManifestTables>,
    workspace: Option<&ManifestTables>,
) -> Vec<CrateRequest> {
    let patched = |package: &str| {
        let tables = [manifest, workspace].into_iter().flatten();
        tables.into_iter().any(|tables| tables.patched.contains(package))
    };
    let shared = |key: &str| {
        let tables = [workspace, manifest].into_iter().flatten();
        tables.flat_map(|tables| &tables.workspace).find(|request| request.key == key)
    };
    let own = |key: &str| -> Vec<&CrateRequest> {
        let all = manifest.into_iter().flat_map(|tables| &tables.requests);
        all.filter(|request| request.key == key).collect()
    };
    let resolve = |request: CrateRequest| {
        let other = match (request.source, &request.requirement) {
            (RequestSource::Inherited, _) => Some(shared(&request.key)?),
            // A command takes the entry that is there already.
            (RequestSource::Registry, None) => match own(&request.key).as_slice() {
                [] => shared(&request.key),
                [own] if own.source == RequestSource::Inherited => Some(shared(&request.key)?),
                [own] => Some(*own),
                // Which of several tables cargo changes depends on more than the name.
                [_, _, ..] => return None,
            },
            (RequestSource::Registry, Some(_)) | (RequestSource::Elsewhere, _) => None,
        };
        let source = other.map_or(request.source, |other| other.source);
        let package = other.map_or_else(|| request.package.clone(), |other| other.package.clone());
        let requirement = other.map_or_else(|| request.requirement.clone(), |other| other.requirement.clone());
        let stays = source == RequestSource::Registry && !patched(&package);
        stays.then_some(CrateRequest { package, requirement, source, ..request })
    };
    requests.into_iter().filter_map(resolve).collect()
}

#[cfg(test)]
#[path = "dependency_tables_tests.rs"]
mod tests;
