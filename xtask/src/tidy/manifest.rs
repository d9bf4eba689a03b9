//! What the checks need to know from the `Cargo.toml` files of the workspace.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use super::rust_text::line_of;
use super::source_file::SourceFile;
use super::violation::Violation;

/// One package of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manifest {
    /// Path of the `Cargo.toml` from the repository root.
    pub(super) file: String,
    pub(super) name: String,
    /// The line that `[package]` begins on.
    pub(super) line: usize,
    /// Whether it may be published.
    pub(super) publishing: Publishing,
    /// Whether it says `[lints] workspace = true`.
    pub(super) lints: Lints,
    /// The fields of `[package]` that are present.
    pub(super) fields: Vec<String>,
    /// What it depends on, in all tables.
    pub(super) dependencies: Vec<Dependency>,
}

impl Manifest {
    /// The package's folder, from the repository root.
    pub(super) fn folder(&self) -> &str {
        self.file.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

/// Whether a package may be published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Publishing {
    Allowed,
    Off,
}

/// Where a package's lints come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lints {
    Workspace,
    Own,
}

/// An entry of a dependency table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dependency {
    /// The package's name, whatever it is called here.
    pub(super) package: String,
    /// The table it is in.
    pub(super) kind: DependencyKind,
    /// Line number, from 1.
    pub(super) line: usize,
}

/// The three kinds of dependency tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DependencyKind {
    Normal,
    Build,
    Dev,
}

const TABLES: [(&str, DependencyKind); 3] = [
    ("dependencies", DependencyKind::Normal),
    ("build-dependencies", DependencyKind::Build),
    ("dev-dependencies", DependencyKind::Dev),
];

/// The packages that the root `Cargo.toml` lists as members, and what could not be read.
pub(super) fn members(files: &[SourceFile]) -> (Vec<Manifest>, Vec<Violation>) {
    let mut manifests = Vec::new();
    let mut violations = Vec::new();
    let Some(root) = files.iter().find(|file| file.path == "Cargo.toml") else {
        return (manifests, vec![unreadable("Cargo.toml", 1, "there is no root manifest")]);
    };
    let (patterns, renames) = match DeTable::parse(&root.text) {
        Ok(table) => (member_patterns(table.get_ref()), workspace_renames(table.get_ref())),
        Err(error) => return (manifests, vec![syntax_error(root, &error)]),
    };
    for file in files {
        let Some(folder) = file.path.strip_suffix("/Cargo.toml") else { continue };
        if patterns.iter().any(|pattern| matches_pattern(folder, pattern)) {
            match package(file, &renames) {
                Ok(manifest) => manifests.push(manifest),
                Err(violation) => violations.push(violation),
            }
        }
    }
    (manifests, violations)
}

fn member_patterns(root: &DeTable<'_>) -> Vec<String> {
    let members = root.get("workspace").and_then(|workspace| workspace.get_ref().get("members"));
    let members = members.and_then(|members| members.get_ref().as_array());
    members.into_iter().flatten().filter_map(|member| member.get_ref().as_str()).map(str::to_owned).collect()
}

/// Names under which `[workspace.dependencies]` offers a package that is really called otherwise.
fn workspace_renames(root: &DeTable<'_>) -> BTreeMap<String, String> {
    let shared = root.get("workspace").and_then(|workspace| workspace.get_ref().get("dependencies"));
    let shared = shared.and_then(|shared| shared.get_ref().as_table());
    shared
        .into_iter()
        .flatten()
        .filter_map(|(key, value)| Some((key.get_ref().to_string(), text_field(value.get_ref(), "package")?)))
        .collect()
}

/// Cargo's member globs, as far as we use them: a folder, or `folder/*`.
fn matches_pattern(folder: &str, pattern: &str) -> bool {
    match pattern.strip_suffix("/*") {
        Some(parent) => folder.rsplit_once('/').is_some_and(|(above, _)| above == parent),
        None => folder == pattern,
    }
}

fn package(file: &SourceFile, renames: &BTreeMap<String, String>) -> Result<Manifest, Violation> {
    let table = DeTable::parse(&file.text).map_err(|error| syntax_error(file, &error))?;
    let table = table.get_ref();
    let Some((key, package)) = table.get_key_value("package") else {
        return Err(unreadable(&file.path, 1, "it has no `[package]`"));
    };
    let Some(name) = text_field(package.get_ref(), "name") else {
        return Err(unreadable(&file.path, line_of(&file.text, key.span().start), "its `[package]` has no name"));
    };
    let mut dependencies = dependencies(file, table, renames);
    let targets = table.get("target").and_then(|targets| targets.get_ref().as_table());
    for (_, target) in targets.into_iter().flatten() {
        dependencies.extend(target.get_ref().as_table().into_iter().flat_map(|t| self::dependencies(file, t, renames)));
    }
    let publish = package.get_ref().get("publish").map(toml::Spanned::get_ref);
    let off =
        publish.is_some_and(|value| value.as_bool() == Some(false) || value.as_array().is_some_and(|a| a.is_empty()));
    let inherits = table.get("lints").and_then(|lints| lints.get_ref().get("workspace"));
    let inherits = inherits.is_some_and(|value| value.get_ref().as_bool() == Some(true));
    Ok(Manifest {
        file: file.path.clone(),
        name,
        line: line_of(&file.text, key.span().start),
        publishing: if off { Publishing::Off } else { Publishing::Allowed },
        lints: if inherits { Lints::Workspace } else { Lints::Own },
        fields: package.get_ref().as_table().into_iter().flatten().map(|(key, _)| key.get_ref().to_string()).collect(),
        dependencies,
    })
}

