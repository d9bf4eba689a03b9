//! Parser of the package and workspace sections of a Cargo.toml.

use std::collections::BTreeMap;

use semver::Version;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::dependency::{self, ManifestDiagnostics};
use super::types::{
    CargoManifest, DependencyDetail, LibraryTable, PackageEdition, PackageTable, PackageVersion, WorkspaceTable,
};
use crate::crates::name::CrateName;
use crate::diagnostic::Diagnostic;
use crate::merge_conflict::conflict_marker;

type ManifestValue<'a> = Spanned<DeValue<'a>>;

/// Parses a Cargo.toml; `path` is the file as shown to the user.
///
/// `Err` when it is not TOML at all. An invalid part is left out, with a diagnostic, and the others are kept.
pub fn parse_manifest(path: &str, text: &str) -> Result<(CargoManifest, Vec<Diagnostic>), Box<Diagnostic>> {
    let document = DeTable::parse(text).map_err(|error| {
        if let Some(marker) = conflict_marker(text) {
            let finding = Diagnostic::error(path, "Unresolved merge conflict").at(text, marker);
            return Box::new(finding.help("resolve the conflict"));
        }
        let message = error.message().lines().next().unwrap_or_default();
        let finding = Diagnostic::error(path, format!("Not valid TOML: {message}"));
        Box::new(finding.at(text, error.span().unwrap_or(text.len()..text.len())).help("correct the syntax here"))
    })?;
    let document = document.get_ref();
    let mut findings = ManifestDiagnostics { path, text, list: Vec::new() };
    let (dependencies, skipped) = dependency::all(document, &mut findings);
    let manifest = CargoManifest {
        package: section(document, "package", &mut findings)
            .or_else(|| section(document, "project", &mut findings))
            .and_then(|(at, table)| package(at, table, &mut findings)),
        workspace: section(document, "workspace", &mut findings).map(|(_, table)| workspace(table, &mut findings)),
        dependencies,
        skipped,
        patched_paths: patched_paths(document),
        library: library(document),
        features: features(document),
    };
    findings.list.sort_by_key(|finding| {
        finding.location.as_ref().map_or((usize::MAX, 0), |location| (location.line, location.column))
    });
    Ok((manifest, findings.list))
}

fn section<'a, 't>(
    document: &'a DeTable<'t>,
    key: &str,
    findings: &mut ManifestDiagnostics<'_>,
) -> Option<(&'a ManifestValue<'t>, &'a DeTable<'t>)> {
    let value = document.get(key)?;
    let table = value.get_ref().as_table();
    if table.is_none() {
        findings.error(value, format!("`{key}` has to be a table"), &format!("write a section `[{key}]`"));
    }
    Some((value, table?))
}

fn package(
    at: &ManifestValue<'_>,
    table: &DeTable<'_>,
    findings: &mut ManifestDiagnostics<'_>,
) -> Option<PackageTable> {
    const NAME: &str = "write `name = \"…\"` with letters, digits, `-` and `_`";
    let Some(at_name) = table.get("name") else {
        findings.error(at, "The package has no `name`", NAME);
        return None;
    };
    let Some(name) = at_name.get_ref().as_str().and_then(CrateName::parse) else {
        findings.error(at_name, "The package's `name` is not a valid crate name", NAME);
        return None;
    };
    let version = match table.get("version") {
        None => PackageVersion::Missing,
        Some(value) if inherits(value) => PackageVersion::Inherited,
        Some(value) => version(value, findings).map_or(PackageVersion::Missing, PackageVersion::Given),
    };
    let string = |key: &str| table.get(key).and_then(|value| value.get_ref().as_str()).map(str::to_owned);
    let edition = match table.get("edition") {
        None => PackageEdition::Missing,
        Some(value) if inherits(value) => PackageEdition::Inherited,
        // An invalid edition is left for cargo to report.
        Some(_) => string("edition").map_or(PackageEdition::Missing, PackageEdition::Given),
    };
    Some(PackageTable { name, version, workspace: string("workspace"), readme: string("readme"), edition })
}

fn inherits(value: &ManifestValue<'_>) -> bool {
    let table = value.get_ref().as_table();
    table.and_then(|table| table.get("workspace")).and_then(|value| value.get_ref().as_bool()) == Some(true)
}

