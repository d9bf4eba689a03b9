//! The packages of a repository and their direct dependencies, from the manifests alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

/// A package of the workspace.
#[derive(Debug)]
pub(super) struct PackageFacts {
    pub(super) directory: PathBuf,
    /// The names that code uses, each with the name of the package.
    pub(super) dependencies: BTreeMap<String, String>,
}

/// Reads the packages that Cargo.lock lists without a source.
pub(super) fn read_packages(root: &Path) -> Result<Vec<PackageFacts>, String> {
    let lock = read_toml(&root.join("Cargo.lock"))?;
    let listed = lock.get("package").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table);
    let own: BTreeSet<&str> = listed
        .filter(|package| !package.contains_key("source"))
        .filter_map(|package| package.get("name")?.as_str())
        .collect();
    let mut manifests = Vec::new();
    collect_manifests(root, &mut manifests);
    let read: Vec<(PathBuf, Table)> =
        manifests.into_iter().filter_map(|path| Some((path.parent()?.to_owned(), read_toml(&path).ok()?))).collect();
    let shared = read_toml(&root.join("Cargo.toml")).unwrap_or_default();
    let shared = shared.get("workspace").and_then(|workspace| workspace.get("dependencies")).cloned();
    let libraries: BTreeMap<String, String> = read
        .iter()
        .filter_map(|(_, manifest)| {
            Some((package_name(manifest)?, manifest.get("lib")?.get("name")?.as_str()?.to_owned()))
        })
        .collect();
    let packages = read.iter().filter(|(_, manifest)| {
        let is_own = package_name(manifest).is_some_and(|name| own.contains(name.as_str()));
        // A package with a workspace of its own is another repository's.
        let directory_is_root = |table: &Table| !table.contains_key("workspace");
        is_own && (directory_is_root(manifest) || read_is_root(root, manifest))
    });
    let facts = packages.map(|(directory, manifest)| PackageFacts {
        directory: directory.clone(),
        dependencies: dependencies(manifest, shared.as_ref(), &libraries),
    });
    Ok(facts.collect())
}

fn read_is_root(root: &Path, manifest: &Table) -> bool {
    read_toml(&root.join("Cargo.toml")).ok().as_ref() == Some(manifest)
}

fn package_name(manifest: &Table) -> Option<String> {
    Some(manifest.get("package")?.get("name")?.as_str()?.to_owned())
}

fn dependencies(
    manifest: &Table,
    shared: Option<&Value>,
    libraries: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let tables = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table).chain([manifest]);
    let keys = ["dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies"];
    let own_name = package_name(manifest);
    let mut found = BTreeMap::new();
    for table in tables.flat_map(|table| keys.iter().filter_map(|key| table.get(*key)?.as_table())) {
        for (key, value) in table {
            let inherits = value.get("workspace").and_then(Value::as_bool) == Some(true);
            let entry = if inherits { shared.and_then(|shared| shared.get(key)) } else { Some(value) };
            let package = entry.and_then(|entry| entry.get("package")?.as_str());
            let name = package.unwrap_or(key);
            let code = if package.is_some() { key } else { libraries.get(name).unwrap_or(key) };
            if Some(name) != own_name.as_deref() {
                found.insert(code.replace('-', "_"), name.to_owned());
            }
        }
    }
    found
}

fn collect_manifests(directory: &Path, manifests: &mut Vec<PathBuf>) {
    for path in fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !path.is_symlink() && !name.starts_with('.') && name != "target" {
            collect_manifests(&path, manifests);
        } else if name == "Cargo.toml" {
            manifests.push(path);
        }
    }
}

fn read_toml(path: &Path) -> Result<Table, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    text.parse().map_err(|error| format!("{}: {error}", path.display()))
}