fn dependencies(file: &SourceFile, table: &DeTable<'_>, renames: &BTreeMap<String, String>) -> Vec<Dependency> {
    let mut found = Vec::new();
    for (name, kind) in TABLES {
        let entries = table.get(name).and_then(|entries| entries.get_ref().as_table());
        for (key, value) in entries.into_iter().flatten() {
            let written = key.get_ref().to_string();
            let shared = value.get_ref().get("workspace").is_some();
            let renamed = if shared { renames.get(&written).cloned() } else { text_field(value.get_ref(), "package") };
            let line = line_of(&file.text, key.span().start);
            found.push(Dependency { package: renamed.unwrap_or(written), kind, line });
        }
    }
    found
}

fn text_field(value: &DeValue<'_>, field: &str) -> Option<String> {
    value.get(field)?.get_ref().as_str().map(str::to_owned)
}

fn syntax_error(file: &SourceFile, error: &toml::de::Error) -> Violation {
    let line = error.span().map_or(1, |span| line_of(&file.text, span.start));
    unreadable(&file.path, line, error.message())
}

fn unreadable(file: &str, line: usize, why: &str) -> Violation {
    Violation {
        file: file.to_owned(),
        line,
        message: format!("Failed to read the manifest: {why}"),
        fix: "make it a manifest that `cargo metadata` accepts".to_owned(),
    }
}

/// A workspace for the tables of the checks: the members' folders and manifests.
#[cfg(test)]
pub(super) fn workspace(members: &[(&str, &str)]) -> Vec<SourceFile> {
    let names: Vec<String> = members.iter().map(|(folder, _)| format!("{folder:?}")).collect();
    let root = format!("[workspace]\nmembers = [{}]\n", names.join(", "));
    let mut files = vec![SourceFile::new("Cargo.toml", root)];
    files.extend(members.iter().map(|(folder, text)| SourceFile::new(format!("{folder}/Cargo.toml"), *text)));
    files
}

#[cfg(test)]
mod tests {
    use super::super::source_file::files;
    use super::super::violation::render;
    use super::*;
    use expect_test::expect;

    #[test]
    fn members_are_read() {
        let (manifests, violations) = members(&files(&[
            (
                "Cargo.toml",
                "[workspace]\nmembers = ['crates/*', 'tool']\n\
                 [workspace.dependencies]\nshort = { path = 'crates/long', package = 'long-name' }\n",
            ),
            (
                "crates/a/Cargo.toml",
                "[package]\nname = 'a'\nlicense.workspace = true\n\n[lints]\nworkspace = true\n\n\
                 [dependencies]\nserde = '1'\nshort.workspace = true\nother = { path = '../b', package = 'b' }\n\n\
                 [target.'cfg(unix)'.build-dependencies]\nrustix = '1'\n\n[dev-dependencies.kit]\npath = '../kit'\n",
            ),
            ("tool/Cargo.toml", "\n[package]\nname = 'tool'\npublish = false\n"),
            ("crates/a/fixtures/x/Cargo.toml", "[package]\nname = 'fixture'\n"),
        ]));
        assert_eq!(violations, []);
        let mut shown = Vec::new();
        for manifest in &manifests {
            let Manifest { name, line, publishing, lints, fields, .. } = manifest;
            shown.push(format!("{name} in {}:{line} {publishing:?} {lints:?} {fields:?}", manifest.folder()));
            let uses = manifest.dependencies.iter().map(|d| format!("  {}: {} {:?}", d.line, d.package, d.kind));
            shown.extend(uses);
        }
        expect![[r#"
            a in crates/a:1 Allowed Workspace ["license", "name"]
              11: b Normal
              9: serde Normal
              10: long-name Normal
              16: kit Dev
              14: rustix Build
            tool in tool:2 Off Own ["name", "publish"]
        "#]]
        .assert_eq(&(shown.join("\n") + "\n"));
    }

    #[test]
    fn bad_manifests_are_reported() {
        let (_, violations) = members(&workspace(&[
            ("a", "[package\n"),
            ("b", "[dependencies]\n"),
            ("c", "\n[package]\nversion = '1.0.0'\n"),
        ]));
        expect![[r#"
            a/Cargo.toml:1: Failed to read the manifest: unclosed table, expected `]`
                fix: make it a manifest that `cargo metadata` accepts
            b/Cargo.toml:1: Failed to read the manifest: it has no `[package]`
                fix: make it a manifest that `cargo metadata` accepts
            c/Cargo.toml:2: Failed to read the manifest: its `[package]` has no name
                fix: make it a manifest that `cargo metadata` accepts
        "#]]
        .assert_eq(&render(&violations));
        assert_eq!(members(&[]).1.len(), 1);
    }
}