fn version(value: &ManifestValue<'_>, findings: &mut ManifestDiagnostics<'_>) -> Option<Version> {
    let version = value.get_ref().as_str().and_then(|text| Version::parse(text.trim()).ok());
    if version.is_none() {
        findings.error(value, "`version` is not a version", "write three numbers, as in `version = \"0.1.0\"`");
    }
    version
}

fn workspace(table: &DeTable<'_>, findings: &mut ManifestDiagnostics<'_>) -> WorkspaceTable {
    let inherited = table.get("package").and_then(|value| value.get_ref().as_table());
    WorkspaceTable {
        members: strings(table, "members", findings),
        exclude: strings(table, "exclude", findings),
        default_members: strings(table, "default-members", findings),
        version: inherited.and_then(|package| package.get("version")).and_then(|value| version(value, findings)),
        edition: inherited.and_then(|package| package.get("edition")?.get_ref().as_str()).map(str::to_owned),
        dependencies: workspace_dependencies(table, findings),
    }
}

fn strings(table: &DeTable<'_>, key: &str, findings: &mut ManifestDiagnostics<'_>) -> Vec<String> {
    const HELP: &str = "write a list of directories, as in `[\"crates/*\"]`";
    let Some(value) = table.get(key) else { return Vec::new() };
    let Some(array) = value.get_ref().as_array() else {
        findings.error(value, format!("`{key}` has to be a list of strings"), HELP);
        return Vec::new();
    };
    let mut strings = Vec::new();
    for item in array {
        match item.get_ref().as_str() {
            Some(text) => strings.push(text.to_owned()),
            None => findings.error(item, format!("An entry of `{key}` has to be a string"), HELP),
        }
    }
    strings
}

fn workspace_dependencies(
    table: &DeTable<'_>,
    findings: &mut ManifestDiagnostics<'_>,
) -> BTreeMap<String, DependencyDetail> {
    let Some((_, entries)) = section(table, "dependencies", findings) else { return BTreeMap::new() };
    let each = entries.iter().filter_map(|(key, value)| {
        let detail = dependency::detail(key.get_ref(), value, findings)?;
        Some((key.get_ref().clone().into_owned(), detail))
    });
    each.collect()
}

/// Reads `[lib]`; faults are left for cargo to report.
fn library(document: &DeTable<'_>) -> LibraryTable {
    let Some(table) = document.get("lib").and_then(|value| value.get_ref().as_table()) else {
        return LibraryTable::default();
    };
    let value = |key: &str| table.get(key).map(Spanned::get_ref);
    let string = |key: &str| value(key).and_then(DeValue::as_str).map(str::to_owned);
    let is_set = |key: &str| value(key).and_then(DeValue::as_bool) == Some(true);
    let kinds = dependency::string_list(table, "crate-type");
    let is_proc_macro = is_set("proc-macro") || is_set("proc_macro") || kinds.iter().any(|kind| kind == "proc-macro");
    LibraryTable { name: string("name").filter(|name| !name.is_empty()), path: string("path"), is_proc_macro }
}

/// Reads `[features]`; faults are left for cargo to report.
fn features(document: &DeTable<'_>) -> BTreeMap<String, Vec<String>> {
    let Some(table) = document.get("features").and_then(|value| value.get_ref().as_table()) else {
        return BTreeMap::new();
    };
    table.keys().map(|key| (key.get_ref().to_string(), dependency::string_list(table, key.get_ref()))).collect()
}

/// Returns the directories of patches; what a patch changes is already in Cargo.lock.
fn patched_paths(document: &DeTable<'_>) -> Vec<String> {
    let paths = |value: &DeTable<'_>| -> Vec<String> {
        let paths = value.values().filter_map(|entry| entry.get_ref().as_table()?.get("path")?.get_ref().as_str());
        paths.map(str::to_owned).collect()
    };
    let table = |key: &str| document.get(key).and_then(|value| value.get_ref().as_table());
    let sources = table("patch").into_iter().flat_map(DeTable::values).filter_map(|value| value.get_ref().as_table());
    sources.chain(table("replace")).flat_map(paths).collect()
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
