//! Packages, their features and dependencies, from `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use symposium_api::{CrateEdition, CrateInput, PackageId, TargetFacts};

/// All packages of the scratch project.
pub(super) struct PackageGraph {
    packages: BTreeMap<PackageId, PackageEntry>,
    direct: Vec<PackageId>,
}

/// A package with a library.
pub(super) struct PackageEntry {
    pub(super) root: String,
    pub(super) source: CrateInput,
}

impl PackageGraph {
    pub(super) fn read(metadata: &Value, units: &Value) -> Result<Self, String> {
        let mut built: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for unit in list(units, "units") {
            let features = list(unit, "features").filter_map(Value::as_str).map(str::to_owned);
            built.entry(text(unit, "pkg_id")).or_default().extend(features);
        }
        let mut by_id: BTreeMap<&str, &Value> = BTreeMap::new();
        for package in list(metadata, "packages") {
            by_id.insert(text(package, "id"), package);
        }
        let resolve = metadata.get("resolve").ok_or("cargo resolved nothing")?;
        let mut packages = BTreeMap::new();
        let mut direct = Vec::new();
        for node in list(resolve, "nodes") {
            let Some(package) = by_id.get(text(node, "id")) else { continue };
            let dependencies = list(node, "deps").filter(|dependency| is_normal(dependency)).filter_map(|dependency| {
                let found = by_id.get(text(dependency, "pkg"))?;
                Some((text(dependency, "name").to_owned(), package_id(found)))
            });
            let dependencies: BTreeMap<String, PackageId> = dependencies.collect();
            if resolve.get("root").and_then(Value::as_str) == Some(text(node, "id")) {
                direct = dependencies.into_values().collect();
                continue;
            }
            // What is not built is not looked at either.
            let Some(features) = built.get(text(node, "id")).cloned() else { continue };
            if let Some(entry) = read_entry(package, features, dependencies) {
                packages.insert(package_id(package), entry);
            }
        }
        Ok(Self { packages, direct })
    }

    /// The packages to compare: those of the list, or those that were named.
    pub(super) fn listed(&self, names: &[String]) -> Result<Vec<PackageId>, String> {
        if names.is_empty() {
            return Ok(self.direct.clone());
        }
        let mut found = Vec::new();
        for name in names {
            let (package, version) = name.split_once('@').unwrap_or((name, ""));
            let before = found.len();
            found.extend(
                self.packages.keys().filter(|id| id.name == package && id.version.starts_with(version)).cloned(),
            );
            if found.len() == before {
                return Err(format!(
                    "`{name}` is no dependency of the scratch project; add it to `xtask/api-crates.toml`"
                ));
            }
        }
        Ok(found)
    }

    pub(super) fn entry(&self, package: &PackageId) -> Option<&PackageEntry> {
        self.packages.get(package)
    }

    pub(super) fn root(&self, package: &PackageId) -> &str {
        self.packages.get(package).map(|entry| entry.root.as_str()).unwrap_or_default()
    }

    /// Packages with all they use, in an order in which everything comes after what it uses.
    pub(super) fn in_order<'a>(&'a self, wanted: &'a [PackageId]) -> Vec<&'a PackageId> {
        let mut order = Vec::new();
        let mut seen = BTreeSet::new();
        for package in wanted {
            self.visit(package, &mut seen, &mut order);
        }
        order
    }

    fn visit<'a>(&'a self, package: &'a PackageId, seen: &mut BTreeSet<&'a PackageId>, order: &mut Vec<&'a PackageId>) {
        if !seen.insert(package) {
            return;
        }
        if let Some(entry) = self.packages.get(package) {
            entry.source.dependencies.values().for_each(|dependency| self.visit(dependency, seen, order));
            order.push(package);
        }
    }

    /// Finds a crate by its name among what a package uses, directly or not.
    pub(super) fn find_crate(&self, from: &PackageId, name: &str) -> Option<PackageId> {
        let mut queue = std::collections::VecDeque::from([from.clone()]);
        let mut seen = BTreeSet::new();
        while let Some(package) = queue.pop_front() {
            let Some(entry) = self.packages.get(&package) else { continue };
            if entry.source.name == name {
                return Some(package);
            }
            if seen.insert(package) {
                queue.extend(entry.source.dependencies.values().cloned());
            }
        }
        None
    }
}

fn is_normal(dependency: &Value) -> bool {
    list(dependency, "dep_kinds").any(|kind| kind.get("kind").is_none_or(Value::is_null))
}

fn read_entry(
    package: &Value,
    enabled_features: BTreeSet<String>,
    dependencies: BTreeMap<String, PackageId>,
) -> Option<PackageEntry> {
    let root = text(package, "manifest_path").trim_end_matches("Cargo.toml").to_owned();
    let target = list(package, "targets").find(|target| {
        list(target, "kind").filter_map(Value::as_str).any(|kind| kind.ends_with("lib") || kind == "proc-macro")
    })?;
    let mut facts = TargetFacts::linux();
    // As rustdoc sets it.
    facts.flags.insert("doc".to_owned());
    let id = package_id(package);
    let source = CrateInput {
        name: text(target, "name").replace('-', "_"),
        package: id.name,
        version: id.version,
        edition: CrateEdition::from_manifest(target.get("edition").and_then(Value::as_str)),
        lib_path: text(target, "src_path").strip_prefix(root.as_str())?.to_owned(),
        is_proc_macro: list(target, "kind").any(|kind| kind == "proc-macro"),
        enabled_features,
        dependencies,
        target: facts,
    };
    Some(PackageEntry { root, source })
}

fn package_id(package: &Value) -> PackageId {
    PackageId { name: text(package, "name").to_owned(), version: text(package, "version").to_owned() }
}

pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}
